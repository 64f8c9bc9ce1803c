"""Why a person is needed: what customers say in ten languages, and what only sounds so."""

import pytest

from triage.policy.support.triggers import (
    asks_for_exception,
    asks_for_person,
    beyond_articles,
    failure_words,
    settled_in,
)

ASKING = (
    "I want to talk to a real person, please.",
    "Please connect me with an agent.",
    "Can't I just speak with somebody from your team?",
    "This bot is useless. Human please!",
    "I do not understand any of this and want someone to call me back.",
    "There is no way to talk to a human on your site.",
    "Could a supervisor call me please? Better: let me speak to your manager.",
    "Ich möchte bitte mit einem Menschen sprechen.",
    "Können Sie mich bitte zurückrufen?",
    "Kann ich nicht mit jemandem telefonieren?",
    "Verbinden Sie mich mit einem Mitarbeiter!",
    "Je voudrais parler à un conseiller.",
    "Pouvez-vous me rappeler ? Je ne veux plus de réponses automatiques.",
    "Je veux parler à une vraie personne, pas à un robot.",
    "Quiero hablar con una persona de verdad.",
    "No entiendo nada, ¿me puede llamar alguien?",
    "Vorrei parlare con un operatore umano.",
    "Potete richiamarmi? Non voglio un robot.",
    "Quero falar com um atendente humano.",
    "Por favor, me liguem ainda esta semana.",
    "Ik wil graag met een medewerker spreken.",
    "Kunt u mij terugbellen?",
    "Chcę porozmawiać z człowiekiem, nie z botem.",
    "Proszę o telefon w tej sprawie.",
    "Jag vill prata med en riktig människa.",
    "Kan någon ringa upp mig?",
    "人間の担当者と話したいです。",
    "オペレーターにつないでください。",
    "折り返しお電話をください。",
)
NOT_ASKING = (
    "There is no need to call a human, I found the answer.",
    "You don't need to connect me with anybody.",
    "Please do not call me back, mail is fine.",
    "I solved it without talking to a person.",
    "How can our customers talk to an agent in the chat widget?",
    "How do I add another person to my booking?",
    "How much is the tour per person?",
    "Who is in charge of human resources?",
    'Your page says "talk to a human" but that is not what I need.',
    "Sie müssen mich nicht zurückrufen.",
    "Ich brauche keinen Termin mit einem Mitarbeiter.",
    "Die Führung kostet pro Person 20 Euro.",
    "Il n'est pas nécessaire de me rappeler.",
    "Pas besoin de parler à un conseiller, c'est réglé.",
    "No hace falta que me llamen.",
    "Non serve parlare con un operatore, ho risolto.",
    "Não é preciso me ligar.",
    "U hoeft mij niet terug te bellen, ik wil niet met een medewerker spreken.",
    "Nie trzeba łączyć mnie z konsultantem.",
    "Ni behöver inte ringa mig.",
    "担当者と話す必要はありません。",
    "折り返しのお電話は不要です。",
    "How do I change my password?",
    "",
)


@pytest.mark.parametrize("text", ASKING)
def test_who_asks_for_a_person_is_heard(text: str) -> None:
    """In ten languages a wish for a person is found, with the words that say so."""
    words = asks_for_person(text)

    assert words
    assert words.replace(" ", "").casefold()[:3] in text.replace(" ", "").casefold()


@pytest.mark.parametrize("text", NOT_ASKING)
def test_who_asks_for_none_is_left_alone(text: str) -> None:
    """A denied, quoted or reported wish, and words that only sound so, ask for nobody."""
    assert asks_for_person(text) == ""


def test_the_subject_asks_too() -> None:
    """A subject counts like a sentence."""
    assert asks_for_person("It is about order 12.", subject="Please call me back") == "Please call me"


@pytest.mark.parametrize(
    "text",
    [
        "I want a refund for last month.",
        "Could you make an exception? I missed the deadline by a day.",
        "Ich hätte gern mein Geld zurück.",
        "Je demande un remboursement.",
        "Quiero que me devuelvan mi dinero.",
        "Vorrei un rimborso.",
        "Quero meu dinheiro de volta.",
        "Ik wil mijn geld terug.",
        "Proszę o zwrot pieniędzy.",
        "Jag vill ha pengarna tillbaka.",
        "返金をお願いします。",
    ],
)
def test_a_wish_that_only_people_may_grant_is_found(text: str) -> None:
    """Money back and exceptions are found in all languages."""
    assert asks_for_exception(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where do I find your refund policy?",
        "I got my refund, thank you.",
        "The import throws an exception.",
        "I don't want a refund.",
        "Wo finde ich die Erstattungsbedingungen?",
        "返金ポリシーはどこですか。",
    ],
)
def test_who_asks_for_rules_wants_no_exception(text: str) -> None:
    """Questions about refunds and errors of programs are no wishes for an exception."""
    assert asks_for_exception(text) == ""


def test_matters_beyond_the_articles_are_told_by_their_words() -> None:
    """A stack trace or an interface is nothing for articles."""
    assert beyond_articles("Your webhooks return HTTP 500.") == "webhooks"
    assert beyond_articles("How do I change my name?") == ""


def test_help_that_did_not_help_is_heard() -> None:
    """Who has tried everything says so."""
    assert failure_words("I have tried everything, it is still broken.") == "tried everything"
    assert failure_words("First question: where do I log in?") == ""


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
