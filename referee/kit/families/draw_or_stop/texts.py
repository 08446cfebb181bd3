"""The parts of the ruling book of a game of this family, and the rules that ``[text]`` can name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.chapters.deck import table, words
from referee.kit.chapters.deck import texts as deck
from referee.kit.chapters.match import texts as match
from referee.kit.chapters.scoring import texts as scoring
from referee.kit.families.draw_or_stop.keys import VERBS
from referee.kit.notes.words import NAMED
from referee.kit.saying import BookParts, FileWords, own_text
from referee.kit.text.source import RulesSource

SECTIONS: tuple[tuple[str, str, str], ...] = (
    ("setup", "準備", "Setting up"),
    ("starter", "スタートプレイヤー", "Who begins"),
    ("hit", "手番", "A turn"),
    ("effect", "カードの効果", "What cards do"),
    ("shuffle", "山札", "The stock"),
    ("score", "得点", "Scoring"),
    ("deals", "ラウンド", "The rounds"),
    ("outcome", "勝敗", "Winning"),
)

WITHIN = {
    **dict.fromkeys(("stay", "fold", "order", "draw"), "hit"),
    "aim": "effect",
    "start": "starter",
    "leave": "deals",
}

ABSENT: Mapping[str, Text] = {
    "stay.1": Text("引くのをやめて残ることはできない。", "Nobody can stay."),
    "fold.1": Text("おりることはできない。", "Nobody can fold."),
    "aim.1": Text("相手を決める効果は待っていない。", "No card waits for a player to be named."),
    "aim.2": Text("選べる人の中から決める。", "Only some players can be named."),
    "draw.1": Text("引くことが決まっている人から引く。", "Draws that are due come first."),
    "start.4": Text("抽選はない。", "No lot is drawn."),
    "shuffle.2": Text("切り直しても引けるカードがない。", "No card is left to draw."),
}

STARTER: Mapping[str, Text] = {
    "rotate": Text(
        "最初の人はラウンドごとに左どなりへ移る。", "The first turn moves to the left each round."
    ),
    "pick": Text("最初の人は毎回決める。", "The first player is named every time."),
    "lowest": Text(
        "いちばん低いカードの人から始める。", "The player with the lowest card goes first."
    ),
}

VERB: Mapping[str, Text] = {
    "drop": Text("そのカードを捨てる", "the card is discarded"),
    "move": Text("そのカードを{0}の前に置く", "the card goes to {0}"),
    "keep": Text("そのカードを得点として残す", "the card is kept for points"),
    "bust": Text("その人はバースト", "the player is bust"),
    "out": Text(
        "{0}はここで抜け、列はそのまま数える", "{0} is out of the round, and the row counts"
    ),
    "draw": Text("{0}が{1}枚引く", "{0} takes cards: {1}"),
    "over": Text("ラウンドが終わる", "the round ends"),
}
"""What each verb does; {0}: whom it concerns, {1}: how many."""

TO: Mapping[str, Text] = {
    "self": Text("その人", "the player"),
    "other": Text("選んだほかの人", "another player of choice"),
    "any": Text("選んだ人", "a player of choice"),
}


LOWEST: Mapping[str, Text] = {
    "start.1": Text(
        "全員に1枚ずつ配り、数字の低さを比べる。", "Everybody gets one card to compare."
    ),
    "start.2": Text(
        "並んだ人には1枚ずつ足し、足したカードで比べる。",
        "Those who are tied get one more each, and these decide.",
    ),
    "start.3": Text(
        "このとき自分の列にある数字が出たら捨て、代わりを配る。",
        "A card that repeats a number of the row is discarded and replaced.",
    ),
    "start.4": Text(
        "カードで決まらないときは抽選にする。", "If no card can break the tie, a lot decides."
    ),
}
"""How the lowest card decides who goes first."""

TURN = (
    Text(
        "手番には1枚引くか、やめる。引いたら左の人に移る。",
        "On your turn take a card or stop; then it is the turn of the player to the left.",
    ),
    Text(
        "手番には1枚引くか、やめる。引いたあとも続けられる。",
        "On your turn take a card or stop; after a card you go on.",
    ),
)
"""A turn of one card, and one that goes on."""

ORDER = Text(
    "配り終わるまでは、引くこともやめることもできない。",
    "Nobody takes a card or stops before all are dealt.",
)

STAY = Text(
    "やめるとラウンドから抜け、列はそのまま数える。",
    "Who stays is out of the round, and the row counts.",
)

AIMS: Mapping[str, Text] = {
    "aim.1": Text(
        "相手を選べる効果では、カードを引いた人が決める。選べる人が1人なら、その人になる。",
        "If an effect concerns a player of choice, the one who drew the card names one; if there "
        "is only one, nobody is asked.",
    ),
    "aim.2": Text(
        "選べるのは、まだ引いている人だけ。", "Only players still in the round can be named."
    ),
}

DRAWS = Text(
    "何枚か引くあいだに出たカードの効果で、人を抜けさせるものと引かせるものは、最後の1枚のあとに働く。",
    "While a player draws several cards, effects that put a player out or make a player draw wait "
    "until the last one.",
)

SHUFFLES = (
    Text(
        "山札がなくなって次の1枚が要るときに、だれの前にもないカードを切り直す。",
        "When the stock is empty and a card is needed, all cards that lie in front of nobody are "
        "shuffled.",
    ),
    Text("ラウンドごとに、全部のカードを切り直す。", "All cards are shuffled for each round."),
)
"""When the stock is shuffled: when it is empty, or for each round."""

NO_MORE = Text(
    "切り直しても足りなければ、もう引けない。", "If that gives no card, none can be drawn."
)


def ruled(source: RulesSource) -> Iterator[str]:
    """The rules of a file, as ``[text]`` names them."""
    yield from ("setup.deck", "setup.teams", "setup.hand", "starter.1", "hit.1", "order.1")
    yield from ("stay.1", "fold.1", "aim.1", "aim.2", "draw.1", "shuffle.1", "shuffle.2")
    yield from ("start.1", "start.2", "start.3", "start.4", "deals.1", "outcome.1", "leave.1")
    yield from (f"effect.{name}" for name in table(source.at("effect")))
    yield from (f"score.{name}" for key in NAMED for name in table(source.at(key)))


def _dealt(file: FileWords) -> Iterator[tuple[str, Text]]:
    rules, source = file.rules, file.source
    cards = file.text("sum", "deal", "cards")
    many = cards if cards.ja else Text("1", "1")
    yield (
        "setup.hand",
        Text(
            f"ラウンドの始めに、1人{many.ja}枚を表にして配る。",
            f"Cards dealt open to each: {many.en}.",
        ),
    )
    yield "starter.1", STARTER[source.word("deal", "leader", default="rotate")]
    if rules.deal.first == "lowest":
        yield from LOWEST.items()


def _turn(file: FileWords) -> Iterator[tuple[str, Text]]:
    rules, source = file.rules, file.source
    yield "hit.1", TURN[rules.goes_on]
    yield "order.1", ORDER
    if rules.stops.stays:
        when, stay = file.text("condition", "stay", "when"), STAY
        if rules.stops.stay_when:
            only = f"やめられるのは、{when.ja}のとき。"
            stay = Text(STAY.ja + only, f"{STAY.en} One can stay if {when.en}.")
        yield "stay.1", stay
    if rules.stops.folds:
        low = source.word("fold", "takes", default="lowest") == "lowest"
        yield (
            "fold.1",
            Text(
                f"おりる人は、全員の列でいちばん{'低い' if low else '高い'}カードを取って抜ける。",
                f"Who folds takes the {'lowest' if low else 'highest'} card that lies before"
                " anybody, and is out of the round.",
            ),
        )


def _effects(file: FileWords) -> Iterator[tuple[str, Text]]:
    for name in table(file.source.at("effect")):
        yield f"effect.{name}", _effect(file, name)
    if any(row.to != "self" for row in file.rules.effects):
        yield from AIMS.items()
    if any("draw" in row.do for row in file.rules.effects):
        yield "draw.1", DRAWS


def _effect(file: FileWords, name: str) -> Text:
    """What a row does, and when."""
    source, at = file.source, ("effect", name)
    verbs = words(source.at(*at, "do"))
    to, times = TO[source.word(*at, "to", default="self")], file.text("sum", *at, "times")
    many = times if times.ja else Text("1", "1")
    done = [VERB[verb] for verb in sorted(verbs, key=VERBS.index)]
    ja = "、".join(each.ja.format(to.ja, many.ja) for each in done)
    en = "; ".join(each.en.format(to.en, many.en) for each in done)
    if (cost := file.text("cards", *at, "cost")).ja:
        ja, en = f"{ja}（列の{cost.ja}1枚も捨てる）", f"{en}, and one of {cost.en} from the row"
    if (who := file.text("condition", *at, "who")).ja:
        ja, en = f"{ja}（相手は、{who.ja}の人）", f"{en} (a player with: {who.en})"
    when = file.text("condition", *at, "when")
    folds = source.word(*at, "on", default="draw") == "fold"
    if not when.ja or when.ja == "いつでも":
        when = Text("おりたとき", "after a fold") if folds else Text("引いたとき", "after a card")
        made = Text(f"{when.ja}、{ja}。", f"{when.en[:1].upper()}{when.en[1:]}: {en}.")
    else:
        of = Text("おりて取ったカードが", "For a card taken by a fold: ") if folds else Text("", "")
        made = Text(f"{of.ja}{when.ja}なら、{ja}。", f"{of.en}if {when.en}: {en}.")
        made = Text(made.ja, made.en[:1].upper() + made.en[1:])
    return own_text(source.at(*at), made)


def _shuffles(file: FileWords) -> Iterator[tuple[str, Text]]:
    rules = file.rules
    burn = file.text("sum", "deal", "burn")
    away = Text(
        f"切ったら{burn.ja}枚を裏のまま捨てる。",
        f" After a shuffle, cards burned face down: {burn.en}.",
    )
    away = away if burn.ja and burn.ja != "0" else Text("", "")
    made = SHUFFLES[rules.deal.reshuffles]
    yield "shuffle.1", Text(made.ja + away.ja, made.en + away.en)
    yield "shuffle.2", NO_MORE


def _leaving(file: FileWords) -> Iterator[tuple[str, Text]]:
    if (out := file.text("condition", "match", "out")).ja:
        yield (
            "leave.1",
            Text(
                f"ラウンドのあと、{out.ja}の人は、ゲームから抜ける。",
                f"After a round, out of the game: players with {out.en}.",
            ),
        )


BOOK = BookParts(
    SECTIONS,
    (deck.clauses, _dealt, _turn, _effects, _shuffles, scoring.clauses, _leaving, match.clauses),
    ABSENT,
    WITHIN,
)
