"""Signatures, device lines and footers below what the author wrote, and texts that look like them."""

# ruff: noqa: RUF001 - the letters and dashes of other alphabets are the point

import pytest

from integrations.mime.reply.split import split

WORDS = "The export is still empty.\n\nIt was fine last week."
SENDER = "Ada Byron <ada@example.com>"
OLD = "On 9 Mar 2026, at 17:02, Ben <ben@example.com> wrote:\n\n> old"


@pytest.mark.parametrize(
    "signature",
    [
        "-- \nAda Byron\nAnalyst",
        "--\nAda",
        "-- \nExample Ltd, Analysis\nPlease consider the environment before printing this page.",
        "—\nAda",
        "________________________________\nAda Byron\nTel. 030 123456",
        "Sent from my iPhone",
        "Sent from Outlook for Android<https://aka.ms/AAb9ysg>",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Gesendet von Outlook für Android",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Enviado desde mi Samsung",
        "Inviato da iPhone",
        "Verzonden vanaf mijn iPhone",
        "Skickat från min iPhone",
        "Odesláno z iPhonu",
        "Отправлено с iPhone",
        "iPhoneから送信",
        "Kind regards,\n\nAda Byron\nHead of Analysis\nExample Ltd",
        "Mit freundlichen Grüßen\n\nAda Byron\nBeispiel GmbH\nTel. 030 123456",
        "_______________________________________________\nusers mailing list\nusers@lists.example.com",
        "----------\nThis e-mail is confidential and intended only for the addressee.",
    ],
)
def test_signature_is_no_part_of_the_reply(signature: str) -> None:
    """Signatures, lines of telephones, list footers and legal words go, above a quote and without one."""
    alone = split(f"{WORDS}\n\n{signature}\n")
    above = split(f"{WORDS}\n\n{signature}\n\nOn 9 Mar 2026, at 17:02, Ben <ben@example.com> wrote:\n\n> old\n")

    assert (alone.reply, alone.quoted) == (WORDS, "")
    assert above.reply == WORDS


@pytest.mark.parametrize(
    "postscript", ["PS: the brass one is back, too.", "Nachtrag: der zweite auch.", "追伸 在庫あり"]
)
def test_a_postscript_below_a_signature_stays(postscript: str) -> None:
    """What is added below the signature was written, too; the signature above it goes."""
    text = f"{WORDS}\n\n-- \nAda Byron\nada@example.com\n\n{postscript}\n\nOn 9 Mar 2026, at 17:02, Ben <ben@example.com> wrote:\n\n> old\n"

    assert split(text).reply == f"{WORDS}\n\n{postscript}"


@pytest.mark.parametrize("postscript", ["P. D. Trae los remos.", "PS: it is urgent.", "p.s. see below"])
def test_a_postscript_below_a_telephone_line_stays(postscript: str) -> None:
    """Whoever adds something below the line that his telephone wrote has written it."""
    text = f"{WORDS}\n\nSent from my iPhone\n\n{postscript}\n\n-----Original Message-----\nFrom: Ben <ben@example.com>\nSent: today\nSubject: x\n\nold"

    assert split(text).reply.endswith(postscript)


def test_name_under_a_greeting_stays() -> None:
    """A greeting and a name are how the sender ends, not a signature."""
    assert split(f"{WORDS}\n\nThanks,\nAda").reply == f"{WORDS}\n\nThanks,\nAda"
    assert split(f"{WORDS}\n\nKind regards\nAda").reply == f"{WORDS}\n\nKind regards\nAda"


def test_formula_that_the_author_shows_stays() -> None:
    """Below a formula that is no greeting of the sender's neither the sender nor an address is named."""
    text = "The template lost its end:\n\nKind regards,\nDepot\n\nPlease add it."

    assert split(text, sender="Grace Hopper <grace@example.com>").reply == text
    assert split(text).reply == text


