"""The classifier of the support hub."""

import pytest

from triage.domain.support.conversations import Complexity, Urgency
from triage.policy.support.classify import classify, complexity_of, configured, learnt, shipped
from triage.policy.support.topics import topics_of


@pytest.mark.parametrize(
    ("text", "issue_type"),
    [
        ("The page stays white after I press the start button.", "technical"),
        ("Why was I debited 20 euros on Monday?", "billing"),
        ("Please change the phone number in my profile.", "account"),
        ("Is there a free seat for the show on Sunday?", "booking"),
        ("Do you have shops in Norway?", "general"),
        ("Die App hängt sich auf.", "technical"),
        ("Bitte korrigieren Sie die Rechnung.", "billing"),
        ("Je souhaite modifier mon mot de passe.", "account"),
        ("Quiero reservar dos entradas.", "booking"),
        ("Quanto costa l'abbonamento annuale?", "general"),
        ("Quero alterar a data da minha reserva.", "booking"),
        ("De app geeft een foutmelding.", "technical"),
        ("Proszę o fakturę.", "billing"),
        ("Jag vill radera mitt konto.", "account"),
        ("予約を取り消したいです。", "booking"),
    ],
)
def test_it_tells_the_category_in_ten_languages(text: str, issue_type: str) -> None:
    """Each text is new to it."""
    assert classify("", text).issue_type == issue_type


def test_a_finding_is_whole() -> None:
    """Category, urgency, complexity, tags, confidence and evidence."""
    found = classify("Charged twice", "I was charged twice for my subscription and want a refund.")

    assert found.issue_type == "billing"
    assert found.urgency is Urgency.HIGH
    assert found.complexity is Complexity.COMPLEX
    assert set(found.tags) >= {"charge", "refund"}
    assert 0.7 < found.confidence <= 1
    assert "refund" in found.evidence


def test_what_is_like_nothing_known_is_general_and_unsure() -> None:
    """Such a text goes to people by its confidence."""
    found = classify("", "xyzzy plugh")

    assert found.issue_type == "general"
    assert found.confidence < 0.6


def test_configured_categories_are_learnt_from_their_examples() -> None:
    """By name and phrases, beside shipped ones."""
    examples = {
        "delivery": ("where is my parcel", "the parcel has not arrived", "the courier left it at the wrong door"),
        "warranty": ("the zip of my jacket broke", "the seam came apart after a week", "a button fell off"),
        "billing": (),
    }
    by = learnt(examples)

    told = [classify("", text, by).issue_type for text in ("My parcel is late", "A seam broke", "Send me the invoice")]
    assert told == ["delivery", "warranty", "billing"]
    assert by.fallback == ""
    assert classify("", "xyzzy plugh", by).issue_type in examples


@pytest.mark.parametrize(
    "categories", [{}, dict.fromkeys(("technical", "billing", "account", "booking", "general"), ())]
)
def test_without_examples_the_shipped_classifier_decides(categories: dict[str, tuple[str, ...]]) -> None:
    """It need not be trained at a start."""
    assert learnt(categories) is shipped()


def test_what_is_configured_is_learnt_once() -> None:
    """Nothing configured is the shipped classifier."""
    assert configured(()) is shipped()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I change my password?", Complexity.SIMPLE),
        ("What happened to my reservation for Friday?", Complexity.MODERATE),
        ("help", Complexity.MODERATE),
        ("word " * 200, Complexity.MODERATE),
        ("How do I reset my password, and where do I find the invoice?", Complexity.MODERATE),
        ("Your webhooks do not arrive on our side.", Complexity.MODERATE),
        ("Could you make an exception and move the deadline?", Complexity.COMPLEX),
        ("The app crashes, the invoice is wrong and I forgot my password.", Complexity.COMPLEX),
        ("I have tried everything and your api still fails.", Complexity.COMPLEX),
    ],
)
def test_complexity_grows_with_what_must_be_judged(text: str, expected: Complexity) -> None:
    """One clear question is simple; data, several issues or vagueness make it moderate; exceptions need judgement."""
    assert complexity_of("", text, topics_of("", text).categories) is expected
