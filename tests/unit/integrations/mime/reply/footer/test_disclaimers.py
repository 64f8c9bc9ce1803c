"""What companies and servers add is recognised, and what an author writes about it is not."""

# ruff: noqa: RUF001 - the letters and dashes of other alphabets are the point

from email.message import EmailMessage

import pytest

from integrations.mime.message import message_of
from integrations.mime.reply.footer.disclaimers import is_appended, is_banner, is_legal
from integrations.mime.reply.split import split
from triage.domain.mail import Message

OWN = "The crane is repaired."
QUOTE = "On Mon, 9 Mar 2026 at 17:02, Ada Byron <ada@example.com> wrote:\n\n> Is the crane repaired?"

LEGAL = {
    "english": "This message and its attachments are confidential. If you are not the intended recipient, tell the sender and delete it at once.",
    "german": "Diese Nachricht ist vertraulich und nur für den Empfänger bestimmt. Wer nicht Adressat ist, möge sie löschen und uns Bescheid geben.",
    "french": "Ce message et ses pièces sont confidentiels et réservés à leur destinataire. Toute autre lecture ou diffusion en est interdite.",
    "spanish": "Este mensaje contiene información confidencial y se dirige solo a su destinatario. Si lo recibe por error, le rogamos que lo borre.",
    "italian": "La presente comunicazione è riservata al solo destinatario. Chi la riceve per errore è pregato di cancellarla e di avvisare il mittente.",
    "portuguese": "Esta mensagem é confidencial e dirige-se apenas ao seu destinatário. Caso a tenha recebido por engano, apague-a e avise quem a enviou.",
    "dutch": "Dit bericht is vertrouwelijk en alleen voor de geadresseerde bedoeld. Bent u dat niet, verwijder het dan en laat het ons weten.",
    "polish": "Ta wiadomość jest poufna i skierowana tylko do adresata. Osoby, które otrzymały ją przez pomyłkę, prosimy o jej usunięcie.",
    "russian": "Это сообщение конфиденциально и предназначено только адресату. Получив его по ошибке, удалите его.",
    "czech": "Tato zpráva je důvěrná a je určena pouze adresátovi. Pokud jste ji obdrželi omylem, smažte ji a dejte nám vědět.",
    "dutch, for one reader": "De informatie in dit e-mailbericht is uitsluitend bestemd voor de geadresseerde. Gebruik door anderen is niet toegestaan.",
    "polish, in other cases": "Treść tej wiadomości jest przeznaczona wyłącznie dla adresata. Prosimy powiadomić nadawcę i usunąć tekst.",
    "czech, in other cases": "Obsah zprávy a přílohy jsou určeny výhradně adresátovi. Kdo jím není, ať je smaže a dá vědět odesílateli.",
    "swedish": "Detta meddelande är endast avsett för mottagaren. Har du fått det av misstag ber vi dig radera det och höra av dig till oss.",
    "turkish": "Bu e-posta gizli bilgiler içerir ve yalnızca muhatabına gönderilmiştir. Size ait değilse lütfen siliniz ve bize bildiriniz.",
    "ukrainian": "Це повідомлення призначене виключно для адресата. Якщо ви отримали його випадково, видаліть його та скажіть нам.",
    "chinese": "本邮件含有保密信息，仅限于发送给收件人。其他人不得以任何形式使用、复制或转发其中的内容。如有误收，请立即删除并通知我们，谢谢您的合作。",
    "korean": "이 메일은 수신인에게만 보내는 것으로 무단으로 공개하거나 복사할 수 없습니다. 잘못 받으셨다면 삭제해 주시고 알려 주시기 바랍니다.",
    "japanese, received by mistake": "本メールには秘密情報が含まれます。誤って届いた場合は、無断で利用や複製をせず、削除のうえお知らせください。お願いいたします。",
    "japanese": "このメールは機密であり、宛先の方だけにお送りしています。間違って受信された方は削除をお願いいたします。",
}
APPENDED = {
    "a tree": "Please consider the environment before printing this page.",
    "a tree as a letter": "P Please consider the environment before printing this page.",
    "a register": "Sitz der Gesellschaft: Kiel | Amtsgericht Kiel HRB 1",
    "a scanner, behind its link": "<https://scanner.example/a?b=c> Virus-free.www.scanner.example <https://scanner.example/a>",
    "a scanner, french": "Garanti sans virus. www.scanner.example",
    "a report": "Click here to report this email as spam.",
    "other places": "Follow us on Pictures<https://pictures.example/a> | Words<https://words.example/a>",
    "a scanner": "Virus-free. www.scanner.example",
    "a calendar": "Book a meeting with me: https://calendar.example/ada",
    "pronouns": "she/her",
}
BANNERS = {
    "english": "CAUTION: This email originated from outside the company. Do not open files that you do not expect.",
    "english, in brackets": "[EXTERNAL EMAIL] Do not click on links of people you do not know.",
    "a tag": "[EXTERN]",
    "outlook": "You don't often get email from ada@example.com. Learn why <https://aka.ms/LearnAboutSenderIdentification>",
    "german": "ACHTUNG: Diese E-Mail stammt von einem externen Absender.",
    "french": "ATTENTION : ce courriel provient de l'extérieur de la société.",
    "spanish": "ATENCIÓN: este correo procede de fuera de la empresa.",
    "italian": "ATTENZIONE: questa e-mail proviene da un mittente esterno.",
    "dutch": "LET OP: deze e-mail is afkomstig van buiten de firma.",
    "polish": "UWAGA: ta wiadomość pochodzi spoza firmy.",
    "russian": "ВНИМАНИЕ: это письмо отправлено извне.",
}
KEPT = {
    "a secret list": "The list is confidential, please send it only to the intended recipients.",
    "a text to be added": "Put this below our mails:\n\n" + LEGAL["english"],
    "a text in quotation marks": f'Is this text right?\n\n"{LEGAL["english"]}"',
    "a warning of a person": "CAUTION: the gate to the yard outside is open.\n\nI closed it.",
    "mails from outside": "ACHTUNG: Externe Mails kommen nicht an.\n\nBitte prüfen.",
    "a missing entry": "Der Auszug vom Amtsgericht Kiel fehlt.\n\nBitte nachreichen.",
    "a reproach": "The tray is empty.\n\nPlease consider the environment before printing 500 pages: who did that?",
    "german, about secret mails": "Das Gateway meldet bei vertraulichen Mails zu viel.\n\nDas betrifft ausschließlich Mails an externe Empfänger, die anderen kommen ohne Meldung an. Was tun wir damit?",
    "a colour": "The lamp is red.\n\nWhat now?",
    "in line with": "The pump is in line with the norm.",
    "an address": "Use this one from now on:\n\nada.byron@example.com",
}


