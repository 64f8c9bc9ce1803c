"""Tickets and mails are cut into the same terms, whatever the script, and mails of any size into few."""

from datetime import UTC, datetime

import pytest

from triage.domain.retrieval import Hit
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.ranking.documents import document_of, packed
from triage.policy.ranking.ranker import seconds_of
from triage.policy.text.tokenizer import terms_in
from triage.policy.ticket.index_entry import FACTS, MOST_TERMS, contender_of, entry_of, query_of, word_frequencies


def ticket(summary: str, description: str = "", **values: object) -> Ticket:
    """A ticket of this text."""
    given = {"key": "OPS-1", "status": "To Do", "category": "new", "issue_type": "Bug"} | values
    return Ticket(summary=Untrusted(summary), description=Untrusted(description), **given)  # type: ignore[arg-type]


def test_the_summary_is_in_both_fields() -> None:
    """A word of the title counts in the text, too."""
    entry = entry_of(ticket("Exports fail", "saveInvoice stops"))

    assert entry.title == "export expor~ fail"
    assert entry.text == "export expor~ fail saveinvoice savei~ sav invoic invoi~ stop"


@pytest.mark.parametrize("at", [datetime(2026, 11, 20, 12, tzinfo=UTC), datetime(2026, 11, 20, 12)])  # noqa: DTZ001
def test_times_and_state_lie_beside_it(at: datetime) -> None:
    """In seconds; unknown times as 0; a time without zone is UTC's."""
    seconds = int(datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp())

    features = entry_of(ticket("a", created=at, category="done")).features

    assert FACTS.unpack_from(features) == (seconds, 0, False)


def test_a_hit_is_ranked_without_its_text() -> None:
    """What lies beside an entry is all that the ranking compares: words, state and times."""
    known = ticket("Export fails in saveInvoice", "It stops.", created=datetime(2026, 11, 20, 12, tzinfo=UTC))
    contender = contender_of(Hit(key=known.key, score=1.0, rank=3, features=entry_of(known).features))
    document = document_of(known.summary, known.description)

    assert (contender.key, contender.open, contender.place) == (known.key, True, 2)
    assert (contender.created, contender.updated) == (seconds_of(known.created), 0)
    assert contender.words == packed(document)


def test_titles_and_codes_weigh_more() -> None:
    """Than words of the text; a word counts by the logarithm of its number."""
    weights = query_of("Upload", "The invoice lacks a zebra. ORA-00942: invoice, invoice, Upload.")

    assert next(iter(weights)) == "upload"
    assert weights["00942"] > weights["zebra"]
    assert weights["zebra"] < weights["invoic"] < 3 * weights["zebra"]


def test_words_that_change_at_their_ends_share_their_beginning() -> None:
    """In any language; it weighs less than the word, and short words have none."""
    ticket_terms, weights = (
        entry_of(ticket("Stránka s fakturami")).title.split(),
        query_of("", "stránku s fakturou mám"),
    )

    assert set(ticket_terms) & weights.keys() == {"stran~", "faktu~"}
    assert weights["faktu~"] < weights["fakturou"]
    assert "mam~" not in weights


def test_codes_count_wherever_they_stand() -> None:
    """Also behind the part of a long mail that is read for words."""
    weights = query_of("Log", "line of words\n" * 600 + "ERR_DISK_FULL")

    assert "disk" in weights
    assert "err_disk_full" in weights


def test_a_mail_of_any_size_has_few_terms() -> None:
    """A log of 50,000 lines with as many numbers; no text has none."""
    log = "\n".join(f"2026-11-20 INFO worker-{n} step{n} done" for n in range(50_000))

    assert 10 < len(query_of("Log", log)) <= MOST_TERMS
    assert query_of("", "") == {}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("ログイン", ["ログ", "グイ", "イン"]),
        ("Android版で", ["android", "版で"]),
        ("版", ["版"]),
        ("\uff74\uff97\uff70 \uff21\uff22\uff23", ["エラ", "ラー", "abc"]),
        ("詳細はhttps://x.example/abcを", ["詳細", "細は", "を"]),
        ("送信" + "a" * 61 + "失敗", ["送信", "失敗"]),
        ("로그인", ["로그", "그인"]),
        ("हिन्दी", ["हिनदी"]),
        ("Übersicht lädt", ["ubersicht", "ladt"]),
        ("a" * 61, []),
        ("ann@example.com", []),
    ],
)
def test_scripts_without_blanks_give_pairs(text: str, terms: list[str]) -> None:
    """Addresses, links and data are left out of them, too; other scripts keep whole words."""
    assert terms_in(text) == terms


def test_a_word_is_as_frequent_as_its_rarest_part() -> None:
    """Words without a term are left out."""
    assert word_frequencies(["error.log", "the"], {"error": 5, "log": 2}) == {"error.log": 2}
