"""Mails that need no ticket by themselves, and faults that hide among them."""

from dataclasses import replace

import pytest

from tests.unit.triage.policy.decision.disposition.judged_mails import (
    COLLEAGUE,
    HUMAN,
    judged,
    mail,
)
from triage.domain.findings import Cue, Cues, Disposition
from triage.domain.mail import Attachment
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.decision.disposition.standing import SenderStanding


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
    offer = judged("Please send us a quotation for 12 scanners.", "Scanners")

    assert {one.disposition for one in (received, talk, agreed, offer)} == {Disposition.UNSURE}
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

    assert (announced.disposition, broken.disposition) == (Disposition.AUTOMATIC, Disposition.WORK)


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


NOTICE = (
    "This is an automatic notice of planned maintenance.\n\nWindow: Sunday 22 March, 02:00 - 04:00 UTC\nExpected impact: none\n\n"
    "You do not need to take any action. You receive this mail since you are subscribed to notices."
)


def test_a_notice_that_asks_nothing_in_so_many_words_is_set_aside() -> None:
    """It says that nothing is to be done, and reads like a notice; a fault with the same words is for a person, and in a thread it is an addition."""
    fault = f"Since Monday each order is charged twice, and nobody can save one. {NOTICE.splitlines()[-1]}"
    alone, with_fault, in_thread = (
        judged(text, "Planned works", ticket=ticket)
        for text, ticket in ((NOTICE, None), (fault, None), (NOTICE, "OPS-7"))
    )

    assert alone.disposition is Disposition.AUTOMATIC
    assert alone.evidence[0] == "says that nothing is to be done: not need to take any action"
    assert (with_fault.disposition, in_thread.disposition) == (Disposition.UNSURE, Disposition.ADDITION)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "Final reminder",
            "Our invoice 4471 for the office plants remains unpaid. Kindly transfer 312.50 EUR by the end of the month.",
        ),
        (
            "Krankmeldung",
            "Guten Morgen, ich bin leider bis Freitag krankgeschrieben, die Bescheinigung schicke ich der Personalabteilung.",
        ),
        (
            "Contrôle",
            "L'inspection du travail se présentera dans vos locaux le 12 mai à 9 heures. Merci de prévoir la présence d'un responsable.",
        ),
        (
            "Intervista",
            "Scrivo per un giornale locale e preparo un articolo sulle donne in azienda: potrei intervistare la vostra direttrice?",
        ),
    ],
)
def test_a_letter_to_others_of_us_is_for_a_person(subject: str, text: str) -> None:
    """A bill, a sick note, an authority and a journalist make no ticket of an engineer, and nobody loses them."""
    assert judged(text, subject).disposition in {Disposition.UNSURE, Disposition.CONFIDENTIAL}


def test_a_letter_is_never_set_aside() -> None:
    """Signs of mail to many beside it do not send a bill away."""
    bill = judged(
        "Our invoice 4471 remains unpaid. Kindly transfer 312.50 EUR by the end of the month. Unsubscribe here.",
        "Final reminder",
    )

    assert bill.disposition is Disposition.UNSURE
