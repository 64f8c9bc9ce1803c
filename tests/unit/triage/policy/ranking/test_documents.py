"""Documents of the ranking: what they hold, and how small they are."""

from triage.policy.ranking.documents import BUCKETS, common_terms, document_of, packed


def test_a_term_is_counted_in_title_and_text() -> None:
    """Each term stands once, with its counts; endings do not matter."""
    document = document_of("Invoice export", "Exports of the invoice: export")

    assert len(document.terms) == 2
    assert sorted(zip(document.in_title.tolist(), document.in_text.tolist(), strict=True)) == [(1, 1), (1, 2)]
    assert (document.title_length, document.text_length) == (2, 3)


def test_equal_words_have_equal_hashes_in_every_process() -> None:
    """A packed document is compared with one made elsewhere, so the hash depends on nothing but the term."""
    assert document_of("invoice", "").terms.tolist() == [42316]


def test_names_of_the_title_are_told_from_words() -> None:
    """Versions, camel case and dotted names are identifiers; a word at the head of a sentence and an abbreviation are not."""
    assert len(document_of("Crash of saveInvoice in Ti.UI.Label 2.1.3, PDF", "").identifiers) == 3


def test_codes_quotations_and_technologies_are_marks() -> None:
    """Error codes and quotations of all the text, technologies of the title alone."""
    document = document_of("Android: ORA-00942", 'It says "table or view does not exist" on iOS')

    assert (len(document.codes), len(document.quotes), len(document.technologies)) == (1, 1, 2)


def test_a_document_is_small() -> None:
    """The longest text needs less than 40 kB, an ordinary one about two."""
    ordinary = "When I open the invoice list and press export, the progress bar stops at forty per cent. " * 4
    longest = " ".join(f"word{number}" for number in range(100_000))

    assert len(packed(document_of("Export stops", ordinary))) < 2_000
    assert len(packed(document_of(longest, longest))) < 40_000


def test_common_words_have_their_place_in_the_table() -> None:
    """The table has a place for each hash; few are taken."""
    assert common_terms().shape == (BUCKETS,)
    assert 0 < common_terms().sum() < 2_000
