"""Likeness of texts by hashed terms."""

import pytest

from triage.policy.people.term_vectors import (
    BUCKETS,
    bucket_of,
    buckets_of,
    corpus_of,
    likeness,
    rarity_of,
    term_vector,
)

MAIL = term_vector("Invoice export stops", "It stops at night.")


def test_likeness_is_a_cosine() -> None:
    """The same text is wholly alike, another one not at all, and shared words lie between."""
    documents = [
        term_vector("Invoice export stops", "It stops at night."),
        term_vector("Export button is grey"),
        term_vector("Zeppelin"),
    ]
    rarity = rarity_of(documents)
    found = likeness(MAIL, corpus_of(documents, rarity), rarity)

    assert found[0] == pytest.approx(1.0)
    assert 0 < found[1] < 0.6
    assert found[2] == 0


def test_rare_words_say_more() -> None:
    """Where every ticket is about exports, the word says little."""
    often = rarity_of([term_vector(f"Export {number}") for number in range(100)])
    both = corpus_of([term_vector("Export fails"), term_vector("Invoice fails")], often)
    export, invoice = likeness(MAIL, both, often)

    assert invoice > 2 * export


def test_repeats_and_length_are_damped() -> None:
    """A hundred times the same word in a stack trace say little more than twice."""
    noisy, plain = term_vector("Login", "export " * 100), term_vector("Login", "export export")

    assert noisy.weights.tolist() == plain.weights.tolist()


def test_nothing_is_alike_to_nothing() -> None:
    """No words, no documents, a document without words."""
    rarity = rarity_of([])

    assert likeness(MAIL, corpus_of([], rarity), rarity).tolist() == []
    assert likeness(term_vector("", ""), corpus_of([MAIL], rarity), rarity).tolist() == [0.0]
    assert likeness(MAIL, corpus_of([term_vector("", ""), MAIL], rarity), rarity).tolist() == pytest.approx([0.0, 1.0])


def test_terms_are_numbers() -> None:
    """The same on every machine, within bounds, of stems."""
    assert bucket_of("invoice") == 71_492
    assert buckets_of("Invoices") == buckets_of("invoice") == frozenset({bucket_of("invoic")})
    assert all(0 <= bucket < BUCKETS for bucket in buckets_of("one two three"))
