"""A mail's lines are parted into paragraphs, lists, tables, code, fields and what stands under labels."""

import pytest

from triage.domain.mail import RichLine, TextMark
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.text.blocks import Block, BlockKind, blocks_of, section_of


def lines(text: str) -> list[RichLine]:
    """The lines of a text without markup."""
    return [RichLine(Untrusted(line)) for line in text.split("\n")]


def told(text: str) -> list[tuple[str, str, str]]:
    """Kind, section and text of each block."""
    return [(block.kind.value, block.section, block.text) for block in blocks_of(lines(text))]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("One.\n\nTwo.", [("text", "", "One."), ("text", "", "Two.")]),
        (
            "This line was wrapped by a mail program at some width as in here\nand goes on.\nShort\nLines",
            [
                (
                    "text",
                    "",
                    "This line was wrapped by a mail program at some width as in here and goes on.\nShort\nLines",
                )
            ],
        ),
        ("07:35  list 6 s\n07:50  9 s\n08:10  14 s", [("text", "", "07:35  list 6 s\n07:50  9 s\n08:10  14 s")]),
        ("致技术部:\n\n起重机12号停了。", [("text", "", "致技术部:"), ("text", "", "起重机12号停了。")]),
        ("- one\n  more\n- two", [("list", "", "- one more\n- two")]),
        ("Bills for work until\n30. November under the old name.", [("text", "", "Bills for work until 30. November under the old name.")]),
        ("30. November at the latest.", [("text", "", "30. November at the latest.")]),
        ("We have only\n12. It is too few.", [("text", "", "We have only 12. It is too few.")]),
        (
            "1. one\n  - a\n  - b\n  - c\n2. two",
            [("list", "", "1. one\n  - a\n  - b\n  - c\n2. two")],
        ),
        (
            "Description: it hums.\nGroup: Yard\nOpened by: Bo\nOpened: 9:00",
            [("text", "happens", "it hums."), ("fields", "", "Group: Yard\nOpened by: Bo\nOpened: 9:00")],
        ),
        (
            "Annotations\ndescription = it hums\nsummary = Hum\nerror = none",
            [("text", "", "Annotations"), ("fields", "", "description = it hums\nsummary = Hum\nerror = none")],
        ),
        (
            "Steps: 1) open the plan 2) choose a crane 3) save",
            [("list", "steps", "1) open the plan \n2) choose a crane \n3) save")],
        ),
        ("1) open 2) choose 3) save", [("list", "", "1) open \n2) choose \n3) save")]),
        ("It has 1) a hook 3) a cab 4) a light", [("text", "", "It has 1) a hook 3) a cab 4) a light")]),
        ("What happened?: it hums", [("text", "happens", "it hums")]),
        ("1)one\n2)two", [("list", "", "1)one\n2)two")]),
        ("{code:lang=sql}\nselect\n{code}", [("code", "", "select")]),
        ("Fix:\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old words\n+new words\n\nDone.",
            [("text", "", "Fix:"), ("code", "", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old words\n+new words"),
             ("text", "", "Done.")]),
        ("1. one\n2. two\nthen text", [("list", "", "1. one\n2. two"), ("text", "", "then text")]),
        ("a\tb\n1\t2", [("table", "", "a | b\n1 | 2")]),
        ("WHERE\n| a | b |\n|---|---|\n| 1 | 2 |", [("text", "", "WHERE"), ("table", "", "a | b\n1 | 2")]),
        ("It hums.\n\nSTEPS\n1. a\n2. b", [("text", "", "It hums."), ("list", "steps", "1. a\n2. b")]),
        (
            "- runbook = https://wiki.example/runbooks/disk-of-a-host-is-nearly-full-and-what-to-do\nSilence: https://a.example/b",
            [
                ("list", "", "- runbook = https://wiki.example/runbooks/disk-of-a-host-is-nearly-full-and-what-to-do"),
                ("text", "", "Silence: https://a.example/b"),
            ],
        ),
        (
            "Source: https://grafana.example/alerting/view\nSilence: https://grafana.example/alerting/silence/new",
            [("text", "", "Source: https://grafana.example/alerting/view\nSilence: https://grafana.example/alerting/silence/new")],
        ),
        ('From the review:\n\nPlease file: "Page us at 01:15."', [("text", "", "From the review:"), ("text", "", 'Please file: "Page us at 01:15."')]),
        (
            "Job    State    Took\n  unit   ok       9m\n  e2e    skipped\nThat was it.",
            [("table", "", "Job | State | Took\nunit | ok | 9m\ne2e | skipped"), ("text", "", "That was it.")],
        ),
        ("It broke.  We saw it.  Twice.\nIt is red.  It hums.  Badly.", [("text", "", "It broke.  We saw it.  Twice.\nIt is red.  It hums.  Badly.")]),
        ("Ada Byron | Harbour\nUnit 9, East Quay", [("text", "", "Ada Byron | Harbour\nUnit 9, East Quay")]),
        ("Host: a\nPort: 1\nZone: b", [("fields", "", "Host: a\nPort: 1\nZone: b")]),
        ("Host: a\nPort: 1", [("fields", "environment", "Host: a"), ("text", "", "Port: 1")]),
        (
            "Steps:\n1. a\n2. b\n\nExpected: c\n\nd",
            [("list", "steps", "1. a\n2. b"), ("text", "expected", "c"), ("text", "", "d")],
        ),
        (
            "It hurts. Steps:\n1. a\n2. b\n\nSo it goes. Impact: none. Host: c",
            [
                *[("text", "", "It hurts."), ("list", "steps", "1. a\n2. b"), ("text", "", "So it goes.")],
                ("fields", "impact", "Impact: none. Host: c"),
            ],
        ),
        ("Steps to reproduce\n1. a\nExpected: light. Actual: darkness.", [("list", "steps", "1. a"), ("text", "expected", "light."), ("text", "happens", "darkness.")]),
        ("It hurts. Actual: c.", [("text", "", "It hurts. Actual: c.")]),
        ("Steps\n\nPress it.", [("text", "", "Steps"), ("text", "", "Press it.")]),
        ("Steps:\n\nPress it.\n\nIt hurts.", [("text", "steps", "Press it."), ("text", "", "It hurts.")]),
        ("## Expected\n\nMore\n\n**Actual**\n\nLess", [("text", "expected", "More"), ("text", "happens", "Less")]),
        (
            "Steps:\nPress.\nExpected:\nLight.\n\nAnd warmth.",
            [("text", "steps", "Press."), ("text", "expected", "Light."), ("text", "expected", "And warmth.")],
        ),
        ("```java\nint a;\n```\nEnd", [("code", "", "int a;"), ("text", "", "End")]),
        ("{code:sql}\nselect\n{code}", [("code", "", "select")]),
        ("```\nOpen for ever", [("text", "", "```\nOpen for ever")]),
        ("It says\n\n    NO ROOM\n    AT ALL\n\nhere.", [("text", "", "It says"), ("code", "", "NO ROOM\nAT ALL"), ("text", "", "here.")]),
        ("It shows:\n\n504 Gateway Time-out\n\nthen", [("text", "", "It shows:"), ("code", "", "504 Gateway Time-out"), ("text", "", "then")]),
        ("Look:\n\nall is well\n\nfine", [("text", "", "Look:"), ("text", "", "all is well"), ("text", "", "fine")]),
        ("Error: no room\nmore", [("code", "evidence", "no room"), ("text", "", "more")]),
        ("[image: a.png]\n\n-----\n\nx", [("picture", "", "[image: a.png]"), ("text", "", "x")]),
        ("バージョン\uff1a5\n期待\uff1a光", [("fields", "environment", "バージョン\uff1a5"), ("text", "expected", "光")]),
        ("", []),
    ],
)  # fmt: skip
def test_blocks(text: str, blocks: list[tuple[str, str, str]]) -> None:
    """Each part is what its author meant by its shape."""
    assert told(text) == blocks


