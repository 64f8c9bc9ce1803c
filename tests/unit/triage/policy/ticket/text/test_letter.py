"""The frame of a letter is taken off: greeting, closing, quotes, headers of forwarded mails, tracking links."""
# ruff: noqa: RUF001 - the letters of other alphabets are the point

import pytest

from triage.domain.mail import RichLine
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.text.letter import LetterParts, letter_of

SENDER = "Ada Byron <ada@harbour.example>"


def read(text: str, *, forward: bool = False) -> LetterParts:
    """The letter in a text without markup."""
    return letter_of([RichLine(Untrusted(line)) for line in text.split("\n")], sender=SENDER, forward=forward)


def words(text: str) -> str:
    """The lines that stay."""
    return "\n".join(line.text for line in read(text).lines)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hello team,\n\nit fails.", "it fails."),
        ("Hi Bob, it fails.", "it fails."),
        ("Hallo Herr Krause, hallo IT,\n\nes klemmt.", "es klemmt."),
        ("bom dia. não imprime.", "não imprime."),
        ("Dear Sir or Madam,\nDear all,\nit fails.", "it fails."),
        ("こんにちは。印刷できません。紙もあります。", "印刷できません。紙もあります。"),
        ("您好！打印机坏了。", "打印机坏了。"),
        ("Góðan daginn,\n\nit fails.", "it fails."),
        ("Hola, equipo:\n\nno funciona.", "no funciona."),
        ("Hello,", "Hello,"),
        ("Nothing works,\nsays Bob.", "Nothing works,\nsays Bob."),
        ("It fails.\n\nKind regards\nAda", "It fails."),
        ("It fails.\n\nAda Byron\nHarbour Office", "It fails."),
        ("It fails.\nBest,\nAda", "It fails."),
        ("It fails.\n\nTa,\nA.", "It fails."),
        ("It fails.\n\n- a", "It fails."),
        ("The bins are:\n\nA\nB", "The bins are:\n\nA\nB"),
        ("It fails.\n\nAda\n\nAda Byron | Harbour Office\nUnit 9 Penarth Trading Est.\n07700 900 318", "It fails."),
        (
            "It fails.\n\nTa,\nAda\n\nAda Byron | Harbour Office\nThis e-mail may contain confidential information.",
            "It fails.",
        ),
        ("壊れています。\n\n━━━━━━━━━━\n株式会社 港\nTEL 03-0000-0000\n━━━━━━━━━━", "壊れています。"),
        (
            "The totals:\n=====\n20 417 4711\n=====\nAll of 2026.",
            "The totals:\n=====\n20 417 4711\n=====\nAll of 2026.",
        ),
        ("It fails.\ngr. Ada", "It fails."),
        ("壊れています。\n\n田中", "壊れています。"),
        ("无法下载。谢谢!\n陈梅", "无法下载。谢谢!"),
        ("Не приходят SMS.\nИрина", "Не приходят SMS."),
        ("Нужно\nСрочно", "Нужно\nСрочно"),
        ("It fails.\nAda, professor of the 8.\u00ba B", "It fails."),
        ("It fails.\nAda (staff no 20418)", "It fails."),
        ("It fails.\nThanks, Ada, ward 2B", "It fails."),
        ("It fails.\nBob, head of the yard", "It fails.\nBob, head of the yard"),
        ("It fails with\nAda, Bob and Kim", "It fails with\nAda, Bob and Kim"),
        ("It fails.\nAda, please move it!", "It fails.\nAda, please move it!"),
        ("It fails.\nAda says so.", "It fails.\nAda says so."),
        ("> old\nIt fails.", "It fails."),
        ("It says\n> NO ROOM\nand stops.", "It says\nNO ROOM\nand stops."),
        ("Yes.\n> one\n> two\n> three\n> four\nNo.", "Yes.\nNo."),
        (
            "See https://click.mailer.example/x?utm_source=a now\nhttps://yard.example/a",
            "See  now\nhttps://yard.example/a",
        ),
        ("It fails.\nhttps://a.example/ls/click?x\nEnd.", "It fails.\nEnd."),
        ("", ""),
    ],
)
def test_the_frame_goes(text: str, left: str) -> None:
    """What is about the matter stays, in the lines as written."""
    assert words(text) == left


