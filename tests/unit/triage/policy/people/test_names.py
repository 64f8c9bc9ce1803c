"""Where a text names one of some people."""

import pytest

from triage.domain.tickets import Person
from triage.domain.untrusted import Untrusted
from triage.policy.people.names import KnownNames
from triage.policy.text.sentences import read

PEOPLE = tuple(
    Person(id=key, name=Untrusted(name))
    for key, name in (
        ("jana", "Jana Nováková"),
        ("marek", "Marek Dvořák"),
        ("bjorn", "Björn Müller"),
        ("uwe", "Uwe Mueller-Ruiz"),
        ("anna1", "Anna Schmidt"),
        ("anna2", "Anna Weber"),
        ("maria", "María del Carmen Ortega"),
        ("taro", "田中 太郎"),
        ("minsu", "김민수"),
        ("olga", "Ольга Петрова"),
        ("li", "Li Wei"),
        ("kim1", "Kim Park"),
        ("kim2", "Kim Park"),
        ("admin", "Admin"),
    )
)


def found(text: str) -> list[tuple[str, bool, bool]]:
    """Person, whether the name is whole, whether it has a title."""
    names = KnownNames.of(PEOPLE).in_words(read(text).words)
    return [(name.person, name.whole, name.titled) for name in names]


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Jana Novakova built it.", "jana"),
        ("Dvořák, Marek", "marek"),
        ("s Janou Novákovou", "jana"),
        ("Markovi Dvořákovi", "marek"),
        ("Bjoern Mueller", "bjorn"),
        ("Uwe Müller-Ruiz", "uwe"),
        ("Maria Ortega", "maria"),
        ("María del Carmen Ortega", "maria"),
        ("Ortega María del Carmen", "maria"),
        ("田中太郎に", "taro"),
        ("김민수님이", "minsu"),
        ("Ольге Петровой", "olga"),
        ("Björn Müller's patch", "bjorn"),
    ],
)
def test_whole_names_are_found_in_their_cases_and_spellings(text: str, person: str) -> None:
    """First and last name in either order, with case endings, umlauts written out, or without the middle names."""
    assert [(one, whole) for one, whole, _ in found(text)] == [(person, True)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Herr Schmidt", [("anna1", False, True)]),
        ("Herr Müller", []),
        ("panem Dvořákem", [("marek", False, True)]),
        ("J. Nováková", [("jana", False, True)]),
        ("j. Nováková", [("jana", False, False)]),
        ("田中さん", [("taro", False, True)]),
        ("Marek fixed it", [("marek", False, False)]),
        ("Anna fixed it", []),
        ("Kim Park fixed it", []),
        ("Li was here", []),
        ("the Admin role", [("admin", False, False)]),
        ("the market, a mark", []),
        ("", []),
    ],
)
def test_a_part_of_a_name_is_found_where_one_person_alone_bears_it(
    text: str, names: list[tuple[str, bool, bool]]
) -> None:
    """A title, or the initial of the first name, is told; two letters are no name, and what two people bear names nobody."""
    assert found(text) == names


def test_small_letters_are_told() -> None:
    """Whoever asks decides whether a name in small letters is one; particles inside a name are small anyway."""
    words = read("marek dvořák and María del Carmen Ortega").words

    assert [(name.person, name.capital) for name in KnownNames.of(PEOPLE).in_words(words)] == [
        ("marek", False),
        ("maria", True),
    ]
