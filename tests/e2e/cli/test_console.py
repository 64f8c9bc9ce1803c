"""What a person in front of a terminal meets: narrow ones, plain ones, pipes that close, ports that are taken."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.e2e.installation import MAILS, Installation
from tests.e2e.launcher import launcher, run
from triage_sandbox.server import Served

MAIL = str(MAILS / "04-signature-upload.eml")
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
LIKE_A_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*")


@pytest.fixture
def worked(installation: Installation) -> Installation:
    """One with a ticket, and an approval that waits."""
    installation.triage("process", MAIL, str(MAILS / "09-queue-alarm-fixed.eml"))
    return installation


def shell(installation: Installation, *words: str, **more: str) -> "subprocess.CompletedProcess[bytes]":
    """A command in a process of its own, whose Python begins with this environment."""
    return subprocess.run(
        [sys.executable, "-m", "cli", *words],
        check=False,
        capture_output=True,
        cwd=installation.folder,
        env=installation.environment(**more),
        timeout=PATIENCE,
    )


def texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def test_a_terminal_without_our_signs(worked: Installation) -> None:
    """Where only ASCII can be written every command works: boxes and marks are drawn plainly, JSON stays exact."""
    ascii_alone = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for words in (["cases"], ["show", "1"], ["doctor"], ["approve"], ["--help"], ["cases", "--json"]):
        if words == ["doctor"]:
            plain = shell(worked, *words, **ascii_alone)
        else:
            plain = run(words, worked.environment(**ascii_alone), worked.folder)

        assert (plain.returncode, plain.stderr) == (0, b""), words
        assert plain.stdout.isascii(), words
        if words == ["cases", "--json"]:
            assert json.loads(plain.stdout) == worked.json("cases")
        if words == ["doctor"]:
            assert re.search(rb"^ok database: ", plain.stdout, re.MULTILINE)


def test_nobody_listens_any_more(worked: Installation) -> None:
    """`triage cases | head` ends without a traceback, also where the reader has gone before the first line."""
    for words in (["cases"], ["cases", "--json"], ["show", "1", "--prompt"], ["doctor", "--json"]):
        reading, writing = os.pipe()
        os.close(reading)
        with TemporaryFile() as complained, Path(os.devnull).open("rb") as nothing:
            files = (nothing.fileno(), writing, complained.fileno())
            ended = launcher().start(words, worked.environment(), worked.folder, *files).wait(PATIENCE)
            os.close(writing)
            complained.seek(0)

            assert (ended, complained.read()) == (1, b""), words


@pytest.mark.parametrize("words", [["demo", "--port"], ["sandbox", "jira", "--port"], ["serve"]])
def test_a_port_that_is_taken(installation: Installation, words: list[str]) -> None:
    """Whoever asks for a busy port hears which one it is, and what to do; exit code 2."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = installation.triage(*words, *([port] if words[-1] == "--port" else []), PORT=port)
    told = " ".join((said.stdout + said.stderr).decode().split())

    assert (said.returncode, "Traceback" in told) == (2, False)
    assert port in told
    assert "choose" in told


@pytest.mark.parametrize(
    ("url", "said_of_it"),
    [
        ("http://127.0.0.1:9", "127.0.0.1:9 cannot be reached: check the address (JIRA_BASE_URL)"),
        ("https://no-such-site.invalid", "no-such-site.invalid is the name of no host that is known here: check how"),
    ],
    ids=["nobody there", "no such name"],
)
def test_a_jira_out_of_reach(installation: Installation, url: str, said_of_it: str) -> None:
    """Every command that needs Jira names the host and what to check."""
    installation.extra = {"JIRA_BASE_URL": url}
    for words in (["process", MAIL, "--json"], ["sweep"], ["doctor"]):
        said = installation.triage(*words)
        told = (said.stdout + said.stderr).decode()

        assert (said.returncode, "Traceback" in told) == (1 if words == ["doctor"] else 3, False)
        assert said_of_it in told


async def _junk(body: bytes, send: Any) -> None:
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


JUNK = (b"null", b'{"me": null}', b"[]", b"[null]", b'"x"', b"7", b'{"accountId": null}')
ASKED = (["process", MAIL], ["sweep"], ["doctor"], ["doctor", "--jira"])


@pytest.mark.parametrize(
    ("body", "words"), [*((JUNK[0], words) for words in ASKED), *zip(JUNK[1:], cycle(ASKED), strict=False)]
)
def test_a_server_that_answers_junk(installation: Installation, body: bytes, words: list[str]) -> None:
    """JSON that is not Jira's is told in one line, whatever is asked; no command falls over it."""

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await _junk(body, send)

    with Served(app, lifespan="off") as served:
        installation.extra = {"JIRA_BASE_URL": served.url}
        said = installation.triage(*words)
        told = (said.stdout + said.stderr).decode()

        assert (said.returncode, "Traceback" in told) == (1 if words[0] == "doctor" else 3, False), told
        assert "Jira" in told


def test_eighty_columns(worked: Installation) -> None:
    """In a narrow terminal each case has three lines at most, no line is broken, and the numbers can be read."""
    lines = worked.triage("cases", COLUMNS="80").stdout.decode().splitlines()
    heads = [line for line in lines if line.startswith("case-")]

    assert [line for line in lines if len(line) > 80] == []
    assert len(lines) <= 3 * len(heads) + 1
    assert [head for head in heads if not re.fullmatch(r"case-\d +\d\d-\d\d \d\d:\d\d  \w+(?:  HARB-\d+)?", head)] == []
    assert any(line.startswith("  Proof of delivery stuck at 99 % (POD-UPLOAD 413)") for line in lines)


def test_times_are_rfc_3339(worked: Installation) -> None:
    """Every moment in JSON has its date, a T and its zone."""
    for words in (["cases"], ["cases", "--held"], ["show", "1"], ["approve"], ["watch", "--status"], ["parse", MAIL]):
        told = json.loads(worked.triage(*words, "--json").stdout)
        times = [text for text in texts(told) if LIKE_A_TIME.fullmatch(text)]

        assert [time for time in times if not RFC3339.fullmatch(time)] == []
        assert times or words[1:2] in (["--held"], ["--status"]) or words == ["approve"]


def test_a_word_is_carried_out_for_machines(worked: Installation) -> None:
    """`approve NUMBER --json` tells how the case ended."""
    told = json.loads(worked.triage("approve", "1", "--json").stdout)

    assert (told["case"], set(told)) == ("case-2", {"case", "action", "ticket", "why"})


def test_version_completion_and_near_misses(installation: Installation) -> None:
    """`--version`, completion for shells, and the name that is meant where a word is misspelt."""
    version = installation.triage("--version")
    offered = installation.triage("--help").stdout.decode()
    wrong = [installation.triage(*words) for words in (["caes"], ["cases", "--jsn"], ["sandbox", "jria"])]
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

    assert f'version = "{version.stdout.decode().split()[1]}"' in pyproject
    assert "--install-completion" in offered
    assert [one.returncode for one in wrong] == [2, 2, 2]
    assert [meant in one.stderr for one, meant in zip(wrong, (b"'cases'", b"--json", b"'jira'"), strict=True)] == [
        True
    ] * 3
