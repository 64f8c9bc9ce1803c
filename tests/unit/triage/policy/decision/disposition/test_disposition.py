"""What sort of matter a mail is by its sender, its servers and its words."""

from dataclasses import replace

import pytest

from tests.unit.triage.policy.decision.disposition.judged_mails import (
    COLLEAGUE,
    HUMAN,
    REPORT,
    SCAM,
    YES,
    judged,
    mail,
)
from triage.domain.findings import Cue, Cues, Disposition
from triage.domain.mail import Kind, KindVerdict
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.decision.disposition.examples import Hint
from triage.policy.decision.disposition.signs import GTUBE
from triage.policy.decision.disposition.standing import SenderStanding
from triage.policy.sender.spam_headers import Accusation, ServerVerdict


def test_spam_of_a_stranger() -> None:
    """It is set aside by its words and by phrases that only swindlers use, with both and a probability."""
    found = judged(SCAM, "Confidential proposal")

    assert found.disposition is Disposition.SPAM
    assert found.confidence >= 0.9
    assert found.unwanted == found.confidence
    assert found.evidence[0] == "phrases of swindlers: million dollars, transfer the funds, risk free"
    assert found.evidence[1].startswith('reads like spam: "')


def test_an_application_is_not_called_a_sales_mail() -> None:
    """What reads like a sales mail or an application to the classifier is called by both, and so are its phrases."""
    text = (
        "Sehr geehrte Damen und Herren,\n\nhiermit bewerbe ich mich. Ich habe fünf Jahre Erfahrung mit Java und suche zum"
        " 1. Februar eine neue Herausforderung.\n\nMeinen Lebenslauf und meine Zeugnisse sende ich Ihnen gerne zu. Über"
        " eine Einladung zu einem Vorstellungsgespräch freue ich mich.\n\nMiriam Lenz"
    )
    found = judged(text, "Bewerbung als Softwareentwicklerin")

    assert found.disposition is Disposition.NOT_FOR_US
    assert found.evidence[0].startswith("phrases of sellers and applicants: bewerbung als, ")
    assert found.evidence[1].startswith('reads like a sales mail or an application: "')


def test_a_doubt_is_told_in_words() -> None:
    """What a mail may be is told as people say it, not by the name of the disposition."""
    found = judged(
        "Meinen Lebenslauf und meine Zeugnisse sende ich Ihnen gerne zu.", "Bewerbung als Softwareentwicklerin"
    )

    assert (found.disposition, found.evidence[0]) == (Disposition.UNSURE, "may be not for us")


def test_a_long_matter_is_cut_at_a_word() -> None:
    """The reason names each of several matters, a long one by its beginning with an ellipsis."""
    first = "Voucher codes in lower case are refused in the basket of the shop, those in capitals are taken."
    found = judged(f"Two things:\n1. {first}\n2. Could the packing slip show our own logo?", "Two things")

    assert found.disposition is Disposition.SEVERAL
    assert found.evidence[:2] == (
        "1. Voucher codes in lower case are refused in the basket…",
        "2. Could the packing slip show our own logo?",
    )


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "Your card has been charged $2,099.00",
            (
                "Hi, your company's debit card was preauthorized for $2,099.00. The settled amount may be different from this "
                "charge and will be withdrawn from your account. If you have any questions, just reply to this email."
            ),
        ),
        (
            "Your receipt",
            (
                "Thank you for your payment of $120.00. The amount will show up on your bank statement. Your billing period "
                "starts today. You can download the invoice from your account, or unsubscribe from receipts there."
            ),
        ),
    ],
)
def test_words_alone(subject: str, text: str) -> None:
    """However surely words speak against a stranger's mail, without any other sign a person looks."""
    found = judged(text, subject)

    assert (found.disposition, found.confidence >= 0.9) == (Disposition.UNSURE, True)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "urgente",
            "il sistema non risponde da stamattina, non possiamo registrare le partenze, i camion sono in coda!!! chiamateci",
        ),
        (
            "GDPR: erasure request",
            (
                "Dear Sir or Madam, under Article 17 GDPR we ask you to erase all personal data of our former employee and to "
                "confirm within 30 days. Kind regards, Data Protection Office"
            ),
        ),
    ],
)
def test_formal_and_breathless_mail_is_work(subject: str, text: str) -> None:
    """Courtesy, deadlines and alarm are no signs of spam."""
    assert judged(text, subject).disposition in {Disposition.WORK, Disposition.QUESTION}


