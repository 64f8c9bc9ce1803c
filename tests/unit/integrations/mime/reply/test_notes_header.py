"""Headers of older mails of another form: labels on lines of their own, as HCL Notes writes them, few fields, attributions in bold."""

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


@pytest.mark.parametrize(
    "below",
    [
        "________________________________\nFrom: Ada",
        "________________________________\nVon: Ada\n\nold",
        "__________\nFrom: ada@example.com",
        "From: Ada\nTo: Ben\nSubject: Pump",
        "De: Ada\nPara: Ben\nAssunto: Bomba\n",
        "---------- Replied message ----------\nSender: Ada <ada@example.com>\nSubject: RE: Pump\n\nold",
    ],
)
def test_fields_without_address_and_time_begin_the_history(below: str) -> None:
    """Below the rule that Outlook draws one field is enough, as with an address below any; and three at the end of the text."""
    assert split(f"{OWN}\n\n{below}").reply == OWN
    assert split(f"{OWN}\n\n{below}", first=True).reply == f"{OWN}\n\n{below}".strip()


@pytest.mark.parametrize(
    "text",
    [
        "It says:\n\nFrom: Ada\nTo: Ben\nSubject: Pump",
        "I fill in\n\nFrom: Ada\nTo: Ben\nSubject: Pump\n\nand it stops.",
        "I fill in\n\nFrom: Kiel\nTo: Lyon",
        "The yard\n____\nFrom: Kiel to Lyon",
    ],
)
def test_fields_that_an_author_shows_stay(text: str) -> None:
    """What a colon announces, goes on below, or has no subject is no older mail's header."""
    assert split(text, sender="Ada Byron <ada@example.com>").reply == text


@pytest.mark.parametrize(
    "attribution",
    [
        "On Mon, Mar 9, 2026 at 5:02 PM Ada Byron\n<ada@example.com>> wrote:*",
        "*On Mon, Mar 9, 2026 at 5:02 PM Ada Byron <ada@example.com> wrote:*",
        "Byron A. 09.03.2026 17:02 написал:",
    ],
    ids=["bold at the end", "bold", "the moment between name and verb"],
)
@pytest.mark.parametrize("quote", ["", "\n\n> old", "\n\nold"], ids=["at the end", "quote", "bare"])
def test_attribution_is_known_with_markup_and_in_another_order(attribution: str, quote: str) -> None:
    """A program shows the line in bold; another puts date and time between name and verb."""
    assert split(f"{OWN}\n\n{attribution}{quote}").reply == OWN
