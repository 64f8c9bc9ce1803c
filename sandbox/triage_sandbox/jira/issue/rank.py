"""Computes ranks of issues in a backlog: text that sorts, with room between any two, such as `0|i0000f:`."""

from typing import Final

from triage_sandbox.jira.ground.database import Database

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASE: Final = len(_DIGITS)
_WIDTH: Final = 6
"""Letters before the colon; what stands after it only ever grows by need."""
_BUCKET: Final = "0|"
FIRST: Final = f"{_BUCKET}i00007:"
_START: Final = f"{_BUCKET}00000z:"
"""Before this there is no room for whole steps."""
_STEP: Final = 8


def last(db: Database) -> str:
    """Return a rank behind all others."""
    highest: str | None = db.value("SELECT max(rank) FROM issue")
    return after(highest) if highest else FIRST


def after(rank: str) -> str:
    """Return a rank some way behind another one."""
    return _away(rank, _STEP)


def between(low: str | None, high: str | None) -> str:
    """Return a rank behind `low` and before `high`, either of which may be missing."""
    if low is None and high is None:
        return FIRST
    if high is None:
        return after(str(low))
    if low is None and high > _START:
        return _away(high, -_STEP)
    digits = _middle("".join(_parts(low)) if low else "", "".join(_parts(high))).ljust(_WIDTH, "0")
    return f"{_BUCKET}{digits[:_WIDTH]}:{digits[_WIDTH:]}"


def _away(rank: str, step: int) -> str:
    return f"{_BUCKET}{_text(int(_parts(rank)[0], _BASE) + step)}:"


def _parts(rank: str) -> tuple[str, str]:
    whole, _, fraction = rank.removeprefix(_BUCKET).partition(":")
    return whole, fraction


def _middle(low: str, high: str) -> str:
    """Digits of a number between two that are written as digits after a point."""
    digits = ""
    for place in range(max(len(low), len(high)) + 1):
        one = _DIGITS.index(low[place]) if place < len(low) else 0
        other = _DIGITS.index(high[place]) if place < len(high) else 0
        if digits and digits < high[:place]:
            other = _BASE  # already below: the rest has only to be above `low`
        if other - one > 1:
            return digits + _DIGITS[(one + other) // 2]
        digits += _DIGITS[one]
    return digits + _DIGITS[_BASE // 2]


def _text(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, _BASE)
        digits = _DIGITS[digit] + digits
    return digits.rjust(_WIDTH, "0")
