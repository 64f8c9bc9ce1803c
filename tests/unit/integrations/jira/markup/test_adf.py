"""Documents for Jira Cloud: nothing of a mail lives in a ticket but as words; and documents read back."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.jira.markup.adf import adf_of, text_of_adf
from integrations.jira.markup.text import linkable
from integrations.jira.shapes import Site
from tests.unit.integrations.jira.hostile import texts
from triage.domain.text.visible import visible
from triage.domain.tickets import PANEL, Panel

ALLOWED_IN = {
    "doc": {"paragraph", "heading", "bulletList", "orderedList", "codeBlock", "blockquote", "rule"},
    "blockquote": {"paragraph", "bulletList", "orderedList", "codeBlock"},
    "listItem": {"paragraph", "bulletList", "orderedList", "codeBlock"},
    "bulletList": {"listItem"},
    "orderedList": {"listItem"},
    "paragraph": {"text", "hardBreak"},
    "heading": {"text", "hardBreak"},
    "codeBlock": {"text"},
}


def nodes(node: Any) -> Iterator[Any]:
    """The node and all below it, each checked against what may stand where."""
    yield node
    children = node.get("content", [])
    assert {child["type"] for child in children} <= ALLOWED_IN.get(node["type"], set())
    for child in children:
        yield from nodes(child)


def marks(document: Any) -> Iterator[Any]:
    """Every mark of every text."""
    for node in nodes(document):
        yield from node.get("marks", [])


@given(texts)
def test_a_document_holds_text_and_structure_only(markdown: str) -> None:
    """Whatever the Markdown says, no mention, card, media or macro comes of it, and Jira's nesting rules hold."""
    for node in nodes(adf_of(markdown)):
        names = {mark["type"] for mark in node.get("marks", [])}

        assert names <= {"strong", "em", "code", "link"}
        assert "code" not in names or names <= {"code", "link"}
        assert node["type"] != "text" or node["text"]
        assert node["type"] != "listItem" or node["content"][0]["type"] in {"paragraph", "codeBlock"}
        assert node["type"] not in {"blockquote", "bulletList", "orderedList"} or node["content"]


@given(texts)
def test_a_link_opens_pages_and_mails_only(markdown: str) -> None:
    """No other scheme is clickable."""
    hrefs = [mark["attrs"]["href"] for mark in marks(adf_of(markdown)) if mark["type"] == "link"]

    assert [href for href in hrefs if not re.match(r"(?:https?|mailto):", href, re.IGNORECASE)] == []


@given(texts)
def test_a_document_survives_json(markdown: str) -> None:
    """No control character and no lone surrogate is left to make Jira refuse it."""
    told = text_of_adf(adf_of(markdown))

    assert isinstance(told.encode(), bytes)
    assert visible(told) == told


def test_markdown_becomes_a_document() -> None:
    """Structure is kept."""
    markdown = "## Steps\n\nOpen **it** in `x`.\n\n1. one\n2. two\n   - deep\n\n> said\n\n```py\nprint()\n```\n\n---\n"

    assert [
        {"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "Steps"}]},
        {
            "type": "paragraph",
            "content": [
                {"type": "text", "text": "Open "},
                {"type": "text", "text": "it", "marks": [{"type": "strong"}]},
                {"type": "text", "text": " in "},
                {"type": "text", "text": "x", "marks": [{"type": "code"}]},
                {"type": "text", "text": "."},
            ],
        },
        {
            "type": "orderedList",
            "content": [
                {"type": "listItem", "content": [paragraph("one")]},
                {
                    "type": "listItem",
                    "content": [
                        paragraph("two"),
                        {"type": "bulletList", "content": [{"type": "listItem", "content": [paragraph("deep")]}]},
                    ],
                },
            ],
        },
        {"type": "blockquote", "content": [paragraph("said")]},
        {"type": "codeBlock", "attrs": {"language": "py"}, "content": [{"type": "text", "text": "print()"}]},
        {"type": "rule"},
    ] == adf_of(markdown)["content"]


def test_what_may_not_stand_inside_is_flattened() -> None:
    """A quote or a list holds paragraphs where Markdown has headings, rules and quotes in it."""
    nested = [
        {"type": "text", "text": "Big", "marks": [{"type": "strong"}]},
        {"type": "text", "text": "quoted"},
        {"type": "text", "text": "rest"},
    ]

    for markdown, container in (
        ("> # Big\n>\n> > quoted\n>\n> ***\n>\n> rest", ()),
        ("- # Big\n\n  > quoted\n\n  ***\n\n  rest", ("content", 0)),
    ):
        found = adf_of(markdown)["content"][0]
        for step in container:
            found = found[step]

        assert [node["content"][0] for node in found["content"]] == nested


def test_a_list_keeps_its_first_number() -> None:
    """Steps that begin at three do so in the ticket."""
    assert adf_of("3. go\n4. on")["content"][0]["attrs"] == {"order": 3}


def test_an_empty_item_and_an_empty_quote_hold_a_paragraph() -> None:
    """Jira refuses containers that are empty or begin with a list."""
    empty = {"type": "paragraph", "content": []}
    item, deep, quote = adf_of("-\n\n1. - x\n\n>")["content"]

    assert item["content"][0]["content"] == [empty]
    assert [node["type"] for node in deep["content"][0]["content"]] == ["paragraph", "bulletList"]
    assert quote["content"] == [empty]


def paragraph(text: str) -> dict[str, Any]:
    """A paragraph of plain words."""
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}


