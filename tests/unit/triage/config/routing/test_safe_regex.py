"""Which patterns a rule may have: none that a hostile header can stall."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.growth import growth
from triage.config.routing.safe_regex import pattern_of


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("^(critical|high)$", "HIGH"),
        (r"^\w+\s*:", "team: x"),
        (r"\[inc-\d{1,6}\]", "[INC-12]"),
        ("[]*]+x", "]x"),
        ("[^]a]x", "bx"),
        (r"[\]]\*\+", "]*+"),
        ("(?:abc)*d", "abcd"),
        ("(?P<who>a)(?=b)(?!c)", "ab"),
        ("^a{}b{,2}c{2}d{1,}?e?+", "a{}bccde"),
        ("x{", "x{"),
        ("", "anything"),
    ],
)
def test_patterns_that_are_taken(pattern: str, matches: str) -> None:
    """Ordinary patterns work, ignoring case."""
    assert pattern_of(pattern).search(matches)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("x" * 201, "longer than 200"),
        ("(", "not a regular expression"),
        ("a{99999999999999999999}", "not a regular expression"),
        ("(a+)+", "repeat of something that itself has choices"),
        ("(a|b)*c", "repeat of something that itself has choices"),
        ("((a?)b)+", "repeat of something that itself has choices"),
        ("a*b*c", "too many choices"),
        ("^a*b*c*", "too many choices"),
        ("^a|b*c*", "too many choices"),
        ("(?:a?){50}", "too many choices"),
        ("(a{0,60}){3}", "too many choices"),
        ("(?:a?){10}b", "too many choices"),
        ("a{0,60}a{0,60}b", "too many choices"),
        ("a?a?a*b", "too many choices"),
        (r"(a)\1", "back references"),
        ("(?P<n>a)(?P=n)", "of the extensions"),
        ("(?m:^a)", "of the extensions"),
    ],
)
def test_patterns_that_are_refused(pattern: str, why: str) -> None:
    """What could stall on a hostile header is refused, with the reason."""
    with pytest.raises(ValueError, match=why):
        pattern_of(pattern)


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b", "(", ")", "|", "*", "+", "?", "{2}", "{0,9}", "^", ".", "[ab]"]), max_size=12)
)
def test_no_pattern_that_is_taken_is_slow(parts: list[str]) -> None:
    """Whatever pattern passes, hostile characters cost it no more the more there are."""
    try:
        pattern = pattern_of("".join(parts))
    except ValueError:
        return

    def search(size: int) -> None:
        for text in ("a" * size, "ab" * (size // 2), "a" * size + "b"):
            pattern.search(text)

    assert growth(search, 125, 4) < 4
