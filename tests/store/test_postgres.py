"""What only a server brings: it goes away and comes back, has replicas, and others beside us."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier

import pytest
from click.testing import CliRunner
from cluster import Cluster, Schemas, replica, running
from introduced import TOKEN, introduced
from parsed import parsed
from pooler import pooling
from waiting import PATIENCE, wait_for

from referee.app import create_app
from referee.cli import main
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.history import counting
from referee.ledger import Ledger, StaleTable
from referee.store import NOBODYS, Circles, Clash, NewEntry, Store, Unavailable, engine, log
from referee.store.engine import Contended
from referee.store.past import Past
from referee.store.postgres import MOST_CONNECTIONS, PREPARED_FROM, translated

HEADER = f"referee: 1\ngame: {WIDEST}\nseats: A B"


@pytest.fixture(scope="module")
def _on_disk(cluster: Cluster) -> Iterator[Cluster]:
    with running(durable=True) as found:
        yield found


@pytest.fixture
def durable(_on_disk: Cluster) -> Cluster:
    """A server that may be killed: what it has acknowledged is on its disk."""
    _on_disk.start()
    return _on_disk


@pytest.fixture
def address(schemas: Schemas) -> Iterator[str]:
    schema = schemas.take()
    yield schemas.cluster.address(schema)
    schemas.give_back(schema)


# all others', and waited for: one that is still to be cut could be so within a commit
CUT = (
    f"SELECT count(pg_terminate_backend(pid, {PATIENCE * 1000:.0f})) FROM pg_stat_activity"
    " WHERE application_name LIKE 'referee%' AND pid != pg_backend_pid()"
)


def entry(line: str) -> NewEntry:
    return NewEntry(line, f"key of {line}", "legal", "follow.1", "1")


def lines(store: Store) -> list[str]:
    return [stored.line for stored in store.read("m")]


def test_queries_keep_their_meaning_in_the_other_words() -> None:
    assert translated("SELECT 1 WHERE a = ? AND b = ?") == "SELECT 1 WHERE a = $1 AND b = $2"
    assert translated("SELECT ?1, ?2, ?1") == "SELECT $1, $2, $1"
    assert (
        translated("a LIKE ? ESCAPE '\\' LIMIT ?") == "a ILIKE $1 ESCAPE '\\' LIMIT nullif($2, -1)"
    )


def test_servers_that_start_at_once_make_the_tables_once(schemas: Schemas) -> None:
    address = schemas.cluster.address(schemas.take())
    together = Barrier(4)

    def start(_: int) -> Store:
        together.wait()
        return Store(address)

    with ThreadPoolExecutor(4) as servers:
        stores = list(servers.map(start, range(4)))
    stores[0].open("m", HEADER)
    assert [store.header("m") for store in stores] == [HEADER] * 4
    for store in stores:
        store.close()


def test_a_connection_that_served_others_in_between_begins_anew(address: str) -> None:
    """Both look, then both write what the other should have seen."""
    store, other = Store(address), Store(address)
    count = "SELECT count(*) FROM phones"

    def both() -> None:
        with store._transaction() as mine:
            assert mine.execute(count).fetchone() == (0,)
            with other._transaction() as theirs:
                assert theirs.execute(count).fetchone() == (0,)
                theirs.execute("INSERT INTO phones VALUES ('theirs', '')")
            mine.execute("INSERT INTO phones VALUES ('mine', '')")

    with pytest.raises(Contended):
        both()
    assert store._rows("SELECT id FROM phones") == [("theirs",)]
    store.close()
    other.close()


def test_beginning_anew_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LONGEST_PAUSE_SECONDS", 0.001)
    tried = []

    @engine.retried
    def never() -> None:
        tried.append(1)
        raise Contended

    with pytest.raises(Unavailable):
        never()
    assert len(tried) == engine.ATTEMPTS


def test_every_transaction_can_begin_anew() -> None:
    """A method with a transaction that is not ``retried`` would be a 503 now and then."""
    for file in Path(log.__file__).parent.glob("*.py"):
        before, previous = "", ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith(("    def ", "def ")):
                before = previous
            if "transaction() as" in line:
                assert before.strip() == "@retried", f"{file.name}: {line}"
            if line.strip():
                previous = line


def test_phones_of_a_circle_sit_down_in_the_same_instant(address: str) -> None:
    """Transactions that overlap in every table come out as if one had followed the other."""
    stores = [Store(address) for _ in range(3)]
    together = Barrier(12)

    def come(number: int) -> None:
        store = stores[number % 3]
        together.wait()
        store.open(f"m{number}", HEADER, ["A", "B"])

    with ThreadPoolExecutor(12) as phones:
        list(phones.map(come, range(12)))
    [evening] = Circles(stores[0]).sessions("")
    assert evening.matches == 12
    for store in stores:
        store.close()


def test_connections_that_were_cut_are_made_anew_and_nobody_notices(address: str) -> None:
    store = Store(address)
    store.open("m", HEADER)
    known = store.generation()
    for number in range(3):
        store._rows(CUT)
        other = Store(address)
        other._rows(CUT)
        other.close()
        store.append("m", number, [entry(str(number))])
    assert lines(store) == ["0", "1", "2"]
    assert store.generation() > known
    store.close()


def test_a_hint_names_the_match_that_has_grown(address: str) -> None:
    """Also those that were gathered, in as many notifications as they need."""
    store, other = Store(address), Store(address)
    heard, own = dict[str, int](), dict[str, int]()
    store.subscribe(heard.__setitem__)
    other.subscribe(own.__setitem__)
    for listening in (store, other):
        listening.foreign_commits()
    store.open("m", HEADER)
    grown = 0

    def grows() -> bool:
        """Entries are announced until one is heard: the connections may not be there yet."""
        nonlocal grown
        if "m" not in heard:
            other.append("m", grown, [entry(str(grown)), entry(f"{grown} and more")])
            grown += 2
        return "m" in heard

    wait_for(grows)
    wait_for(lambda: heard["m"] == grown)
    many = {f"{'long' * 15}{number}": number for number in range(1, 300)}
    for match, seq in many.items():
        other.engine.notify(match, seq)
    wait_for(lambda: len(heard) > len(many))
    assert heard == many | {"m": grown}
    assert own == {}
    store.close()
    other.close()


def test_hints_come_through_where_thousands_of_streams_are_open(address: str) -> None:
    store, other = Store(address), Store(address)
    heard = dict[str, int]()
    store.subscribe(heard.__setitem__)
    with descriptors_taken(1_100):
        for listening in (store, other):
            listening.foreign_commits()

        def noticed() -> bool:
            other.engine.notify("m", 1)
            return bool(heard)

        wait_for(noticed)
        store.close()
        other.close()
    assert heard == {"m": 1}


@contextmanager
def descriptors_taken(upto: int) -> Iterator[None]:
    """What is opened while this lasts has a number above ``upto``."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < upto + 200:
        pytest.skip("this machine allows fewer descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, upto + 200), hard))
    taken = [os.open(os.devnull, os.O_RDONLY)]
    try:
        while taken[-1] < upto:
            taken.append(os.dup(taken[0]))
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_while_the_server_is_away_phones_show_it_and_nothing_is_lost(
    durable: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATABASE", durable.address())
    app = create_app(tmp_path, TESTING=True)
    ledger = app.extensions["ledger"]
    match = ledger.open(Header(WIDEST, ("A", "B")), introduced(ledger.store)).match
    ledger.declare(match, "table deal leader=A", 0, "key-of-the-deal")
    phone = app.test_client()
    phone.set_cookie("phone", TOKEN)
    tap = {"line": "A lay 4", "seen": 1, "key": "a-key-of-this-tap"}
    play = f"/t/{match}/play"
    durable.crash()
    answer = phone.post(play, data=tap)
    assert answer.status_code == 503
    assert "記録は増えていません" in parsed(answer.text).text
    assert phone.get("/healthz").status_code == 503
    durable.start()
    # the pool looks for the server by itself, every now and then
    wait_for(lambda: phone.post(play, data=tap).status_code != 503)
    assert phone.post(play, data=tap).status_code == 303
    assert [row.line for row in ledger.store.read(match)] == [
        "table deal leader=A",
        "A lay 4",
    ]
    assert phone.get("/healthz").status_code == 200
    ledger.store.close()


def test_a_server_that_has_not_got_the_file_says_what_it_knows_of_an_import(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATABASE", address)
    app = create_app(tmp_path, TESTING=True)
    store = app.extensions["ledger"].store
    circle = introduced(store)
    phone = app.test_client()
    phone.set_cookie("phone", TOKEN)
    for count in range(1, 3):
        store.open(f"m{count}", HEADER, (), circle)
        page = phone.get("/history/work")
        assert (page.status_code, page.headers["Refresh"]) == (200, "1")
        assert f"いま{count}ゲーム" in parsed(page.text).text
    store.close()


def test_a_replica_that_lags_is_never_asked(durable: Cluster) -> None:
    """Nor does what is in memory outlive a primary whose successor knows less."""
    address = durable.address()
    store = Store(address)
    view = Ledger(store).open(Header(WIDEST, ("A", "B")))
    store.close()
    behind = replica(durable)
    try:
        with pytest.raises(Unavailable):
            Store(behind.address())
        both = address.replace(
            f"127.0.0.1:{durable.port}", f"127.0.0.1:{behind.port},127.0.0.1:{durable.port}"
        )
        store = Store(both)
        ledger = Ledger(store)
        ledger.declare(view.match, "table deal leader=A", 0, "key-of-the-deal")
        assert (ledger.view(view.match).seq, store.tails([view.match])) == (1, {view.match: 1})
        there = f"SELECT count(*) FROM entries WHERE match = '{view.match}'"
        assert (durable.ask(there), behind.ask(there)) == ([(1,)], [(0,)])
        durable.crash()
        behind.run("pg_ctl", "promote", "-D", str(behind.data), "-w")
        assert ledger.view(view.match).seq == 0
        with pytest.raises(StaleTable):
            ledger.declare(view.match, "A lay 4", 1, "key-of-a-play")
        with pytest.raises(Clash):
            store.append(view.match, 1, [entry("A lay 4")])
        ledger.declare(view.match, "table deal leader=B", 0, "key-of-another")
        assert ledger.view(view.match).seq == 1
        store.close()
    finally:
        behind.remove()


def test_the_commands_know_where_the_data_lies(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATABASE", address)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    Store(address).close()
    output = CliRunner().invoke(main, ["doctor"]).output
    assert re.search(r"^ok  database +PostgreSQL \d+.* on 127\.0\.0\.1, postgres, ", output, re.M)
    refused = CliRunner().invoke(main, ["backup"])
    assert (refused.exit_code, "pg_dump" in refused.output) == (1, True)
    record = tmp_path / "a.txt"
    record.write_text(f"{HEADER}\n\ntable deal leader=A\n", encoding="utf-8")
    assert CliRunner().invoke(main, ["import", str(record)]).exit_code == 0
    assert f"{WIDEST}  A B" in CliRunner().invoke(main, ["export"]).output
    assert not list((tmp_path / "data").glob("*.db"))


@pytest.mark.parametrize(
    "wrong", ["postgresql://u:secret@127.0.0.1:1/x", "postgresql://[", "mysql://u:secret@h/x"]
)
def test_an_address_that_leads_nowhere_is_said_without_its_password(wrong: str) -> None:
    with pytest.raises(Unavailable) as fault:
        Store(wrong)
    assert "secret" not in str(fault.value)


def test_behind_a_pooler_in_transaction_mode_matches_are_played(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pooling(address) as (pooled, pooler):
        monkeypatch.setenv("REFEREE_DATABASE", pooled)
        app = create_app(tmp_path, TESTING=True)
        ledger: Ledger = app.extensions["ledger"]
        match = ledger.open(Header(WIDEST, ("A", "B"))).match
        line = "table deal leader=A"
        for seen in range(4 * MOST_CONNECTIONS * PREPARED_FROM):
            assert ledger.declare(match, line, seen, f"{seen:08}").seq == seen + 1
            line = "A lay 3" if seen % 2 == 0 else "table rewind 1"
        counting.catch_up(ledger.store)
        assert len(Past(ledger.store, NOBODYS).last(-1)) == 0
        assert app.test_client().get("/healthz").status_code == 200
        assert min(pooler.used) > PREPARED_FROM
        monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
        found = CliRunner().invoke(main, ["doctor"])
        assert "through a pooler" in found.output
        ledger.store.close()


def test_without_a_pooler_statements_are_prepared(address: str) -> None:
    store = Store(address)
    for _ in range(MOST_CONNECTIONS * PREPARED_FROM * 2):
        store.matches(1)
    # the pool gives its connections by turns, and one of them may have come a moment ago
    query = "SELECT count(*) FROM pg_prepared_statements"
    assert any(store._rows(query) != [(0,)] for _ in range(MOST_CONNECTIONS))
    store.close()


def test_an_account_without_rights_gets_a_sentence(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.ask("DROP ROLE IF EXISTS guest")
    cluster.ask("CREATE ROLE guest LOGIN")
    try:
        monkeypatch.setenv("REFEREE_DATABASE", cluster.address().replace("//referee@", "//guest@"))
        refused = CliRunner().invoke(main, ["circles"])
        assert "make or change tables" in refused.output
        assert "disk" not in refused.output
    finally:
        cluster.ask("DROP ROLE guest")
