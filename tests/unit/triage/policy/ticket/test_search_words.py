"""What is searched for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.text.tokenizer import codes_in, quotes_in, stem, terms_in
from triage.policy.ticket.search_words import rarest, search_words

SAME = Message(
    subject=Untrusted("Label edge missing on the Zebra"),
    reply=Untrusted(
        "Good morning Carl,\n\nour thermal printers cut the barcode off on the right edge since 4.2. The log says\n\n"
        "    PRN-4711 page overflow\n\nCan somebody look at label printing please?\n\nKind regards\nMira Session\nExport Ltd"
    ),
)


# --- what to search for -------------------------------------------------------------------------


def test_the_telling_words_come_first() -> None:
    """Codes and rare words of the subject lead; greeting, signature, stop words and addresses are left out."""
    words = search_words(f"{SAME.subject}\n{SAME.reply}")

    assert len(words) == 8
    assert set(words[:4]) == {"label", "edge", "zebra", "prn-4711"}
    assert not {"carl", "mira", "session", "export", "ltd", "good", "please", "the"} & set(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        ("Hello\nthank you and best regards", ()),
        ("labels label Label", ("label",)),
        ("see https://example.com/labels or labels@example.com", ()),
        ("4.2 2026-03-02 17 ab", ()),
        ("Rechnungen können nicht exportiert werden", ("rechnungen", "exportiert")),
        ("Las facturas no se pueden exportar", ("facturas", "exportar")),
        ("Faktury nelze exportovat", ("faktury", "nelze", "exportovat")),
    ],
)
def test_words_that_find_nothing_are_not_searched(text: str, words: tuple[str, ...]) -> None:
    """Stop words of five languages, numbers, addresses and second forms of a word are no search words."""
    assert search_words(text) == words


def test_one_code_leads_and_many_do_not() -> None:
    """An error code is what to search for; a list of order numbers is not."""
    assert search_words("Parcels lost\nthe answer is ERR-4711")[0] == "err-4711"
    assert search_words("Parcels lost\nPRG-118, PRG-119, PRG-120 and PRG-121")[:2] == ("parcels", "lost")


def test_a_common_word_gives_way() -> None:
    """Words that every ticket has come after those that few have."""
    assert search_words("error window barcode")[0] == "barcode"


@given(st.text(max_size=400))
def test_any_text_gives_eight_words_at_most(text: str) -> None:
    """Whatever is written, the search stays short and repeats nothing."""
    words = search_words(text)

    assert len(words) <= 8
    assert len(words) == len(set(words))


# --- terms --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        ("crash crashes crashed crashing", "crash"),
        ("invoice invoices invoiced invoicing", "invoic"),
        ("stop stops stopped stopping", "stop"),
        ("query queries", "query"),
        ("pull pulled pulls", "pull"),
        ("bus", "bus"),
        ("speed", "speed"),
        ("bed", "bed"),
        ("x86s", "x86s"),
    ],
)
def test_stems(forms: str, expected: str) -> None:
    """The forms of an English word are one term."""
    assert {stem(form) for form in forms.split()} == {expected}


def test_identifiers_are_taken_apart() -> None:
    """`saveInvoice` matches both itself and an invoice that is saved; other alphabets stay whole."""
    assert terms_in("saveInvoice and ČísloFaktury") == ["saveinvoice", "sav", "invoic", "cislofaktury"]


def test_codes_and_quotations() -> None:
    """Error codes, constants and exceptions are found; ordinary words and sizes are not."""
    text = "ORA-00942, ERR_CONNECTION_RESET, 0x80070005, E1234, java.lang.NullPointerException; UTF-8 TODO 4x6 «not  found here»"

    assert codes_in(text) == {"ORA-00942", "ERR_CONNECTION_RESET", "0x80070005", "E1234", "NullPointerException"}
    assert quotes_in(text) == {"not found here"}


class TestRarest:
    """Words for a search that returns the newest tickets."""

    def test_rare_words_come_first(self) -> None:
        """Those that known tickets hold, as long as their tickets are few together; then those that none holds."""
        frequencies = {"order": 900, "wrapper": 20, "turntable": 4, "hall": 90}

        assert rarest(["order", "mirka", "hall", "wrapper", "turntable"], frequencies) == (
            "turntable",
            "wrapper",
            "mirka",
        )

    def test_everyday_words_alone_are_asked_for_by_the_rarest(self) -> None:
        """A search without words would find nothing."""
        assert rarest(["order", "hall"], {"order": 900, "hall": 400}) == ("hall",)

    def test_without_known_tickets_the_most_telling_words_are_asked_for(self) -> None:
        """Eight at most, in their order."""
        words = [f"word{number}" for number in range(12)]

        assert rarest(words, {}) == tuple(words[:8])
        assert rarest([], {}) == ()
