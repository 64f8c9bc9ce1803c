"""Questions of other languages in English keywords."""

import pytest

from triage.domain.support.articles import Passage
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.translation import in_english, same_language


def often(term: str) -> int:
    """How many passages of a library that writes `bill` and `shipment` hold a term."""
    return {"bill": 9, "invoic": 2, "shipment": 5}.get(term, 0)


@pytest.mark.parametrize(
    ("question", "told", "language"),
    [
        ("Ich habe mein Passwort vergessen.", "password forgotten", "de"),
        ("J'ai oublié mon mot de passe, et l'application ?", "forgotten password app", "fr"),
        ("Kde najdu faktury za zásilky?", "search bill shipment", "cs"),
        ("Jak usunąć użytkownika Kowalski?", "delete user kowalski", "pl"),
        ("Was kostet ein Rücksendeetikett mit Fehler BK-22?", "price return label error bk 22", "de"),
        ("Dürfen wir auch Lithiumbatterien verschicken?", "durfen battery shipping", "de"),
        ("Wie hoch ist der Exportzollsatz?", "hoch export", "de"),
    ],
)
def test_words_are_looked_up(question: str, told: str, language: str) -> None:
    """Stems, words in a row, elisions and the last part of a compound are known; names and codes stay; the library's word is taken."""
    assert in_english(question, often) == (told, language)


@pytest.mark.parametrize(
    "question",
    [
        "How do I change the password of my account?",
        "password reset",
        "BK-22",
        "",
        "Unser Kaninchen und das Meerschweinchen sind krank.",
        "パスワードを忘れました",
    ],
)
def test_others_stay_as_they_are(question: str) -> None:
    """What is English, tells no language, has no known word or no list is looked for by its own words alone."""
    assert in_english(question, often) is None


@pytest.mark.parametrize(
    ("question", "text", "same"),
    [
        (
            "El jarrón llegó roto ayer. ¿Qué tengo que hacer y cuánto tiempo tengo?",
            "Comunique los daños en un plazo de siete días desde la entrega.",
            True,
        ),
        (
            "El jarrón llegó roto ayer. ¿Qué tengo que hacer y cuánto tiempo tengo?",
            "Tell us about the damage within seven days of the delivery.",
            False,
        ),
        ("Kaputt!", "Tell us about the damage within seven days of the delivery.", False),
    ],
)
def test_an_article_of_the_question_s_language(question: str, text: str, *, same: bool) -> None:
    """It is one where the words of both surely tell the same language."""
    assert same_language(question, Passage(article="a", number=0, title="", text=Untrusted(text))) is same