def _mail(html: str, *, first: bool = False) -> Message:
    mail = EmailMessage()
    mail["From"] = "Grace Hopper <grace@example.com>"
    mail["Subject"] = "Crane" if first else "Re: Crane"
    mail["Message-ID"] = "<1@example.com>"
    mail.set_content(html, subtype="html")
    return message_of(mail.as_bytes())


@pytest.mark.parametrize("legal", LEGAL.values(), ids=LEGAL.keys())
@pytest.mark.parametrize("rule", ["", "________________\n"], ids=["bare", "below a rule"])
def test_legal_text_is_no_part_of_an_answer(legal: str, rule: str) -> None:
    """Legal text of a company goes from the end of an answer, in any listed language and without a rule above it."""
    assert is_legal(legal)
    assert split(f"{OWN}\n\n{rule}{legal}\n\n{QUOTE}").reply == OWN
    assert not split(f"{OWN}\n\n{legal}", first=True).quoted


@pytest.mark.parametrize("text", APPENDED.values(), ids=APPENDED.keys())
def test_what_programs_append_is_no_part_of_an_answer(text: str) -> None:
    """Short texts that programs and companies append go, several of them as well as one."""
    assert is_appended(text)
    assert split(f"{OWN}\n\n{text}\n\n{LEGAL['english']}").reply == OWN


@pytest.mark.parametrize("banner", BANNERS.values(), ids=BANNERS.keys())
def test_warning_of_a_server_is_no_part_of_an_answer(banner: str) -> None:
    """A mail server's warning above an answer goes; in a first mail it stays, and so does one without a text below."""
    assert is_banner(banner)
    assert split(f"{banner}\n\n{OWN}\n\n{QUOTE}").reply == OWN
    assert split(f"{banner}\n\n{OWN}", first=True).reply == f"{banner}\n\n{OWN}"
    assert split(banner).reply == banner


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT.keys())
def test_words_of_the_author_stay(text: str) -> None:
    """What an author writes about secrets, warnings and registers stays."""
    assert split(f"{text}\n\n{QUOTE}").reply == text
    assert split(text, first=True).reply == text