def test_a_vacation_notice_by_its_words() -> None:
    """Without a header that proves it a person looks; a mail about vacation notices is work."""
    notice = "I am out of the office until 30 November with limited access to mail. In urgent cases contact the desk."
    about = "I switched on the automatic reply before my holiday, but senders get nothing. What am I doing wrong?"

    assert judged(notice, "Automatic reply: Out of office").disposition is Disposition.UNSURE
    assert judged(notice, "Automatic reply: Out of office", standing=COLLEAGUE).disposition is Disposition.UNSURE
    assert judged(about, "Automatic reply does not work").disposition is not Disposition.UNSURE


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Absence", "I am out of the office until 30 November."),
        ("[Request received] Export", "Your request (8) has been received. We will come back to you."),
    ],
)
def test_a_notice_that_a_field_proves(subject: str, text: str) -> None:
    """Words say that it is a vacation notice or a receipt, a field that a program wrote it: nobody need look."""
    program = KindVerdict(kind=Kind.AUTOMATED, evidence=("Precedence: bulk",), may_ticket=True, may_answer=False)

    assert judged(text, subject).disposition is Disposition.UNSURE
    found = judged(text, subject, kind=program)
    assert (found.disposition, found.evidence[-1]) == (Disposition.AUTOMATIC, "Precedence: bulk")


def test_a_report_of_a_stranger() -> None:
    """It is work."""
    found = judged(REPORT, "Saving fails")

    assert (found.disposition, found.confidence > 0.8) == (Disposition.WORK, True)


@pytest.mark.parametrize("server", [None, YES])
def test_words_set_no_colleague_aside(server: ServerVerdict | None) -> None:
    """Nor does a server's verdict: colleagues forward and quote what they report."""
    found = judged(SCAM, "Confidential proposal", standing=COLLEAGUE, server=server)

    assert (found.disposition, found.unwanted) == (Disposition.WORK, 0.0)


def test_who_only_claims_to_be_a_colleague() -> None:
    """A person looks, and the model may not set it aside either."""
    found = judged(SCAM, "Confidential proposal", standing=SenderStanding(claimed="one of us"))

    assert (found.disposition, found.unwanted) == (Disposition.UNSURE, 0.0)
    assert "but one of us, unproven" in found.evidence


def test_a_colleagues_name_from_elsewhere() -> None:
    """What somebody in a colleague's name asks for, a person decides, however plain it reads."""
    fault = "The export of the ferry lists fails with an error since this morning."
    found = judged(fault, standing=SenderStanding(imitates="name is that of Ada Byron, the address is not"))

    assert (found.disposition, judged(fault).disposition) == (Disposition.UNSURE, Disposition.WORK)
    assert "may imitate one of us: name is that of Ada Byron, the address is not" in found.evidence


def test_a_blocked_sender() -> None:
    """Whatever the mail says."""
    assert judged(REPORT, standing=SenderStanding(blocked="mailer.example")).disposition is Disposition.SPAM


@pytest.mark.parametrize(
    ("says", "text", "disposition"),
    [
        (Accusation.SPAM, SCAM, Disposition.SPAM),
        (Accusation.PHISHING, SCAM, Disposition.SPAM),
        (Accusation.SPAM, REPORT, Disposition.UNSURE),
        (Accusation.HAM, REPORT, Disposition.WORK),
    ],
)
def test_a_mail_servers_verdict(says: Accusation, text: str, disposition: Disposition) -> None:
    """An accusation sets aside; where the words plainly say otherwise, a person looks."""
    found = judged(text, server=replace(YES, says=says))

    assert found.disposition is disposition


def test_bulk_mail() -> None:
    """What a server calls bulk is a newsletter or an offer, not spam."""
    text = "Our price list is here! In this issue: tips, our next webinar, a customer's story. Unsubscribe or view in browser."
    found = judged(text, "Newsletter of May", server=replace(YES, says=Accusation.BULK))

    assert found.disposition in {Disposition.NEWSLETTER, Disposition.NOT_FOR_US}


def test_hearsay_is_a_sign() -> None:
    """A verdict that the sender may have written himself moves the odds, no more."""
    said = judged(REPORT, server=replace(YES, believed=False))

    assert judged(REPORT).unwanted < said.unwanted < 0.9


def test_signs_without_words_are_for_a_person() -> None:
    """Little more than a link, to a bare number: nobody can say from the words what it is."""
    assert judged("See http://203.0.113.9/a", "Hi").disposition is Disposition.UNSURE


def test_the_filters_test_text() -> None:
    """It is spam by agreement."""
    assert judged(f"A test. {GTUBE}").disposition is Disposition.SPAM


def test_a_forward_without_a_word() -> None:
    """What a forwarded mail says is not what its sender says: a person looks."""
    forward = mail(SCAM, "Fwd: proposal", quoted=Untrusted(SCAM), flags=("forward",))

    assert judged("", message=forward).disposition is Disposition.UNSURE


@pytest.mark.parametrize(("reason", "disposition"), [("newsletter", "newsletter"), ("vacation notice", "automatic")])
def test_what_may_make_no_ticket(reason: str, disposition: str) -> None:
    """The kind of mail decides, by headers."""
    kind = KindVerdict(kind=Kind.LIST, evidence=("List-Id",), may_ticket=False, may_answer=False, reason=reason)

    assert judged(REPORT, kind=kind).disposition == disposition


