"""What customers say, and what they take back."""

import pytest

from triage.policy.support.mentions import asserted, mentioned, reading_of, wished
from triage.policy.support.triggers import EXCEPTION

PERSON = ("support.person", "support.person_exceptions")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please call me back.", ["Please call me"]),
        ("Please do not call me back.", []),
        ("I do not get it and want someone to call me back.", ["someone to call me back"]),
        ('The text "call me back" is wrong.', []),
        ("Why don't you call me back?", ["call me back"]),
    ],
)
def test_a_wish_is_one_unless_it_is_taken_back(text: str, found: list[str]) -> None:
    """A `not` before it, or quotation marks around it; not behind `and`, and not in a question."""
    assert bool([one.words for one in wished(reading_of("", text), *PERSON)]) is bool(found)


def test_a_short_text_is_read_in_all_languages() -> None:
    """Its words do not tell which one it is in."""
    assert len(reading_of("", "Rückruf").language.codes) == 10


def test_what_is_spoken_of_may_be_denied() -> None:
    """A topic is one also where it is denied, an assertion is not."""
    reading = reading_of("", "It was not charged twice.")

    assert [one.label for one in mentioned(reading, "support.high", "support.high_exceptions")] == ["high"]
    assert not list(asserted(reading, "support.high", "support.high_exceptions"))


def test_what_only_sounds_so_is_left_out() -> None:
    """An exception of a list is no finding of it."""
    reading = reading_of("", "Thank you for the refund; a refund policy is fine and since today all is well.")

    assert not list(asserted(reading, "support.high", "support.high_exceptions"))
    assert not list(mentioned(reading, *EXCEPTION))
