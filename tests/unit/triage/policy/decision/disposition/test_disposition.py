"""What sort of matter a mail is, by rules alone."""

from dataclasses import replace
from typing import Any

import pytest

from triage.domain.findings import Cue, Cues, Disposition, DispositionFinding
from triage.domain.mail import Address, Attachment, Kind, KindVerdict, Message
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.decision.disposition.examples import Hint
from triage.policy.decision.disposition.signs import GTUBE
from triage.policy.decision.disposition.standing import SenderStanding
from triage.policy.sender.spam_headers import Accusation, ServerVerdict

HUMAN = KindVerdict(kind=Kind.HUMAN, evidence=(), may_ticket=True, may_answer=True)
SENDER = Address(address="eve@unknown.example")
SCAM = (
    "Dear friend, I am the lawyer of a late client who died without heirs and left eleven million dollars in our bank. "
    "I need your help to transfer the funds to your account; send me your full name, your telephone number and your "
    "bank details. This is strictly confidential and risk free, you will receive forty percent of the money."
)
REPORT = (
    "Since this morning nobody can save an order: after a click on save the page shows an internal server error. "
    "It happens in all browsers. Please have a look, the warehouse is waiting for the orders."
)
YES = ServerVerdict(says=Accusation.SPAM, believed=True, evidence="X-Spam-Flag: YES")
COLLEAGUE = SenderStanding(protected="one of us")


def mail(text: str, subject: str = "Your help", **more: Any) -> Message:
    """A stranger's mail."""
    body = Untrusted(text)
    to = (Address(address="desk@us.example"),)
    return replace(Message(subject=Untrusted(subject), text=body, reply=body, sender=SENDER, to=to), **more)


def judged(text: str, subject: str = "Your help", **facts: Any) -> DispositionFinding:
    """The disposition of a stranger's mail."""
    return disposition_of(replace(Facts(message=mail(text, subject), kind=HUMAN), **facts))


def test_spam_of_a_stranger() -> None:
    """It is set aside by its words and by phrases that only swindlers use, with both and a probability."""
    found = judged(SCAM, "Confidential proposal")

    assert found.disposition is Disposition.SPAM
    assert found.confidence >= 0.9
    assert found.unwanted == found.confidence
    assert found.evidence[0] == "phrases of swindlers: million dollars, transfer the funds, risk free"
    assert found.evidence[1].startswith('reads like spam: "')


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


def test_praise_is_for_a_person() -> None:
    """It makes no ticket and is not set aside; in a thread it is an addition as any other answer."""
    alone, answer = (judged("The new dashboard is lovely, well done!", ticket=ticket) for ticket in (None, "OPS-1"))

    assert (alone.disposition, answer.disposition) == (Disposition.UNSURE, Disposition.ADDITION)


def test_what_a_program_has_done_well_is_for_a_person() -> None:
    """A report of success alone makes no ticket; one that asks for the next step does."""
    alone = judged("All 14 jobs were successful. No errors.", "Backup report")
    asks = judged("The import was successful. Please switch the berth plan over now.", "Import")

    assert (alone.disposition, asks.disposition) == (Disposition.UNSURE, Disposition.WORK)


def test_receipts_and_talk_are_for_a_person() -> None:
    """Neither becomes a ticket by itself, and neither is swallowed."""
    received = judged("Your request has been received. We will come back to you.", "Re: Monitor arms")
    talk = judged("Hey, are you around for lunch on Thursday?", "Lunch?")
    agreed = judged("Passt. Bis dann!", "AW: Termin")

    assert {received.disposition, talk.disposition, agreed.disposition} == {Disposition.UNSURE}
    assert agreed.evidence == ("says nothing but: Passt. Bis dann!",)
    assert "receipt" in received.evidence[0]
    assert "private" in talk.evidence[0]


def test_a_colleague_who_invites_makes_no_ticket() -> None:
    """Talk of one of us goes to a person; what reports or wishes anything, and all that a listed sender writes, is work."""
    party = (
        "Our garden party is on Friday from six at the boathouse. There will be music, and a grill for everybody. "
        "Please let me know whether you come and whether you eat meat."
    )
    invited = judged(party, "Garden party", standing=COLLEAGUE)
    broken = judged(f"{party} The page to sign up shows an error.", "Garden party", standing=COLLEAGUE)
    listed = judged(party, "Garden party", standing=replace(COLLEAGUE, important="us.example"))

    assert invited.disposition is Disposition.UNSURE
    assert invited.evidence[0].startswith("reads like talk that asks nothing of us")
    assert {broken.disposition, listed.disposition} == {Disposition.WORK}


@pytest.mark.parametrize("standing", [SenderStanding(), COLLEAGUE])
def test_what_will_be_unavailable_is_no_fault(standing: SenderStanding) -> None:
    """Whoever announces planned work makes no ticket, whatever will not answer meanwhile; who writes that it did not end well does."""
    planned = "The planned maintenance of the tide gauges is on Sunday from 2 to 4. They will be unavailable during this time. You do not have to do anything."
    late = "Your planned maintenance ended at 4 and the tide gauges are still unavailable. Please look into it, our ships wait."
    bug = Cues(type=Cue(value="bug", evidence=("unavailable",)))

    announced = judged(planned, "Planned maintenance", standing=standing, cues=bug)
    broken = judged(late, "Tide gauges", standing=standing, cues=bug)

    assert (announced.disposition, broken.disposition) == (Disposition.UNSURE, Disposition.WORK)