def test_lines_stay_lines() -> None:
    """A line end in the Markdown is one in the ticket."""
    inside = adf_of("one\ntwo")["content"][0]["content"]

    assert [node["type"] for node in inside] == ["text", "hardBreak", "text"]


@pytest.mark.parametrize(
    ("markdown", "told", "links"),
    [
        ("[https://bank.example](https://evil.example/x)", "https://bank.example (evil.example)", ["evil.example"]),
        ("[www.b**an**k.example](https://evil.example/x)", "www.bank.example (evil.example)", ["evil.example"]),
        ("[Sign in](https://login.evil.example/x)", "Sign in (login.evil.example)", ["Sign in"]),
        ("[*the* form](https://bank.example@evil.example/)", "the form (evil.example)", ["the", " form"]),
        ("[bank.example](https://evil.example)", "bank.example (evil.example)", ["bank.example"]),
        ("[a]( https://xn--bnk-7na.example)", "a (xn--bnk-7na.example)", ["a"]),
        ("[bänk.example](https://bänk.example)", "bänk.example (xn--bnk-qla.example)", ["bänk.example"]),
        ("[write to us](mailto:it@example.com)", "write to us (it@example.com)", ["write to us"]),
        ("[it@example.com](mailto:it@example.com)", "it@example.com", ["it@example.com"]),
        ("[docs.example.com](https://docs.example.com/a/b)", "docs.example.com", ["docs.example.com"]),
        ("<https://example.com/a>", "https://example.com/a", ["https://example.com/a"]),
        ("<https://a.example@evil.example>", "https://a.example@evil.example (evil.example)", ["evil.example"]),
    ],
)
def test_a_link_shows_its_host(markdown: str, told: str, links: list[str]) -> None:
    """Behind words that are not the address stands whom a click would reach; words of another address are no link."""
    document = adf_of(markdown)
    linked = [node["text"] for node in nodes(document) if any(mark["type"] == "link" for mark in node.get("marks", []))]

    assert (text_of_adf(document), linked) == (told, links)


def test_an_address_that_is_none_is_no_link() -> None:
    """It stays as words."""
    assert linkable("http://[x") == ""


def test_a_link_that_says_where_it_leads_is_one() -> None:
    """An address may stand for itself."""
    assert list(marks(adf_of("[https://example.com](https://example.com/)"))) == [
        {"type": "link", "attrs": {"href": "https://example.com/"}}
    ]


def test_an_image_is_words() -> None:
    """Opening the ticket fetches nothing."""
    assert text_of_adf(adf_of("![chart](https://example.com/c.png)")) == "chart (https://example.com/c.png)"


# --- reading ----------------------------------------------------------------------------------


