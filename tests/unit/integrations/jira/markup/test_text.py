"""Jira's limits: what is too long is cut, counted as Jira counts, and says so."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from integrations.jira.markup.adf import adf_of, text_of_adf
from integrations.jira.markup.text import CUT_NOTE, SUMMARY_LIMIT, TEXT_LIMIT, blocks, length, one_line, runs
from integrations.jira.markup.wiki import inert, wiki_of
from tests.growth import growth
from tests.unit.integrations.jira.hostile import texts
from triage.domain.text.visible import visible


@given(texts | st.text(min_size=200, max_size=600), st.sampled_from([adf_of, wiki_of]))
def test_text_fits(markdown: str, render: Any) -> None:
    """What is too long is cut, escapes and markup counted, and says so."""
    rendered = render(markdown, 150)
    told = rendered if isinstance(rendered, str) else text_of_adf(rendered)

    assert length(told) <= 150
    assert length(visible(markdown)) <= 150 or length(told) < length(visible(markdown))


@given(
    st.lists(
        st.sampled_from([*"ab \n\\*_`[]()!<>&#-|:.~", "\\*", "\\[", "&amp;", "https://x.y", "é"]), max_size=60
    ).map("".join)
)
def test_parsed_as_by_the_standard(markdown: str) -> None:
    """Our rule for plain text changes nothing of what CommonMark's own rules find."""
    standard = MarkdownIt("commonmark", {"html": False}).enable("table").parse(markdown)

    assert [(one.type, runs(one)) for one in blocks(markdown)] == [(one.type, runs(one)) for one in standard]


@pytest.mark.parametrize("render", [adf_of, wiki_of])
@pytest.mark.parametrize("piece", ["{", "[~x] ", "word ", "😀", "- a\n", "```\n", "_*", "![[", "> ", "\n", "`", "\\"])
def test_a_flood_is_cut_in_time(render: Any, piece: str) -> None:
    """Work grows with the text up to the limit, deep nesting included, and what is far too long ends within it.

    What is cut is written several times to find its end, which makes up to half of the bound.
    """
    rendered = render(piece * (40_000 // len(piece)))
    told = rendered if isinstance(rendered, str) else text_of_adf(rendered)

    assert length(told) <= TEXT_LIMIT
    assert growth(lambda size: render(piece * (size // len(piece))), 2_000, 5) < 5


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
