"""Whatever stands in a mail, nothing unseen reaches Jira, a terminal or a JSON document: one gate at each way out."""

import io
import json
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.console import SafeConsole, print_json, print_raw, table
from integrations.jira.http.wire import payload
from tests.unit.integrations.jira.hostile import texts
from triage.domain.text.visible import visible
from triage.domain.tickets import Upload

UNSEEN = "\x00\x07\x1b\x7f\x9b\u00ad\u115f\u200b\u200d\u200f\u202e\u2066\u3164\ufe0f\ufeff\ud800\U000e0041\U000e0101"
HOSTILE = texts | st.text() | st.lists(st.sampled_from([*UNSEEN, "\x1b[2J", "a", "ب", "❤", "\n"])).map("".join)


@dataclass(frozen=True)
class Told:
    """Something with text inside."""

    subject: str
    evidence: tuple[str, ...]


def strings(value: Any) -> list[str]:
    """Every string in it, names of members included."""
    if isinstance(value, dict):
        return [text for name, inner in value.items() for text in (name, *strings(inner))]
    if isinstance(value, list):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []


@given(HOSTILE)
def test_jira_is_sent_visible_text(text: str) -> None:
    """Whichever field of whichever request it stands in, and in the name of a file."""
    sent = json.loads(payload({"fields": {"summary": text, "labels": [text, "x"]}, text: [{"text": text}]})["data"])
    file = payload(Upload(name=text, content_type="text/plain", content=text.encode(errors="replace")))["files"]["file"]

    assert [found for found in (*strings(sent), file[0]) if visible(found) != found] == []
    assert file[1] == text.encode(errors="replace")


@given(HOSTILE)
def test_a_terminal_is_sent_visible_text(text: str) -> None:
    """As a line, in a cell of a table, and as its title; our own colours are the only commands."""
    plain, coloured = io.StringIO(), io.StringIO()
    for file, colours in ((plain, False), (coloured, True)):
        out = SafeConsole(file=file, force_terminal=colours, width=60, markup=False, highlight=False, emoji=False)
        out.print(text, style="bold")
        out.print(table(("state", "why"), [("waiting", text), (text, "b")], text))

    assert visible(plain.getvalue()) == plain.getvalue()
    assert set(visible(coloured.getvalue())) | {"\x1b"} >= set(coloured.getvalue())
    assert "\x1b[2J" not in coloured.getvalue()


@given(HOSTILE)
def test_a_document_is_visible_text(text: str) -> None:
    """Deep inside our nouns, too, and what comes out is the JSON that went in otherwise."""
    out = io.StringIO()
    with redirect_stdout(out):
        print_json({"cases": [Told(text, (text, "x"))], "n": 1})
    read = json.loads(out.getvalue())

    assert visible(out.getvalue()) == out.getvalue()
    assert read == {"cases": [{"subject": visible(text), "evidence": [visible(text), "x"]}], "n": 1}


class _Terminal(io.StringIO):
    """Somebody looks."""

    def isatty(self) -> bool:
        return True


def test_a_raw_mail_on_a_terminal_commands_nothing(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """A pipe gets the bytes as they came, a terminal what can be seen of them."""
    raw = b"Subject: \x1b]0;root\x07\x9b2J\r\n\r\nbo\xe2\x80\xaedy\xff"
    with redirect_stdout(_Terminal()) as terminal:
        print_raw(raw)
    print_raw(raw)
    sys.stdout.flush()

    assert terminal.getvalue() == "Subject: ]0;root\ufffd2J\n\nbody\ufffd"
    assert capfdbinary.readouterr().out == raw
