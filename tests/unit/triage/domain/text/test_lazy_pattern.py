"""An expression is compiled at its first use, once, and acts as a pattern from then on."""

import re

from triage.domain.text.lazy_pattern import lazy_pattern


def test_an_expression_is_written_at_its_first_use_and_once() -> None:
    """Whoever imports a module pays for none of its expressions, and whoever uses one pays once."""
    written: list[str] = []

    def write() -> str:
        written.append("a+")
        return "a+"

    pattern = lazy_pattern(write)
    assert written == []

    assert pattern.fullmatch("aaa")
    assert pattern.sub("b", "caac") == "cbc"
    assert pattern.pattern == "a+"
    assert written == ["a+"]


def test_its_flags_are_those_of_a_pattern() -> None:
    """What ignores case does so, and groups are found."""
    found = lazy_pattern(lambda: r"(?P<name>ada)", re.IGNORECASE).search("By ADA")

    assert found
    assert found["name"] == "ADA"
