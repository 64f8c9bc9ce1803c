"""Whose mail is not set aside by words."""

from typing import Any

import pytest

from triage.config.dispositions.table import DispositionTable, SenderList
from triage.domain.mail import Trust
from triage.policy.decision.disposition.standing import SenderFacts, SenderStanding, standing_of

TABLE = DispositionTable(
    allow=SenderList(entries=frozenset({"partner.example"})),
    block=SenderList(entries=frozenset({"mass@mailer.example"})),
    important=SenderList(entries=frozenset({"boss@big.example"})),
)


def stands(address: str = "ada@a.example", **facts: Any) -> SenderStanding:
    """The standing of this sender."""
    return standing_of(SenderFacts(address=address, **facts), TABLE)


@pytest.mark.parametrize(
    "facts",
    [
        {"ours": True},
        {"reported": True},
        {"in_thread": True},
        {"routed": "partner_incidents"},
        {"participant": True, "checked": True},
        {"ours": True, "checked": True, "trust": Trust.VERIFIED},
    ],
)
def test_who_is_protected(facts: dict[str, Any]) -> None:
    """Colleagues, participants, known reporters and mails that a rule asks for; proven where senders are checked."""
    assert stands(**facts).protected


@pytest.mark.parametrize("facts", [{"ours": True}, {"reported": True}, {"in_thread": True}])
def test_who_only_claims_to_be(facts: dict[str, Any]) -> None:
    """Where senders are checked, an unproven name keeps a mail from being set aside, and no more."""
    found = stands(checked=True, **facts)

    assert (bool(found.protected), bool(found.claimed)) == (False, True)


@pytest.mark.parametrize("facts", [{"trust": Trust.FAILED}, {"deceptive": True}])
def test_who_is_forged(facts: dict[str, Any]) -> None:
    """A forged sender has no standing, whoever he says he is."""
    assert SenderStanding() == stands("boss@big.example", ours=True, **facts)


def test_who_imitates_one_of_us() -> None:
    """The reason is kept: what such a mail wants, a person decides."""
    assert SenderStanding(imitates="name") == stands(
        "ada@gmail.example", reported=True, deceptive=True, imitates="name"
    )


def test_a_stranger() -> None:
    """Whom nobody knows has no standing."""
    assert SenderStanding() == stands()


def test_lists() -> None:
    """A domain stands for its subdomains; the block list holds for forged senders, too."""
    assert stands("eve@mail.partner.example").protected == "allowed sender: partner.example"
    assert stands("eve@notpartner.example") == SenderStanding()
    assert stands("boss@big.example").important == "boss@big.example"
    assert stands("mass@mailer.example", trust=Trust.FAILED).blocked == "mass@mailer.example"
    assert stands("mass@mailer.example", participant=True).blocked