@pytest.mark.parametrize("card", ["Grace Hopper | Pumps Ltd | +44 20 7946 0000", "Hopper · grace@example.com"])
def test_card_on_one_line_goes(card: str) -> None:
    """A last line with the sender's name in front and an address or number behind is a signature; others stay."""
    sender = "Grace Hopper <grace@example.com>"
    others = (f"Yes.\n{card}", f"Yes.\n\nBen {card}", "Yes.\n\nGrace | Ben | Ada", card)

    assert split(f"Yes.\n\n{card}", sender=sender).reply == "Yes."
    for text in others:
        assert split(text, sender=sender).reply == text


FAREWELLS = {
    "english": "Kind regards,",
    "english, shorter": "Thanks & Regards,",
    "english, thanks": "Many thanks",
    "english, cut": "BR",
    "two languages": "Z poważaniem / Best regards",
    "german": "Mit freundlichen Grüßen",
    "german, from a town": "Viele Grüße aus Kiel",
    "french": "Merci d'avance,",
    "spanish": "Muchas gracias",
    "italian": "Grazie",
    "portuguese": "Obrigada,",
    "dutch": "Alvast bedankt,",
    "polish": "Z góry dziękuję",
    "czech": "S pozdravem",
    "swedish": "Med vänlig hälsning",
    "turkish": "Saygılarımla,",
    "ukrainian": "З повагою,",
    "japanese": "以上、よろしくお願いいたします。",
    "chinese": "谢谢！",
    "korean": "감사합니다.",
    "in no list": "Dia duit,",
}


@pytest.mark.parametrize("farewell", FAREWELLS.values(), ids=FAREWELLS.keys())
@pytest.mark.parametrize("gap", ["", "\n"], ids=["right below", "in a paragraph of its own"])
def test_card_below_a_farewell_goes_and_the_farewell_stays(farewell: str, gap: str) -> None:
    """The author took leave himself; name, title and number below are the signature."""
    text = f"{WORDS}\n\n{farewell}\n{gap}Ada Byron\nHead of Analysis\nT +44 20 7946 0000\n\n{OLD}"

    assert split(text, sender=SENDER).reply == f"{WORDS}\n\n{farewell}"


SIGNED = {
    "the full name": ("Ada Byron", "Ada Byron\nExample Ltd\n01632 960 221"),
    "a first name": ("Ada", "Ada Byron (she/her)\nAnalysis, Example Holdings\nPhone ext. 4471"),
    "farewell and first name": ("Best,\nAda", "Ada Byron | Head of Analysis\nExample Ltd\nM: +44 7700 900123"),
    "an academic": ("Many thanks\nAda", "Dr Ada Byron\nSenior Lecturer\nRoom E.214 | Office hours Tue 14-16"),
    "a formula above firm and street": (
        "Viele Grüße\nAda Byron",
        "Beispiel GmbH\nHauptstraße 5\n12345 Berlin\nTel. +49 30 1234567",
    ),
}


@pytest.mark.parametrize(("end", "card"), SIGNED.values(), ids=SIGNED.keys())
def test_card_below_the_author_s_own_name_goes(end: str, card: str) -> None:
    """Who signs a letter by hand writes no second name; farewell and first name stay."""
    assert split(f"{WORDS}\n\n{end}\n\n{card}\n\n{OLD}", sender=SENDER).reply == f"{WORDS}\n\n{end}"


CARDS = {
    "firm and number": "Ada Byron\nExample Ltd\n01632 960 221",
    "title and page": "Ada Byron\nHead of Analysis\nExample Ltd | www.example.com",
    "on behalf": "i. A. Ada Byron\nEinkauf\nTel. +49 30 1234567",
    "last name first": "BYRON Ada\nAchats\n01 23 45 67 89",
    "above a device": "Ada Byron\nExample Ltd\n01632 960 221\n\nSent from my iPhone",
    "below a logo": "[Example Ltd logo]\n\nAda Byron\nAnalysis\n01632 960 221",
    "cells": "| Ada Byron | Example Ltd |\n| +44 7700 900123 |",
}


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS.keys())
def test_last_paragraph_with_the_sender_s_data_goes(card: str) -> None:
    """Without any mark: the sender's full name above a number or address, below a whole sentence about something else."""
    assert split(f"{WORDS}\n\n{card}\n\n{OLD}", sender=SENDER).reply == WORDS
    assert split(f"{WORDS}\n\n{card}", sender=SENDER, first=True).reply in {
        WORDS + "\n\n" + card,
        WORDS + "\n\n" + card.partition("\n\nSent")[0],
    }


