"""The sandbox reads and writes both of Jira's languages, and loses no word between them."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import growth
from triage_sandbox.jira.markup import adf, wiki
from triage_sandbox.jira.markup.body import Body


def paragraph(*words: adf.Node) -> adf.Node:
    """A block of text."""
    return adf.block("paragraph", list(words))


STRONG = {"type": "strong"}
LINK = {"type": "link", "attrs": {"href": "https://x.example/a_b_c"}}

PAIRS: list[tuple[str, list[Any]]] = [
    ("one\n\ntwo", [paragraph(adf.text("one")), paragraph(adf.text("two"))]),
    ("a\nb", [paragraph(adf.text("a"), {"type": "hardBreak"}, adf.text("b"))]),
    ("h2. Title", [adf.block("heading", [adf.text("Title")], level=2)]),
    ("some *bold* word", [paragraph(adf.text("some "), adf.text("bold", STRONG), adf.text(" word"))]),
    ("[here|https://x.example/a_b_c]", [paragraph(adf.text("here", LINK))]),
    ("{{x = 1}}", [paragraph(adf.text("x = 1", {"type": "code"}))]),
    ("{code:python}\nx = {1}\n{code}", [adf.block("codeBlock", [adf.text("x = {1}")], language="python")]),
    ("{quote}\nsaid\n{quote}", [adf.block("blockquote", [paragraph(adf.text("said"))])]),
    ("----", [{"type": "rule"}]),
    (
        "* one\n** deeper\n* two",
        [
            adf.block(
                "bulletList",
                [
                    adf.block(
                        "listItem",
                        [
                            paragraph(adf.text("one")),
                            adf.block("bulletList", [adf.block("listItem", [paragraph(adf.text("deeper"))])]),
                        ],
                    ),
                    adf.block("listItem", [paragraph(adf.text("two"))]),
                ],
            )
        ],
    ),
    (
        "|| a || b ||\n| 1 | 2 |",
        [
            adf.block(
                "table",
                [
                    adf.block(
                        "tableRow",
                        [adf.block("tableHeader", [paragraph(adf.text(word))]) for word in ("a", "b")],
                    ),
                    adf.block("tableRow", [adf.block("tableCell", [paragraph(adf.text(word))]) for word in ("1", "2")]),
                ],
            )
        ],
    ),
]


@pytest.mark.parametrize(("markup", "blocks"), PAIRS)
def test_both_languages_say_the_same(markup: str, blocks: list[adf.Node]) -> None:
    """Wiki markup reads as the document, and the document is written as the markup."""
    assert wiki.read(markup) == adf.document(blocks)
    assert wiki.write(adf.document(blocks)) == markup
    assert adf.is_document(adf.document(blocks))


RISKY = st.text(st.sampled_from("ab *_-+{}[]|\\~.h1#!:/@<&code;9"), min_size=1, max_size=30)


@given(st.lists(RISKY.map(str.strip).filter(bool), min_size=1, max_size=3))
def test_no_word_becomes_markup(lines: list[str]) -> None:
    """Text written as wiki markup and read again is the same text, whatever it looks like."""
    document = adf.document([paragraph(adf.text(line)) for line in lines])

    assert adf.plain(wiki.read(wiki.write(document))) == adf.plain(document)


TAGS = "p br hr a strong em code del u ul ol li pre blockquote table tr th td h3 h4 h5 h6"


@given(st.text(st.sampled_from("ab *_-+{}[]|\\~.h1#!:/@<&code;9\n"), max_size=80))
def test_all_markup_reads_as_a_sound_document(source: str) -> None:
    """Whatever stands there, Jira would store what we read."""
    document = wiki.read(source)

    assert adf.is_document(document)
    assert set(re.findall(r"</?(\w+)", Body.of(source).html)) <= set(TAGS.split())


@given(st.text(max_size=60))
def test_html_has_only_our_tags(words: str) -> None:
    """A page shows the text's own angle brackets, and obeys none of them."""
    page = Body.of(adf.document([paragraph(adf.text(words or "x"))])).html

    assert page.startswith("<p>")
    assert "<" not in page[3:-4].replace("<br>", "")


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", "data:text/html,x", "vbscript:x", " https://x", "//x", "JAVASCRIPT:x"]
)
def test_only_safe_links_are_links(href: str) -> None:
    """An address that could run something is shown as text."""
    mark = {"type": "link", "attrs": {"href": href}}

    assert Body.of(adf.document([paragraph(adf.text("click", mark))])).html == "<p>click</p>"


@pytest.mark.parametrize(
    "evil",
    ["[", "{{", "*a ", "{code}", "{code:x}", "[~", "\\"],
)
def test_hostile_text_is_read_in_time(evil: str) -> None:
    """The longest text that Jira takes costs no more than a moment, whatever is in it."""
    assert growth(lambda size: wiki.write(wiki.read(evil * (size // len(evil)))), 4_000) < 4


def test_a_panel_keeps_its_title() -> None:
    """In markup as a bold line, in a collapsed block as what one opens; either way no word is lost."""
    inside = paragraph(adf.text("why"))
    opened = adf.block("expand", [inside], title="Reasons")

    assert wiki.read("{panel:title=Reasons|x=y}\nwhy\n{panel}")["content"] == [
        adf.block("panel", [paragraph(adf.text("Reasons", STRONG)), inside], panelType="info")
    ]
    assert wiki.write(adf.document([opened])) == "{panel:title=Reasons}\nwhy\n{panel}"
    assert Body.of(adf.document([opened])).html == "<details><summary>Reasons</summary><p>why</p></details>"
