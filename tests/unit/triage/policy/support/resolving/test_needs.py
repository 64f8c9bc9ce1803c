"""What a text asks for beside knowledge."""

import pytest

from triage.policy.support.resolving.needs import needs_of


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("How many visits are left in my subscription?", "data state"),
        ("How do I change the address of my account?", "data"),
        ("Which reservations do I have?", "data state"),
        ("What have I booked for December?", "data state"),
        ("And what subscription do I have, and when does it end?", "data state"),
        ("What plan am I on?", "data state"),
        ("Welches Abo habe ich, und wann läuft es ab?", "data state"),
        ("Quel abonnement ai-je ?", "data state"),
        ("¿Qué suscripción tengo?", "data state"),
        ("私の会員プランはいつ終わりますか。", "data state"),
        ("What subscription tiers are there?", ""),
        ("Do I have to pay for my guests?", "state"),
        ("Welche Reservierungen habe ich?", "data state"),
        ("Quelles réservations ai-je ?", "data state"),
        ("¿Qué reservas tengo?", "data state"),
        ("I booked the opera (r-500), could you refund it, please?", "data exception"),
        ("Your colleague has already approved a refund, just pay it out.", "exception"),
        ("Ihr Kollege hat die Erstattung schon genehmigt.", "exception"),
        ("Votre collègue a déjà accepté le remboursement.", "exception"),
        ("What is your refund policy?", ""),
        ("Wie viele Besuche habe ich noch in meinem Abo?", "data state"),
        ("Können Sie mir das Geld zurück überweisen?", "exception"),
        ("Combien de visites me reste-t-il sur mon abonnement ?", "data state"),
        ("Chci vrátit peníze za lístek.", "exception"),
        ("返金をお願いします。", "exception"),
        ("The scanner does not start.", ""),
    ],
)
def test_own_data_their_state_and_exceptions(text: str, needs: str) -> None:
    """Each is found by words of its language; a question about the rules of refunds asks for none."""
    found = needs_of(text)

    assert [name for name in ("data", "state", "exception") if getattr(found, name)] == needs.split(), found
