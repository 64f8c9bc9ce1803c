"""Chooses the priority of a new ticket."""

from collections.abc import Sequence

from triage.domain.mail import Trust


def priority_for(wanted: str | None, trust: Trust, priorities: tuple[str, ...]) -> tuple[str | None, str]:
    """The priority to write, and a note where it is less than what was wanted.

    The highest one is for senders we know: words of a stranger are a hint, not an alarm.
    """
    if wanted and priorities and wanted == priorities[0] and trust is not Trust.VERIFIED and len(priorities) > 1:
        return priorities[1], f"{wanted} needs a verified sender, so {priorities[1]}"
    return wanted, ""


def above(wanted: str, now: str | None, priorities: Sequence[str]) -> bool:
    """Whether a priority is higher than the one that a ticket has; `priorities` are the project's, highest first.

    An unknown priority is never higher; a known one is higher than none.
    """
    names = [name.casefold() for name in priorities]
    if wanted.casefold() not in names:
        return False
    current = (now or "").casefold()
    return current not in names or names.index(wanted.casefold()) < names.index(current)