def test_a_newsletter_that_concerns_us_is_for_a_person() -> None:
    """What ends for those who use it is no mere news."""
    kind = KindVerdict(kind=Kind.LIST, evidence=("List-Id",), may_ticket=False, may_answer=False, reason="newsletter")
    found = judged("Version 2 is switched off on 31 January. Your integration still sends v2 calls.", kind=kind)

    assert found.disposition is Disposition.UNSURE
    assert found.evidence[0] == "goes to many, but says: Version 2 is switched off on 31 January."


@pytest.mark.parametrize(
    ("cues", "ticket", "text", "disposition"),
    [
        (Cues(fixed=Cue(value="yes", evidence=("works again",))), None, "It works again.", Disposition.STATUS),
        (Cues(), "HARB-1", REPORT, Disposition.ADDITION),
        (Cues(question=Cue(value="yes", evidence=("how",))), None, "How do I print it?", Disposition.QUESTION),
        (Cues(question=Cue(value="yes")), None, "Printing?", Disposition.QUESTION),
        (
            Cues(),
            None,
            "Two things:\n1. Please repair the login page, it is broken.\n2. Please create an account for Eva.",
            Disposition.SEVERAL,
        ),
    ],
)
def test_what_is_for_us(cues: Cues, ticket: str | None, text: str, disposition: Disposition) -> None:
    """Status, addition, several matters, question, and else work."""
    assert judged(text, "Printing", cues=cues, ticket=ticket).disposition is disposition


def test_a_stub() -> None:
    """A mail whose text is elsewhere is work: nothing is known of it."""
    assert judged("", whole=False).disposition is Disposition.WORK


def hint(disposition: Disposition, *, same_sender: bool = True, alike: bool = False) -> Hint:
    """What ada said of another mail."""
    return Hint(disposition=disposition, same_sender=same_sender, alike=alike, text="ada said so")


@pytest.mark.parametrize(
    ("said", "text", "standing", "disposition"),
    [
        (hint(Disposition.WORK), SCAM, SenderStanding(), Disposition.WORK),
        (hint(Disposition.NOT_FOR_US, alike=True), REPORT, SenderStanding(), Disposition.NOT_FOR_US),
        (hint(Disposition.SPAM), SCAM, SenderStanding(), Disposition.SPAM),
        (hint(Disposition.SPAM), REPORT, SenderStanding(), Disposition.UNSURE),
        (hint(Disposition.SPAM, alike=True), REPORT, COLLEAGUE, Disposition.WORK),
        (hint(Disposition.SPAM, alike=True), REPORT, SenderStanding(claimed="one of us"), Disposition.UNSURE),
        (hint(Disposition.SPAM, same_sender=False, alike=True), REPORT, SenderStanding(), Disposition.UNSURE),
        (hint(Disposition.WORK, same_sender=False, alike=True), SCAM, SenderStanding(), Disposition.UNSURE),
        (hint(Disposition.WORK, same_sender=False, alike=True), REPORT, SenderStanding(), Disposition.WORK),
    ],
)
def test_what_people_have_said(said: Hint, text: str, standing: SenderStanding, disposition: Disposition) -> None:
    """Of the same sender's mail it decides; of another's mail with the same words it asks a person at most."""
    assert judged(text, hint=said, standing=standing).disposition is disposition


def test_an_answer_that_only_thanks_is_set_aside() -> None:
    """A colleague's thanks to one of us ask nothing of anybody; in a ticket's thread, with a key or to nobody of us they are kept."""
    thanks = mail("It works again, thank you very much!", "Re: Export", in_reply_to=("<1@us.example>",))
    facts = Facts(message=thanks, kind=HUMAN, standing=COLLEAGUE, answers_us=True)
    found = disposition_of(facts)
    kept = [
        replace(facts, ticket="HARB-1"),
        replace(facts, cues=Cues(keys=("HARB-1",))),
        replace(facts, answers_us=False),
    ]

    assert (found.disposition, found.settled, found.evidence) == (
        Disposition.STATUS,
        True,
        ("answers one of us, and only thanks or says that it works: It works again, thank you very much!",),
    )
    assert not any(disposition_of(one).settled for one in kept)


def test_a_customers_question_is_no_talk() -> None:
    """On the route of the support hub a mail that asks is answered there, although it reads like talk; elsewhere a person decides."""
    text = "Hi there\n\nthe garden was wonderful on Sunday, the children loved the goats. Are you open at Easter, too?\n\nBest\nTom"
    facts = Facts(
        message=mail(text, "Weekend"), kind=HUMAN, standing=SenderStanding(protected="the rule desk is for such mails")
    )

    assert disposition_of(facts).disposition is Disposition.UNSURE
    assert disposition_of(replace(facts, for_support=True)).disposition is not Disposition.UNSURE


def test_a_person_who_wants_nothing_settles_it() -> None:
    """What a person tells, and says that nothing is to be done for it, is a status that ends there."""
    text = "Hello, I have found it myself: I had typed the wrong date. Nothing to do for you, all is well. Best regards, Ida"
    found = judged(text, "Export")

    assert (found.disposition, found.settled) == (Disposition.STATUS, True)
    assert found.evidence[0] == "says that nothing is to be done: Nothing to do for you"
