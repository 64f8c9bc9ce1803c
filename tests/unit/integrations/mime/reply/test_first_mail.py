"""The first mail of a thread: business texts that look like quotes, heads, signatures and footers keep every word."""

# ruff: noqa: RUF001 - the letters and dashes of other alphabets are the point

import re
from collections.abc import Mapping
from email.message import EmailMessage
from html import escape

import pytest

from integrations.mime.message import message_of
from integrations.mime.reply.split import split
from triage.domain.mail import Message

KEPT = {
    "a courier": "Hi,\n\nSent by courier on Monday:\n3 scanners\n1 printer\n\nNone has arrived.",
    "a parcel service": "Hello,\n\nSent via DHL on 9 March 2026:\n\n- 4 cables\n- 2 docks\n\nOnly the docks came.",
    "a list that was sent from somewhere": "Sent from our warehouse in Leeds:\n2 pallets\n\nSent from the depot:\n1 pallet\n\nPlease confirm.",
    "sent at the end": "The replacement has not come yet.\n\nSent by courier on Monday",
    "sent from a place at the end": "We have no tracking number.\n\nSent from Hamburg via Bremen",
    "sent from a telephone, in the middle": "The app writes under each mail:\n\nSent from my iPhone\n\nHow do we turn that off for all users?",
    "outlook, in the middle": "Users see this in every mail:\n\nGet Outlook for iOS\n\nIs that ours?",
    "german, sent": "Guten Tag,\n\nGesendet mit Spedition Kurz am Montag:\n3 Scanner\n1 Drucker\n\nNichts ist da.",
    "german, with whom": "Guten Tag,\n\nversendet von unserem Lager:\n12 Paletten\n\nWo sind sie?",
    "french, sent": "Bonjour,\n\nEnvoyé par transporteur lundi :\n3 lecteurs\n\nRien n'est arrivé.",
    "french, sent from": "Bonjour,\n\nEnvoyé depuis notre dépôt de Lyon :\n3 lecteurs\n\nRien n'est arrivé.",
    "spanish, sent": "Hola:\n\nEnviado por mensajero el lunes:\n3 lectores\n\nNo ha llegado nada.",
    "italian, sent": "Buongiorno,\n\nInviato con corriere lunedì:\n3 lettori\n\nNon è arrivato niente.",
    "dutch, sent": "Hallo,\n\nVerzonden via de post:\n3 scanners\n\nNiets gekomen.",
    "polish, sent": "Dzień dobry,\n\nWysłane przez kuriera w poniedziałek:\n3 skanery\n\nNic nie doszło.",
    "czech, sent": "Dobrý den,\n\nOdesláno z Brna v pondělí:\n3 čtečky\n\nNic nedorazilo.",
    "russian, sent": "Здравствуйте,\n\nОтправлено с курьером:\n3 сканера\n\nНичего не пришло.",
    "a server that wrote": "On Monday the server wrote:\n\nERROR 17 in module a\n\nWhat does that mean?",
    "a server with a time": "On Monday at 10:15 the server wrote:\nERROR 17\nERROR 18\n\nWhat does that mean?",
    "a server with a day": "On 9 March 2026 the server wrote:\nERROR 17\n\nWhat does that mean?",
    "a named server with a day": "On 9 March 2026 at 10:15 Server3 wrote:\nERROR 17\n\nWhat does that mean?",
    "german, a log": "Am Montag schrieb der Server:\n\nFEHLER 17\n\nWas heißt das?",
    "german, a log with a day": "Am 09.03.2026 um 10:15 schrieb der Server:\n\nFEHLER 17\n\nWas heißt das?",
    "french, a log": "Lundi le serveur a écrit :\n\nERREUR 17\n\nQue faire ?",
    "a customer that wrote": "A customer wrote:\n\nI cannot pay.\n\nCan you help her?",
    "a customer with an address": "Yesterday ada@example.com wrote:\n\nI cannot pay.\n\nCan you help her?",
    "who writes": "I wrote to ada@example.com on 9 March 2026:\n\nPlease ship three scanners.\n\nThere was no answer.",
    "quoted words of a customer": "A customer says:\n> I cannot pay.\n> It hangs.\n\nCan you help her?",
    "quoted words at the end": "This is what the screen shows.\n\n> disk full\n> retry in 5",
    "signs of larger": "Alarm when\n> 5 errors per minute\n> 80 % of memory\nor both.",
    "a shell": "I typed\n\n> ping pump-3\n> tracert pump-3\n\nand nothing came back.\n\n> exit",
    "a place that things come from": "From: the warehouse\nTo: the shop\n\n3 scanners, 1 printer. None has arrived.",
    "a transport": "Please collect.\n\nFrom: Berlin\nTo: Munich\nDate: 05.01.2026\nWeight: 20 kg\n\nIt is urgent.",
    "a transport with a subject": "Please collect.\n\nFrom: Berlin\nTo: Munich\nSubject: pallets\n\nIt is urgent.",
    "german, a transport": "Bitte abholen.\n\nVon: Berlin\nAn: München\nDatum: 05.01.2026\n\nEs eilt.",
    "a memo": "Note for the file\n\nFrom: the night shift\nSubject: pump 3\nDate: 5 January\n\nThe pump was off.",
    "spanish, a transport": "Hay que recoger.\n\nDe: Madrid\nPara: Sevilla\nFecha: 05/01/2026\n\nEs urgente.",
    "french, a note": "À noter\n\nDe : l'atelier\nObjet : pompe 3\n\nElle est arrêtée.",
    "a web form": "A new message from your web site.\n\nName: Ada Byron\nE-mail: ada@example.com\nSubject: Scanner\nMessage: It is broken.",
    "settings": "The settings are\n\nFrom: our database\nTo: the archive\nDate: every Monday at 10:15\n\nand nothing runs.",
    "a table with dashes": "Stock today\n\nItem | Count\n-----|------\nScanner | 3\nPrinter | 1\n\nToo few.",
    "a table under a rule": "Open items\n----------\nScanner 3\nPrinter 1",
    "a telephone list": "Contacts on site\n----------------\nBen 030 1234567\nLena 030 7654321",
    "a ruled section": "First part.\n\n________________________________\n\nSecond part: the pump\nis loud.",
    "a heading in signs": "=== Steps ===\n1. open\n2. press\n\n=== Result ===\nnothing",
    "a line with two dashes": "Options:\n--\nA: 3 scanners\n--\nB: 4 printers\n\nPlease choose.",
    "two dashes above a list": "We need\n--\n3 scanners\n1 printer",
    "two dashes above a letter": "In short: it is broken.\n-- \nIn long: on Monday the pump stopped, we started it again, and it stopped once more after an hour.\nWhat shall we do?",
    "two dashes above many lines": "The list:\n-- \n" + "\n".join(f"item {n}" for n in range(30)),
    "two dashes above sentences over lines": "The gate is stuck.\n--\nAda has no key\nplease send somebody today because we have guests\nwho need the room and the gate\nas it was last week",
    "an em dash": "It is broken.\n—\nAda says it is the cable.",
    "legal words": "Our lawyer asks: this e-mail is confidential and intended only for the addressee, who adds that line?",
    "legal words at the end": "Please change the footer.\n\nThe new text is below.\n\nThis message is confidential and intended solely for the addressee.",
    "about unsubscribing": "Customers complain.\n\nTo unsubscribe they press the link and get error 500.",
    "about a mailing list": "The list is broken.\n\nThe mailing list office@example.com does not take new members.",
    "about a scanner": "It blocks our mail.\n\nAll mails are checked for viruses twice.",
    "about a company": "Wrong address on invoices.\n\nOur registered office in Leeds has moved.",
    "a greeting in the middle": "Our template ends with\n\nKind regards,\nthe depot\n\nand that is wrong.",
    "a card after the greeting": "The pump is off.\n\nKind regards,\nLena Voss\nPump 3 is in hall B\nThe key is at the gate",
    "a postscript": "The pump is off.\n\nRegards,\nLena\n\nPS: pump 4 is off, too",
    "an original": "----- Original message -----\nis what Outlook shows above each mail.\n\nCan we change it?",
    "an original further down": "Our template begins with\n\n-----Original Message-----\n\nand nobody likes it.",
    "forwarded by hand": "Forwarded by:\nthe night shift\n\nPump 3 is off.",
    "a reply line": "Why do your mails say\n\n##- Please type your reply above this line -##\n\nat the top?",
    "german, a template": "Unsere Vorlage:\n\n-----Ursprüngliche Nachricht-----\n\nBitte ändern.",
    "an agenda": "Agenda\n\nOn Monday, 9 March 2026, at 10:00:\n- pumps\n- scanners\n\nOn Tuesday:\n- printers",
    "a date and an address": "On Monday 9 March please write to ada@example.com:\nthe pump is off\n\nand copy me.",
    "a schedule": "09.03.2026 17:02 Lena: pump off\n09.03.2026 17:10 Ben: pump on\n09.03.2026 17:15 Lena: off again",
    "a list of mails": "These bounced:\n\nada@example.com:\nmailbox full\n\nben@example.com:\nunknown user",
    "questions with marks": "Q> Does it start?\nA> No.\n\nQ> Is it loud?\nA> Yes.",
    "code": "```\n> not a quote\nOn Mon, 9 Mar 2026 Ada <ada@example.com> wrote:\n-- \n```\nThat is our template.",
    "japanese": "お世話になります。\n\n3月9日に発送:\nスキャナー 3台\n\nまだ届いていません。",
    "chinese": "你好，\n\n3月9日服务器写道：\n错误17\n\n这是什么意思？",
}


