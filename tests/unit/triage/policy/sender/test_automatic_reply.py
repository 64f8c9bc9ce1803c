"""Automatic mail by the words that it opens with."""

# ruff: noqa: RUF001 - letters of other alphabets are the point

from dataclasses import replace

import pytest

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.sender.automatic_reply import (
    absent_subject,
    absent_text,
    automatic_subject,
    automatic_submission,
    read_receipt,
    renamed_answer,
    unattended_text,
)


@pytest.mark.parametrize(
    ("subject", "absent"),
    [
        ("Out of office", True),
        ("Re: Out of office: the invoice", True),
        ("Abwesend bis 5. Mai", True),
        ("Absence : Marie", True),
        ("Out of office supplies", False),
        ("The office is out of paper", False),
    ],
)
def test_a_subject_that_announces_an_absence(subject: str, *, absent: bool) -> None:
    """The listed words stand alone, before a mark, or before a date; the same words in a sentence are none."""
    assert absent_subject(subject) is absent


def test_an_automatic_subject() -> None:
    """`Automatic reply` is a program's up to the colon, and a matter where people write of it."""
    assert automatic_subject("Automatic reply: your order")
    assert not automatic_subject("The automatic reply is broken")
    assert automatic_subject("Автоматический ответ: Export"), "its second word alone is a prefix of answers"


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Automatski odgovor: Pumpa", "Na godišnjem sam odmoru do 16. ožujka."),
        ("Samodejni odgovor: Črpalka", "Do 16. marca sem na dopustu."),
        ("Automaatvastus: Pump", "Olen puhkusel kuni 16. märtsini."),
        ("Automatinis atsakymas: Siurblys", "Atostogauju iki kovo 16 d."),
        ("Automātiskā atbilde: Sūknis", "Esmu atvaļinājumā līdz 16. martam."),
        ("پاسخ خودکار: پمپ", "تا ۱۶ مارس در مرخصی هستم."),
        ("Resposta automàtica: Bomba", "Soc de vacances fins al 16 de març."),
        ("ตอบกลับอัตโนมัติ: ปั๊ม", "ขณะนี้ฉันลาพักร้อนถึงวันที่ 16 มีนาคม"),
        ("תגובה אוטומטית: משאבה", "אני בחופשה עד 16 במרץ."),
        ("Автоматичен отговор: Помпа", "В отпуск съм до 16 март."),
        ("Автоответ", "Меня нет в офисе до 16 марта."),
        ("Automatische Antwort: Pumpe", "Ich bin derzeit nicht im Hause."),
        ("Automatic reply: Pump", "I have left the firm; Ben Weiss no longer works here either."),
    ],
)
def test_vacation_notices_of_more_languages(subject: str, text: str) -> None:
    """Subject and text are known, so that such a notice is neither answered nor made a ticket unseen."""
    assert automatic_subject(subject)
    assert absent_text(text)


def test_an_answer_under_another_name() -> None:
    """Words of an unlisted language before the subject of an answer that quotes nothing are a program's."""
    answer = Message(subject=Untrusted("Hunikuqaw jang: Pump"), in_reply_to=("1@us.example",))
    people = (
        replace(answer, subject=Untrusted("Re: Hunikuqaw jang: Pump")),
        replace(answer, subject=Untrusted("HARB-12: Pump")),
        replace(answer, subject=Untrusted("Urgent: Pump")),
        replace(answer, quoted=Untrusted("> old")),
        replace(answer, in_reply_to=()),
    )

    assert renamed_answer(answer)
    assert not any(map(renamed_answer, people))


def test_a_read_receipt_without_headers() -> None:
    """It has a program's subject and little more than fields of the mail that was read; a person writes sentences."""
    fields = "Ihre Nachricht\n\nAn: Ada\nBetreff: Export\n\nwurde am Montag, 9. November 2026 gelesen."
    receipt = Message(subject=Untrusted("Gelesen: Export"), text=Untrusted(fields))
    person = Message(subject=receipt.subject, text=Untrusted("Die Lesebestätigungen kommen doppelt an."))
    other = Message(subject=Untrusted("Export"), text=receipt.text)

    assert [read_receipt(one) for one in (receipt, person, other)] == ["Gelesen: Export", "", ""]


def test_an_absence_is_told_at_the_beginning() -> None:
    """The first sentences tell of it; far below, people tell of their holidays."""
    told = "I am currently out of the office."

    assert absent_text(told)
    assert absent_text("word " * 200 + told) == ""


@pytest.mark.parametrize(
    "text", ["How many visits do I have left on my plan?", "I have left my keys at your desk.", "Are you on holiday?"]
)
def test_a_question_tells_no_absence(text: str) -> None:
    """Who asks, or has left a thing somewhere, is there to read the answer."""
    assert absent_text(text) == ""


def test_quoted_words_of_an_absence_are_another_s() -> None:
    """Who complains about his vacation notice quotes it."""
    assert absent_text('Customers still get "I am out of the office until 10 April". Please stop it.') == ""


@pytest.mark.parametrize(
    "text",
    [
        "Bin in Kur bis 3.10. und lese keine Mails.",
        "Fishing, and not reading email.",
        "Je pars demain et ne lirai pas mes mails.",
        "Estoy en el monte y no leeré el correo.",
        "Sono al mare e non leggo la posta.",
        "Ik ben op reis en lees geen mail.",
        "Jestem w górach, nie czytam poczty.",
        "Estou em viagem e não leio e-mails.",
        "Jsem na horách a nečtu e-maily.",
        "Jag är i fjällen och läser inte mejl.",
    ],
)
def test_who_reads_no_mail_is_absent(text: str) -> None:
    """Private vacation notices name no office."""
    assert absent_text(text)


def test_words_of_owners_and_desks() -> None:
    """A mailbox that nobody watches, a case that was opened, a message that is held: programs wrote it."""
    for text in (
        "Dieses Postfach wird nicht überwacht.",
        "Antworten auf diese E-Mail werden nicht gelesen.",
        "Case 12 has been created on your behalf.",
        "Your message about pumps is being held.",
    ):
        assert unattended_text(text)


def test_nobody_reads_the_answers() -> None:
    """An order not to reply is a program's; a complaint about people who do not, and a quotation, are not."""
    assert unattended_text("Do not reply to this message.")
    assert unattended_text("They do not reply to us.") == ""
    assert unattended_text("The mail says \u201cDo not reply to this message.\u201d") == ""


@pytest.mark.parametrize(
    ("field", "found"), [("Auto-Generated", "auto-generated"), ("auto-replied; x=y", "auto-replied; x=y"), ("no", "")]
)
def test_a_mail_says_that_no_person_sends_it(field: str, found: str) -> None:
    """Any value of Auto-Submitted but `no` does; a mail without the field does not."""
    assert automatic_submission(Message(headers=(("auto-submitted", field),))) == found
    assert not automatic_submission(Message())
