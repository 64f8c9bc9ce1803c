"""What a mail means where no word of the lists stands in it."""

from dataclasses import replace

import pytest

from triage.config.ticket.severity import Severity
from triage.domain.findings import Cue, Cues
from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.cues.language import Language
from triage.policy.cues.meant import LONGEST, LONGEST_EVIDENCE, JudgedText, judged, priority_meant
from triage.policy.cues.priority import ListedPriority
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


def test_the_policy_says_what_pressing_is() -> None:
    """Whoever sets another priority for what presses gets that one; a wish presses by listed words alone."""
    text = "Guests have been standing in the lobby for an hour with their luggage, as no key can be made."
    pressing = JudgedText.of("Note", text, Language(("en",)))
    nothing = ListedPriority(Cue(value="Medium"))

    assert priority_meant(nothing, pressing, Severity()).value == "High"
    assert priority_meant(nothing, pressing, Severity(pressing="Highest")).value == "Highest"
    assert priority_meant(nothing, pressing, Severity(), wish=True).value == "Medium"


ALARM = (
    "I am beside myself, this is a disaster and highly urgent! Since your update the little flag beside the language menu is blue "
    "instead of green. All else works as it did, and nobody but me has seen it so far, but it looks careless, and I wanted you to know."
)
GRAVE = (
    "When I open the list of patients this morning I see people whom I have never treated, with their findings and their home "
    "addresses, and my colleague in the other practice sees mine. I have closed the program for now. It has been so since eight."
)


def test_words_alarm_about_small_matters() -> None:
    """In a long text the meaning takes back what words say, unless it is settled; a short one is what its words say."""
    alarmed = ListedPriority(Cue(value="Highest", evidence=("disaster",)))
    long, short = (
        JudgedText.of("Flag", text, Language(("en",))) for text in (ALARM, "This is a disaster, the flag is blue.")
    )

    assert priority_meant(alarmed, long, Severity()).value in {"Medium", "Low"}
    assert priority_meant(replace(alarmed, settled=True), long, Severity()) == alarmed.cue
    assert priority_meant(alarmed, short, Severity()) == alarmed.cue


def test_meaning_alone_makes_nothing_highest() -> None:
    """A grave matter without a listed word is High; `no rush` is taken back to Medium at most; what the lists call Highest stays."""
    grave = JudgedText.of("List", GRAVE, Language(("en",)))
    values = [
        priority_meant(ListedPriority(Cue(value=value, evidence=evidence)), grave, Severity()).value
        for value, evidence in (("Medium", ()), ("Low", ("no rush",)), ("Highest", ("patients",)))
    ]

    assert values[::2] == ["High", "Highest"]
    assert values[1] in {"Medium", "Low"}


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