def first_mail(text: str, fields: Mapping[str, str] | None = None, *, html: bool = False) -> Message:
    """What is read from a mail that answers none, unless the fields say that it does."""
    mail = EmailMessage()
    given = {"From": "Lena Voss <lena@pumps.example>", "To": "support@acme.example", "Subject": "Delivery"}
    for name, value in (given | dict(fields or {})).items():
        mail[name] = value
    lines = "".join(f"<div>{escape(line, quote=False) or '<br>'}</div>" for line in text.split("\n"))
    mail.set_content(lines if html else text, subtype="html" if html else "plain", cte="8bit")
    return message_of(mail.as_bytes())


def words(text: str) -> list[str]:
    """All words in their order."""
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT.keys())
def test_first_mail_keeps_every_word(text: str) -> None:
    """Nothing that a person wrote in a first mail is taken for history, a signature or a footer."""
    message = first_mail(text)

    assert words(text) == words(message.reply)
    assert message.quoted == ""


@pytest.mark.parametrize("text", [one for name, one in KEPT.items() if name != "code"])
def test_first_mail_in_html_keeps_every_word(text: str) -> None:
    """The same for the same words in HTML, which have no blanks at their ends."""
    assert words(text) == words(first_mail(text, html=True).reply)


PROVEN = {
    "gmail": "Please see below.\n\nOn Mon, Mar 9, 2026 at 5:02 PM Ada Byron <ada@example.com> wrote:\n\n> The pump is off.",
    "thunderbird": "Please see below.\n\nOn 09/03/2026 17:02, Ada Byron wrote:\n> The pump is off.",
    "outlook": "Please see below.\n\nFrom: Ada Byron <ada@example.com>\nSent: Monday, March 9, 2026 5:02 PM\nTo: Lena\nSubject: Pump\n\nThe pump is off.",
    "forward": "Please see below.\n\n---------- Forwarded message ---------\nFrom: Ada Byron <ada@example.com>\nDate: Mon, 9 Mar 2026\nSubject: Pump\n\nThe pump is off.",
}


