"""Who has to do what a sentence asks for."""

from dataclasses import replace

import pytest

from tests.unit.triage.policy.memory.observed import MAIL
from triage.policy.memory.reading.owners import addressed, ordered, owner_of, same_person
from triage.policy.memory.reading.wording import sentences_of_mail


@pytest.mark.parametrize(
    ("text", "name"),
    [("Tom, please go.", "Tom"), ("Dear Tom, please go.", "Tom"), ("Thanks, please go.", ""), ("Ask @Eva now.", "Eva")],
)
def test_a_sentence_addresses_somebody(text: str, name: str) -> None:
    """The name before the first comma or behind an @."""
    assert addressed(next(sentences_of_mail(text))) == name


@pytest.mark.parametrize(("text", "name"), [("- Tom to write", "Tom"), ("- Open: who?", ""), ("Tom to write", "")])
def test_minutes_name_somebody(text: str, name: str) -> None:
    """Only entries of a list do."""
    assert ordered(next(sentences_of_mail(text)))[0] == name


def test_an_owner_is_an_address_where_the_mail_has_one() -> None:
    """A name is looked up among the recipients; without a name the only recipient is asked, of several nobody."""
    both = replace(MAIL, to=("tom.reed@acme.example", "eva@acme.example"))

    assert owner_of("Tom", both) == "tom.reed@acme.example"
    assert owner_of("Zoe", both) == "Zoe"
    assert owner_of("", both) == ""
    assert owner_of("", MAIL) == "tom@acme.example"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Tom", "tom.reed@acme.example", True),
        ("tom.reed@acme.example", "Tom Reed", True),
        ("Tom", "tomas@acme.example", False),
        ("a@x.example", "a@y.example", False),
        ("", "", False),
        ("Tom", "TOM", True),
    ],
)
def test_a_name_and_an_address_may_be_the_same_person(one: str, other: str, *, same: bool) -> None:
    """All words of the name stand in the local part."""
    assert same_person(one, other) is same
