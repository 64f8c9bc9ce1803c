"""What becomes of mails about mail: reports of lures and bounces are work, the lures themselves are not."""

import json
from collections import Counter
from functools import cache

import pytest

from tests.conftest import ROOT
from triage.config.dispositions.table import DispositionTable
from triage.domain.mail import Address, Kind, KindVerdict, Message
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.text.cues import cues_of

MAILS = [
    json.loads(line) for line in (ROOT / "tests/corpus/dispatch/mail_trouble.jsonl").read_text("utf-8").splitlines()
]
HUMAN = KindVerdict(kind=Kind.HUMAN, evidence=(), may_ticket=True, may_answer=True)


@cache
def ends() -> Counter[tuple[str, str]]:
    """How many mails of each sort come to which end, as mails of strangers with no header that helps."""
    found: Counter[tuple[str, str]] = Counter()
    for mail in MAILS:
        text = Untrusted(mail["text"])
        sender = Address(address=mail["from"].rpartition("<")[2].rstrip(">"))
        message = Message(subject=Untrusted(mail["subject"]), text=text, reply=text, sender=sender)
        finding = disposition_of(Facts(message=message, kind=HUMAN, cues=cues_of(message, (), "DESK")))
        found[mail["is"], DispositionTable().action_of(finding.disposition).value] += 1
    return found


@pytest.mark.no_cover
def test_no_report_is_ignored() -> None:
    """However much of the lure or the bounce a person quotes; hardly any waits for another person."""
    assert ends()["work", "ignore"] == 0
    assert ends()["work", "person"] <= 4


@pytest.mark.no_cover
def test_no_lure_becomes_a_ticket() -> None:
    """It is ignored where more than its words speak against it, else a person decides."""
    assert ends()["spam", "ignore"] + ends()["spam", "person"] == 25


COMPLAINTS = {
    "The unsubscribe link in your last mail is dead": """Hello,

I click on the unsubscribe link at the bottom of your newsletter and nothing happens.
Your unsubscribe link must work, or people will mark your emails as spam. Please repair it.""",
    "Unsubscribe does nothing": """I have unsubscribed from your newsletter twice and still get an email each week.
Whoever clicks on unsubscribe sees a success message, and the next mailing arrives all the same.""",
}


@pytest.mark.parametrize(("subject", "text"), COMPLAINTS.items())
def test_complaint_about_a_newsletter_is_not_ignored(subject: str, text: str) -> None:
    """Who complains that unsubscribing fails writes the phrases of mail to many; they are words, too, and words alone set nothing aside."""
    message = Message(
        subject=Untrusted(subject),
        text=Untrusted(text),
        reply=Untrusted(text),
        sender=Address(address="ida@example.com"),
    )
    finding = disposition_of(Facts(message=message, kind=HUMAN, cues=cues_of(message, (), "DESK")))

    assert DispositionTable().action_of(finding.disposition).value in {"ticket", "person"}