FRAMES = ["━━━━━━━━━━", "──────────", "==========", "＝＝＝＝＝＝", "**********", "◆◇◆◇◆◇◆◇", "----------"]


@pytest.mark.parametrize("rule", FRAMES)
def test_card_between_rules_goes(rule: str) -> None:
    """As Japanese mails draw it, in a first mail, too; the sender's name is known with and without a blank in it."""
    card = f"{rule}\nポンプ株式会社 営業部\n山田太郎\nTEL: 03-1234-5678\n{rule}"
    for first in (True, False):
        text = f"ポンプが漏れています。\n\nよろしくお願いいたします。\n\n{card}"
        parts = split(text, sender="山田 太郎 <taro@example.com>", first=first)

        assert parts.reply == "ポンプが漏れています。\n\nよろしくお願いいたします。"


MATTER = {
    "an address that is announced": "Please ship it to:\n\nAda Byron\n12 Mill Road\nMelby ML4\n01632 960 221",
    "an address that the text is about": "Here is my home address.\n\nAda Byron\n12 Mill Road\n01632 960 221",
    "french, a delivery": "Merci de livrer ici.\n\nAda Byron\n12 rue du Port\n06 00 00 00 00",
    "german, a delivery": "Bitte an die Privatanschrift.\n\nAda Byron\nHafenstr. 12\n040 1234567",
    "japanese, an address": "住所はこちらです。\n\n山田 太郎\n港町1-2-3\n03-1234-5678",
    "half a sentence": "It should read\n\nAda Byron\nExample Ltd\nVAT GB 123456789",
    "several people": "They are new.\n\nAda Byron\nada@example.com\nEve Stone\neve@example.com",
    "several people, a line each": "They are new.\n\nAda Byron 01632 960 221\nEve Stone 01632 960 222",
    "names alone": "These come on Monday.\n\nAda Byron\nEve Stone\nTom Reed",
    "a name and a place": "The key is with\n\nAda Byron\nHall B",
    "name and firm, typed": "It works.\n\nKind regards\nAda Byron\nExample Ltd",
    "name and firm below a farewell": "It works.\n\nUn abrazo,\nAda Byron\nExample Ltd",
    "a bank": "Please pay into my account.\n\nAda Byron\nIBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001",
    "a customer's number": "Please cancel it.\n\nAda Byron\nCustomer no. 12345678",
    "german, a customer's number": "Bitte kündigen.\n\nMit freundlichen Grüßen\n\nAda Byron\nKundennummer 12345678",
    "french, a contract": "Merci de résilier.\n\nAda Byron\nContrat n° 1234 5678",
    "japanese, a customer's number": "退会します。\n\n山田 太郎\nお客様番号：1234-5678",
    "a ticket below thanks": "Thanks,\nAda Byron\nTicket 1234567",
    "a name to sign in with": "Please unlock me.\n\nAda Byron\nlogin abyron\nada@example.com",
    "what a reviewer adds": "It works.\n\nTested-by: Ada Byron <ada@example.com>\nand on the small machine",
    "records parted by dashes": "My file:\n\nserver: alpha\n--\nthe line above is in the file, too\n\nWhy does it stop?\n\nAda",
    "who does what": "Open points\n====\nAda Byron: pump\nEve: valve",
    "steps between rules": "手順です。\n\n━━━━━━\n電源を切る\n蓋を開ける\n━━━━━━\n\nこれで良いですか?",
    "words below a farewell": "Thanks,\n\nthe two rooms are 4 and 5.\nAda",
    "words below a formula": "Regards\n\nAda\n\nIt is still leaking by the way.",
    "a sentence of the name": "It broke.\n\nAda Byron 2 is the pump's name.\nExample Ltd made it, 01632 960 221",
    "a command above two dashes": "I ran\n\nborrctl start --force\n--\nand then it went, but I dare not do it again. What is that?\n\nAda",
    "a remark below an address": "It is stuck.\n\nAda Byron\n12 Mill Road, 01632 960 221\n(that is where the man has to come, not to the office)",
    "words between rule and legal text": "So it looks:\n\n----------\n2 files left out\n\nIs it the same with you?\n\nThis e-mail is confidential and intended only for the addressee.\n\nAda",
    "what a telephone adds": "how do I remove\n\nSent from my iPhone\n\nfrom my mails?",
}


