"""How often the lists say what of long mails."""

import pytest

from tests.training.listed_shares import listed_shares
from tests.training.whole_mails import WholeMail, whole_mails
from triage.policy.cues.ensemble import LISTED, PRIORITIES

LONG = "We look at the lamps in the hall every week and write down which of them shine. " * 4


def mail(text: str, priority: str) -> WholeMail:
    """Return a mail for us."""
    return WholeMail(subject="lamps", text=text, label="mail", type="bug", priority=priority)


def test_long_mails_of_a_priority_are_counted() -> None:
    """Short ones and those without a priority are not."""
    no_rush = f"{LONG} There is no rush at all."
    shares = listed_shares([mail(no_rush, "Low"), mail(LONG, "Low"), mail("No rush.", "Low"), mail(no_rush, "")])

    assert (shares["Low"]["Low"], shares[""]["Low"], shares["Low"]["High"]) == (0.5, 0.5, 0.0)


@pytest.mark.heavy
def test_the_shipped_shares_are_about_those_of_our_mails() -> None:
    """Within 0.06, as the lists have changed since."""
    counted = listed_shares(whole_mails())

    assert [counted[finding][one] for finding in LISTED for one in PRIORITIES] == pytest.approx(
        [LISTED[finding][one] for finding in LISTED for one in PRIORITIES], abs=0.06
    )