@pytest.mark.parametrize("text", PROVEN.values(), ids=PROVEN.keys())
def test_proven_history_of_a_first_mail_is_passed_on(text: str) -> None:
    """With an address or a date in its block history is kept apart, and the mail counts as a forward: all of it is told."""
    message = first_mail(text)

    assert (message.reply, message.text) == ("Please see below.", text)
    assert message.quoted.endswith("The pump is off.")
    assert "forward" in message.flags


@pytest.mark.parametrize(
    "signature",
    [
        "-- \nLena Voss\nDepot West",
        "--\nLena Voss\nDepot West",
        "--\nDepot West\nwww.pumps.example",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "________________________________\nThis e-mail is confidential and intended only for the addressee.",
    ],
)
def test_signature_under_a_first_mail_goes(signature: str) -> None:
    """A signature at the end, the last line of a known device and legal words under a rule are no part of the reply."""
    assert first_mail(f"The pump is off.\n\n{signature}\n").reply == "The pump is off."


@pytest.mark.parametrize(
    "fields",
    [
        {"In-Reply-To": "<a@b.example>"},
        {"References": "<a@b.example>"},
        {"Subject": "AW: Pump"},
        {"Subject": "Re[2]: x"},
    ],
)
def test_answer_is_known_by_its_head(fields: Mapping[str, str]) -> None:
    """In-Reply-To, References or a subject of an answer say that there is history."""
    assert first_mail("Fine.\n\nAda wrote:\n> Is it on?", fields).reply == "Fine."


