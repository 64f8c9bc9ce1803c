"""When a rate limit holds, and what is told of the mails it held."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.traces import Flood, FloodSubject, Group, Summary
from triage.domain.untrusted import Untrusted
from triage.policy.thread.throttle import (
    NAMED,
    RateLimits,
    collecting,
    counted,
    given_up,
    held_back,
    holding,
    reason,
    render_summary,
)

LIMITS = RateLimits(sender=30, storm=10, thread=5)
AT = datetime(2026, 11, 20, 8, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("earlier", "groups"),
    [
        ({}, ()),
        ({Group.SENDER: 29, Group.STORM: 9, Group.THREAD: 4}, ()),
        ({Group.SENDER: 30}, (Group.SENDER,)),
        ({Group.THREAD: 5}, (Group.THREAD,)),
        ({Group.SENDER: 40, Group.STORM: 10, Group.THREAD: 40}, (Group.STORM, Group.THREAD, Group.SENDER)),
        ({Group.NEWCOMERS: 1, Group.STORM: 1}, ()),
        ({Group.NEWCOMERS: 2, Group.STORM: 10}, (Group.NEWCOMERS, Group.STORM)),
    ],
)
def test_holding(earlier: dict[Group, int], groups: tuple[Group, ...]) -> None:
    """A rate limit holds when as many came before as its limit says; the narrowest is the first."""
    assert groups == holding(earlier, LIMITS)


def test_no_limit() -> None:
    """A limit of 0 holds nothing."""
    assert holding(dict.fromkeys(Group, 1000), RateLimits(sender=0, storm=0, thread=0)) == ()


def test_words() -> None:
    """The reason of a held mail names the limit and the ticket."""
    assert reason(Group.STORM, LIMITS, "OPS-1") == (
        "more than 10 nearly the same mails within an hour: collected in OPS-1"
    )


def test_summary() -> None:
    """The summary names limit, number, time span, and each subject with how many and which cases; markup does nothing."""
    subjects = (
        FloodSubject(Untrusted("[~accountid:x] disk *full*"), 11, "case-3", "case-17"),
        FloodSubject(Untrusted(""), 1, "case-5", "case-5"),
    )
    until = AT.replace(day=21, second=40)
    summary = Summary(count=12, since=AT, until=until, different=2, subjects=subjects)

    assert render_summary(summary, Group.STORM, LIMITS).splitlines() == [
        "More than 10 nearly the same mails within an hour, so further ones are collected here.",
        "This comment is edited as they come.",
        "",
        "**12 more of the same**, 2026-11-20 08:01:02 to 2026-11-21 08:01:40 UTC:",
        "",
        r"- \[\~accountid\:x\] disk \*full\* (11 mails, the first case-3, the last case-17)",
        "- without a subject (case-5)",
    ]


def test_a_long_summary_says_what_it_leaves_out() -> None:
    """Between the first and the last subjects stands how many there are more; a subject that is cut ends with an ellipsis."""
    long = Untrusted("x" * 1000)
    subjects = tuple(FloodSubject(long, 1, f"case-{number}", f"case-{number}") for number in (1, 2, 8, 9))
    summary = Summary(count=9, since=AT, until=AT, different=9, subjects=subjects)
    lines = render_summary(summary, Group.SENDER, LIMITS).splitlines()[5:]

    assert lines[2] == "- … 5 more subjects, of 9 in all"
    assert [line.rpartition(" ")[2] for line in lines[:2] + lines[3:]] == [
        "(case-1)",
        "(case-2)",
        "(case-8)",
        "(case-9)",
    ]
    assert lines[0] == f"- {'x' * 199}… (case-1)"


@pytest.mark.parametrize(("earlier", "gone"), [(2, False), (4, False), (5, True)])
def test_giving_up(earlier: int, *, gone: bool) -> None:
    """Where the first mails of a flood made no ticket, three more are tried; the rest waits for a person, and says so."""
    assert gone is given_up(earlier, Group.NEWCOMERS, LIMITS)
    assert "a person decides about all" in reason(Group.NEWCOMERS, LIMITS, "")


@pytest.mark.parametrize("group", Group)
def test_holding_back(group: Group) -> None:
    """While a person decides about the first mails, nearly the same ones are held and say so; other matters are not."""
    assert held_back(group) is (group in {Group.NEWCOMERS, Group.STORM})
    assert "held with case-1, which waits for a person" in reason(group, LIMITS, "", "case-1")


@pytest.mark.parametrize(
    ("told_of", "due", "words"),
    [
        (3, None, "3 mails of one sender held for OPS-1, all reported there"),
        (1, None, "3 mails of one sender held for OPS-1, 1 reported there, 2 not yet"),
        (
            1,
            AT,
            "3 mails of one sender held for OPS-1, 1 reported there, 2 not yet, by 2026-11-20 08:01 UTC at the latest",
        ),
    ],
)
def test_counted(told_of: int, due: datetime | None, words: str) -> None:
    """A flood is told in one line: which limit, how many, what is known of them in Jira, and when the rest will be."""
    flood = Flood(
        group=Group.SENDER,
        ticket="OPS-1",
        held=3,
        reported=told_of,
        since=AT,
        until=AT,
        newest=Untrusted("x"),
        case="case-9",
        due=due,
    )

    assert words == counted(flood)
    assert (
        counted(replace(flood, ticket=""))
        == "3 mails of one sender held, since a person decides about the first of them"
    )


def test_many_floods_stand_in_few_lines() -> None:
    """The largest come first, the rest is counted in one line, and what is all reported is left out."""
    one = Flood(
        group=Group.STORM, ticket="OPS-1", held=1, reported=0, since=AT, until=AT, newest=Untrusted("x"), case="case-9"
    )
    floods = [replace(one, held=held, ticket=f"OPS-{held}") for held in range(1, NAMED + 3)]
    lines = collecting([*floods, replace(one, held=99, reported=99)])

    assert [line.partition(" ")[0] for line in lines] == ["7", "6", "5", "4", "3", "3"]
    assert lines[-1] == "3 mails of 2 more groups (`triage cases --held`)"
    assert (collecting([]), collecting(floods[:1])) == ([], [counted(floods[0])])