def test_markup_tells_what_is_code_table_and_heading() -> None:
    """What the HTML says about a line counts more than its words."""
    rich = [
        RichLine(Untrusted("Expected"), marks=(TextMark(0, 8, "strong"),)),
        RichLine(Untrusted("light")),
        RichLine(Untrusted("plain words"), "code"),
        RichLine(Untrusted(""), "code"),
        RichLine(Untrusted("a | b"), "head"),
        RichLine(Untrusted("1 | 2"), "row"),
    ]
    found = blocks_of(rich)

    assert [(block.kind, block.section) for block in found] == [
        (BlockKind.TEXT, "expected"),
        (BlockKind.CODE, ""),
        (BlockKind.TABLE, ""),
    ]
    assert found[1].text == "plain words"
    assert blocks_of([RichLine(Untrusted(" "), "code")]) == (Block(kind=BlockKind.CODE, lines=()),)


def test_unknown_headings_are_bold() -> None:
    """A heading of the mail is no heading of the ticket."""
    (block,) = blocks_of(lines("h2. Test case\n\n"))

    assert block.lines == (RichLine(Untrusted("Test case"), marks=(TextMark(0, 9, "strong"),)),)


def test_labels_are_known_in_any_case() -> None:
    """`ERWARTET` is a label, `Foo` is none."""
    assert section_of("ERWARTET") == "expected"
    assert not section_of("Foo")


def test_a_list_with_longer_lists_inside_keeps_its_numbers() -> None:
    """Its own items are counted, not those below them."""
    (block,) = blocks_of(lines("1. one\n  - a\n  - b\n  - c\n2. two"))

    assert block.numbered


def test_what_is_answered_is_a_quote() -> None:
    """Lines that are marked so are blocks of their own."""
    found = blocks_of([RichLine(Untrusted("Since when?"), "quote"), RichLine(Untrusted("Monday."))])

    assert [block.kind for block in found] == [BlockKind.QUOTE, BlockKind.TEXT]


def test_text_below_what_a_program_answered_is_of_the_matter() -> None:
    """Only the code stands under `Response:`."""
    found = told("Response:\n\n```\n504\n```\n\nWe have switched it off.")

    assert found == [("code", "evidence", "504"), ("text", "", "We have switched it off.")]
