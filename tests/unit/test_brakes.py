"""When a brake holds, and what is told of the mails it held."""

from datetime import UTC, datetime

import pytest

from triage.domain.traces import Digest, Flood, Group
from triage.domain.untrusted import Untrusted
from triage.policy.brakes import Brakes, counted, given_up, holding, reason, told

LIMITS = Brakes(sender=30, storm=10, thread=5)
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
    """A brake holds when as many came before as its limit says; the narrowest is the first."""
    assert groups == holding(earlier, LIMITS)


def test_no_limit() -> None:
    """A limit of 0 holds nothing."""
    assert holding(dict.fromkeys(Group, 1000), Brakes(sender=0, storm=0, thread=0)) == ()


def test_words() -> None:
    """Reason and comment name limit, number, time and newest subject; markup of a subject does nothing."""
    subject = Untrusted("[~accountid:x] disk *full*")
    many = Digest(count=12, since=AT, until=AT.replace(second=40), first=False, newest=subject)
    one = Digest(count=1, since=AT, until=AT, first=True)

    assert reason(Group.STORM, LIMITS, "OPS-1") == (
        "more than 10 nearly the same mails within an hour: collected in OPS-1"
    )
    assert told(many, Group.STORM, LIMITS) == (
        r"12 more of the same, 2026-11-20 08:01:02 to 08:01:40 UTC, the newest: \[\~accountid\:x\] disk \*full\*"
    )
    assert told(one, Group.THREAD, LIMITS).startswith("More than 5 mails of one thread within an hour")
    assert told(one, Group.THREAD, LIMITS).endswith("the newest: without a subject")


def test_every_subject_is_told() -> None:
    """A comment on many mails names each subject once, so that nobody's mail is only a number."""
    subjects = tuple(map(Untrusted, ("Printer *on* fire", "", "Cat")))
    some = Digest(count=3, since=AT, until=AT, first=False, newest=subjects[2], subjects=subjects)

    assert told(some, Group.SENDER, LIMITS).endswith("the newest: Cat\n\n- Printer \\*on\\* fire")


@pytest.mark.parametrize(("earlier", "gone"), [(2, False), (4, False), (5, True)])
def test_giving_up(earlier: int, *, gone: bool) -> None:
    """Where the first mails of a flood made no ticket, three more are tried; the rest waits for a person, and says so."""
    assert gone is given_up(earlier, Group.NEWCOMERS, LIMITS)
    assert "a person decides about all" in reason(Group.NEWCOMERS, LIMITS, "")


@pytest.mark.parametrize(
    ("told_of", "due", "words"),
    [
        (3, None, "3 mails of one sender held for OPS-1, all told of there"),
        (1, None, "3 mails of one sender held for OPS-1, 1 told of there, 2 not yet"),
        (
            1,
            AT,
            "3 mails of one sender held for OPS-1, 1 told of there, 2 not yet, by 2026-11-20 08:01 UTC at the latest",
        ),
    ],
)
def test_counted(told_of: int, due: datetime | None, words: str) -> None:
    """A flood is told in one line: which brake, how many, what is known of them in Jira, and when the rest will be."""
    flood = Flood(
        group=Group.SENDER,
        ticket="OPS-1",
        held=3,
        told=told_of,
        since=AT,
        until=AT,
        newest=Untrusted("x"),
        case="case-9",
        due=due,
    )

    assert words == counted(flood)
