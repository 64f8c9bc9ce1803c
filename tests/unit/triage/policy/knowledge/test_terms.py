"""By which terms the library finds passages."""

from triage.domain.support.articles import Passage
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.terms import all_words, beginning_of, fields_of, query_of, word_terms


def test_fields() -> None:
    """The text's field holds title and headings, too; words that say nothing are left out."""
    passage = Passage(article="a", number=0, title="The refunds", heading="Late", text=Untrusted("It is money"))

    assert fields_of(passage) == {"title": "refund refun~", "heading": "lat", "text": "refund refun~ lat money"}


def test_query() -> None:
    """A repeated word counts more, the beginning of a word little."""
    weights = query_of("refund refund invoices")

    assert next(iter(weights)) == "refund"
    assert weights["invoic"] == 1.0 > weights["invoi~"]


def test_words() -> None:
    """Terms come once, in order; all words keep those that say nothing; short words have no beginning."""
    assert word_terms("Refunds, refund and the Invoice") == ("refund", "invoic")
    assert all_words("What is THIS?") == {"what", "is", "this"}
    assert (beginning_of("invoic"), beginning_of("short")) == ("invoi~", "")
