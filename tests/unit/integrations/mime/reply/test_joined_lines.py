"""Lines on which a program left out the end of a line, in front of its sign of history or of a signature."""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

import pytest

from integrations.mime.reply.joined_lines import parts_of
from integrations.mime.reply.split import split

OWN = "The belt slipped twice."
SAMSUNG = "From: Lena Voss <lena@pumps.example> Date: 09/03/26 17:02 (GMT+01:00) To: support@acme.example Subject: Belt"

ATTRIBUTIONS = {
    "english": "On Mon, Mar 9, 2026 at 5:02 PM, lena@pumps.example wrote:",
    "without an address": "On Mon, Mar 9, 2026 at 5:02 PM, Lena Voss wrote:",
    "german": "Am Mo., 9. März 2026 um 17:02 Uhr schrieb Lena Voss <lena@pumps.example>:",
    "french": "Le lun. 9 mars 2026 à 17:02, Lena Voss <lena@pumps.example> a écrit :",
    "spanish": "El lun, 9 mar 2026 a las 17:02, Lena Voss (<lena@pumps.example>) escribió:",
    "broken": "On Mon, Mar 9, 2026 at 5:02 PM Lena Voss\n<lena@pumps.example> wrote:",
    "polish, a day of the week": "pon., 9 mar 2026 o 17:02 Lena Voss <lena@pumps.example> napisał(a):",
    "norwegian": "man. 9. mars 2026 kl. 17:02 skrev Lena Voss <lena@pumps.example>:",
    "russian, without a verb": "пн, 9 мар. 2026 г. в 17:02, Lena Voss <lena@pumps.example>:",
    "thunderbird, russian": "09.03.2026 17:02, Lena Voss пишет:",
    "behind dashes": "--- On Mon, 3/9/2026 5:02 PM, Lena Voss <lena@pumps.example> wrote:",
}
SEPARATORS = {
    "samsung": f"-------- Original message --------{SAMSUNG}",
    "samsung, german": "-------- Ursprüngliche Nachricht --------Von: Lena Voss  Datum: 09.03.26  17:02  (GMT+01:00) An: Betreff: Band",
    "nothing below": f"-------- Original message --------\n{SAMSUNG}",
    "below a device": f"Sent from my Galaxy-------- Original message --------{SAMSUNG}",
    "forwarded": f"---------- Forwarded message ---------{SAMSUNG}",
}


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())
@pytest.mark.parametrize("quote", ["> Which one?", "Which one?"], ids=["marked", "unmarked"])
@pytest.mark.parametrize("above", ["", "Since noon.\n"], ids=["one line", "two lines"])
def test_words_on_the_line_of_an_attribution_are_the_author_s(attribution: str, quote: str, above: str) -> None:
    """Some programs lose the line break between the answer and the attribution; the answer is not lost with it."""
    parts = split(f"{above}{OWN} {attribution}\n{quote}")

    assert parts.reply == f"{above}{OWN}"
    assert parts.quoted.split("\n")[0] == attribution.split("\n", maxsplit=1)[0]
    assert parts.quoted.endswith("Which one?")


@pytest.mark.parametrize("separator", SEPARATORS.values(), ids=SEPARATORS.keys())
@pytest.mark.parametrize("end", ["", "\n\n"], ids=["on the line", "below"])
def test_separator_on_a_line_with_other_words_begins_the_history(separator: str, end: str) -> None:
    """Telephones put `Original message` before the header without a line end, and at times behind the answer."""
    parts = split(f"{OWN}{end}{separator}\n\nWhich one?")

    assert (parts.reply.removesuffix("Sent from my Galaxy"), parts.quoted.endswith("Which one?")) == (OWN, True)