@pytest.mark.parametrize("text", MATTER.values(), ids=MATTER.keys())
def test_names_and_numbers_that_are_the_matter_stay(text: str) -> None:
    """Addresses that a text gives, lists of people and what goes on below a farewell are no signature."""
    sender = "山田 太郎 <taro@example.com>" if "山田" in text else SENDER

    assert split(f"{text}\n\n{OLD}", sender=sender).reply == text


NOTICES = {
    "github": "—\nReply to this email directly or view it on GitHub.",
    "bugzilla": "-- \nYou are receiving this mail because:\nYou are on the CC list for the bug.",
    "redmine": "--\nYou have received this notification because you have either subscribed to it, or are involved in it.",
    "groups": "-=-=-=-=-=-=-\nLinks: You receive all messages sent to this group.\nView/Reply: https://example.com/1",
    "salesforce": "ref:_00D1234._5001234:ref",
}


@pytest.mark.parametrize("notice", NOTICES.values(), ids=NOTICES.keys())
def test_notice_of_a_tracker_goes(notice: str) -> None:
    """What trackers and lists append below two dashes, in sentences, is none of the author's."""
    assert split(f"{WORDS}\n\n{notice}\n\n{OLD}", sender=SENDER).reply == WORDS


def test_device_line_within_a_marked_signature_is_part_of_it() -> None:
    """Proton puts its own sentence into the signature; `Regards,` that Zoho puts there stays."""
    lines = ("Ada Byron", "Sent with Proton Mail secure email.")
    marked = frozenset("".join(filter(str.isalnum, line)).casefold() for line in lines)
    zoho = frozenset({"thanksregards", "adabyron", "exampleltd"})

    assert split("Fine.\n" + "\n".join(lines), sender=SENDER, signature=marked).reply == "Fine."
    below = split("Fine.\n\nThanks & Regards,\nAda Byron\nExample Ltd", sender=SENDER, signature=zoho)
    assert below.reply == "Fine.\n\nThanks & Regards,"


DEVICES = [
    "Sent using the mobile mail app",
    "Obtenir Outlook pour iOS",
    "Inviato da Libero Mail",
    "Outlook voor Android downloaden",
    "Wysłane z Poczta dla Windows",
    "Získat Outlook pro Android",
    "Odesláno ze Seznam Emailu",
    "Posláno z mobilu",
    "Android için Outlook'u edinin",
    "Отримати Outlook для iOS",
    "获取 Outlook for iOS",
    "Outlook for Android を入手する",
    "iOS용 Outlook 다운로드",
    "네이버 메일 앱에서 보냄",
    "삼성 갤럭시 스마트폰에서 보냈습니다.",
    "Надіслано з моб. пристрою",
    "Enviado do Email para Windows",
]


@pytest.mark.parametrize("line", DEVICES)
def test_line_of_a_device_goes_in_any_listed_language(line: str) -> None:
    """Outlook's advertisement and the lines of national mail services are no words of the author."""
    assert split(f"{WORDS}\n\n{line}").reply == WORDS


def test_line_of_a_device_on_top_goes() -> None:
    """Some telephones write their line above the answer; a mail of nothing else keeps it."""
    assert split(f"Sent from my iPhone\n\n{WORDS}").reply == WORDS
    assert split(f"\nGesendet mit iPhone\n\n{WORDS}\n\nAda").reply == f"{WORDS}\n\nAda"
    assert split("Sent from my iPhone\n").reply == "Sent from my iPhone"
    assert split(f"Sent from my iPhone\n\n{WORDS}", first=True).reply.startswith("Sent from")


def test_last_paragraph_below_half_a_sentence_goes_with_number_and_page() -> None:
    """Many people end without a point; a number and an address together are a signature even so."""
    card = "Ada Byron\nExample Ltd\n01632 960 221\nwww.example.com"

    assert split(f"sounds good when can u start\n\n{card}", sender=SENDER).reply == "sounds good when can u start"