def test_a_role_stands_before_a_name_without_blanks() -> None:
    """`フロント 佐藤` is the sender below a sentence, a list of two words is not."""
    lines = [RichLine(Untrusted(line)) for line in ("壊れています。", "フロント 佐藤")]

    assert len(letter_of(lines, sender="佐藤 健 <sato@hotel.example>").lines) == 1
    assert len(letter_of(lines, sender="田中 <tanaka@hotel.example>").lines) == 2


def test_an_answer_below_a_note_is_no_matter() -> None:
    """A history of a few words is what the sender refers to, not a mail that he passes on."""
    text = "Could I get read rights on the crash reports of the driver app? My lead has said yes.\n\n-----Original Message-----\nFrom: Eve <eve@yard.example>\nSent: today\nSubject: RE: reports\n\nFine with me."
    letter = letter_of([RichLine(Untrusted(line)) for line in text.split("\n")], forward=True)

    assert (len(letter.lines), letter.note, letter.requester) == (1, (), "")


GMAIL = "---------- Forwarded message ---------\nFrom: Olaf Kroon <olaf@pilot.example>\nDate: today\nSubject: list\n\nIt is empty."


@pytest.mark.parametrize(
    ("text", "requester", "note", "inner"),
    [
        (f"Please look.\n\n{GMAIL}", "Olaf Kroon <olaf@pilot.example>", "Please look.", "It is empty."),
        (GMAIL, "Olaf Kroon <olaf@pilot.example>", "", "It is empty."),
        ("Von: olaf@pilot.example\nGesendet: heute\nBetreff: Liste\n\nLeer.", "olaf@pilot.example", "", "Leer."),
        ("From: Olaf\nDate: today\n\nEmpty.", "", "", "Empty."),
        ("Look.\n\n-------- Forwarded Message --------\nno header", "", "", "Look.\n\n-------- Forwarded Message --------\nno header"),
        (f"Note.\n\n{GMAIL.replace('It is empty.', '')}", "Olaf Kroon <olaf@pilot.example>", "", "Note."),
        (
            f"Look.\n\n{GMAIL}\n\nOlaf Kroon\n\n> On Mon, 23 Nov 2026 at 10:02, Kim wrote:\n> Try again.",
            "Olaf Kroon <olaf@pilot.example>",
            "Look.",
            "It is empty.",
        ),
        (
            "Note.\n\n> From: Olaf Kroon <olaf@pilot.example>\n> Date: today\n>\n> Empty.\n> Yes.",
            "Olaf Kroon <olaf@pilot.example>",
            "Note.",
            "Empty.\nYes.",
        ),
    ],
)  # fmt: skip
def test_a_forwarded_mail_names_who_has_the_problem(text: str, requester: str, note: str, inner: str) -> None:
    """Author and text of the forwarded mail are the matter, the forwarder's words a note."""
    letter = read(text, forward=True)

    assert letter.requester == requester
    assert "\n".join(line.text for line in letter.note) == note
    assert "\n".join(line.text for line in letter.lines) == inner


def test_the_first_mail_of_a_chain_of_forwards_is_the_matter() -> None:
    """Who wrote it has the problem; what each forwarder adds is a note."""
    text = (
        "Please look today.\n\nAda\n\n---------- Forwarded message ---------\nFrom: Desk <desk@harbour.example>\n"
        "Date: Mon, 23 Nov 2026\nSubject: Fwd: Crane\nTo: Ada <ada@harbour.example>\n\npassing on to you\n\n"
        "---------- Forwarded message ---------\nFrom: Bo <bo@berth.example>\nDate: Sun, 22 Nov 2026\n"
        "Subject: Crane\nTo: <desk@harbour.example>\n\nHello,\n\nthe crane is stuck.\n\nThanks\nBo"
    )

    letter = read(text, forward=True)

    assert [line.text for line in letter.lines] == ["the crane is stuck."]
    assert [line.text for line in letter.note] == ["Please look today.", "", "passing on to you"]
    assert (letter.requester, letter.subject) == ("Bo <bo@berth.example>", "Crane")
    assert len(letter.header) == 10


