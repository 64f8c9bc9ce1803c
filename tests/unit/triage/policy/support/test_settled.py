"""Messages that only say that all is well."""

import pytest

from triage.policy.support.settled import settled_in


@pytest.mark.parametrize(
    "text",
    [
        "thanks, that worked!",
        "Danke, das hat geklappt.",
        "Merci, ça marche.",
        "Gracias, ya funciona.",
        "Grazie, risolto!",
        "Bedankt, het werkt.",
        "Obrigada, funcionou.",
        "Dziękuję, już działa.",
        "Tack, det funkar.",
        "ありがとうございます。",
    ],
)
def test_all_is_well(text: str) -> None:
    """In all ten languages of the hub."""
    assert settled_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, but it still fails.",
        "Thanks, that does not help.",
        "Thanks. How long is the link valid?",
        "Danke, es geht aber nicht.",
        "Thanks for your answer; in the meantime I have opened the form and there I see two fields that I can fill in.",
        "I wait for my parcel.",
    ],
)
def test_something_is_left(text: str) -> None:
    """A question, a denial, an objection or a longer text is more than thanks."""
    assert not settled_in(text)
