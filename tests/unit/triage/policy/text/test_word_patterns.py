"""Words of the lists are found where they stand, and sentences are split as written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.config.word_lists import word_lists
from triage.policy.text.word_patterns import (
    any_of,
    ended,
    levelled,
    needed_words,
    one_of,
    sentences_of,
    words_in,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Příští PÁTEK", "pristi patek"),
        ("l\u2019échéance", "l'echeance"),
        ("\uff26\uff52\uff49 Straße İ", "fri straße i"),
    ],
)
def test_case_accents_and_width_do_not_matter(text: str, level: str) -> None:
    """Letters with signs, capitals and wide letters become bare small ones."""
    assert levelled(text) == level


@given(st.text())
def test_every_character_keeps_its_place(text: str) -> None:
    """A place in the levelled text is the same place in the text."""
    assert len(levelled(text)) == len(text)


def test_entries_match_whole_words_but_stems_and_scripts_without_blanks() -> None:
    """`day` is not in `today`; a stem takes endings; Japanese has no blanks to look for."""
    pattern = re.compile(any_of(("day", "needs up", "bring*", "まで")))

    assert not pattern.search("today")
    assert pattern.findall("a day needs  up bringing それまでに") == ["day", "needs  up", "bringing", "まで"]
    assert re.search(any_of(("grüße",)), "grusse")
    assert not re.search(any_of(()), "anything")
    assert not re.search(one_of("date.monday", language="th"), "monday")
    assert words_in("date.monday").search("on monday")


def test_words_and_stems_of_one_letter_are_tried_longest_first() -> None:
    """Between words that end stand stems with every ending, and each matches what it would alone."""
    pattern = re.compile(any_of(("day", "days off", "da", "dayl*", "dawn")))
    text = "da day daylight days dawn dawning days off"

    assert pattern.findall(text) == ["da", "day", "daylight", "dawn", "days off"]


@given(st.sampled_from(sorted(word_lists()["due.by"] + word_lists()["due.within"] + word_lists()["date.tomorrow"])))
def test_a_text_with_an_entry_has_the_words_that_it_needs(entry: str) -> None:
    """The quick look never leaves out a text in which the expression finds something."""
    needed = needed_words("due.by", "due.within", "date.tomorrow")
    text = levelled(f"Please send it {entry.replace('*', 'ing')} Friday")

    assert re.search(one_of("due.by", "due.within", "date.tomorrow"), text)
    assert needed.may_be_in(words_of(text))


def test_most_texts_lack_the_words_that_entries_need() -> None:
    """One of the words of an entry of several is not enough; of an entry that stands within words, nothing is needed."""
    assert not needed_words("due.by", language="en").may_be_in(words_of("nothing at all"))
    assert not needed_words("due.latest", language="en").may_be_in(words_of("not even then"))
    assert needed_words("due.after", language="ja").may_be_in(frozenset())


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It fails. Nobody can work!", ["It fails.", "Nobody can work!"]),
        (
            "Am 30. November, z. B. bei Fehler 500. Dann nicht.",
            ["Am 30. November, z. B. bei Fehler 500.", "Dann nicht."],
        ),
        ("Bitte bis 30.11. Danke", ["Bitte bis 30.11. Danke"]),
        ("We got 6. The rest is lost.", ["We got 6.", "The rest is lost."]),
        ("È ferma dalle 6. Chiamatemi.", ["È ferma dalle 6.", "Chiamatemi."]),
        ("Der Drucker im 3. Stock streikt.", ["Der Drucker im 3. Stock streikt."]),
        ("1. Open it.", ["1. Open it."]),
        ("It shows ??? instead of names. Why?", ["It shows ??? instead of names.", "Why?"]),
        ("Bis zum 6. November. Danke", ["Bis zum 6. November.", "Danke"]),
        ("Since 3.8.0. It crashes.", ["Since 3.8.0.", "It crashes."]),
        ("See app.log. it grows.", ["See app.log. it grows."]),
        ("i paid yesterday. it says expired", ["i paid yesterday.", "it says expired"]),
        ("it needs approx. five hours", ["it needs approx. five hours"]),
        ('He said "No." Then it fell.', ['He said "No."', "Then it fell."]),
        ("止まりました。すぐお願いします。", ["止まりました。", "すぐお願いします。"]),
        ("", []),
    ],
)
def test_sentences_end_where_their_authors_end_them(text: str, sentences: list[str]) -> None:
    """Full stops of days, versions, files and abbreviations end no sentence."""
    assert sentences_of(text) == sentences


@pytest.mark.parametrize(
    ("sentence", "whole"),
    [("Not now", "Not now."), ("Not now.", "Not now."), ("Not now,", "Not now."), ("He said “no.”", "He said “no.”"), ("Why?", "Why?"), ("A, b…", "A, b…")],
)  # fmt: skip
def test_a_sentence_has_one_end(sentence: str, whole: str) -> None:
    """A full stop is added where there is none."""
    assert ended(sentence) == whole