def test_outlook_passes_on_without_a_marker() -> None:
    """A forwarded mail whose subject says that it is a forward is looked into for the one that it passes on."""
    text = (
        "Please look.\n\nFrom: Desk <desk@harbour.example>\nSent: Monday\nSubject: FW: Crane\n\nSee below.\n\n"
        "From: Bo <bo@berth.example>\nSent: Sunday\nSubject: Crane\n\nIt is stuck."
    )

    assert read(text, forward=True).requester == "Bo <bo@berth.example>"
    assert read(text.replace("FW: ", "RE: "), forward=True).requester == "Desk <desk@harbour.example>"


def test_answers_keep_their_questions() -> None:
    """A quote between whose lines the author answers stays as a quote; one with a single answer is history."""
    text = "Hi Bo,\n\n> Since when?\nSince Monday.\n>\n> All cranes?\nOnly the red one.\n\n> Regards\n> Bo"
    lines = read(text).lines

    assert [(line.text, line.kind) for line in lines if line.text] == [
        ("Since when?", "quote"),
        ("Since Monday.", ""),
        ("All cranes?", "quote"),
        ("Only the red one.", ""),
    ]
    assert [line.text for line in read("> Since when?\nSince Monday.").lines] == ["Since Monday."]


FOOTER = "It fails.\n\nAda Byron\nHarbour Office\nt: +44 117 555 0100\nHarbour Ltd. is entered in the register of the port.\nMeet us at the fair!"


def test_a_footer_begins_with_the_full_name() -> None:
    """Below the name a number shows how to reach the sender; what a firm writes under that belongs to it, a postscript does not."""
    assert words(FOOTER) == "It fails."
    assert words(f"{FOOTER}\nPS: also the red one") != "It fails."
    assert words(FOOTER.replace("+44 117 555 0100", "none")) != "It fails."
    assert words(FOOTER.replace("Ada Byron", "Ada")) != "It fails."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("海雑貨の高橋です。\n\n壊れています。", "壊れています。"),
        ("海雑貨の高橋でございます。壊れています。\n次に止まります。", "壊れています。\n次に止まります。"),
        ("最新の状態です。\n壊れています。", "最新の状態です。\n壊れています。"),
        ("海雑貨の高橋です。", "海雑貨の高橋です。"),
    ],
)
def test_a_japanese_mail_says_who_writes(text: str, left: str) -> None:
    """The sentence with the sender's name is no part of the matter, unless it is all there is."""
    lines = letter_of(
        [RichLine(Untrusted(line)) for line in text.split("\n")], sender="高橋 健 <takahashi@umi.example>"
    ).lines

    assert "\n".join(line.text for line in lines) == left


def test_what_programs_add_to_each_mail_goes() -> None:
    """Lines such as `Please type your reply above this line` say nothing; in code they stay."""
    text = "##- Please type your reply above this line -##\n\nIt fails.\n\nThis email is a service from Yard."
    kept = RichLine(Untrusted("This email is a service from Yard."), "code")

    assert words(text) == "It fails."
    assert letter_of([RichLine(Untrusted("It says:")), kept]).lines[1] == kept


def test_a_desk_names_who_has_the_problem() -> None:
    """Its template has a field for that."""
    text = "A new request.\n\nRequester: Bo Berg\nEmail: Bo@berth.example\nCategory: Crane"

    assert read(text).requester == "Bo Berg <bo@berth.example>"


def test_what_a_program_showed_is_no_quote() -> None:
    """The `>` of `curl -v` stays, and its lines with it."""
    text = "It fails:\n* Connected\n> GET /a HTTP/1.1\n> Host: a\n> A: b\n> C: d\n< HTTP/1.1 403 Forbidden\nWhy?"

    assert words(text) == text


def test_a_banner_of_the_own_mail_server_goes() -> None:
    """With it the greeting below, as with a line that points to another language."""
    assert words("CAUTION: This email originated from outside your organization.\n\nHello,\n\nit fails.") == "it fails."
    assert words("(English version below)\n\nHello team,\n\nit fails.") == "it fails."
    assert words("It fails.\n\nAda, head of the yard") == "It fails."


def test_a_chain_without_end_is_looked_into_so_far() -> None:
    """Hundreds of headers one below the other end the search, not the program."""
    text = "\n\n".join(f"Look.\n\nFrom: Bo <bo{n}@berth.example>\nSubject: FW: Crane" for n in range(600))

    assert read(f"{text}\n\nIt is stuck.", forward=True).requester == "Bo <bo12@berth.example>"
