"""Words and signs together tell how far a mail is not for us."""

from tests.unit.triage.policy.decision.disposition.judged_mails import REPORT, SCAM, YES, mail
from triage.domain.findings import Disposition
from triage.domain.mail import Kind
from triage.policy.decision.disposition.unwanted import unwanted
from triage.policy.sender.spam_headers import Accusation, ServerVerdict


def test_words_and_signs() -> None:
    """A scam is unwanted by its words, a report of a fault is not; a server's word moves both."""
    scam, report = mail(SCAM), mail(REPORT)
    believed = [unwanted(scam, Kind.HUMAN, None), unwanted(report, Kind.HUMAN, None)]
    accused = unwanted(report, Kind.HUMAN, YES)
    acquitted = unwanted(scam, Kind.HUMAN, ServerVerdict(says=Accusation.HAM, believed=True, evidence="SCL -1"))

    assert [one.probability > 0.5 for one in believed] == [True, False]
    assert believed[0].disposition is Disposition.SPAM
    assert accused.probability > believed[1].probability
    assert accused.signed
    assert "X-Spam-Flag: YES" in accused.evidence
    assert acquitted.probability < believed[0].probability
