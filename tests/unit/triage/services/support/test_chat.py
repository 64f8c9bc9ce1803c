"""Messages of chats as mails of the intake."""

from collections.abc import Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from triage.config.routing.rule import RoutingRule
from triage.domain.findings import PipelineName
from triage.domain.mail import Received, Trust
from triage.domain.support.errors import NoChatRule
from triage.policy.support.chat_message import NOBODY, SOURCE, SupportChatMessage
from triage.services.support.chat import ChatService

RULES = (RoutingRule(name="hub", all=True, pipeline=PipelineName.SUPPORT, account="acme"),)


def chat_over(taken: list[Received], rules: Sequence[RoutingRule] = RULES, source: str = SOURCE) -> ChatService:
    """The service over an intake that remembers, and a store with what it has taken."""

    async def accept(received: Received) -> str:
        taken.append(received)
        return "case-1"

    async def report(_: str) -> Any:
        return SimpleNamespace(case=SimpleNamespace(source=source))

    async def raw(_: str) -> bytes:
        return taken[-1].raw

    clock = SimpleNamespace(now=lambda: datetime(2026, 11, 23, 9, tzinfo=UTC))
    intake: Any = SimpleNamespace(accept=accept, clock=clock)
    reports: Any = SimpleNamespace(report=report, raw=raw)
    return ChatService(intake=intake, reports=reports, rules=lambda: rules)


async def test_a_message_is_a_mail_of_a_proven_sender() -> None:
    """Each is a delivery of its own; without a customer nobody asks; what was said is read back."""
    taken: list[Received] = []
    chat = chat_over(taken)
    assert [await chat.say("s1", "How?", account="acme") for _ in range(2)] == ["case-1"] * 2

    assert [(one.source, one.verdict) for one in taken] == [(SOURCE, Trust.VERIFIED)] * 2
    assert taken[0].source_id != taken[1].source_id
    said = await chat.message_of("case-1")
    assert said
    assert (said.session, said.customer, said.account, said.text) == ("s1", NOBODY, "acme", "How?")
    assert isinstance(said, SupportChatMessage)
    assert chat.accounts == ("acme",)


async def test_nobody_answers_without_a_rule() -> None:
    """Nothing is taken; and a mail that came by another way is no message of a chat."""
    taken: list[Received] = []
    for rules, account in (((), ""), (RULES, "other")):
        with pytest.raises(NoChatRule):
            await chat_over(taken, rules).say("s1", "How?", account=account)
    assert taken == []
    assert await chat_over(taken, source="file").message_of("case-1") is None
