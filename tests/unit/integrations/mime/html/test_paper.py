"""Markup of an HTML page is told line by line: code, tables of data, bold, links."""

import pytest

from integrations.mime.html.to_text import page_of
from triage.domain.mail import RichLine

WIKI = "https://wiki.example/a"


def rich(source: str) -> tuple[RichLine, ...]:
    """The lines of a page."""
    page = page_of(source, set())
    assert [line.text for line in page.rich] == list(page.lines)
    return page.rich


@pytest.mark.parametrize(
    ("source", "marked"),
    [
        ("<p>a <b>bold</b> word</p>", [("bold", "strong")]),
        ("<p>run <code>ls</code></p>", [("ls", "code")]),
        (f"<p>see <a href='{WIKI}'>notes</a>.</p>", [(f"notes ({WIKI})", WIKI)]),
        (f"<p><a href='{WIKI}'>{WIKI}</a></p>", [(WIKI, WIKI)]),
        ("<p>write to <a href='mailto:a@x.example'>Ada</a></p>", [("Ada (a@x.example)", "mailto:a@x.example")]),
        ("<p><a href='javascript:x'>no</a> <a name='y'>here</a></p>", []),
        ("<p><b>one<br>two</b></p>", [("one", "strong"), ("two", "strong")]),
        ("<ul><li>a <b>b</b></li></ul>", [("b", "strong")]),
        ("<blockquote>a <b>b</b></blockquote>", [("b", "strong")]),
        ("<table><tr><td>1</td><td><b>2</b></td></tr></table>", [("2", "strong")]),
        ("<p><b></b>plain</p></b>", []),
        ("<p style='display:none'><b>unseen</b></p><p>seen</p>", []),
    ],
)
def test_marks_cover_their_words(source: str, marked: list[tuple[str, str]]) -> None:
    """Each mark names its words and what they are, also inside lists, quotes and cells."""
    found = [(line.text[mark.start : mark.end], mark.kind) for line in rich(source) for mark in line.marks]

    assert found == marked


def test_lines_of_code_and_tables_are_named() -> None:
    """Preformatted lines and rows of data have their kind; a table that arranges a page has none."""
    lines = rich(
        "<pre>a\n\n  b</pre><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
        "<table><tr><td><p>left</p><p>more</p></td><td>right</td></tr><tr><td>one cell</td></tr></table>"
    )

    assert [(line.text, line.kind) for line in lines if line.kind] == [
        ("a", "code"),
        ("", "code"),
        ("  b", "code"),
        ("A | B", "head"),
        ("1 | 2", "row"),
    ]


def test_a_cell_with_one_paragraph_is_a_cell() -> None:
    """Outlook puts a paragraph into each cell; a long one is a column of a page."""
    cell = "<td><p class=MsoNormal><b>{}</b></p></td>"
    lines = rich(
        f"<table><tr>{cell.format('Line')}{cell.format('Error')}</tr><tr><td>1</td><td><div>none</div></td></tr></table>"
    )
    page = rich(f"<table><tr>{cell.format('left ' * 60)}{cell.format('right')}</tr></table>")

    assert [(line.text, line.kind) for line in lines] == [("Line | Error", "row"), ("1 | none", "row")]
    assert {line.kind for line in page} == {""}


def test_lists_within_lists_stand_together() -> None:
    """No blank line parts an item from the list below it and from the next item."""
    lines = rich("<ol><li>one<ul><li>a</li></ul></li><li>two</li></ol><p>end</p>")

    assert [line.text for line in lines] == ["1. one", "  - a", "2. two", "", "end"]
