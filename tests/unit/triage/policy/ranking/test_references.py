"""Numbers of invoices and orders, and asking for news."""

import pytest

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.ranking.references import asks_for_news, references_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The PDF of invoice 9021 shows a wrong rate.", {"9021"}),
        ("Your order #55172: one parcel only", {"55172"}),
        ("Rechnung Nr. 4711-22 kam doppelt", {"471122"}),
        ("Invoice no. INV-2026-118 and booking 412.", {"2026118", "412"}),
        ("Facture n° 8812", {"8812"}),
        ("Please order 12 hooks by 2026-11-30, the request of 2026, case 3 of 5, order 12/2026", set()),
        ("Call 0400 555 017, customer 48813", set()),
    ],
)
def test_numbers_of_papers_and_transactions(text: str, numbers: set[str]) -> None:
    """Only a number behind the word for an invoice, an order or the like counts; amounts, dates and customers' numbers do not."""
    assert references_in(text) == numbers


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Any news on the invoice with the wrong rate?", True),
        ("Gibt es schon etwas Neues?", True),
        ("The export fails.", False),
        ("Any news could be shown on the start page, that would be great.", False),
        (f"Any news? {'The crane hums and nobody knows why. ' * 12}", False),
        (f"Any news? {'hum ' * 3000}", False),
    ],
)
def test_asking_for_news(text: str, *, asks: bool) -> None:
    """A short mail with such words does; a longer one has something to say."""
    assert asks_for_news(Message(text=Untrusted(text), reply=Untrusted(text))) is asks