LEGAL = "This e-mail is confidential and intended solely for the addressee. If you have received it in error please notify the sender and delete this message."


@pytest.mark.parametrize(
    "end",
    [
        "Thanks and a nice day to you all\n\nAda Byron\nBuying\nExample s.r.o.\n01632 960 221",
        "Thanks, Ada\n\nAda Byron | Head of Analysis | Example Ltd",
        "Thanks, Ada\n\nAda Byron | Head of Analysis | Example Ltd\nThis e-mail is confidential. Example Ltd is regulated.",
        "Kind regards\n\nAda Byron\nHead of Maintenance\nExample Works and Plants Sp. z o.o.\ntel. 600 000 000",
    ],
)
def test_card_below_more_words_of_farewell_goes(end: str) -> None:
    """A line that begins with a formula takes leave whatever follows on it; a firm's legal form ends no sentence."""
    farewell = end.splitlines()[0]

    assert split(f"{WORDS}\n\n{end}\n\n{OLD}", sender=SENDER).reply == f"{WORDS}\n\n{farewell}"


def test_name_and_firm_above_legal_text_are_a_signature() -> None:
    """Legal text that a company appends stands below its signatures; without it name and firm may be the matter."""
    card = "Ada Byron\nExample Ltd"

    assert split(f"{WORDS}\n\n{card}\n\n{LEGAL}\n\n{OLD}", sender=SENDER).reply == WORDS
    assert split(f"{WORDS}\n\n{card}\n\n{OLD}", sender=SENDER).reply == f"{WORDS}\n\n{card}"
    shown = f"Please add\n\n{card}"
    assert split(f"{shown}\n\n{LEGAL}\n\n{OLD}", sender=SENDER).reply == shown


def test_legal_text_above_a_telephone_s_line_goes() -> None:
    """A telephone adds its line below what the company appends."""
    assert split(f"{WORDS}\n\n{LEGAL}\n\nSent from my iPhone\n\n{OLD}", sender=SENDER).reply == WORDS


def test_card_between_farewell_and_postscript_goes() -> None:
    """The program put the card above what the author added; farewell and postscript stay."""
    text = f"{WORDS}\n\nRegards,\nAda\n\nAda Byron\nExample Ltd\n01632 960 221\n\nP.S. - The second one, too.\n\n{LEGAL}\n\n{OLD}"

    assert split(text, sender=SENDER).reply == f"{WORDS}\n\nRegards,\nAda\n\nP.S. - The second one, too."


def test_short_name_of_the_family_is_part_of_the_name() -> None:
    """`/Gunnar` above a number is no card of Gunnar Ek: he typed it."""
    text = f"{WORDS}\n\n/Gunnar\n070-000 00 11"

    assert split(f"{text}\n\n{OLD}", sender="Gunnar Ek <gunnar@example.com>").reply == text


def test_answer_of_a_signature_alone_is_empty() -> None:
    """A signature above the older mail says nothing; of a forward the forwarded mail is the matter."""
    text = "Ada Byron\nExample Ltd\n01632 960 221\n\nFrom: Ben <ben@example.com>\nSent: Monday, March 9, 2026 5:02 PM\nTo: Ada\nSubject: Pump\n\nold"
    forward = text.replace("From: Ben", "---------- Forwarded message ----------\nFrom: Ben")

    assert (split(text, sender=SENDER).reply, split(text, sender=SENDER).quoted) == ("", text)
    assert split(forward, sender=SENDER).reply == forward
    assert split(text.replace("Ada Byron\nExample Ltd\n01632 960 221", "Ada"), sender=SENDER).reply == "Ada"


@pytest.mark.parametrize("end", ["", "\n\n" + OLD], ids=["alone", "above a quote"])
def test_sections_parted_by_rules_stay(end: str) -> None:
    """An author parts a text by lines of underscores; without name and address below them they are no signature's."""
    sections = "Crane 1\n________________________________\n\nCrane 2\n________________________________\n\nCrane 3"

    assert split(sections + end).reply == sections
    assert split(sections + end, sender=SENDER).reply == sections
    for section in ("Crane 2", "Name: Ada Byron\nDay: Monday"):
        assert split(f"Crane 1\n____\n{section}{end}", sender=SENDER).reply == f"Crane 1\n____\n{section}"