def test_long_texts_are_no_warnings() -> None:
    """A warning of a mail server is short."""
    assert not is_banner(BANNERS["english"] * 20)


@pytest.mark.parametrize("below", ["", "\n\nThis e-mail was scanned for viruses by the gateway of the council."])
def test_legal_text_in_a_frame_goes_as_a_whole(below: str) -> None:
    """Between two like rules legal text goes whatever its paragraphs are, with the notice of a scanner below it."""
    frame = "**********"
    lines = "This e-mail is confidential and\n\nintended for the addressee only.\n\nThank you for your help.\n\n(c) The council"
    framed = f"{frame}\n\n{lines}\n\n{frame}{below}"

    assert split(f"{OWN}\n\n{framed}").reply == OWN
    assert split(f"{OWN}\n\n{framed}\n\n{QUOTE}").reply == OWN
    assert split(f"{OWN}\n\n{frame}\n\nThe belt is new.\n\n{frame}").reply == f"{OWN}\n\n{frame}\n\nThe belt is new."


SHORT = {
    "english, secret": "This e-mail is confidential.",
    "english, for one reader": "This message is intended only for the person it names.",
    "german": "Diese Nachricht ist vertraulich.",
    "french": "Ce message est confidentiel.",
    "spanish": "Este mensaje es confidencial.",
    "a heading in capitals": f"CONFIDENTIAL AND PRIVILEGED\n\n{LEGAL['english']}",
}


@pytest.mark.parametrize("notice", SHORT.values(), ids=SHORT.keys())
@pytest.mark.parametrize(
    "end", ["Kind regards,\nGrace", "Thanks!\nGrace", "Sent from my iPhone", APPENDED["a tree"]], ids=str.split
)
def test_short_notice_below_the_end_of_a_letter_goes(notice: str, end: str) -> None:
    """Below a farewell, a telephone's line or what a company appends a sentence about the mail itself is no author's."""
    kept = f"{OWN}\n\n{end}" if "Grace" in end else OWN

    assert split(f"{OWN}\n\n{end}\n\n{notice}").reply == kept
    assert split(f"{OWN}\n\n{end}\n\n{notice}\n\n{QUOTE}").reply == kept


def test_short_notice_above_a_signature_goes() -> None:
    """A program puts it above the card as well as below; the quote above it is answered by nobody."""
    card = "-- \nGrace Hopper\nYard"

    assert split(f"{OWN}\n\n{QUOTE}\n\n{SHORT['english, secret']}\n\n{card}").reply == OWN


@pytest.mark.parametrize("heading", ["Confidentiality notice: ", "DISCLAIMER: ", "Disclaimer : "])
def test_short_notice_under_a_heading_goes(heading: str) -> None:
    """A heading of two words with secrecy in it, or a disclaimer, needs no end of a letter above it."""
    assert split(f"{OWN}\n\n{heading}This message holds privileged data.").reply == OWN


@pytest.mark.parametrize(
    "text",
    [
        "This e-mail is confidential.",
        "Hi Ada,\n\nThis e-mail did not reach the recipient.",
        "Thanks.\n\nThis e-mail is marked confidential, so I cannot pass it on.",
        "It is done.\n\nThis message is confidential, tell no recipient of it.",
        "It is done.\n\nKind regards,\nGrace\n\nThis crane is confidential.",
        "It is done.\n\nKind regards,\nGrace\n\nThe bounce says that the recipient is unknown.",
        "It is done.\n\nKind regards,\nGrace\n\nIs this e-mail confidential?",
        "It is done.\n\nConfidential: this message is for Ada, please pass it on to her alone.",
        "It is done.\n\nOpen point: this message is confidential in the archive, and should be open.",
    ],
)
def test_sentence_of_the_author_about_a_mail_stays(text: str) -> None:
    """Without a heading or the end of a letter above it the author may have written it, and so what names no secrecy."""
    assert split(f"{text}\n\n{QUOTE}").reply == text
