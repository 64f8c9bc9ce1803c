"""Phrases of lists in a text: endings, gaps, clauses and accents."""

import pytest

from triage.policy.text.phrase_matcher import phrases, together
from triage.policy.text.sentences import read


@pytest.mark.parametrize(
    ("entry", "text", "hit"),
    [
        ("not working", "It is not working.", "not working"),
        ("kritisch*", "Ein kritischer Fehler", "kritischer"),
        ("it * fails", "It always fails", "It always fails"),
        ("works … again", "It works for us all again", "works for us all again"),
        ("works … again", "It works, and again", ""),
        ("works … again", "works one two three four five again", ""),
        ("gelöst", "Das ist geloest", ""),
        ("gelöst", "Das ist gelost", "gelost"),
    ],
)
def test_what_an_entry_matches(entry: str, text: str, hit: str) -> None:
    """A `*` takes endings or a word, `…` up to four words of the same clause; accents do not matter."""
    words = read(text).words
    found = [" ".join(word.shown for word in words[one.start : one.end]) for one in phrases(a=[entry]).find(words)]

    assert found == ([hit] if hit else [])


@pytest.mark.parametrize(
    ("text", "hit"),
    [
        *((text, "") for text in ("room r-500", "see INV-500.", "1,500 users", "v2.500", "#500", "/rooms/500", "$500", "500%", "500.00")),
        *((text, "500") for text in ("It says 500.", "(500)", "500: on saving", "status=500", "500/502", "500, 502", "a 500-answer", "500を返す")),
        *((text, "HTTP 500") for text in ("HTTP-500", "HTTP 500", "HTTP/500")),
    ],
)  # fmt: skip
def test_a_number_within_an_identifier_or_an_amount_is_none_of_its_own(text: str, hit: str) -> None:
    """No phrase begins at a number that is a part of something longer; one that has what stands before it matches."""
    words = read(text).words
    found = [
        " ".join(word.shown for word in words[one.start : one.end])
        for one in phrases(a=["500", "http 500"]).find(words)
    ]

    assert found == ([hit] if hit else [])


def test_the_longest_wins_and_none_overlap() -> None:
    """Of two phrases that begin at a word the longer one counts, under its own label."""
    words = read("It does not work").words
    found = list(phrases(short=["does not"], long=["does not work"], inner=["not work"]).find(words))

    assert [(one.label, one.start, one.end) for one in found] == [("long", 1, 4)]


def test_accents_may_matter() -> None:
    """With accents `würde` and `wurde` are two words."""
    found = phrases(a=["würde"], accents=True)

    assert list(found.find(read("es würde").words))
    assert not list(found.find(read("es wurde").words))


def test_a_gap_of_light_words_alone() -> None:
    """Where the words of a gap are listed, no other word stands in it."""
    found = phrases(frozenset({"the"}), a=["close … ticket"])

    assert list(found.find(read("close the ticket").words))
    assert not list(found.find(read("close no ticket").words))


def test_lists_that_were_built_apart() -> None:
    """Lists of two languages together are those that are built of all entries at once, and share what only one of them has."""
    english = {"bug": ["does not work", "die*", "no … left", "no luck"], "wish": ["no more", "die*", "please *"]}
    german = {"bug": ["die * fehlt", "no luck"], "wish": ["die liste", "bitte"]}
    parts = [phrases(None, accents=False, **one) for one in (english, german)]
    fillers = frozenset({"the"})

    found = together(parts, ("bug", "wish"), fillers)

    assert found == phrases(fillers, bug=english["bug"] + german["bug"], wish=english["wish"] + german["wish"])
    assert found.by_word["does"] is parts[0].by_word["does"]
    assert together([], ("bug", "wish"), accents=True) == phrases(accents=True)
