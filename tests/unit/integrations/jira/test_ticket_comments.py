"""What the author of a comment says himself, of a document and of wiki markup."""

from typing import Any

import pytest

from integrations.jira.ticket_comments import own_words


def block(kind: str, *words: str) -> dict[str, Any]:
    """A block with paragraphs, or a paragraph."""
    if kind == "paragraph":
        return {"type": kind, "content": [{"type": "text", "text": words[0]}]}
    return {"type": kind, "content": [block("paragraph", one) for one in words]}


def test_a_document() -> None:
    """The first paragraphs count; a quote, code or panel ends them."""
    said = {
        "type": "doc",
        "content": [block("paragraph", "/triage yes"), block("blockquote", "old"), block("paragraph", "x")],
    }

    assert own_words(said) == "/triage yes"


@pytest.mark.parametrize("kind", ["blockquote", "panel", "expand", "table", "codeBlock", "nonsense"])
def test_a_document_that_begins_with_others_words(kind: str) -> None:
    """Then the author says nothing to us."""
    said = {"type": "doc", "content": [block(kind, "/triage yes"), block("paragraph", "/triage yes")]}

    assert own_words(said) == ""


@pytest.mark.parametrize(
    ("markup", "own"),
    [
        ("/triage yes\r\n{quote}old{quote}", "/triage yes"),
        ("{quote}/triage yes{quote}\n/triage no", ""),
        ("{quote}\n/triage yes", ""),
        ("{code:java}/triage yes{code}", ""),
        ("{noformat}/triage yes{noformat}", ""),
        ("{panel:title=a}/triage yes{panel}", ""),
        ("bq. /triage yes", ""),
        ("> /triage yes", ""),
        ("|/triage yes|", ""),
        ("/triage edit {color:red}new{color} text", "/triage edit new text"),
    ],
)
def test_wiki_markup(markup: str, own: str) -> None:
    """Quotes, code, panels and tables are not his words, and what follows them is not the beginning."""
    assert own_words(markup) == own


@pytest.mark.parametrize("body", [None, 7, [], {}, {"content": ["x"]}, {"content": None}])
def test_nonsense(body: Any) -> None:
    """No body, no words."""
    assert own_words(body) == ""
