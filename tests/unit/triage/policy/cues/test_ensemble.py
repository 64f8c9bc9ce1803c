"""Lists and meaning are weighed against each other: neither an alarming word nor a calm tone decides alone."""

from dataclasses import replace

import pytest

from triage.config.ticket.severity import Severity
from triage.domain.findings import Cue, Cues
from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.classifiers.choice_model import choice_model
from triage.policy.cues.ensemble import (
    PRIORITIES,
    PRIORITY_CHOICE,
    PRIORITY_FACTS,
    TYPE_CHOICE,
    TYPE_FACTS,
    TYPES,
    features_of,
    names_of,
    priority_weighed,
    type_weighed,
)
from triage.policy.cues.language import Language
from triage.policy.cues.priority import ListedPriority
from triage.policy.cues.semantic_cues import JudgedText
from triage.policy.text.cues import cues_of

NOTHING = ListedPriority(Cue(value="Medium"))
ALARMED = ListedPriority(Cue(value="Highest", evidence=("disaster",)))


def judged(text: str) -> JudgedText:
    """A text in English as it is judged."""
    return JudgedText.of("Note", text, Language(("en",)))


def cues(subject: str, text: str) -> Cues:
    """The cues of a mail."""
    body = Untrusted(text)
    return cues_of(Message(subject=Untrusted(subject), text=body, reply=body))


LOBBY = "Guests have been standing in the lobby for an hour with their luggage, as no key can be made."
FLAG = (
    "I am beside myself, this is a disaster and highly urgent! Since your update the little flag beside the language menu is blue "
    "instead of green. All else works as it did, and nobody but me has seen it so far, but it looks careless, and I wanted you to know."
)


def test_the_policy_says_what_pressing_is() -> None:
    """Whoever sets another priority for what presses gets that one, and what he has set himself no meaning takes back."""
    assert priority_weighed(NOTHING, "bug", judged(LOBBY), Severity(), fixed=False).value == "High"
    assert priority_weighed(NOTHING, "bug", judged(LOBBY), Severity(pressing="Highest"), fixed=False).value == "Highest"
    wish = "It is urgent for all of us that the little flag beside the language menu is green again, please."
    assert cues_of(mail(wish), severity=Severity(urgent="Low")).priority.value == "Low"


def mail(text: str) -> Message:
    """A mail without subject."""
    return Message(subject=Untrusted(""), text=Untrusted(text), reply=Untrusted(text))


def test_words_alarm_about_small_matters() -> None:
    """The meaning takes back what words say, unless it is settled."""
    assert priority_weighed(ALARMED, "bug", judged(FLAG), Severity(), fixed=False).value in {"Medium", "Low"}
    settled = replace(ALARMED, settled=True)
    assert priority_weighed(settled, "bug", judged(FLAG), Severity(), fixed=False) == ALARMED.cue


def test_what_a_mail_plainly_says_is_heard() -> None:
    """`No rush` makes nothing High, however grave it reads; a fault that is called urgent is at least High, however small it reads; a day that is near counts."""
    calm = ListedPriority(Cue(value="Low", evidence=("no rush",)))
    small = judged("The little flag beside the language menu is blue instead of green, it is urgent, thanks a lot.")

    grave = judged(
        "All patients see the records of other patients since the update, and we have closed the portal for now."
    )
    day = ListedPriority(Cue(value="High", evidence=("tomorrow",)), dated=True)

    assert priority_weighed(NOTHING, "bug", grave, Severity(), fixed=False).value == "Highest"
    assert priority_weighed(calm, "bug", grave, Severity(), fixed=False).value == "Medium"
    assert priority_weighed(day, "bug", judged(FLAG), Severity(), fixed=False) == day.cue
    assert priority_weighed(calm, "bug", small, Severity(), fixed=False).value in {"Medium", "Low"}
    assert priority_weighed(ALARMED, "bug", small, Severity(), fixed=False).value in {"High", "Highest"}


def test_a_question_about_a_fault_is_a_fault() -> None:
    """The likelier of both counts where the lists found a question alone; a listed wish needs a plain lead to be overruled."""
    text = (
        "Dobrý den,\n\nstahujeme z vašeho rozhraní jízdní řád (GET /v1/sailings). Od pondělí vrací pole arrival u nočních plaveb "
        "stejné datum jako departure, takže příjezd je o den dřív než odjezd. Je to záměr, nebo chyba? Lidé se ptají."
    )
    asked = JudgedText.of("Dotaz na jízdní řád v API", text, Language(("cs",)))

    assert type_weighed(Cue(value="support", evidence=("Je to záměr?",)), asked, fixed=False).value == "bug"
    assert type_weighed(Cue(value="feature", evidence=("záměr",)), asked, fixed=False).value == "feature"


def test_what_is_not_judged_is_what_the_lists_say() -> None:
    """A few words, or a language that is not read, leave the lists alone."""
    nothing = judged("It sticks.")

    assert priority_weighed(ALARMED, "bug", nothing, Severity(), fixed=False) == ALARMED.cue
    assert type_weighed(Cue(value="bug", evidence=("sticks",)), nothing, fixed=False).value == "bug"


@pytest.mark.parametrize(
    ("subject", "text", "priority"),
    [
        ("Meeting room", 'The room "Emergency" on the third floor is painted next week. Please use the room "Panic" for your meetings.', "Low"),
        ("Re: outage", "All is well again since six last night, no more errors in the logs. You may close it, thanks to everybody.", "Low"),
        ("Kurze Info", "Seit ca. halb sieben bricht im Shop jede Zahlung ab, egal mit welcher Karte. Die Hotline steht nicht mehr still.", "Highest"),
    ],
)  # fmt: skip
def test_neither_an_alarming_word_nor_a_calm_tone_decides(subject: str, text: str, priority: str) -> None:
    """Names and finished matters are Low whatever their words; a grave matter that is told calmly is grave."""
    assert cues(subject, text).priority.value == priority


def test_a_lowered_alarm_keeps_its_words() -> None:
    """What the lists call Highest and the meaning High shows the words of the lists."""
    found = priority_weighed(ALARMED, "bug", judged(LOBBY), Severity(), fixed=False)

    assert (found.value, found.evidence) == ("High", ("disaster",))


@pytest.mark.parametrize(
    ("name", "labels", "facts"),
    [(TYPE_CHOICE, TYPES, TYPE_FACTS), (PRIORITY_CHOICE, PRIORITIES, PRIORITY_FACTS)],
)
def test_the_shipped_weights_are_those_of_the_facts(name: str, labels: tuple[str, ...], facts: tuple[str, ...]) -> None:
    """Each weight has the name of the fact that it weighs; the last label has no facts of its own."""
    rows = features_of(labels, [0.25] * len(labels), [True] * len(facts))

    assert choice_model(name).features == names_of(labels, facts)
    assert rows.shape == (len(labels), len(names_of(labels, facts)))
    assert rows[-1, 1:].sum() == 0
