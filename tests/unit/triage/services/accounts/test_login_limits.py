"""Failed sign-ins are counted so that guessing is slow and nobody is locked out by somebody else."""

from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.operations.errors import TooManyTries
from triage.services.accounts import login_limits
from triage.services.accounts.login_limits import LoginLimits

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
ADA = "ada@example.com"


def taken(
    limits: LoginLimits, address: str, host: str, now: datetime = NOW, *, device: str = "", most: int = 99
) -> int:
    """Number of tries until one is refused."""
    for count in range(most):
        try:
            limits.take(address, host, device, now)
        except TooManyTries:
            return count
    return most


def test_one_who_mistypes() -> None:
    """Five tries from one place, then one a minute, told in seconds; a right password costs none."""
    limits = LoginLimits()
    assert taken(limits, ADA, "192.0.2.7") == 5
    with pytest.raises(TooManyTries) as told:
        limits.take(ADA, "192.0.2.7", "", NOW)
    assert told.value.seconds == 60
    assert taken(limits, ADA, "192.0.2.7", NOW + timedelta(minutes=2)) == 2
    for _ in range(50):
        limits.take(ADA, "192.0.2.9", "", NOW)
        limits.give_back(ADA, "192.0.2.9", "")


def test_many_who_guess_one() -> None:
    """From everywhere together at most twenty at once and eighty an hour."""
    limits = LoginLimits()
    at_once = sum(taken(limits, ADA, f"192.0.2.{n}") for n in range(50))
    later = sum(
        taken(limits, ADA, f"198.51.{minute}.{n}", NOW + timedelta(minutes=minute))
        for minute in range(1, 60)
        for n in range(3)
    )

    assert at_once == 20
    assert at_once + later <= 80


def test_one_who_guesses_many() -> None:
    """A network has thirty tries at whatever accounts; addresses of one IPv6 household count as one."""
    limits = LoginLimits()

    assert sum(taken(limits, f"{n}@example.com", "192.0.2.7", most=1) for n in range(99)) == 30
    assert sum(taken(limits, f"{n}@example.com", f"2001:db8::{n:x}", most=1) for n in range(99)) == 30
    assert taken(limits, "z@example.com", "2001:db8:0:1::1", most=1) == 1


def test_the_person_herself_gets_in() -> None:
    """While others use up all tries at her account, a browser that she has signed in with has its own, from any network."""
    limits = LoginLimits()
    for minute in range(600):
        taken(limits, ADA, f"192.0.2.{minute % 9}", NOW + timedelta(minutes=minute))
    at = NOW + timedelta(minutes=599)

    assert taken(limits, ADA, "203.0.113.1", at) == 0
    assert taken(limits, ADA, "192.0.2.1", at, device="hers") == 10
    assert taken(limits, ADA, "203.0.113.1", at + timedelta(minutes=1), most=1) == 1, "nor does anybody wait for ever"


def test_memory_is_bounded() -> None:
    """However many addresses are made up, so many are remembered; a clock that goes back gives no tries."""
    limits = LoginLimits()
    for number in range(login_limits.MOST + 100):
        limits.take(f"{number}@x.example", f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", "", NOW)

    assert len(limits.buckets) == login_limits.MOST
    assert taken(limits, ADA, "192.0.2.7") == 5
    assert taken(limits, ADA, "192.0.2.7", NOW - timedelta(hours=1)) == 0
    limits.give_back("never@x.example", "unknown host", "")
