"""The witness of `triage eval mail`: what it calls lost, by kind of part and in every script."""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from cli.evaluate.text import lost_words
from integrations.mime.message import message_of
from tests.mail_trouble import PEOPLE, PROGRAMS
from triage.domain.untrusted import Untrusted

SCRIPTS = {
    "english": "The export of invoices stops after thousand rows",
    "german": "Die Ausfuhr der Belege bricht über Nacht ab",
    "cyrillic": "Выгрузка счетов останавливается после тысячи строк",
    "greek": "Η εξαγωγή τιμολογίων σταματά μετά από χίλιες γραμμές",
    "arabic": "يتوقف تصدير الفواتير بعد ألف سطر",
    "hebrew": "ייצוא החשבוניות נעצר אחרי אלף שורות",
    "hindi": "चालान का निर्यात एक हजार पंक्तियों के बाद रुक जाता है",
    "thai": "การส่งออกใบแจ้งหนี้หยุดหลังจากพันแถว",
    "chinese": "导出发票在一千行之后停止",
    "japanese": "請求書のエクスポートが千行で止まります",
    "korean": "송장 내보내기가 천 줄 뒤에 멈춥니다",
}


def raw_of(kind: str, text: str) -> bytes:
    """A mail that says it in this kind of part."""
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["Subject"] = "Ada <ada@example.com>", "Export"
    if kind == "html":
        mail.set_content(f"<style>p {{color: red}}</style><p>{text}</p>", subtype="html")
    else:
        mail.set_content(text if kind == "plain" else "See the file.")
    if kind == "attached":
        mail.add_attachment(text.encode(), maintype="text", subtype="plain", filename="log.txt")
    return mail.as_bytes()


@pytest.mark.parametrize("kind", ["plain", "html", "attached"])
@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_a_text_that_is_not_there_is_lost(kind: str, text: str) -> None:
    """Without the text, or the file that it stands in, the part is named; with it, nothing is."""
    raw = raw_of(kind, text)
    message = message_of(raw)
    without = replace(message, attachments=()) if kind == "attached" else replace(message, text=Untrusted("Nothing."))

    assert lost_words(message, raw) == {}
    assert list(lost_words(without, raw)) == [kind]


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_half_a_text_is_no_loss_and_a_third_is(text: str) -> None:
    """A signature that we read otherwise is no alarm; more than half of the words is."""
    raw = raw_of("plain", text)
    message = message_of(raw)

    assert lost_words(replace(message, text=Untrusted(text[: int(0.75 * len(text))])), raw) == {}
    assert list(lost_words(replace(message, text=Untrusted(text[: len(text) // 4])), raw)) == ["plain"]


def test_a_mail_within_is_kept_as_a_file_or_lost() -> None:
    """An attached mail is heard as long as it is listed."""
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["Subject"] = "Ada <ada@example.com>", "Export"
    mail.set_content("See the attached mail.")
    inner = EmailMessage(policy=SMTP)
    inner["From"] = "Ben <ben@example.com>"
    inner.set_content("The export stops.", subtype="plain")
    inner.add_alternative("<p>The export stops.</p>", subtype="html")
    mail.add_attachment(inner)
    raw = mail.as_bytes()
    message = message_of(raw)

    assert lost_words(message, raw) == {}
    assert lost_words(replace(message, attachments=()), raw) == {"attached": ["export", "stops"]}


def test_what_no_reader_sees_is_not_missed() -> None:
    """Hidden HTML, the other half of an alternative, and bytes that do not fit their label testify to nothing."""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = "Ada <ada@example.com>"
    mail.set_content("The export stops.")
    mail.add_alternative("<p>Something quite different from that</p>", subtype="html")
    hidden = (
        b"From: a@b.example\nContent-Type: text/html\n\n<p>Yes</p><p style='display:none'>several other words here</p>"
    )
    broken = b"From: a@b.example\nContent-Type: text/plain; charset=utf-8\n\n" + bytes(range(0xC0, 0xFF)) * 4

    for raw in (mail.as_bytes(), hidden, broken, b"A bare text without any header"):
        assert lost_words(message_of(raw), raw) == {}


def test_the_wrong_label_is_told_from_the_right_text() -> None:
    """Text in UTF-8 under the label of another charset is read as UTF-8, and not lost."""
    text = "导 出 发 票"
    raw = (
        b"From: a@b.example\nContent-Type: text/plain; charset=GB2312\nContent-Transfer-Encoding: 8bit\n\n"
        + text.encode()
    )

    assert message_of(raw).text == text
    assert lost_words(message_of(raw), raw) == {}


def test_our_own_letters_lose_nothing() -> None:
    """All mails about mail keep every part's text."""
    assert [one.name for one in (*PEOPLE, *PROGRAMS) if lost_words(message_of(one.raw), one.raw)] == []
