"""What kind of request a mail is, in the words of people who do not say `bug`."""

import pytest

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.text.cues import cues_of


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("bug", "GET /tours returns 500 for long names."),
        ("bug", "The map looks blurry."),
        ("bug", "Each receipt since May shows the wrong tax rate."),
        ("bug", "A click on Print does nothing."),
        ("bug", "The worker leaks memory."),
        ("bug", "Reports are slower than before."),
        ("bug", "Beim Klick passiert nichts."),
        ("bug", "Les photos sont floues."),
        ("bug", "Las fotos salen borrosas."),
        ("bug", "La chiamata cade dopo un minuto."),
        ("bug", "De foto's zijn wazig."),
        ("bug", "Zdjęcia są rozmazane."),
        ("bug", "Fotky jsou rozmazané."),
        ("bug", "As fotos ficam desfocadas."),
        ("bug", "画像がぼやけています。"),
        ("feature", "It'd be handy to print all tours at once."),
        ("feature", "Any chance of a dark theme?"),
        ("feature", "Man sollte die Hinweise abschalten können."),
        ("feature", "On devrait pouvoir trier la liste."),
        ("feature", "一覧を印刷できるようにしてほしいです。"),
        ("support", "Who do I ask for a second key?"),
        ("support", "I need write access to the folder."),
        ("support", "Ich benötige Zugriff auf den Ordner."),
        ("support", "J'ai oublié mon mot de passe."),
        ("support", "パスワードはどうやって変更しますか。"),
        ("general", "Our address is now Mill Lane 4."),
        ("general", "Room r-500 is booked for Monday."),
        ("general", "Anbei die Rechnung RE-500."),
        ("bug", "Status-500 on Monday."),
        ("bug", "Seit Montag Status-500."),
    ],
)
def test_kinds_by_symptoms_wishes_and_needs(kind: str, text: str) -> None:
    """Symptoms make a bug, wishes a feature, questions and needs of access support."""
    told = Untrusted(text)

    assert cues_of(Message(subject=Untrusted("Note"), text=told, reply=told)).type.value == kind


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("bug", "The radio crackles during every song that we play."),
        ("general", "Our shop is closed on Thursday."),
        ("general", ""),
    ],
)
def test_a_classifier_judges_where_no_list_speaks(kind: str, text: str) -> None:
    """A text without any listed word is judged by what similar sentences were; in doubt it is general."""
    cue = cues_of(Message(text=Untrusted(text))).type

    assert cue.value == kind
    assert cue.evidence or kind == "general"


def test_what_is_not_as_it_was_meant_hints_at_a_bug() -> None:
    """A denied statement is a hint where nothing else is one, but not in words about urgency."""
    assert cues_of(Message(text=Untrusted("The discount isn't applied."))).type.value == "bug"
    assert "isn't" not in cues_of(Message(text=Untrusted("It isn't urgent at all."))).type.evidence


def test_an_impact_is_a_bug() -> None:
    """Who says that production stands reports a bug; who needs something today does not."""
    assert cues_of(Message(text=Untrusted("The tills are offline at all sites."))).type.value == "bug"
    assert cues_of(Message(text=Untrusted("We need the form by tonight."))).type.value != "bug"


def test_a_question_that_only_blames_asks_nothing() -> None:
    """Whoever asks whether it is too much to ask waits for a cure, not for an answer."""
    blames = cues_of(Message(text=Untrusted("Is that too much to ask? The parcels came back.")))
    asks = cues_of(Message(text=Untrusted("Where do I find the parcels that came back?")))

    assert (blames.question.value, asks.question.value) == ("no", "yes")


def test_whoever_asks_about_a_leak_reports_it() -> None:
    """Questions beside a leak make no question of it, however many there are."""
    text = Untrusted("I see the contract of another company. How is that possible? Where do I ask?")
    found = cues_of(Message(subject=Untrusted("Question about contracts"), text=text))

    assert (found.type.value, found.question.value) == ("bug", "no")