TAKEN_FOR_HISTORY = {
    "a named server with a day",
    "quoted words at the end",
    "a shell",
    "a ruled section",
    "a telephone list",
    "a card after the greeting",
    "an original further down",
    "a reply line",
    "german, a template",
}
"""In an answer these are what programs write there; the mail itself hangs on the ticket."""


@pytest.mark.parametrize("name", sorted(KEPT.keys() - TAKEN_FOR_HISTORY))
def test_answer_keeps_what_no_program_writes(name: str) -> None:
    """Under `Re:`, where quotes and footers may go, such texts are kept as well, as far as they can be told apart."""
    assert words(KEPT[name]) == words(first_mail(KEPT[name], {"Subject": "Re: Delivery"}).reply)


FORWARDED = (
    "Date: Mon, 9 Mar 2026 17:02:11 +0100\nFrom: Ada <ada@example.com>\nTo: ben@example.com\nSubject: Pump\n\nIt drips."
)


@pytest.mark.parametrize("first", [True, False], ids=["first", "answer"])
@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        (
            "----- Forwarded message from Ada Byron-Lovelace <ada@example.com> -----",
            "----- End forwarded message -----",
        ),
        (
            "----- Weitergeleitete Nachricht von Ada <ada@example.com> -----",
            "----- Ende weitergeleitete Nachricht -----",
        ),
    ],
    ids=["english", "german"],
)
def test_words_below_the_end_of_a_forwarded_mail_stay(opening: str, closing: str, *, first: bool) -> None:
    """Mutt draws a line below the forwarded mail, too, and what stands below that is the author's."""
    above, below = "See this.", "Can you mend it today?"
    parts = split(f"{above}\n\n{opening}\n\n{FORWARDED}\n\n{closing}\n\n{below}", first=first)
    bare = split(f"{above}\n\n{opening}\n\n{FORWARDED}\n\n{closing}\n", first=first)

    assert (parts.reply, parts.forward, "It drips." in parts.quoted) == (f"{above}\n\n{below}", True, True)
    assert (bare.reply, bare.forward) == (above, True)


def test_forward_within_a_forward_ends_nothing() -> None:
    """Below the second separator stands a header, so that it begins one more mail."""
    inner = FORWARDED.replace("Pump", "Seal")
    text = f"See this.\n\n----- Forwarded message -----\n{FORWARDED}\n\n----- Forwarded message -----\n{inner}"

    assert split(text).reply == "See this."


def test_field_of_the_author_s_above_a_header_stays() -> None:
    """The block begins with the second `From:`; the first one is a sentence."""
    text = "All agreed.\nFrom: where we stand this is fine.\nWe can go on."
    rule = 32 * "_"

    assert (
        split(f"{text}\n{rule}\nFrom: Ben <ben@example.com>\nSent: Monday\nTo: Ada\nSubject: Pump\n\nold").reply == text
    )
