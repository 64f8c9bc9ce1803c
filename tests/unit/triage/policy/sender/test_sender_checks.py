"""What several decisions ask about a sender."""

from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case
from triage.domain.mail import Address, Message, Trust
from triage.domain.tickets import Person
from triage.domain.untrusted import Untrusted
from triage.policy.sender.sender_checks import answers_us, is_checked, is_colleague, is_deceptive
from triage.policy.sender.trust_verdict import Edge

PEOPLE = (
    Person(id="1", name=Untrusted("Ada Byron"), email="Ada@X.example"),
    Person(id="2", name=Untrusted("Bob Quay")),
)
CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC), message=Message())


@pytest.mark.parametrize(
    ("address", "colleague"),
    [
        ("ada@x.example", True),
        ("eve@harbourline.example", True),
        ("eve@x.example", False),
        ("eve@gmail.com", False),
        (None, False),
    ],
)
def test_a_colleague_has_an_address_of_ours(address: str | None, *, colleague: bool) -> None:
    """One of the project's people, or an address in our domains; whoever shares a free mailbox's host is none."""
    sender = Address(address=address) if address else None

    assert is_colleague(sender, PEOPLE, ("Harbourline.example", "gmail.com")) is colleague


@pytest.mark.parametrize(
    ("in_reply_to", "references", "ours"),
    [
        (("<1@us.example>",), (), True),
        (("<1@jira.US.example>",), (), True),
        ((), ("<0@them.example>", "<1@us.example>"), True),
        (("<1@them.example>",), ("<1@us.example>",), False),
        (("<1@notus.example>",), (), False),
        (("<1@gmail.com>",), (), False),
        ((), (), False),
    ],
)
def test_an_answer_to_one_of_us_names_a_mail_of_our_domain(
    in_reply_to: tuple[str, ...], references: tuple[str, ...], *, ours: bool
) -> None:
    """The mail that is answered counts, else the last of the thread; a free mailbox's host is nobody's own."""
    message = Message(in_reply_to=in_reply_to, references=references)

    assert answers_us(message, ("us.example", "gmail.com")) is ours


def test_senders_are_checked_by_the_provider_or_by_our_servers() -> None:
    """Without either, a missing proof says nothing about a sender."""
    by_provider = Case(id="case-2", source="postmark", received_at=CASE.received_at, verdict=Trust.WEAK)

    assert not is_checked(CASE, Edge())
    assert is_checked(CASE, Edge(servers=frozenset({"mx.harbourline.example"})))
    assert is_checked(by_provider, Edge())


def test_a_deceptive_sender_imitates_somebody_or_has_several_readings() -> None:
    """Both count, whichever is found."""
    two_senders = Case(id="case-3", source="file", received_at=CASE.received_at, message=Message(flags=("many-from",)))

    assert not is_deceptive(CASE)
    assert is_deceptive(CASE.flagged("lookalike"))
    assert is_deceptive(two_senders)
