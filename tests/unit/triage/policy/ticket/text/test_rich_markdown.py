"""A mail's structure is active in the ticket, its words are not."""

import pytest
from markdown_it import MarkdownIt

from triage.domain.mail import RichLine, TextMark
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.text.blocks import Block, BlockKind, blocks_of
from triage.policy.ticket.text.rich_markdown import fenced_code, inline, markdown_of

WIKI = "https://wiki.example/a"


@pytest.mark.parametrize(
    ("text", "marks", "markdown"),
    [
        ("a *b* [c](d)", (), r"a \*b\* \[c\]\(d\)"),
        ("a bold b", (TextMark(2, 6, "strong"),), "a **bold** b"),
        ("a bold b", (TextMark(1, 7, "strong"),), "a **bold** b"),
        ("run ls -l now", (TextMark(4, 9, "code"),), "run `ls -l` now"),
        ("run `x` now", (TextMark(4, 7, "code"),), r"run \`x\` now"),
        (f"our notes ({WIKI}).", (TextMark(4, 12 + len(WIKI), WIKI),), f"our [notes](<{WIKI}>)\\."),
        ("our notes", (TextMark(4, 9, WIKI), TextMark(0, 9, "strong")), f"**our** [**notes**](<{WIKI}>)"),
        ("our notes", (TextMark(4, 9, WIKI), TextMark(5, 8, "https://x.example")), f"our [notes](<{WIKI}>)"),
        ("our notes", (TextMark(4, 9, "javascript:x"),), "our notes"),
        (f"see {WIKI}, please", (), f"see <{WIKI}>\\, please"),
        (WIKI, (TextMark(0, len(WIKI), WIKI),), f"<{WIKI}>"),
        ("a   b", (TextMark(1, 4, "strong"),), "a b"),
    ],
)
def test_lines(text: str, marks: tuple[TextMark, ...], markdown: str) -> None:
    """Bold, code and links of the mail's markup are kept; signs that look like markup are text."""
    assert inline(RichLine(Untrusted(text), marks=marks)) == markdown


def test_lists_keep_order_and_depth() -> None:
    """Numbers go on from the first one, since code may part a list; deeper items are indented."""
    (block,) = blocks_of([RichLine(Untrusted(line)) for line in ("3. a", "3. b", "   - c")])

    assert markdown_of(block) == "3. a\n4. b\n   - c"


def test_tables_have_a_head_and_equal_rows() -> None:
    """Missing cells are empty, rows beyond the limit are left out and say so."""
    rows = tuple(RichLine(Untrusted(text), "row") for text in ("a | b", "1", *["2 | 3"] * 40))
    told = markdown_of(Block(kind=BlockKind.TABLE, lines=rows)).split("\n")

    assert told[:3] == ["| a | b |", "| --- | --- |", "| 1 |  |"]
    assert told[-1] == "| […] |  |"


def test_fields_have_bold_names() -> None:
    """Also behind the wide colon; a line without a colon has none."""
    lines = tuple(RichLine(Untrusted(text)) for text in ("Host: a", "版\uff1a5", "more"))

    assert markdown_of(Block(kind=BlockKind.FIELDS, lines=lines)) == "- **Host:** a\n- **版:** 5\n- **:** more"


def test_code_cannot_end_its_block() -> None:
    """The fence is longer than any in the code; only a plain word is its language."""
    told = fenced_code(["````", "x"], "ja`va")
    (token,) = MarkdownIt().parse(told)

    assert token.content == "````\nx\n"
    assert fenced_code(["x"], "Java").startswith("```java\n")


def test_items_keep_their_letters() -> None:
    """Others may point to them: `see b)`."""
    (block,) = blocks_of([RichLine(Untrusted(line)) for line in ("a) one", "b) two")])

    assert markdown_of(block) == "- a\\) one\n- b\\) two"


def test_quotes_and_fields_with_a_sign() -> None:
    """What is answered stands as a quote; a field may have `=` between name and value."""
    quote = Block(kind=BlockKind.QUOTE, lines=(RichLine(Untrusted("Since when?")),))
    fields = Block(
        kind=BlockKind.FIELDS, lines=(RichLine(Untrusted("host= db1")), RichLine(Untrusted("url = http://a: b")))
    )

    assert markdown_of(quote) == "> Since when\\?  "
    assert markdown_of(fields).startswith("- **host:** db1\n- **url:** ")