def test_name_of_one_who_writes_for_a_team_stays() -> None:
    """Where From names the team, the first line of the card is the author's name."""
    text = f"{WORDS}\n\nKind regards,\n\nIda\nCrane Support"

    assert split(f"{text}\n\n{OLD}", sender="Crane Support <desk@example.com>").reply == text.removesuffix(
        "\nCrane Support"
    )


@pytest.mark.parametrize(
    "card",
    ["Ada Byron\nAnalyst\nT 030 123456 | ada@example.com", "Ada Byron, Analyst\nada@example.com"],
    ids=["with a number", "with a title"],
)
@pytest.mark.parametrize("end", ["", "\n________________________________\nFrom: Ben", "\n\n" + OLD])
def test_card_with_the_sender_s_own_address_goes_right_below_the_text(card: str, end: str) -> None:
    """No blank line is needed where name and address are those of From and the text above has ended."""
    assert split(f"{WORDS}\n{card}{end}", sender=SENDER).reply == WORDS


def test_cells_with_the_sender_s_own_address_go() -> None:
    """A last line of labels, a number and the address of From is a program's, also without a name."""
    assert split(f"{WORDS}\nT 030 123456 | E ada@example.com", sender=SENDER).reply == WORDS


@pytest.mark.parametrize(
    "text",
    [
        "Write to both:\nAda Byron\nada@example.com",
        "Use this one for the crane\nAda Byron\nada@example.com",
        "The number is new.\nT 030 123456 | ada@example.com",
        "My data:\nT 030 123456 | ada@example.com",
        "Sure.\nada@example.com",
        "Sure.\nT 030 123456 | eve@example.com",
        "Sure.\ncalls before noon 030 123456 | ada@example.com",
        "T 030 123456 | ada@example.com",
    ],
)
def test_own_address_that_is_the_matter_stays(text: str) -> None:
    """Below a colon, half a sentence or a text about numbers, and where words stand beside it, it was asked for."""
    assert split(f"{text}\n\n{OLD}", sender=SENDER).reply == text


@pytest.mark.parametrize(
    "card",
    [
        "Thanks much,\n\nAda Byron, PE\nEngines, LLC\n555 Main Ave, Suite 2\n(555) 555-0142 office",
        "Thanks & Regards,\n\nAda Byron\nPlant Accounts, Bright Mills Pvt. Ltd.\nMob: +91 90000 00000",
        "Best regards from the archive\n\nAda Byron, M.A.\nReading room - letters\nada@example.com",
        "Rgds,\nAda\n\nAda Byron, Head of Analysis, Engines Ltd, cell 0700 000 000",
    ],
)
def test_streets_firms_and_degrees_are_a_card(card: str) -> None:
    """A street begins with a number and lists nothing; `Pvt. Ltd.` and `M.A.` end no sentence; one line may hold it all."""
    above = card[: card.index("\n\n")]

    assert split(f"{WORDS}\n\n{card}\n\n{OLD}", sender=SENDER).reply == f"{WORDS}\n\n{above}"


def test_a_title_beside_the_name_is_a_card_whatever_stands_above() -> None:
    """`Ada Byron | Head of Analysis` signs a text that speaks of numbers, too; `m 07700 900 214` is no sentence."""
    text = "The number of the seal is F-7719."
    card = "Ada Byron | Head of Analysis | Engines\nm 07700 900 214"

    assert split(f"{text}\n\n{card}\n\n{OLD}", sender=SENDER).reply == text


@pytest.mark.parametrize("list_", ["3 scanners\n1 printer\nada@example.com", "12 Pumps for the plant"])
def test_what_is_listed_below_a_name_stays(list_: str) -> None:
    """Below thanks and a name several lines that begin with a number are a list, as is one without a number or an address."""
    text = f"{WORDS}\n\nThanks,\n\nAda Byron\n{list_}"

    assert split(f"{text}\n\n{OLD}", sender=SENDER).reply == text
