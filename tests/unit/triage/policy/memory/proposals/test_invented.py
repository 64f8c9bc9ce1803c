"""Numbers, addresses and links that no source of a text holds."""

from datetime import date

import pytest

from triage.policy.memory.proposals.invented import invented


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pay 900 EUR", ("900",)),
        ("Pay 1200 EUR by 27 November 2026", ()),
        ("Pay 01200 EUR", ()),
        ("Write to Kim@Acme.example.", ()),
        ("Write to kim@evil.example, 1200 times", ("kim@evil.example",)),
        ("See https://evil.example/1200!", ("https://evil.example/1200",)),
        ("Nothing firm", ()),
    ],
)
def test_what_no_source_says(text: str, found: tuple[str, ...]) -> None:
    """Days may be written in any way, numbers with leading noughts; an address is another one if one letter is."""
    assert invented(text, ["pay 1200 EUR to kim@acme.example"], [date(2026, 11, 27), None]) == found
