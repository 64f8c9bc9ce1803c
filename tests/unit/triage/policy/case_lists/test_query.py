"""The grammar of the search field."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from triage.domain.operations.case_lists import SearchInvalid
from triage.domain.reports import EVERY_CASE, CaseFilter
from triage.policy.case_lists.query import ReaderClock, case_named, filter_of, ticket_named

BERLIN = ZoneInfo("Europe/Berlin")
TODAY = ReaderClock(datetime(2026, 11, 20, 23, 30, tzinfo=UTC), BERLIN)
"""In Berlin it is the 21st already."""


def day(number: int) -> datetime:
    """Midnight in Berlin."""
    return datetime(2026, 11, number, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", EVERY_CASE),
        ('  ""  ', EVERY_CASE),
        ("export stops", CaseFilter(words=("export", "stops"))),
        ('"stops at 40 %" export', CaseFilter(words=("stops at 40 %", "export"))),
        ("from:kim", CaseFilter(sender="kim")),
        ('From:"Kim Vogel"', CaseFilter(sender="Kim Vogel")),
        ("subject:invoice why:newsletter", CaseFilter(subject="invoice", reason="newsletter")),
        ("ticket:harb-27", CaseFilter(ticket="HARB-27")),
        ("state:waiting state:DEAD,ready", CaseFilter(states=("waiting", "dead", "ready"))),
        ("since:2026-11-03", CaseFilter(since=day(3))),
        ("since:today", CaseFilter(since=day(21))),
        ("since:yesterday until:today", CaseFilter(since=day(20), until=day(22))),
        ("since:2w until:7d", CaseFilter(since=day(7), until=day(15))),
        ("https://example.org/a Re: 12:30", CaseFilter(words=("https://example.org/a", "Re:", "12:30"))),
        ('note:"a b"', CaseFilter(words=("note:a b",))),
        ("100%_x", CaseFilter(words=("100%_x",))),
    ],
)
def test_a_search(text: str, wanted: CaseFilter) -> None:
    """Words, quotes, fields and days; a word with a colon that is no field is a word."""
    assert filter_of(text, TODAY) == wanted


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ('"open', "add one"),
        ('from:"open', "add one"),
        ("from: kim", "without a space"),
        ('from:" "', "leave it out"),
        ("form:kim", 'write from:, or "form:kim" in quotes'),
        ("state:waitin", "write waiting"),
        ("state:xyz", "ticketed, commented"),
        ("from:a from:b", "keep one"),
        ("since:soon", "2026-11-20"),
        ("since:2026-13-01", "2026-11-20"),
        ("since:9999w", "too far away"),
        ("until:9999-12-31", "too far away"),
        ("since:today until:yesterday", "exchange them"),
        ("a " * 13, "leave some out"),
        ("a" * 301, "leave something out"),
    ],
)
def test_a_search_that_is_not_understood(text: str, cure: str) -> None:
    """It says which part is wrong, and what to write instead."""
    with pytest.raises(SearchInvalid, match=cure):
        filter_of(text, TODAY)


def test_what_names_one_case() -> None:
    """A case by its number, a ticket by its key, and nothing else."""
    assert [case_named(text) for text in ("case-17", " #17 ", "17", "case-0", "x")] == ["17", "17", "", "", ""]
    assert [ticket_named(text) for text in ("harb-27", "HARB-27 ", "HARB", "x-0")] == ["HARB-27", "HARB-27", "", ""]
