"""Praise, notices, receipts and talk that ask nothing of a team are told from mails that want something of it."""

from dataclasses import replace

import pytest

from triage.domain.mail import Address, Attachment, Message
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.asks_nothing import (
    asks_for_offer,
    asks_nothing,
    assent,
    nothing_said,
    nothing_to_do,
    private,
    receipt,
    reports_nothing,
)


def mail(text: str, subject: str = "Dashboard") -> Message:
    """A first mail."""
    return Message(subject=Untrusted(subject), text=Untrusted(text), reply=Untrusted(text))


def words(text: str) -> str:
    """What a mail with this text is recognised by."""
    return asks_nothing(mail(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hi all,\n\nthe new dashboard is lovely, well done!", "is lovely"),
        ("Bonjour,\n\nla nouvelle version est une vraie réussite. Bravo !", "est une vraie réussite"),
        ("Großes Lob an das Team!", "Großes Lob"),
        ("I just wanted to say the dashboard is lovely.", "is lovely"),
        ("The new search is excellent. Please pass on our thanks to the developers.", "is excellent"),
        (
            "Maintenance on 28 November, 01:00 to 03:00 UTC. No action is required on your side.",
            "No action is required",
        ),
        ("Wartung am 28. November von 1 bis 3 Uhr. Sie müssen nichts tun.", "Sie müssen nichts tun"),
    ],
)
def test_nothing_is_asked(text: str, found: str) -> None:
    """The words that say so are the evidence."""
    assert words(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Great job on the release! One thing: the export button is missing now.",
        "The new dashboard is great. Could you add a filter?",
        "The new dashboard is great, but it takes forever to load.",
        "Well done! Please send the list to Mia, too.",
        "The database is down. No action is required from you, we work on it.",
        "We moved the meeting.",
        "Well done! " + "The release of the north yard went on as we had planned it. " * 10,
    ],
)
def test_something_is_asked_or_told(text: str) -> None:
    """Whoever reports, wishes, asks, or writes more than a few lines has something for us."""
    assert words(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Your request HD-11 has been received. We will come back to you within two working days.",
        "Ihre Anfrage ist bei uns eingegangen. Wir melden uns so schnell wie möglich.",
        "Votre demande a bien été reçue. Nous reviendrons vers vous dans les meilleurs délais.",
        "Hemos recibido su mensaje. Nos pondremos en contacto con usted.",
        "Abbiamo ricevuto la sua richiesta, la ricontatteremo al più presto.",
        "Uw aanvraag is ontvangen, wij nemen contact met u op.",
        "Recebemos a sua mensagem, entraremos em contacto.",
        "Dziękujemy za zgłoszenie. Odpowiemy jak najszybciej.",
        "Děkujeme za vaši zprávu, ozveme se co nejdříve.",
    ],
)
def test_a_receipt(text: str) -> None:
    """That another desk has something and will answer is nothing to do, in any of the read languages."""
    assert receipt(mail(text))


@pytest.mark.parametrize(
    "text",
    [
        "The order has been received, please send the invoice.",
        "We will come back to you about the contract.",
        "Customers get 'your request has been received' and then an error, please respond within the day.",
        "Our order has been received twice. We will come back to you. " + "There is more to tell about it. " * 20,
    ],
)
def test_no_receipt(text: str) -> None:
    """One of both signs alone, a fault, or a long text is somebody's matter."""
    assert receipt(mail(text)) == ""


def test_a_receipt_may_say_it_in_its_subject() -> None:
    """Service desks name the case in the subject; a fault that the subject repeats is the one that we reported."""
    opened = "State: New\n\nYou can view all the details of the incident by following the link below"

    assert receipt(mail(opened, "INC0048213 has been opened on your behalf"))
    assert receipt(mail("Your request (8) has been received. We will come back to you.", "Re: SFTP drop failing"))
    assert receipt(
        mail("Ihre Nachricht ist bei uns unter der Nummer 4711 eingegangen. Wir melden uns schnellstmöglich.")
    )


def test_talk_between_colleagues() -> None:
    """Who asks somebody along wants no ticket; who orders lunch, or finds its page broken, does."""
    assert private(mail("Hey, are you around for lunch on Thursday?", "Lunch?"))
    assert private(mail("Hast du Zeit für einen Kaffee?", "Kurz"))
    assert private(mail("Please order lunch for twelve people on Thursday.", "Board meeting")) == ""
    assert private(mail("Are you around? The lunch menu page shows an error.", "Lunch menu")) == ""


