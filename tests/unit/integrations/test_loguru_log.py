"""What a log line may hold, whatever somebody puts into a mail, an error or a library's message."""

import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from loguru import logger

from integrations.loguru_log import cleaned, configure

TOKEN = "tok-9f8e7d6c5b4a"


class House:
    """Something with a secret that a format string could reach for."""

    token = TOKEN


@pytest.fixture(autouse=True)
def quiet_afterwards() -> Iterator[None]:
    """Every test leaves the logs of the process as it found them."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    logger.remove()
    root.handlers[:] = handlers
    root.setLevel(level)


def crash(words: str) -> None:
    """Go wrong, with these words."""
    raise ValueError(words)


def text_of(*, secrets: tuple[str, ...] = (), level: str = "INFO") -> io.StringIO:
    """Where the lines of this test go."""
    sink = io.StringIO()
    configure(level, sink=sink, secrets=secrets)
    return sink


def json_of() -> io.StringIO:
    """The same, as JSON."""
    sink = io.StringIO()
    configure(as_json=True, sink=sink)
    return sink


def only(sink: io.StringIO) -> dict[str, Any]:
    """The one JSON line that was written."""
    (line,) = sink.getvalue().splitlines()
    facts: dict[str, Any] = json.loads(line)
    return facts


def test_event_and_fields() -> None:
    """A line is time, level, the word and its fields; what holds blanks is quoted."""
    sink = text_of()
    logger.bind(case="case-7", ms=12.5, ok=True, why="it is late", none=None).info("case.done")

    time, line = sink.getvalue().split(" ", 1)
    assert (time[10], time[-6:]) == ("T", "+00:00")
    assert line == 'INFO    case.done case=case-7 ms=12.5 ok=true why="it is late" none=null\n'


def test_json_lines() -> None:
    """A line is one JSON object whose fields keep their types; our own names win."""
    sink = json_of()
    logger.info(
        "case.done", case="case-7", tickets=("OPS-1", "OPS-2"), counts={"new": 1}, level="mine", ratio=float("nan")
    )

    facts = only(sink)
    assert facts.pop("time").startswith("20")
    assert facts == {
        "level": "INFO",
        "event": "case.done",
        "case": "case-7",
        "tickets": ["OPS-1", "OPS-2"],
        "counts": {"new": 1},
        "level_": "mine",
        "ratio": "nan",
    }


def test_text_of_others_is_never_expanded() -> None:
    """Braces in a subject are braces: they reach no attribute and raise no KeyError."""
    sink = json_of()
    logger.info("mail.read", subject="{house.token} {nope} {0}", house=House())
    logger.info("mail {house.token} {nope}")
    first, second = (json.loads(line) for line in sink.getvalue().splitlines())

    assert first["subject"] == "{house.token} {nope} {0}"
    assert second["event"] == "mail {house.token} {nope}"
    assert TOKEN not in sink.getvalue()


def test_library_text_is_never_expanded() -> None:
    """The same holds for what comes by the standard logging, with and without arguments, right or wrong ones."""
    sink = json_of()
    logging.getLogger("some.library").warning("{house.token} %s", "{nope}")
    logging.getLogger("some.library").warning("100 % of {x}")
    logging.getLogger("some.library").warning("%d mails", "many")
    lines = [json.loads(line) for line in sink.getvalue().splitlines()]

    assert [line["message"] for line in lines] == ["{house.token} {nope}", "100 % of {x}", "%d mails"]
    assert {(line["event"], line["level"]) for line in lines} == {("some.library", "WARNING")}


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;new title\x07text", "text"),
        ("\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "click"),
        ("\x9b31mred", "red"),
        ("\x1bcreset", "reset"),
        ("a\nb\r\nc\td", "a b  c d"),
        ("bell\x07 null\x00 del\x7f", "bell null del"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("\u2066iso\u2069 \u200bzero\ufeff", "iso zero"),
        ("tag\U000e0041\U000e0042", "tag"),
        ("line\u2028and\u2029paragraph", "lineandparagraph"),
        ("lone \udce9 surrogate", "lone  surrogate"),
        ("Grüße, 完了 🔥", "Grüße, 完了 🔥"),
    ],
)
def test_controls_are_taken_out(text: str, seen: str) -> None:
    """Nothing that moves a cursor, forges a line or turns text around reaches a terminal; letters all do."""
    assert cleaned(text) == seen


def test_no_line_can_be_forged() -> None:
    """A subject with a line break and something like fields stays one quoted field of one line."""
    sink = text_of()
    logger.info("mail.read", subject='x\n2026-01-01 ERROR forged case=case-1 "')

    (line,) = sink.getvalue().splitlines()
    assert line.endswith('subject="x 2026-01-01 ERROR forged case=case-1 \\""')


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("alice@example.com", "a…@example.com"),
        (
            "From: Alice <alice.b+tag@mail.example.com>, bob@example.org",
            "From: Alice <a…@mail.example.com>, b…@example.org",
        ),
        ("ünal@example.com", "ü…@example.com"),
        ("x@example.com", "x@example.com"),
        ("a @ b, user@localhost", "a @ b, user@localhost"),
    ],
)
def test_addresses_are_shortened(text: str, seen: str) -> None:
    """Whose address it was can be guessed by who knows, and not be read by who does not."""
    assert cleaned(text) in {seen, seen.replace("x@", "x…@")}


def test_secrets_are_masked_wherever_they_stand() -> None:
    """In the event, in fields, inside lists, in errors and in what libraries say."""
    sink = text_of(secrets=(TOKEN,))
    logger.info(f"key {TOKEN}", header=f"Bearer {TOKEN}", many=[{"deep": TOKEN}, {TOKEN: 1}])
    logging.getLogger("lib").error("sent %s", TOKEN)
    try:
        crash(TOKEN)
    except ValueError:
        logger.exception("case.crashed")

    assert (TOKEN in sink.getvalue(), sink.getvalue().count("***")) == (False, 6)


def test_passwords_of_urls_are_masked() -> None:
    """A driver that tells the password without its URL tells nothing, quoted or not."""
    sink = text_of(secrets=("postgresql://triage:p%40ssword@db.example/triage",))
    logger.info(
        "store.down", quoted="p%40ssword", plain="p@ssword", whole="postgresql://triage:p%40ssword@db.example/triage"
    )

    assert sink.getvalue().rstrip().endswith("quoted=*** plain=*** whole=***")


def test_the_longer_secret_goes_first() -> None:
    """A secret that begins like another one leaves no rest."""
    sink = text_of(secrets=("abcd", "abcdefgh"))
    logger.info("x", key="abcdefgh")

    assert "efgh" not in sink.getvalue()


@pytest.mark.parametrize("secret", ["", "a", "http://[half"])
def test_odd_secrets(secret: str) -> None:
    """A secret that is none, or too short to be one, does not turn every line into stars."""
    sink = text_of(secrets=(secret,))
    logger.info("a.word", what="a banana")

    assert "a.word" in sink.getvalue()
    assert "a banana" in sink.getvalue()


def test_traceback_without_values() -> None:
    """A crash tells where, not what the variables held."""

    def inner(password: str) -> float:
        return len(password) / 0

    sink = text_of()
    try:
        inner(TOKEN)
    except ZeroDivisionError:
        logger.exception("case.crashed")

    told = sink.getvalue()
    assert ("ZeroDivisionError" in told, "in inner" in told, TOKEN in told) == (True, True, False)
    assert all(line.startswith("    ") for line in told.splitlines()[1:])


def test_traceback_as_json() -> None:
    """In JSON a crash is one line too; what the error says is cleaned like any field."""
    sink = json_of()
    try:
        crash("bad \x1b[31mmail of alice@example.com")
    except ValueError:
        logging.getLogger("lib").exception("oops")

    assert only(sink)["exception"].splitlines()[-1] == "ValueError: bad mail of a…@example.com"


def test_long_things_are_cut() -> None:
    """A mail of megabytes in a field, a list or an error does not become a line of megabytes."""
    sink = json_of()
    try:
        crash("\n".join(["y" * 5000] * 1000))
    except ValueError:
        logger.opt(exception=True).error("x", text="x" * 5_000_000, many=["z" * 5000] * 1000)

    facts = only(sink)
    assert (len(facts["text"]), len(facts["many"]), len(facts["exception"])) == (2000, 50, 8000)


def test_an_address_hunt_ends() -> None:
    """Text made to slow the patterns down is read in no time."""
    for text in ("a" * 5_000_000, "a@" * 100_000, "\x1b]" * 100_000, "a@" + "b-" * 100_000, "\x1b[" + ";" * 100_000):
        assert len(cleaned(text)) <= 2000


def test_level() -> None:
    """What is below the level is not written, by us or by libraries."""
    sink = text_of(level="WARNING")
    logger.info("quiet")
    logging.getLogger("lib").info("quiet")
    logger.warning("loud")

    assert ("quiet" in sink.getvalue(), "loud" in sink.getvalue()) == (False, True)


def test_libraries_never_tell_their_requests() -> None:
    """DEBUG is for our own lines: libraries would show what they send."""
    sink = text_of(level="DEBUG")
    logger.debug("ours")
    logging.getLogger("imapclient").debug("LOGIN bot secret")
    logging.getLogger("httpx2").info("HTTP Request: POST https://models.example/v1")
    logging.getLogger("uvicorn.error").info("Started")

    words = sink.getvalue()
    assert ("ours" in words, "LOGIN" in words, "POST" in words, "Started" in words) == (True, False, False, True)


def test_odd_levels_of_libraries() -> None:
    """A level that only a library knows keeps its number."""
    sink = json_of()
    logging.getLogger("lib").log(33, "between")

    assert only(sink)["level"] == "Level 33"


def test_context_goes_along() -> None:
    """What is set for a case stands in every line of it, libraries' lines included."""
    sink = json_of()
    with logger.contextualize(case="case-7"):
        logging.getLogger("lib").warning("hm")

    assert only(sink)["case"] == "case-7"


def test_configured_twice_writes_once() -> None:
    """The last configuration counts."""
    text_of()
    sink = text_of()
    logger.info("once")
    logging.getLogger("lib").warning("once")

    assert len(sink.getvalue().splitlines()) == 2


def test_a_sink_that_is_gone(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody dies of a log that cannot be written, and loguru's own complaint does not show the raw fields."""
    sink = text_of(secrets=(TOKEN,))
    sink.close()
    logger.info("into the void", key=TOKEN)
    told = capsys.readouterr().err.splitlines()

    assert [line for line in told if "Loguru" in line or "void" in line or TOKEN in line] == []


def test_stderr_is_the_default() -> None:
    """Without a sink the lines go to stderr, and stdout stays free for results."""
    code = "from integrations.loguru_log import configure; from loguru import logger; configure(); logger.info('hello')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr.split()[1:]) == ("", ["INFO", "hello"])