@pytest.mark.parametrize(
    "line",
    [
        "Ada Byron <ada@example.com> schrieb am Mo., 9. März 2026 um 17:02:",
        "On Mon, Mar 9, 2026 at 5:02 PM Jean On Le Roux <jean@example.com> wrote:",
        "9 March was fine. On Monday the daemon wrote:",
        "ในวันที่ จ. 6 ต.ค. 2025 เวลา 08:41 Ada <ada@example.com> เขียนว่า:",
        "ma 9. maalisk. 2026 klo 17.02 Ada Byron <ada@example.com> kirjoitti:",
        "På mån. 9 mars 2026 kl. 17:02 skrev Ada Byron <ada@example.com>:",
        "It is in the list. On 9 March 2026 we shipped to ada@example.com:",
        "The ---- Original message ---- From our own log is gone.",
        "The line ---- Original message ---- is missing.",
        "> Yes. On Mon, Mar 9, 2026 at 5:02 PM, ada@example.com wrote:",
        "ada@example.com On Mon, Mar 9, 2026 at 5:02 PM Ada wrote:",
        f"{'A long story of ours. ' * 200}On Mon, Mar 9, 2026 at 5:02 PM, ada@example.com wrote:",
        "It is known. On Monday, 9 March 2026 Ada wrote: it is known.",
        "-------- Original message --------",
    ],
)
def test_other_lines_stay_whole(line: str) -> None:
    """Attributions, quotes and prose about either are one line."""
    assert parts_of([line, "below"], 0) == (line,)


OWNS = {
    "short": OWN,
    "address": "Mail me at ida@belts.example, please.",
    "long": "It slips. " * 90,
    "card": "It slips, as I wrote. Ida Stone Belts - repairs 0100 5550 ida@belts.example https://belts.example/ 46 Mill Road Upper Melby ML4 WEST SIDE",
}


@pytest.mark.parametrize("own", OWNS.values(), ids=OWNS.keys())
@pytest.mark.parametrize(
    "sign",
    ["On Mon, Mar 9, 2026 at 5:02 PM Lena Voss <lena@pumps.example> wrote:", ATTRIBUTIONS["french"]],
    ids=["english", "french"],
)
def test_mail_on_one_line_is_parted(own: str, sign: str) -> None:
    """Some programs write answer, attribution and older mail on one line; French has a blank before the colon."""
    parts = split(f"{own.strip()} {sign} Which one? {'I see none. ' * 90}")

    assert (parts.reply, parts.quoted.split("\n")[0]) == (own.strip(), sign)


def test_marks_of_the_markup_move_with_their_lines() -> None:
    """A line that was broken above a mark leaves the mark on its own line."""
    first = f"{OWN} {ATTRIBUTIONS['english']}"
    parts = split(f"{first}\n> Which one?\n\nThe left.\nold words", frozenset({4, 99}))

    assert parts.reply.split("\n")[0] == OWN
    assert parts.quoted.endswith("old words")


def test_name_behind_the_mark_of_a_signature_begins_it() -> None:
    """Some programs write `-- Ada Byron` on one line; with the sender's name it is a signature, else a text of the author."""
    quote = f"{ATTRIBUTIONS['english']}\n> Which one?\n"
    sender = "Lena Voss <lena@pumps.example>"

    assert split(f"{OWN}\n\n{quote}-- Lena Voss, M.Sc.\n   Head of Pumps", sender=sender).reply == OWN
    assert split(f"{OWN}\n\n-- and one more thing", sender=sender).reply == f"{OWN}\n\n-- and one more thing"


@pytest.mark.parametrize(
    "header",
    [
        "From: Ada@example.comSent: Monday, 9 March 2026To: ben@example.comSubject: The pump",
        "  From: desk@example.comDate: 9 March 2026 17:02 To: Ben ben@example.comSubject: The pump",
        "Von: ada@example.comGesendet: Montag, 9. März 2026An: ben@example.comBetreff: Die Pumpe",
    ],
)
def test_header_on_one_line_begins_the_history(header: str) -> None:
    """A program left out the ends of all lines of the older mail's header."""
    parts = split(f"{OWN}\n\n{header}\nWhich one?")

    assert (parts.reply, parts.quoted.endswith("Which one?")) == (OWN, True)


@pytest.mark.parametrize(
    "line",
    [
        "From: ada@example.com To: ben@example.com Subject: The pump Date: today",
        "From: the yardTo: the pierSubject: the pump",
        "From: ada@example.comTo: the pier",
        "To: ada@example.comFrom: benSubject: The pump",
    ],
)
def test_fields_on_one_line_that_an_author_types_stay_whole(line: str) -> None:
    """He leaves blanks between them; a header has an address, three fields and the author first."""
    assert parts_of([line], 0) == (line,)
