"""Text into Jira and out of it: nothing of a mail may live in a ticket but as words."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.jira_adf import adf_of, text_of_adf
from integrations.jira_text import CUT_NOTE, SUMMARY_LIMIT, TEXT_LIMIT, clean, length, one_line
from integrations.jira_wiki import inert, text_of_wiki, wiki_of
from integrations.sandbox.jira.markup import wiki

HOSTILE = [
    "[~admin]",
    "[~accountid:5b10ac8d82e05b22cc7d4ef5]",
    "{code}",
    "{code:title=x}",
    "{noformat}",
    "{NoFormat}",
    "{quote}",
    "{panel:bgColor=red}",
    "{color:red}now{color}",
    "{{mono}}",
    "!http://evil.example/pixel.png!",
    "!logo.png|thumbnail!",
    "||head||",
    "|cell|",
    "h1. Big",
    "bq. said",
    "# one",
    "* one",
    "- one",
    "----",
    "*bold*",
    "_em_",
    "-gone-",
    "+new+",
    "^up^",
    "~down~",
    "??cited??",
    "[bank|http://evil.example]",
    "[^file.exe]",
    "[#anchor]",
    "\\",
    "\\\\",
    "\\{code}",
    "(x)",
    "(/)",
    "&#123;code&#125;",
    "&amp;",
    "&#x202e;",
    "&#27;",
    "&#10;# x",
    "[https://bank.example](https://evil.example)",
    "[click](javascript:alert(1))",
    "[data](data:text/html,x)",
    "![x](http://evil.example/pixel.png)",
    "<http://evil.example>",
    "<script>alert(1)</script>",
    "<!-- note -->",
    "**",
    "__",
    "`",
    "```",
    "~~~",
    "> ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\u2028",
    "\u202egnp.exe",
    "\x00",
    "\x1b[31m",
    "\ud800",
    "😀",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "!",
    "|",
    "a",
    "word",
    "1. ",
    "=",
    "https://example.com/a_b-c/~d?e=f&g=h#i",
]
texts = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=8), max_size=30).map("".join)


# --- Atlassian Document Format ----------------------------------------------------------------

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
    assert clean(told) == told


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
        {"type": "codeBlock", "content": [{"type": "text", "text": "print()"}]},
        {"type": "rule"},
    ] == adf_of(markdown)["content"]


def paragraph(text: str) -> dict[str, Any]:
    """A paragraph of plain words."""
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}


def test_lines_stay_lines() -> None:
    """A line end in the Markdown is one in the ticket."""
    inside = adf_of("one\ntwo")["content"][0]["content"]

    assert [node["type"] for node in inside] == ["text", "hardBreak", "text"]


@pytest.mark.parametrize(
    "markdown", ["[https://bank.example](https://evil.example/x)", "[www.b**an**k.example](https://evil.example/x)"]
)
def test_a_link_cannot_pose_as_another(markdown: str) -> None:
    """Where the words are an address, but not the one behind them, both are shown and neither can be clicked."""
    document = adf_of(markdown)

    assert "(https://evil.example/x)" in text_of_adf(document)
    assert [mark for mark in marks(document) if mark["type"] == "link"] == []


def test_a_link_that_says_where_it_leads_is_one() -> None:
    """An address may stand for itself."""
    assert list(marks(adf_of("[https://example.com](https://example.com/)"))) == [
        {"type": "link", "attrs": {"href": "https://example.com/"}}
    ]


def test_an_image_is_words() -> None:
    """Opening the ticket fetches nothing."""
    assert text_of_adf(adf_of("![chart](https://example.com/c.png)")) == "chart (https://example.com/c.png)"


# --- wiki markup ------------------------------------------------------------------------------

ESCAPED = re.compile(r"(?<!\\)\\[-#*_+?^~|%{}\[\]()!@]")
"""The characters that Jira's renderer takes literally behind a backslash, and when."""
DANGERS = {
    "macro": re.compile(r"[{}]"),
    "link or mention": re.compile(r"[\[\]]"),
    "image": re.compile(r"!"),
    "table": re.compile(r"\|"),
    "small letters": re.compile(r"[\^~]"),
    "cited": re.compile(r"\?\?"),
    "forced line end": re.compile(r"\\"),
    "struck": re.compile(r"(?<!\w)([-+])(?=\S)[^\n]*?(?<=\S)\1(?!\w)"),
    "emoticon": re.compile(r"\((?:[xyni!?/+-]|on|off|flag|flagoff)\)", re.IGNORECASE),
}
STRUCTURE = {
    "heading": re.compile(r"^\s*(?:h[1-6]|bq)\.\s", re.MULTILINE),
    "list": re.compile(r"^\s*[*#-]+\s", re.MULTILINE),
    "rule": re.compile(r"^\s*-{4,}\s*$", re.MULTILINE),
    "phrase": re.compile(r"(?<!\w)([*_])(?=\S)[^\n]*?(?<=\S)\1(?!\w)"),
}
OURS = re.compile(
    r"^\{noformat\}\n.*?\n\{noformat\}$|^[*#]+ \{noformat\}\n.*?\n\{noformat\}$|^\{quote\}$"
    r"|\{\{[^{}\n\\]+\}\}|\[(?:[^\[\]|\n]*\|)?(?:https?|mailto):[^\[\]|\s{}!^~\\]*\]|^----$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
ADDRESS = re.compile(r"https?://[A-Za-z0-9/._~%&=+?#@:,;-]+")


def alive(markup: str) -> set[str]:
    """What Jira would read in it beyond words, by its own rules."""
    bare = re.sub(r"&#\d+;", "E", ESCAPED.sub("E", ADDRESS.sub("U", OURS.sub("", markup))))
    return {name for name, live in (DANGERS | STRUCTURE).items() if live.search(bare)}


@pytest.mark.parametrize("hostile", [text for text in HOSTILE if alive(text)])
def test_hostile_markup_is_seen_by_the_checker(hostile: str) -> None:
    """The checker of the two tests below does see markup where there is some, and none once it is escaped."""
    assert set() == alive(inert(clean(hostile)))


@given(texts)
def test_words_are_inert(text: str) -> None:
    """Escaped text is words for Jira, whatever stands in it."""
    assert set() == alive(inert(clean(text)))


@given(texts)
def test_markup_holds_the_structure_of_the_markdown_only(markdown: str) -> None:
    """Lists, headings, quotes, code and phrases may come of Markdown; mentions, macros, images and tables may not."""
    assert alive(wiki_of(markdown)) & set(DANGERS) == set()


@given(texts)
def test_inert_words_read_as_written(text: str) -> None:
    """What was escaped comes back as it was."""
    line = " ".join(clean(text).split())

    assert line.strip() == text_of_wiki(inert(line))


@given(texts)
def test_another_reader_of_markup_sees_words_too(markdown: str) -> None:
    """The sandbox's own parser of wiki markup finds no mention, table or panel, and no mark that Markdown lacks."""
    found = list(below(wiki.read(wiki_of(markdown))))
    kinds = {node["type"] for node in found}
    signs = {mark["type"] for node in found for mark in node.get("marks", [])}

    assert kinds <= {*ALLOWED_IN, "rule", "text", "hardBreak"}
    assert signs <= {"strong", "em", "code", "link"}


def below(node: Any) -> Iterator[Any]:
    """The node and all below it."""
    yield node
    for child in node.get("content", []):
        yield from below(child)


def test_code_cannot_end_its_own_block() -> None:
    """A terminator inside is broken."""
    markup = wiki_of("```\nx\n{noformat}\n[~admin]\n```")

    assert markup.count("{noformat}") == 2
    assert markup.endswith("[~admin]\n{noformat}")


def test_markdown_becomes_markup() -> None:
    """Structure is kept."""
    markdown = "## Steps\n\nOpen **it** in `x`.\n\n1. one\n2. two\n   - deep\n\n> said\n\n[page](https://example.com/a)"

    assert (
        wiki_of(markdown) == "h2. Steps\n\nOpen *it* in {{x}}.\n\n# one\n# two\n#* deep\n\n{quote}\nsaid\n\n{quote}\n\n"
        "[page|https://example.com/a]"
    )


def test_a_label_cannot_move_its_link() -> None:
    """Jira cuts a link at its bars before it unescapes."""
    assert wiki_of("[a|https:|b](https://example.com/x|y)") == "[a&#124;https:&#124;b|https://example.com/x%7Cy]"


def test_addresses_stay_clickable() -> None:
    """Jira links a bare address, as long as no backslash stands in it."""
    address = "https://git.example.com/a/-/merge_requests/1?x=~y"

    assert f"see {address}\\!" == wiki_of(f"see {address}!")


# --- reading ----------------------------------------------------------------------------------


def test_markup_reads_as_words() -> None:
    """What people write in Jira comes without its signs, code untouched."""
    markup = (
        "h1. Crash\r\n*Bold* and _it_ by [~ada], see [docs|https://example.com] or [https://example.org].\n"
        "* one\n** two\n# three\n{code:java}\nint *a = b[0]; // h1. x\n{code}\n"
        "{quote}said{quote} !shot.png|thumbnail! {{mono}} {color:red}red{color} C:&#92;x \\[x\\]"
    )

    assert (
        text_of_wiki(markup) == "Crash\nBold and it by @ada, see docs (https://example.com) or https://example.org.\n"
        "- one\n  - two\n1. three\nint *a = b[0]; // h1. x\nsaid shot.png mono red C:\\x [x]"
    )


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

    assert text_of_adf(document) == ""


# --- limits -----------------------------------------------------------------------------------


@given(texts | st.text(min_size=200, max_size=600), st.sampled_from([adf_of, wiki_of]))
def test_text_fits(markdown: str, render: Any) -> None:
    """What is too long is cut, escapes and markup counted, and says so."""
    rendered = render(markdown, 150)
    told = rendered if isinstance(rendered, str) else text_of_adf(rendered)

    assert length(told) <= 150
    assert length(clean(markdown)) <= 150 or length(told) < length(clean(markdown))


@pytest.mark.parametrize("render", [adf_of, wiki_of])
@pytest.mark.parametrize("piece", ["{", "[~x] ", "word ", "😀", "- a\n", "```\n", "_*", "![[", "> ", "\n", "`", "\\"])
def test_a_flood_is_cut_in_time(render: Any, piece: str) -> None:
    """A megabyte of the worst takes seconds at most, deep nesting included, and ends within the limit."""
    started = time.perf_counter()
    rendered = render(piece * (1_000_000 // len(piece)))
    told = rendered if isinstance(rendered, str) else text_of_adf(rendered)

    assert length(told) <= TEXT_LIMIT
    assert time.perf_counter() - started < 5


def test_a_cut_is_told() -> None:
    """The reader learns that there was more."""
    assert wiki_of("word " * 100, 200).endswith(inert(CUT_NOTE) + "_")
    assert text_of_adf(adf_of("```\n" + "word " * 100, 200)).endswith(CUT_NOTE)


@given(texts | st.text(max_size=600))
def test_a_summary_is_one_line_of_at_most_255(text: str) -> None:
    """Counted as Java counts, which is never less than code points."""
    line = one_line(text)

    assert length(line) <= SUMMARY_LIMIT
    assert line == " ".join(line.split())


def test_a_long_summary_shows_that_it_was_cut() -> None:
    """By an ellipsis, also behind characters that count twice."""
    assert one_line("a" * 256) == "a" * 254 + "…"
    assert one_line("😀" * 200) == "😀" * 127 + "…"
