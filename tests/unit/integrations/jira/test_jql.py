"""JQL from typed parts: no text breaks out of its quotes, and no query leaves its project."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.jira.jql import (
    BY_US,
    JqlOrder,
    any_of,
    created_within,
    equals,
    in_sprints,
    literal,
    mentions,
    updated_within,
    within,
)

STRINGS = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\])*"')
"""A string as Jira's grammar has it."""
hostile = st.text() | st.lists(
    st.sampled_from(['"', "\\", '\\"', "' OR ", ") OR project = HR --", "\n", "\x00", "~", "*", "AND", "INT", "a", "é"])
).map("".join)


@given(hostile, hostile)
def test_only_strings_differ(words: str, status: str) -> None:
    """Whatever the texts are, what stands outside the quotes is always the same."""
    clause = mentions(words)
    query = within("OPS", *([clause] if clause else []), equals("status", status), order=JqlOrder.UPDATED)
    text = "text ~ @ AND " if clause else ""

    assert STRINGS.sub("@", query) == f"project = @ AND ({text}status = @) ORDER BY updated DESC"


@given(hostile)
def test_words_hold_no_syntax_of_the_text_index(words: str) -> None:
    """Operators, wildcards and fields of the index are blanks; an `OR` is a word among words."""
    clause = mentions(words)

    assert clause is None or re.fullmatch(r'text ~ "[^-+&|!(){}\[\]^~*?\\:/"A-Z]*"', clause.jql, re.ASCII)
    assert clause or not any(char.isalnum() for char in words[:200])


def test_a_query_reads_as_jql() -> None:
    """Words are alternatives, the other parts all hold, and the project comes first."""
    words = [clause for word in ("ORA-00942", "export") if (clause := mentions(word))]
    query = within("OPS", any_of(*words), equals("assignee", "5b10"), updated_within(30))

    assert query == (
        'project = "OPS" AND ((text ~ "ora 00942" OR text ~ "export") AND assignee = "5b10" AND updated >= -30d)'
    )


def test_a_project_alone_is_a_query() -> None:
    """Cloud refuses a query without bounds; ours always has one."""
    assert within("INT", order=JqlOrder.NUMBER) == 'project = "INT" ORDER BY key DESC'


@pytest.mark.parametrize("words", ["", "???", "&|", "\x00", "- -"])
def test_words_without_letters_are_no_condition(words: str) -> None:
    """Jira would refuse them or find everything."""
    assert mentions(words) is None


@pytest.mark.parametrize(("days", "told"), [(7, "-7d"), (0, "-1d"), (-3, "-1d"), (10**9, "-36500d")])
def test_days_stay_within_reason(days: int, told: str) -> None:
    """A date that Jira cannot compute would be an error."""
    assert updated_within(days).jql == f"updated >= {told}"


def test_a_long_literal_is_cut_before_it_is_escaped() -> None:
    """So that no escape is cut in half."""
    assert literal('"' * 300) == '"' + '\\"' * 200 + '"'


def test_our_own_tickets_and_those_of_sprints() -> None:
    """By who made them and when; by the numbers of the time boxes."""
    assert within("OPS", BY_US, created_within(3), order=JqlOrder.CREATED) == (
        'project = "OPS" AND (creator = currentUser() AND created >= -3d) ORDER BY created DESC'
    )
    assert within("OPS", in_sprints([7, 12])) == 'project = "OPS" AND (sprint IN (7, 12))'
