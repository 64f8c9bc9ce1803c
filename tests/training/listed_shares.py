"""Counts how often the lists say what of long mails of each priority: `python -m tests.training.listed_shares`.

Prints the shares of our whole mails beside those that `triage/policy/cues/ensemble.py` weighs with.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from cli.console import screen, table
from tests.training.whole_mails import WholeMail, whole_mails
from triage.domain.mail import Message
from triage.policy.cues.ensemble import LISTED, PRIORITIES, finding_of
from triage.policy.text.cues import listed_of

NOTHING: Final = "nothing"


def listed_shares(mails: Iterable[WholeMail]) -> Mapping[str, Mapping[str, float]]:
    """Return finding of the lists → priority → its share of the long mails of that priority."""
    counts: Counter[tuple[str, str]] = Counter()
    for mail in mails:
        listed = listed_of(Message.of_text(mail.subject, mail.text))
        if mail.priority and listed.priority_text.long:
            counts[finding_of(listed.priority), mail.priority] += 1
    mails_of = {priority: sum(counts[finding, priority] for finding in LISTED) for priority in PRIORITIES}
    return {
        finding: {priority: counts[finding, priority] / max(1, mails_of[priority]) for priority in PRIORITIES}
        for finding in LISTED
    }


if __name__ == "__main__":
    counted = listed_shares(whole_mails())
    rows = [
        (finding or NOTHING, *(f"{counted[finding][one]:.3f} ({LISTED[finding][one]:.3f})" for one in PRIORITIES))
        for finding in LISTED
    ]
    screen().print(table(("lists say", *PRIORITIES), rows))
