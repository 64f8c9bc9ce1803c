"""What a mail means where no word of the lists stands in it."""

import pytest

from triage.domain.findings import Cues
from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.cues.language import Language
from triage.policy.cues.semantic_cues import LONGEST, LONGEST_EVIDENCE, JudgedText, judged
from triage.policy.text.cues import cues_of


def cues(subject: str, text: str) -> Cues:
    """The cues of a mail."""
    told = Untrusted(text)
    return cues_of(Message(subject=Untrusted(subject), text=told, reply=told))


@pytest.mark.parametrize(
    ("priority", "text"),
    [
        ("High", "Guests have been standing in the lobby for an hour with their luggage, as no key can be made."),
        ("High", "Les clients posent leurs paniers et s'en vont, car la caisse ne prend plus rien."),
        ("Low", "Pick this up some rainy afternoon: the pictures might be a bit larger for my old eyes."),
        ("Low", "Wenn mal Luft ist, wäre ein dunkler Hintergrund angenehm für die Augen."),
        ("Medium", "The second page of the delivery note comes out blank on my printer."),
    ],
)
def test_urgency_without_an_urgent_word(priority: str, text: str) -> None:
    """What presses and what can wait is read from the meaning, with the sentence that tells most as its evidence."""
    found = cues("Note", text).priority

    assert found.value == priority
    assert bool(found.evidence) == (priority != "Medium")
    assert all(len(words) <= LONGEST_EVIDENCE for words in found.evidence)


def test_a_type_that_the_words_only_seem_to_give() -> None:
    """A listed word in another meaning does not make the type, if it is most improbable."""
    assert (
        cues("Dark mode", "Dark mode would be a feature that all of us on the night shift wish for, please.").type.value
        == "feature"
    )


def test_what_is_judged() -> None:
    """The beginning, without `Re:`; nothing in a language that is not read, and nothing of a few words."""
    assert judged("Re: AW: door", "open") == "door\nopen"
    assert len(judged("", "x" * 2 * LONGEST)) == LONGEST
    assert JudgedText.of("Door", "It sticks.", Language(("en",))).text == ""
    assert JudgedText.of("Door", "one two three four five six seven", Language((), read=False)).text == ""


def test_a_text_of_unknown_words_is_judged() -> None:
    """A language whose common words are not in the text says nothing about what the text means."""
    assert JudgedText.of(
        "", "Telefon kilitlendi ekran hareketsiz telefon hep donuk", Language(("en",), known=False)
    ).text
