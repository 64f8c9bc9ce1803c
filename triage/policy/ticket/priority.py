"""Which priority a new ticket gets."""

from triage.domain.mail import Trust


def priority_for(wanted: str | None, trust: Trust, priorities: tuple[str, ...]) -> tuple[str | None, str]:
    """The priority to write, and a note where it is less than what was wanted.

    The highest one is for senders we know: words of a stranger are a hint, not an alarm.
    """
    if wanted and priorities and wanted == priorities[0] and trust is not Trust.VERIFIED and len(priorities) > 1:
        return priorities[1], f"{wanted} needs a verified sender, so {priorities[1]}"
    return wanted, ""
