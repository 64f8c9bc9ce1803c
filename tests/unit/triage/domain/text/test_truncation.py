"""Texts are shortened in one way: never longer than allowed, and visibly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.text.truncation import truncated


@pytest.mark.parametrize(
    ("text", "longest", "at_word", "expected"),
    [
        ("Portal", 6, False, "Portal"),
        ("Portal is slow", 10, False, "Portal is…"),
        ("Portal is slow", 9, False, "Portal i…"),
        ("Portal is slow", 8, False, "Portal…"),
        ("Portal is slow", 9, True, "Portal…"),
        ("Portal is slow", 10, True, "Portal is…"),
        ("Slow, and more", 7, True, "Slow…"),
        ("Donaudampfschiff", 7, True, "Donaud…"),
    ],
)
def test_a_text_without_room_ends_with_an_ellipsis(text: str, longest: int, at_word: bool, expected: str) -> None:  # noqa: FBT001
    """What fits stays as it is; the rest is cut, at a word where that is asked for."""
    assert expected == truncated(text, longest, at_word=at_word)


@given(st.text(), st.integers(min_value=1, max_value=40), st.booleans())
def test_no_text_is_longer_than_allowed(text: str, longest: int, at_word: bool) -> None:  # noqa: FBT001
    """The ellipsis counts, too."""
    assert len(truncated(text, longest, at_word=at_word)) <= longest