def test_what_closes_a_ticket_by_its_key_is_heard() -> None:
    """A short mail that says that a named ticket is done reads like a program's, and is a report all the same."""
    says = "Hello, the tide tables are right again everywhere. Many thanks, it can be closed on our side. All the best."
    fixed = Cue(value="yes", evidence=("right again",))

    assert judged(says, "YARD-7", cues=Cues(fixed=fixed, keys=("YARD-7",))).disposition is Disposition.STATUS


def test_a_customer_who_chats_is_heard() -> None:
    """A fault by a listed word in a friendly letter is work, however much of the letter is talk."""
    text = (
        "Dear team, I hope you are all well. My late husband used to say that you were the only ones who answered. "
        "My granddaughter loves the colours of the new form, and I wish you a peaceful Advent. "
        "The confirmation shows the wrong hour each time."
    )
    bug = Cues(type=Cue(value="bug", evidence=("wrong",)))

    assert judged(text, "A few thoughts", cues=bug).disposition is Disposition.WORK


def test_an_alert_that_is_over_and_has_no_ticket_is_ignored() -> None:
    """Its end asks nothing of anybody; with a ticket it is told there."""
    text = "Resolved - The incident is over.\nMonitoring - A fix is rolled out.\nSent to followers of our status page."
    alone, known = (judged(text, "[Resolved] Slow uploads", ticket=ticket) for ticket in (None, "OPS-1"))

    assert (alone.disposition, known.disposition) == (Disposition.AUTOMATIC, Disposition.ADDITION)


def test_a_mail_without_a_word_is_for_a_person() -> None:
    """A key and nothing else leaves open what is meant."""
    found = judged("HARB-27", "HARB-27", cues=Cues(keys=("HARB-27",)))

    assert (found.disposition, found.evidence) == (Disposition.UNSURE, ("says nothing but HARB-27",))


def test_a_report_of_what_is_done_is_for_a_person() -> None:
    """A first mail that says so in words of no list makes no ticket; in a thread it is an answer."""
    text = "Beide Lesegeräte getauscht und mit sechs Ausweisen probiert, alles gut. Von unserer Seite ist nichts mehr offen."
    alone, answer = (judged(text, "Türleser", ticket=ticket) for ticket in (None, "OPS-1"))

    assert (alone.disposition, answer.disposition) == (Disposition.UNSURE, Disposition.ADDITION)
    assert "status" in alone.evidence[0]


def test_a_fault_with_doubtful_words_is_work() -> None:
    """Who reports a fault in the words of swindlers, without a sign of one, is looked after."""
    text = "The refund of 500 EUR fails with an error. Confirm your account today."
    report = judged(text, "Invoice 4711 twice", cues=Cues(type=Cue(value="bug", evidence=("from our account twice",))))
    nothing = judged(text, "Invoice 4711 twice")

    assert (report.disposition, nothing.disposition) == (Disposition.WORK, Disposition.UNSURE)


def test_a_fault_without_a_listed_word_is_work() -> None:
    """A fault that only its meaning tells is looked after, too, as long as the mail has nothing to open."""
    text = "The pictures of Sunday's concert vanish, on my phone and on the tablet of my wife, too."
    bug = Cues(type=Cue(value="bug", evidence=(text,)))
    report = judged(text, "Album", cues=bug)
    nothing = judged(text, "Album")
    page = Attachment(name=Untrusted("album.html"), content_type="text/html", size=9, inline=False, sha256="0" * 64)
    opened = judged(text, "Album", cues=bug, message=replace(mail(text, "Album"), attachments=(page,)))

    assert report.disposition is Disposition.WORK
    assert {opened.disposition, nothing.disposition} == {Disposition.UNSURE}


def test_a_lure_that_somebody_reports() -> None:
    """The words of a lure that a mail repeats or forwards are not its sender's: he reports it."""
    lure = "Your mailbox is full, click here to verify your account within 24 hours: "
    told = judged(f"A phishing mail came with our logo: {lure} Please warn the others, two have clicked the link.")
    passed_on = mail("Is this from you? I did not click.", "Fwd: Verify your account")
    passed_on = replace(passed_on, quoted=Untrusted(lure), flags=("forward",))
    found = disposition_of(Facts(message=passed_on, kind=HUMAN))

    assert {told.disposition, found.disposition} <= {Disposition.WORK, Disposition.QUESTION}


def test_a_read_receipt_by_its_words() -> None:
    """A receipt that no header proves goes to a person."""
    assert judged("Your message\n\nTo: Ada\nSubject: Export\n\nwas read on Monday.", "Read: Export").disposition is (
        Disposition.UNSURE
    )


def test_what_works_again_is_a_report_of_it() -> None:
    """Where words and meaning agree that something is done, its ticket is looked for, with or without its key."""
    fixed = Cues(fixed=Cue(value="yes", evidence=("works again",)))
    found = judged("The queue depth alarm works again, thank you.", "Queue depth alarm", cues=fixed)

    assert found.disposition is Disposition.STATUS


def test_a_lure_within_a_report_is_not_set_aside() -> None:
    """One sentence that by itself is surely for us is enough for a person to look, whatever else the mail quotes."""
    lure = "Your mailbox is full, click here to verify your account within 24 hours."
    report = f"Hello,\n\nsomebody sends mails in our name:\n\n{lure}\n\nCan you warn everybody?"

    assert judged(lure + " " + lure, "Verify your account").disposition is Disposition.SPAM
    found = judged(report, "Verify your account")
    assert found.disposition is Disposition.UNSURE
    assert found.evidence[0] == "may be spam, but says: Can you warn everybody?"