@pytest.mark.parametrize(
    ("subject", "text", "found"),
    [
        ("AW: Termin", "Passt. Bis dann!", "Passt. Bis dann!"),
        ("Re: Saturday", "Hi Kim,\n\nsounds good, see you then.", "sounds good, see you then."),
        ("RE: rendez-vous", "D'accord, merci", "D'accord, merci"),
        ("Saturday", "Sounds good, see you then.", ""),
        ("Re: server 5", "OK, restart it then.", ""),
        ("Re: server 5", "Fine?", ""),
        ("Re: Printer is broken", "Thanks!", ""),
        ("Re: demo", "Brilliant, thanks all", "Brilliant, thanks all"),
        ("Re: demo", "Brilliant, but again.", ""),
        ("Re: plan", f"{'ok ' * 20}", ""),
    ],
)
def test_an_answer_that_only_agrees(subject: str, text: str, found: str) -> None:
    """An answer of nothing but consent or farewell says nothing; a first mail, a question or one more word does."""
    assert assent(mail(text, subject)) == found


def test_thanks_alone_ask_nothing() -> None:
    """Thanks in a few words are for a person; thanks in front of a matter are not."""
    assert words("Muchas gracias por la ayuda de ayer, ya imprimimos todos los boletines.")
    assert not words("Thanks for your help yesterday. The scale now shows 240 kg, please have a look.")
    assert not words("Your invoices end in our spam folder. Thanks for your help.")
    assert not words("Thanks for your help. " + "The north yard has a scale and a gate. " * 3)


@pytest.mark.parametrize(
    ("subject", "text", "keys", "found"),
    [
        ("HARB-27", "HARB-27", ("HARB-27",), "says nothing but HARB-27"),
        ("Re: HARB-27", "Hi,\nHARB-27\n\nThanks\nAda", ("HARB-27",), "says nothing but HARB-27"),
        ("", "Hallo,\n\nGruß", (), "says nothing"),
        ("HARB-27", "HARB-27 crashes", ("HARB-27",), ""),
        ("Printer", "HARB-27", ("HARB-27",), ""),
        ("", "no " * 30, (), ""),
    ],
)
def test_nothing_is_said(subject: str, text: str, keys: tuple[str, ...], found: str) -> None:
    """Greeting, thanks, names and keys alone tell nobody what to do; any other word may."""
    ada = Address(name=Untrusted("Ada Byron"), address="ada@firm.example")

    assert nothing_said(replace(mail(text, subject), sender=ada), keys) == found


def test_a_picture_says_something() -> None:
    """A mail with a file and no word may be all in the file."""
    picture = Attachment(name=Untrusted("crane.png"), content_type="image/png", size=9, inline=False, sha256="0" * 64)

    assert nothing_said(replace(mail("HARB-27", "HARB-27"), attachments=(picture,)), ("HARB-27",)) == ""


def test_what_is_reported_wished_or_asked() -> None:
    """An announcement has none of these; one that asks for work has."""
    assert reports_nothing(mail("The car park is closed on Saturday.", "Car park"))
    assert not reports_nothing(mail("The car park is closed. Could you add a sign?", "Car park"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The lock was broken, the fitter has changed it. Nobody needs to do anything.", "Nobody needs to do anything"),
        ("Das Tor war defekt und geht wieder, es ist nichts zu veranlassen.", "es ist nichts zu veranlassen"),
        ("The lock was broken, no action needed. Could you look at the gate?", ""),
        ("The lock was broken, no action needed. Please check the gate.", ""),
        ("The lock is broken.", ""),
        (f"The lock was broken, no action needed. {'The gate moved. ' * 60}", ""),
    ],
)
def test_nothing_is_to_be_done(text: str, words: str) -> None:
    """A mail may tell a fault and say that it is over, as long as it asks nothing."""
    assert nothing_to_do(mail(text)) == words


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("Sorry all, should've checked first. For your records, nothing needed from you.", "nothing needed from you"),
        ("Sorry all. Nothing needed from you, but could you close the older one?", ""),
        ("See below.", ""),
    ],
)
def test_a_forwarder_says_that_nothing_is_to_be_done(note: str, words: str) -> None:
    """His own words count, and neither what is asked in the mail below nor its subject."""
    below = "All six kiosks are dead! Please log this now. Is the light back?"
    forward = replace(
        mail(f"{note}\n\n{below}", "Fwd: URGENT"), flags=("forward",), reply=Untrusted(note), quoted=Untrusted(below)
    )

    assert nothing_to_do(forward) == words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We kindly ask you to send us a quotation for 12 scanners until 15 December.", "send us a quotation"),
        ("Con la presente si richiede Vs. migliore offerta per n. 4 postazioni.", "migliore offerta"),
        ("Bitte unterbreiten Sie uns Ihr bestes Angebot für 40 Lizenzen.", "Ihr bestes Angebot"),
        ("Merci de nous faire parvenir un devis pour dix licences.", "nous faire parvenir un devis"),
        ("ライセンス10本のお見積りをお願いいたします。", "お見積りをお願い"),
        ("The page Quotations shows no price for new customers.", ""),
        ("Nobody can send us a quote since this morning: the form crashes with error 500.", ""),
        ("Das Angebot im Shop wird doppelt angezeigt.", ""),
    ],
)
def test_a_buyer_asks_for_an_offer(text: str, found: str) -> None:
    """Words of buyers count in several languages; a fault of what handles offers is a fault."""
    assert asks_for_offer(mail(text, "Scanners")) == found