def test_a_document_reads_as_words() -> None:
    """Mentions, cards, tables, dates, emoji and what we do not know are said in words."""
    document = {
        "type": "doc",
        "content": [
            {
                "type": "paragraph",
                "content": [
                    {"type": "mention", "attrs": {"id": "1", "text": "@Ada"}},
                    {"type": "text", "text": " "},
                    {"type": "inlineCard", "attrs": {"url": "https://example.com"}},
                    {"type": "hardBreak"},
                    {"type": "date", "attrs": {"timestamp": "1700000000000"}},
                    {"type": "emoji", "attrs": {"shortName": ":x:", "text": "❌"}},
                    {"type": "date", "attrs": {"timestamp": "9" * 30}},
                ],
            },
            {"type": "table", "content": [{"type": "tableRow", "content": [cell("a"), cell("b")]}]},
            {"type": "orderedList", "attrs": {"order": 3}, "content": [{"type": "listItem", "content": [words("c")]}]},
            {"type": "panel", "content": [words("careful")]},
            {"type": "mediaSingle", "content": [{"type": "media", "attrs": {"id": "x", "alt": "shot.png"}}]},
            {"type": "taskList", "content": [{"type": "taskItem", "content": [{"type": "text", "text": "do"}]}]},
            {"type": "newThing", "content": [{"type": "text", "text": "later"}]},
        ],
    }

    assert (
        text_of_adf(document)
        == "@Ada https://example.com\n2023-11-14❌\n\na | b\n\n3. c\n\ncareful\n\nshot.png\n\n- do\n\nlater"
    )


def words(text: str) -> dict[str, Any]:
    """A paragraph."""
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}


def cell(text: str) -> dict[str, Any]:
    """A table cell."""
    return {"type": "tableCell", "content": [words(text)]}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["type", "content", "text", "attrs", "order", "timestamp"]), inner)
    ),
)


@given(json_values)
def test_no_document_is_too_strange_to_read(document: Any) -> None:
    """Any JSON in place of a document reads as some text."""
    assert isinstance(text_of_adf(document), str)


def test_a_document_nested_without_end_is_read_to_a_depth() -> None:
    """Reading stops where no person would go on."""
    document: dict[str, Any] = words("deep")
    for _ in range(5000):
        document = {"type": "panel", "content": [document]}

    text: dict[str, Any] = {"type": "paragraph", "content": []}
    for _ in range(5000):
        text = {"type": "paragraph", "content": [text]}

    assert text_of_adf(document) == text_of_adf({"type": "doc", "content": [text]}) == ""


PANEL_OF_TWO = Panel(lines=("**Type** Bug", "[case-7](https://triage.example/cases/7)"))


def test_a_panel_is_collapsed_and_not_read_back() -> None:
    """Cloud shows a title to open; what we read of the ticket is what the mail said, not our reasons."""
    text = Site(cloud=True, url="https://acme.example").text("It fails.", last_line="triage-1", panel=PANEL_OF_TWO)
    kinds = [(block["type"], block.get("attrs", {}).get("title")) for block in text["content"]]

    assert kinds == [("paragraph", None), ("expand", PANEL), ("paragraph", None)]
    assert [item["type"] for item in text["content"][1]["content"]] == ["bulletList"]
    assert text_of_adf(text) == "It fails.\n\ntriage-1"


def test_other_peoples_panels_are_read() -> None:
    """Only a title of ours is left out."""
    inside = {"type": "paragraph", "content": [{"type": "text", "text": "logs"}]}
    document = {"type": "doc", "content": [{"type": "expand", "attrs": {"title": "Logs"}, "content": [inside]}]}

    assert text_of_adf(document) == "logs"


def test_text_and_panel_fit_together() -> None:
    """The text is cut so that both are within Jira's limit."""
    text = Site(cloud=True, url="https://acme.example").text("x" * 500, 300, panel=PANEL_OF_TWO)
    words = "".join(run["text"] for node in nodes_of(text) for run in [node] if node["type"] == "text")

    assert 200 < len(words) <= 300
    assert words.endswith("case-7 (triage.example)")


def nodes_of(node: Any) -> Iterator[Any]:
    """The node and all below it."""
    yield node
    for child in node.get("content", []):
        yield from nodes_of(child)


def test_a_table_is_a_table() -> None:
    """With a head and cells of paragraphs; inside a quote, where ADF has none, each cell is a line."""
    markdown = "| A | B |\n| --- | --- |\n| 1 |  |"
    (table,) = adf_of(markdown)["content"]
    (quote,) = adf_of("\n".join(f"> {line}" for line in markdown.splitlines()))["content"]

    assert [[cell["type"] for cell in row["content"]] for row in table["content"]] == [
        ["tableHeader", "tableHeader"],
        ["tableCell", "tableCell"],
    ]
    assert text_of_adf({"type": "doc", "content": [table]}) == "A | B\n1 | "
    assert quote == {
        "type": "blockquote",
        "content": [*map(paragraph, ("A", "B", "1")), {"type": "paragraph", "content": []}],
    }


def test_only_a_plain_word_is_a_language() -> None:
    """Anything else behind a fence names none."""
    (block,) = adf_of("```<x>\na\n```")["content"]

    assert "attrs" not in block
