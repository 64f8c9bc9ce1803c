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
