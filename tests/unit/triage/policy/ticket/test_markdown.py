"""Somebody's text inside our Markdown."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from integrations.jira.markup.adf import adf_of, text_of_adf
from integrations.jira.markup.wiki import wiki_of
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.markdown import NO_BREAK_SPACE, literal, quoted

LINES = st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=60)


@given(LINES)
def test_a_literal_is_nothing_but_text(line: str) -> None:
    """However a line looks, CommonMark reads it as one run of text."""
    tokens = MarkdownIt("commonmark").parse(f"x{literal(line)}x")
    kinds = {child.type for token in tokens for child in token.children or ()}

    assert kinds <= {"text", "text_special"}


@given(st.lists(LINES, max_size=6))
def test_a_quote_is_one_block_quote(lines: list[str]) -> None:
    """A quoted text opens one quote and nothing else: no heading, list, code or link."""
    tokens = MarkdownIt("commonmark").parse(quoted(Untrusted("\n".join(["x", *lines]))))
    kinds = [token.type for token in tokens]

    assert set(kinds) <= {"blockquote_open", "blockquote_close", "paragraph_open", "paragraph_close", "inline"}
    assert kinds.count("blockquote_open") == 1


def test_indents_survive() -> None:
    """A stack trace keeps its shape."""
    assert quoted(Untrusted("  at a\n\tb")) == f"> &nbsp;{NO_BREAK_SPACE}at a  \n> &nbsp;{NO_BREAK_SPACE * 3}b  "


def test_empty_lines_keep_the_quote_together() -> None:
    """A blank line inside the text does not end the quote."""
    assert quoted(Untrusted("a\n\nb")) == "> a  \n>\n> b  "


def test_long_texts_are_cut() -> None:
    """What is too long ends with a mark that says so."""
    assert quoted(Untrusted("abcdef"), longest=3) == "> abc  \n> \\[…\\]  "


@pytest.mark.parametrize("render", [lambda text: text_of_adf(adf_of(text)), wiki_of])
def test_the_first_line_keeps_its_indent_in_the_ticket(render: Callable[[str], str]) -> None:
    """A block of code in a mail begins a paragraph, and no line of it moves."""
    told = render(quoted(Untrusted("See:\n\n    curl -i x\n    HTTP/1.1 502")))

    assert f"{NO_BREAK_SPACE * 4}curl" in told
    assert f"{NO_BREAK_SPACE * 4}HTTP" in told
