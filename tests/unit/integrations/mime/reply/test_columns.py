"""The header of an older mail in HCL Notes, whose labels stand on lines of their own."""

import pytest

from integrations.mime.reply.split import split

OWN = "Dear Ben,\n\nit runs.\n\nThe pump team"

HEADERS = {
    "english": "Lena Voss <lena@pumps.example>\n09.03.2026 17:02\n\nTo\nPumps <desk@pumps.example>\ncc\n\nSubject\nPump",
    "with a proxy": "Lena Voss <lena@pumps.example>\nSent by: Ida <ida@pumps.example>\n03/09/2026 05:02 PM\nPlease respond to\nLena Voss <lena@pumps.example>\n\n\nTo\nPumps/ACME@ACME\ncc\n\nSubject\nPump",
    "in paragraphs": "Lena Voss <lena@pumps.example>\nSent by: Ida\n\n09.03.2026 17:02\n\nPlease respond to\nLena Voss\n\nTo\nPumps/ACME\ncc\nSubject\nPump",
    "german": "Lena Voss/ACME\n09.03.2026 17:02\n\nAn\nPumpen/ACME@ACME\nKopie\n\nThema\nPumpe",
    "french": "Lena Voss/ACME\n09/03/2026 17:02\n\nPour\nPompes/ACME@ACME\ncc\n\nObjet\nPompe",
}
OTHERS = {
    "no moment": "Lena Voss\nof Pumps\n\nTo\nPumps\n\nSubject\nPump",
    "no labels": "Lena Voss\n09.03.2026 17:02\n\nThe belt slipped.\n\nIt is new.",
    "no subject": "Lena Voss\n09.03.2026 17:02\n\nTo\nPumps",
    "subject without a value": "Lena Voss\n09.03.2026 17:02\n\nTo\nPumps\nSubject",
    "nothing below": "Lena Voss\n09.03.2026 17:02",
    "a long paragraph": "Lena\n1\n2\n3\n4\n5\n6\n09.03.2026 17:02\n\nTo\nPumps\n\nSubject\nPump",
    "a moment in a sentence": "Lena Voss\ncame by on 09.03.2026 17:02 with a new belt\n\nTo\nPumps\n\nSubject\nPump",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS.keys())
def test_labels_on_lines_of_their_own_begin_the_history(header: str) -> None:
    """The author's paragraph with the moment, then To and Subject above their values, end the reply."""
    parts = split(f"{OWN}\n\n\n\n{header}\n\n\n     Does it run?")

    assert (parts.reply, parts.quoted.endswith("Does it run?")) == (OWN, True)
    assert parts.quoted.startswith(header.split("\n", maxsplit=1)[0])


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS.keys())
def test_other_paragraphs_stay(text: str) -> None:
    """A list, a log or a form with some of it is the author's."""
    assert split(f"{OWN}\n\n{text}").reply == f"{OWN}\n\n{text}"


def test_first_mail_shows_the_header() -> None:
    """In the first mail of a thread such lines are what the author writes about."""
    text = f"{OWN}\n\n{HEADERS['english']}\n\nDoes it run?"

    assert split(text, first=True).reply == text
