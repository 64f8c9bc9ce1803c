"""Which verdicts of mail servers are read, and which of them are believed."""

from dataclasses import replace

import pytest

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted
from triage.policy.sender.spam_headers import Accusation, ServerVerdict, server_verdict
from triage.policy.sender.trust_verdict import Edge

OUTER = ("received", "from outside by mx.ours.example")
INNER = ("received", "from mx.ours.example by store.ours.example")
FAR = ("received", "from home by far.example")
YES = ("x-spam-flag", "YES")
NO = ("x-spam-flag", "NO")
MAIL = Message(sender=Address(address="ada@a.example"), subject=Untrusted("Offer"))


def judged(*headers: tuple[str, str], edge: Edge = Edge()) -> ServerVerdict | None:  # noqa: B008 - frozen
    """The verdict on a mail with this header."""
    return server_verdict(replace(MAIL, headers=headers), edge)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("x-spam-flag", "YES", Accusation.SPAM),
        ("x-spam-status", "Yes, score=15.2 required=5.0", Accusation.SPAM),
        ("x-spam-status", "No, score=-1.2 required=5.0 tests=YES_MAN", Accusation.HAM),
        ("x-spamd-result", "default: True [18.2 / 15.00]; BAYES_SPAM(5.1)", Accusation.SPAM),
        ("x-rspamd-action", "add header", Accusation.SPAM),
        ("x-rspamd-action", "no action", Accusation.HAM),
        ("x-ms-exchange-organization-scl", "9", Accusation.SPAM),
        ("x-ms-exchange-organization-scl", "-1", Accusation.HAM),
        ("x-forefront-antispam-report", "CIP:1.2.3.4;SCL:8;SFV:SPM;CAT:PHSH;DIR:INB", Accusation.PHISHING),
        ("x-forefront-antispam-report", "CIP:1.2.3.4;SCL:5;SFV:SPM;CAT:SPM;DIR:INB", Accusation.SPAM),
        ("x-forefront-antispam-report", "CIP:1.2.3.4;SCL:1;SFV:NSPM;CAT:NONE", Accusation.HAM),
        ("x-microsoft-antispam", "BCL:8;", Accusation.BULK),
        ("x-gm-phishy", "1", Accusation.PHISHING),
        ("x-ses-spam-verdict", "FAIL", Accusation.SPAM),
        ("x-ses-spam-verdict", "PASS", Accusation.HAM),
        ("x-mailgun-sflag", "Yes", Accusation.SPAM),
        ("x-proofpoint-spam-details", "rule=spam policy=default score=99", Accusation.SPAM),
        ("x-mailscanner-spamcheck", "not spam, SpamAssassin (score=0)", Accusation.HAM),
        ("x-bogosity", "Spam, tests=bogofilter", Accusation.SPAM),
        ("x-barracuda-spam-status", "Yes, SCORE=6.1", Accusation.SPAM),
    ],
)
def test_what_servers_write(name: str, value: str, says: Accusation) -> None:
    """The common filters are understood by their own words."""
    found = judged((name, value), OUTER, FAR)

    assert found
    assert (found.says, found.believed) == (says, True)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ((YES, OUTER, FAR), (Accusation.SPAM, True)),
        ((NO, OUTER, FAR), (Accusation.HAM, True)),
        ((OUTER, YES, FAR), (Accusation.SPAM, True)),
        ((OUTER, NO, FAR), None),
        ((OUTER, FAR, YES), (Accusation.SPAM, False)),
        ((OUTER, FAR, NO), None),
        ((NO, OUTER, FAR, YES), (Accusation.HAM, True)),
        ((NO, OUTER, YES, FAR), (Accusation.SPAM, True)),
        ((YES,), (Accusation.SPAM, True)),
        ((NO,), None),
        ((("x-spam-flag", "perhaps"), OUTER), None),
        ((OUTER, FAR), None),
    ],
)
def test_what_is_believed(headers: tuple[tuple[str, str], ...], expected: tuple[Accusation, bool] | None) -> None:
    """A sender can write an acquittal below our Received lines, so it counts above them only; an accusation harms himself."""
    found = judged(*headers)

    assert expected == (found and (found.says, found.believed))


def test_more_servers_of_ours() -> None:
    """The border is the lowest of our own Received lines, as for Authentication-Results."""
    found = judged(INNER, NO, OUTER, FAR, edge=Edge(hops=2))
    forged = judged(INNER, NO, OUTER, FAR, edge=Edge(hops=1))

    assert (found and found.says, forged) == (Accusation.HAM, None)


def test_fewer_lines_than_servers() -> None:
    """A mail with fewer Received lines than we have servers did not come by them: nothing in it is an acquittal."""
    assert judged(NO, OUTER, edge=Edge(hops=2)) is None


def test_microsoft_removes_what_outsiders_write() -> None:
    """Behind Microsoft 365 its own fields count at any place."""
    found = judged(OUTER, FAR, ("x-ms-exchange-organization-scl", "1"), edge=Edge(profile="m365"))

    assert found
    assert found.says is Accusation.HAM


def test_a_marked_subject_is_hearsay() -> None:
    """Whoever forwards a mail may have had it marked."""
    found = server_verdict(replace(MAIL, subject=Untrusted("[SPAM] (9.1) Offer")), Edge())

    assert found == ServerVerdict(says=Accusation.SPAM, believed=False, evidence="subject marked [SPAM]")
