"""What `deploy/` ships, as far as it can be tried without the machines that it is for."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from sockets import stopped

from referee.app import create_app
from referee.cli import main
from torture.ports import free

TOP = Path(__file__).parent.parent
IMAGE = (TOP / "deploy" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
UNIT = (TOP / "deploy" / "fudami.service").read_text(encoding="utf-8")
IN_IMAGE = ("fast", "https", "postgres")
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def arguments(word: str) -> list[str]:
    """What stands behind ``word`` in the Dockerfile, line by line."""
    return re.findall(rf"^{word} +(.*?) *$", IMAGE, re.MULTILINE)


def accepted(command: list[str]) -> dict[str, object]:
    """The options of `referee serve` as the command would take them; raises if it would not."""
    assert command[0] == "serve"
    serve = main.commands["serve"]
    with serve.make_context("serve", command[1:]) as context:
        return dict(context.params)


def test_the_image_starts_a_command_that_there_is() -> None:
    [entry], [command] = arguments("ENTRYPOINT"), arguments("CMD")
    program = Path(json.loads(entry)[0])
    assert program.name in PROJECT["scripts"]
    venv = re.search(r"python -m venv (\S+)", IMAGE)
    assert venv is not None
    assert program.parent == Path(venv[1]) / "bin"
    options = accepted(json.loads(command))
    assert (options["public"], options["host"], options["port"]) == (True, "0.0.0.0", 8321)
    assert arguments("EXPOSE") == ["8321"]
    example = re.search(r"\bfudami (serve .*)$", IMAGE, re.MULTILINE)
    assert example is not None
    assert accepted(shlex.split(example[1]))["proxy"] == "172.18.0.0/16"


def test_the_image_is_built_of_what_is_there() -> None:
    [source] = re.findall(r"--require-hashes\s+--requirement (\S+)", IMAGE)
    assert (TOP / source).is_file()
    versions = [re.match(r"python:(\d+)\.(\d+)-slim\b", stage) for stage in arguments("FROM")]
    assert len(versions) == 2
    least = re.search(r">=(\d+)\.(\d+)", PROJECT["requires-python"])
    assert least is not None
    for version in versions:
        assert version is not None
        assert tuple(map(int, version.groups())) >= tuple(map(int, least.groups()))
    copied = re.search(r"COPY --from=build (\S+) (\S+)", IMAGE)
    assert copied is not None
    assert copied[1] == copied[2]  # a virtual environment works where it was made
    assert arguments("USER")[-1] != "root"
    assert "REFEREE_DATA=/data" in arguments("ENV")[0]
    assert arguments("VOLUME") == ["/data"]


def test_the_health_check_of_the_image_asks_the_health_page(tmp_path: Path) -> None:
    [check] = re.findall(r"^HEALTHCHECK .*? CMD (\[.*\])$", IMAGE, re.MULTILINE)
    code = json.loads(check)[2]
    compile(code, "HEALTHCHECK", "exec")
    asked = re.search(r"http://127\.0\.0\.1:8321(/\w+)", code)
    assert asked is not None
    app = create_app(tmp_path, PUBLIC=True)
    assert app.test_client().get(asked[1]).status_code == 200
    app.extensions["ledger"].store.close()


def test_the_unit_starts_a_command_that_there_is() -> None:
    started = re.search(r"^ExecStart=(\S+) (.*)$", UNIT, re.MULTILINE)
    assert started is not None
    assert Path(started[1]).name in PROJECT["scripts"]
    assert accepted(shlex.split(started[2]))["public"]


def test_the_unit_is_called_where_the_proxies_call() -> None:
    socket = (TOP / "deploy" / "fudami.socket").read_text(encoding="utf-8")
    called = re.search(r"^ListenStream=(\S+)$", socket, re.MULTILINE)
    assert called is not None
    assert "Requires=fudami.socket" in UNIT
    for proxy in ("Caddyfile", "nginx.conf"):
        assert called[1] in (TOP / "deploy" / proxy).read_text(encoding="utf-8")


def test_a_double_click_installs_each_version_once(tmp_path: Path) -> None:
    start = tmp_path / "札 見" / "deploy" / "desktop" / "fudami.command"
    start.parent.mkdir(parents=True)
    shutil.copy(TOP / "deploy" / "desktop" / start.name, start)
    version, programs = start.parents[2] / "CHANGELOG.md", tmp_path / "programs"
    programs.mkdir()
    python = programs / "python3.15"
    python.write_text(
        "#!/bin/sh\n"
        'case $* in *venv*) mkdir -p venv/bin && cp "$0" venv/bin/python;;\n'
        "*install*) echo installs && ln -sf /bin/echo venv/bin/referee;; esac\n"
    )
    python.chmod(0o755)
    path = {"PATH": f"{programs}:{os.environ['PATH']}"}
    for text, installs in (("1", True), ("1", False), ("2", True), ("2", False)):
        version.write_text(text)
        done = subprocess.run([start], capture_output=True, text=True, cwd=tmp_path, env=path)
        assert (done.returncode, done.stderr) == (0, "")
        assert ("installs" in done.stdout) == installs
        assert done.stdout.endswith("serve\n")


def test_no_line_installs_the_other_program_that_has_this_name_on_the_index() -> None:
    places = [TOP / "README.md", *(TOP / "docs").glob("*.md"), *(TOP / "deploy").glob("*.*")]
    places += (TOP / "referee").rglob("*.py")
    bare = re.compile(r"install(?: +-\S+)* +['\"]?referee(?!\S*/)(?!\S* @)\b.*")
    found = [match[0] for path in places for match in bare.finditer(path.read_text("utf-8"))]
    assert found == []
    assert bare.search('pip install --upgrade "referee[fast]"')
    assert not bare.search("pip install ./referee")


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if not analyze:
        pytest.skip("systemd-analyze is not installed")
    program, unit = shutil.which("true"), tmp_path / "fudami.service"
    assert program is not None
    shutil.copy(TOP / "deploy" / "fudami.socket", tmp_path)
    unit.write_text(UNIT.replace("/opt/fudami/bin/referee", program))
    done = subprocess.run([analyze, "verify", unit], capture_output=True, text=True)
    about = [line for line in done.stderr.splitlines() if "fudami" in line]
    assert (done.returncode, about) == (0, [])
    unit.write_text(unit.read_text() + "[Service]\nProtectHom=yes\n")
    wrong = subprocess.run([analyze, "verify", unit], capture_output=True, text=True)
    assert "ProtectHom" in wrong.stderr  # it would have been noticed


def test_copies_are_made_of_the_file_that_the_unit_fills() -> None:
    folder = re.search(r"REFEREE_DATA=(\S+)", UNIT)
    assert folder is not None
    recipe = (TOP / "deploy" / "litestream.yml").read_text(encoding="utf-8")
    assert f"path: {folder[1]}/referee.db" in recipe


def locked(path: str) -> dict[str, str]:
    """The packages of a lock file with the rest of their lines: markers and hashes."""
    text = (TOP / path).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {line.partition("==")[0]: line.partition("==")[2] for line in lines}


@pytest.mark.parametrize("path", ["requirements.lock", "deploy/requirements.lock"])
def test_every_locked_package_has_its_hashes(path: str) -> None:
    found = locked(path)
    assert len(found) > 15
    assert [name for name, rest in found.items() if "--hash=sha256:" not in rest] == []


def test_what_is_imported_is_declared_and_locked() -> None:
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for name in IN_IMAGE for line in extras[name])]
    declared = {re.split(r"[<>=;\[ ]", line)[0].lower() for line in lines}
    named = {"sqlite_utils": "sqlite-utils", "htmx_flask": "htmx-flask"}
    named |= {"psycopg_pool": "psycopg-pool", "typing_extensions": "typing-extensions"}
    imported = set()
    for path in (TOP / "referee").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add(str(node.module).partition(".")[0])
    in_a_browser = {"pyodide"}  # comes with the interpreter there, see referee/pack/tab.py
    others = imported - sys.stdlib_module_names - {"referee"} - in_a_browser
    assert {named.get(name, name) for name in others} <= declared | {"rcssmin", "rjsmin"}
    assert declared <= locked("deploy/requirements.lock").keys()


def steps(stage: str) -> list[str]:
    """The shell commands of a stage of the Dockerfile, in order."""
    return re.findall(r"^RUN +(.*?) *$", stage, re.MULTILINE)


@pytest.mark.thorough
def test_the_steps_of_the_image_make_a_server_that_is_healthy(tmp_path: Path) -> None:
    """Each ``RUN``, the command and its check, on this machine and its Python, in other folders."""
    if not (TOP / ".git").exists():
        pytest.skip("what a clean checkout holds is known in a checkout alone")
    source, port = tmp_path / "source", free()
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if (TOP / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TOP / name, source / name)

    def here(text: str) -> str:
        for theirs, ours in (
            ("/opt/fudami", str(tmp_path / "opt")),
            ("/data", str(tmp_path / "data")),
            ("python -m venv", f"{shlex.quote(sys.executable)} -m venv"),
            ("useradd --uid 10001 fudami", "true"),  # it stays on this machine
            ("-o fudami ", ""),
            ("0.0.0.0", "127.0.0.1"),
            ("127.0.0.1:8321", f"127.0.0.1:{port}"),
        ):
            text = text.replace(theirs, ours)
        return text

    _, build, final = re.split(r"^FROM .*$", IMAGE, flags=re.MULTILINE)
    for command in (*steps(build), *steps(final)):
        done = subprocess.run(["sh", "-c", here(command)], cwd=source, capture_output=True)
        if b"Failed to establish a new connection" in done.stderr:
            pytest.skip("the package index is out of reach")
        assert done.returncode == 0, done.stderr.decode()
    shutil.rmtree(source)  # nothing of it is in the image
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    environment = {"PATH": os.defpath, "PORT": str(port)}
    environment |= dict(word.split("=", 1) for word in here(arguments("ENV")[0]).split())
    [entry], [command] = arguments("ENTRYPOINT"), arguments("CMD")
    started = [here(word) for word in (*json.loads(entry), *json.loads(command))]
    server = subprocess.Popen(started, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL)
    with stopped(server, port):
        [check] = re.findall(r"^HEALTHCHECK .*? CMD (\[.*\])$", IMAGE, re.MULTILINE)
        subprocess.run([here(word) for word in json.loads(check)], env=environment, check=True)
        assert (tmp_path / "data" / "referee.db").is_file()
    assert server.returncode == 0
