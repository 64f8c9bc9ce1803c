"""What is searched for, and how sure a candidate is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.findings import Cues
from triage.domain.mail import Message
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.text.tokenizer import codes_in, quotes_in, stem, terms_in
from triage.policy.ticket.duplicates import rarest, score, search_words

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
THRESHOLD = 0.55


def ticket(key: str, summary: str, description: str = "", **more: object) -> Ticket:
    """An open bug."""
    given_or_usual = {"status": "Open", "category": "new", "issue_type": "Bug", "updated": NOW, **more}
    return Ticket(key=key, summary=Untrusted(summary), description=Untrusted(description), **given_or_usual)  # type: ignore[arg-type] # whatever the test gives


def mail(subject: str, reply: str = "", date: datetime | None = NOW) -> Message:
    """A mail of today."""
    return Message(subject=Untrusted(subject), reply=Untrusted(reply), text=Untrusted(reply), date=date)


LABELS = ticket(
    "SHOP-7",
    "Barcodes are cut off on thermal labels",
    "Since release 4.2 the right edge of the barcode is missing on Zebra printers. The driver logs `PRN-4711 page overflow`.",
    components=("Label Printing",),
)
SEARCH = ticket("SHOP-8", "Search finds no customers with umlauts", "Müller and Krüger are not found.")
LOGIN = ticket("SHOP-9", "Session ends after five minutes", "Users must log in again, the token expires too early.")
EXPORT = ticket("SHOP-10", "Export of invoices as spreadsheet", "The accountants would like an xlsx file.")
ALL = (SEARCH, LOGIN, LABELS, EXPORT)
SAME = mail(
    "Label edge missing on the Zebra",
    "Good morning Carl,\n\nour thermal printers cut the barcode off on the right edge since 4.2. The log says\n\n"
    "    PRN-4711 page overflow\n\nCan somebody look at label printing please?\n\nKind regards\nMira Session\nExport Ltd",
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


# --- how sure -----------------------------------------------------------------------------------


def test_the_same_thing_in_other_words() -> None:
    """A duplicate is first, above the threshold, and says why."""
    first, second, *_ = score(SAME, ALL)

    assert first.ticket == LABELS.line
    assert first.score >= THRESHOLD
    assert second.score < 0.1
    assert first.evidence == (
        "title: barcodes, cut, thermal, labels",
        "text: edge, zebra, printers, prn",
        "error text: PRN-4711",
        "component: Label Printing",
    )


def test_something_new_stays_below() -> None:
    """A mail about another thing reaches no ticket, whatever words they share."""
    ranked = score(
        mail("Search is slow", "Since the release the search for customers takes ten seconds on any printer."), ALL
    )

    assert {candidate.ticket for candidate in ranked} == {ticket.line for ticket in ALL}
    assert max(candidate.score for candidate in ranked) < THRESHOLD


def test_a_closed_ticket_is_less_likely_but_not_dropped() -> None:
    """What is done may come back."""
    was_open, was_closed = (score(SAME, (replace(LABELS, category=c), *ALL[:2]))[0] for c in ("new", "done"))

    assert was_closed.ticket.key == LABELS.key
    assert was_closed.score < was_open.score


def test_older_is_less_likely() -> None:
    """A ticket nobody touched for a year is less likely meant; unknown or future times change nothing."""

    def first(updated: datetime | None, date: datetime | None = NOW) -> float:
        return score(replace(SAME, date=date), (replace(LABELS, updated=updated),))[0].score

    fresh = first(NOW)

    assert first(NOW - timedelta(days=365)) < fresh
    assert first(None) == first(NOW + timedelta(days=3)) == first(NOW, date=None) == fresh
    assert first(NOW.replace(tzinfo=None)) == fresh


def test_a_named_ticket_is_likelier_but_not_by_itself() -> None:
    """A key in the mail is a hint: it lifts a likely ticket, and lifts nothing over the threshold alone."""
    unlike = score(mail("Question", "What about it?"), ALL, Cues(keys=("SHOP-10",)))[0]
    plain = {c.ticket.key: c.score for c in score(SAME, ALL)}
    named = {c.ticket.key: c for c in score(SAME, ALL, Cues(keys=("SHOP-7",)))}

    assert unlike.ticket == EXPORT.line
    assert unlike.score < THRESHOLD
    assert named["SHOP-7"].score > plain["SHOP-7"]
    assert named["SHOP-7"].evidence[0] == "named in the mail: SHOP-7"


def test_titles_of_different_technologies_are_different_things() -> None:
    """The same fault of the Android app is not the iOS ticket."""
    tickets = (ticket("APP-1", "Android: photo upload stops"), ticket("APP-2", "iOS: photo upload stops"))

    ranked = score(mail("Android: photo upload stops at half"), tickets)

    assert [candidate.ticket.key for candidate in ranked] == ["APP-1", "APP-2"]
    assert ranked[0].score > ranked[1].score + 0.2


def test_a_common_quotation_is_evidence() -> None:
    """The same message in quotation marks on both sides speaks for the same thing."""
    tickets = (ticket("APP-3", "Upload", 'It says "the parcel has left us"'), ticket("APP-4", "Upload", "It fails"))

    first = score(mail("Upload", "I get “The parcel has  left us” all day"), tickets)[0]

    assert first.ticket.key == "APP-3"
    assert "quotation: the parcel has left us" in first.evidence


def test_only_the_first_ten_say_why() -> None:
    """Nobody reads the eleventh."""
    tickets = tuple(ticket(f"APP-{n}", "photo upload stops") for n in range(12))

    ranked = score(mail("photo upload stops"), tickets)

    assert [bool(candidate.evidence) for candidate in ranked] == [True] * 10 + [False] * 2


def test_no_tickets_no_candidates() -> None:
    """An empty search has no candidates, and an empty ticket is none."""
    assert score(SAME, ()) == ()
    assert score(SAME, (ticket("APP-5", ""),))[0].score < THRESHOLD
    assert score(mail(""), ALL)[0].score < THRESHOLD


@given(st.text(max_size=200), st.text(max_size=200))
def test_scores_are_shares_and_sorted(subject: str, text: str) -> None:
    """Whatever the texts, every ticket has a score between 0 and 1, the best first."""
    scores = [c.score for c in score(mail(subject, text), (*ALL, ticket("APP-6", subject, text)))]

    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= value <= 1 for value in scores)


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
