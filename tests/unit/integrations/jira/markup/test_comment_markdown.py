"""Comments as Markdown, of a document and of wiki markup."""

from typing import Any

import pytest

from integrations.jira.markup.comment_markdown import markdown_of


def text(words: str, *marks: dict[str, Any]) -> dict[str, Any]:
    """A run of text."""
    return {"type": "text", "text": words, "marks": list(marks)}


def block(kind: str, *content: dict[str, Any]) -> dict[str, Any]:
    """A block."""
    return {"type": kind, "content": list(content)}


def test_a_document() -> None:
    """Bold, italics, code, links, lists and line breaks stay; what another mail said is left out, wherever it stands."""
    link = {"type": "link", "attrs": {"href": "https://docs.example.org/a_b"}}
    said = block(
        "doc",
        block("blockquote", block("paragraph", text("My password is x"))),
        block("paragraph", text("It is ", {}), text("fixed", {"type": "strong"}), {"type": "hardBreak"}, text("now")),
        block("paragraph", text("see", link), text(" and "), text("a*b", {"type": "code"}), text("!", {"type": "em"})),
        block("bulletList", block("listItem", block("paragraph", text("one")))),
        block("codeBlock", text("x = '```'\ny")),
    )

    assert markdown_of(said) == (
        "It is **fixed**  \nnow\n\n[see](<https://docs.example.org/a_b>) and `a*b`*!*\n\n- one\n\n````\nx = '```'\ny\n````"
    )


@pytest.mark.parametrize("address", ["javascript:alert(1)", "https://a.example/>b", ""])
def test_links_lead_to_the_web_or_to_mailboxes(address: str) -> None:
    """Any other address is left out, its words stay."""
    assert (
        markdown_of(block("doc", block("paragraph", text("go", {"type": "link", "attrs": {"href": address}})))) == "go"
    )


def test_wiki_markup() -> None:
    """Words, lists and lines stay; quotes are left out."""
    said = "{quote}\nMy password is x\n{quote}\nIt is *fixed*:\r\n* one\n* two\nbq. old\n> older\n\n\n\nBye"

    assert markdown_of(said) == "It is fixed:  \n- one  \n- two\n\nBye"


@pytest.mark.parametrize("words", ["a <b>*c*</b>", "# no heading", "---", "[x](https://evil.example)", "+x"])
def test_words_are_no_markup(words: str) -> None:
    """What looks like Markdown or HTML in a document is escaped."""
    told = markdown_of(block("doc", block("paragraph", text(words))))

    assert told.replace("\\", "") == words
    assert told != words


def test_what_is_no_comment() -> None:
    """Neither nothing nor endless nesting raises."""
    deep: dict[str, Any] = block("paragraph", text("x"))
    for _ in range(100):
        deep = block("panel", deep)

    assert (markdown_of(None), markdown_of(7), markdown_of(block("doc", deep))) == ("", "", "")
