"""Words of the lists are found where they stand, and sentences are split as written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.policy.text.word_patterns import any_of, levelled, one_of, sentences_of, words_in


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
    assert not re.search(one_of("date.monday", language="fi"), "maanantai")
    assert words_in("date.monday").search("on monday")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It fails. Nobody can work!", ["It fails.", "Nobody can work!"]),
        (
            "Am 30. November, z. B. bei Fehler 500. Dann nicht.",
            ["Am 30. November, z. B. bei Fehler 500.", "Dann nicht."],
        ),
        ("Bitte bis 30.11. Danke", ["Bitte bis 30.11. Danke"]),
        ("Since 3.8.0. It crashes.", ["Since 3.8.0.", "It crashes."]),
        ("See app.log. it grows.", ["See app.log. it grows."]),
        ('He said "No." Then it fell.', ['He said "No."', "Then it fell."]),
        ("止まりました。すぐお願いします。", ["止まりました。", "すぐお願いします。"]),
        ("", []),
    ],
)
def test_sentences_end_where_their_authors_end_them(text: str, sentences: list[str]) -> None:
    """Full stops of days, versions, files and abbreviations end no sentence."""
    assert sentences_of(text) == sentences
