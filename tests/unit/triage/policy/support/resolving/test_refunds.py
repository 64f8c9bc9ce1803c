"""When rules propose a refund to a person, and when they leave it."""

from collections.abc import Mapping, Sequence

import pytest

from triage.domain.conversation import Json
from triage.domain.support.articles import Passage, PassageHit
from triage.domain.untrusted import Untrusted
from triage.policy.support.resolving.refunds import RefundFacts, refund_plan, wish_for_refund

SCHEMA = {"required": ["user_id", "reservation_id", "reason"]}
OPERA: Mapping[str, Json] = {"reservation_id": "r-500", "experience_title": "Night at the opera", "status": "confirmed"}
JAZZ: Mapping[str, Json] = {
    "reservation_id": "r-501",
    "experience_title": "Jazz in the boiler house",
    "day": "2026-12-19",
}
ALLOWED = "Refunds are decided by our team. Do not promise a refund to a member."


def hit(text: str, title: str = "Help") -> PassageHit:
    """A passage that was found."""
    return PassageHit(passage=Passage(article="a", number=0, title=title, text=Untrusted(text)), similarity=0.5)


def facts(text: str, *records: Json, article: str = ALLOWED, known: Mapping[str, Json] | None = None) -> RefundFacts:
    """What is known of a customer with these records."""
    return RefundFacts(
        text=text,
        schema=SCHEMA,
        known={"user_id": "u-1"} if known is None else known,
        read={"list": {"reservations": list(records)}},
        hits=[hit(article)],
    )


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("I was ill. Please refund r-500.", "Please refund r-500."),
        ("Ich möchte mein Geld zurück.", "Ich möchte mein Geld zurück."),
        ("Je veux un remboursement pour le concert.", "Je veux un remboursement pour le concert."),
        ("Quiero un reembolso de la reserva.", "Quiero un reembolso de la reserva."),
        ("Vorrei un rimborso per il concerto.", "Vorrei un rimborso per il concerto."),
        ("Ik wil mijn geld terug.", "Ik wil mijn geld terug."),
        ("Quero um reembolso da reserva.", "Quero um reembolso da reserva."),
        ("Proszę o zwrot pieniędzy.", "Proszę o zwrot pieniędzy."),
        ("Jag vill ha pengarna tillbaka.", "Jag vill ha pengarna tillbaka."),
        ("予約の返金をお願いします。", "予約の返金をお願いします。"),
        ("Please refund it, if possible.", "Please refund it, if possible."),
        ("Would I get a refund if I cancel?", ""),
        ("What is your refund policy?", ""),
        ("I do not want a refund.", ""),
        ("Could you waive the fee?", ""),
    ],
)
def test_a_plain_request_is_a_wish(text: str, wish: str) -> None:
    """In ten languages; what depends on something, asks for the rules or takes it back is none."""
    assert wish_for_refund(text) == wish


@pytest.mark.parametrize(
    ("text", "records", "meant"),
    [
        ("Please refund r-500.", (OPERA, JAZZ), "r-500"),
        ("Please refund the jazz evening.", (OPERA, JAZZ), "r-501"),
        ("Please refund my booking.", (OPERA,), "r-500"),
        ("Please refund my booking.", (OPERA, {**JAZZ, "status": "cancelled"}), "r-500"),
        ("Please refund my booking.", (OPERA, OPERA), "r-500"),
        ("How do I get a refund for r-500?", (OPERA,), "r-500"),
    ],
)
def test_the_record_that_the_mail_means_is_proposed(text: str, records: Sequence[Json], meant: str) -> None:
    """By its id, by words of its title, or since there is no other; the reason is the customer's sentence."""
    plan = refund_plan(facts(text, *records))

    assert plan.arguments == {"user_id": "u-1", "reservation_id": meant, "reason": text}, plan.why_not


@pytest.mark.parametrize(
    ("text", "records", "article", "why"),
    [
        ("Good morning.", (OPERA,), ALLOWED, ""),
        ("Please refund r-500.", (OPERA,), "Lockers are free.", "no article speaks of refunds"),
        ("Please refund r-500.", (OPERA,), "We offer no refund.", "an article says: “We offer no refund.”"),
        ("Please refund r-500.", (OPERA,), "A refund is decided by us. Tickets are non-refundable.", "an article says"),
        ("Please refund r-500.", (), ALLOWED, "no record of the customer was found"),
        ("Please refund r-700.", (OPERA,), ALLOWED, "does not say which"),
        ("Please refund r-500 and r-501.", (OPERA, JAZZ), ALLOWED, "does not say which"),
        ("Please refund my booking.", (OPERA, JAZZ), ALLOWED, "does not say which"),
        ("How do I get a refund?", (OPERA,), ALLOWED, "names no record"),
        ("Please refund r-500.", ({**OPERA, "status": "Refunded"},), ALLOWED, "r-500 is Refunded"),
    ],
)
def test_what_is_not_plain_is_left_to_a_person(text: str, records: Sequence[Json], article: str, why: str) -> None:
    """There is no call, and the reason is told."""
    plan = refund_plan(facts(text, *records, article=article))

    assert not plan.arguments
    assert plan.why_not.startswith(why) or why in plan.why_not
    assert bool(plan.why_not) is bool(why)


def test_a_tool_that_needs_no_record_is_not_called() -> None:
    """Money is paid back for something of the customer's alone, not for whatever code happens to know."""
    known = {"user_id": "u-1", "reservation_id": "r-9"}

    assert not refund_plan(facts("Please refund r-500.", OPERA, known=known)).arguments
