"""Runs the playbook as a `Model`, in the same loop and with the same tools, guards and journal as a real one."""

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from triage.agent.loop import RESULT
from triage.domain.conversation import Json, Messages, Role, ToolCall, ToolSpec, Turn, Usage
from triage.policy.decision.playbook import Action, Near, Results, RuleInput
from triage.policy.text.untrusted import unfenced, word
from triage.policy.ticket.components import sure_component
from triage.policy.ticket.text.draft import due_in
from triage.policy.ticket.versions import versions_of
from triage.toolsets.people.facts import writable
from triage.toolsets.prompt import mail_text, unwrapped
from triage.toolsets.table import granted
from triage.toolsets.tickets.facts import done_status, likeness, listed
from triage.toolsets.tickets.playbook import decide
from triage.toolsets.toolset import PromptInput

NO_MODEL: Final = (
    "no model decides for this agent, and the rules know none of its tools: set a model, or decide yourself"
)


class Playbook:
    """A `Model` that answers by rules over facts of the case, and asks no server."""

    name = "playbook"

    def __init__(self, facts: RuleInput, nonce: str) -> None:
        self._facts = facts
        self._nonce = nonce

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Return the next turn by the rules; it calls only tools in `tools`."""
        del max_tokens
        names = {spec.name for spec in tools}
        move = action_of(self._facts, results_of(messages, self._nonce), names)
        turn = turn_of(move, messages, tools, self.name)
        return replace(turn, text=NO_MODEL) if move.calls and not turn.calls else turn


def action_of(facts: RuleInput, results: Results, tools: Collection[str]) -> Action:
    """Decide what to do next with these tools."""
    additions = (toolset.addition(facts, results) for toolset in granted(tools))
    possible = [each for each in additions if each.call is None or each.call.tool in tools]
    return decide(facts, results, possible)


def turn_of(move: Action, messages: Messages, tools: Sequence[ToolSpec], name: str) -> Turn:
    """Format the action as a model's turn, without calls of tools that are not in `tools`."""
    known = {spec.name for spec in tools}
    turn = sum(message.role is Role.ASSISTANT for message in messages) + 1
    calls = tuple(
        ToolCall(id=f"call_{turn}_{place}", name=call.tool, arguments=json.dumps(call.arguments, ensure_ascii=False))
        for place, call in enumerate(move.calls, 1)
        if call.tool in known
    )
    return Turn(text=move.text, calls=calls, usage=_estimated(messages, tools, move.text, calls), model=name)


def facts_of(about: PromptInput, preprocessor: str) -> RuleInput:
    """Build the playbook's input from a case."""
    case, project = about.case, about.project
    mail, due = unwrapped(case.mail, preprocessor), due_in(case.mail, case.received_at)
    return RuleInput(
        subject=" ".join(mail.subject.split()) if case.own_subject else "",
        sender=" ".join(f"{mail.sender or 'unknown'}".split()),
        text=mail_text(mail, short=about.short),
        trust=case.identity.trust.value,
        type=case.cues.type.value,
        priority=case.cues.priority.value,
        fixed=case.cues.fixed.value == "yes",
        ticket=case.ticket,
        ticket_open="ticket-closed" not in case.flags,
        named=case.retrieval.named,
        near=tuple(
            Near(key=one.ticket.key, probability=likeness(one), open=one.ticket.open, certain=word(one.certain))
            for one in listed(case)
        ),
        searched=case.retrieval.searched,
        issue_types=project.issue_types,
        priorities=project.priorities,
        components=project.components,
        affected=versions_of(case, project).names,
        done_status=done_status(project, about.rules.done_status),
        proposals=tuple(one.person.id for one in case.retrieval.proposals if one.proposed and writable(one)),
        forward="forward" in mail.flags,
        stub=case.stub is not None,
        rich=mail.rich,
        keys=case.cues.keys,
        due=replace(due, evidence=word(due.evidence)) if due else None,
        language=about.rules.language,
        review=case.model_missed,
        creates=about.rules.budget.creates,
        may_be_from=about.rules.may_be_from,
        component=sure_component(case.retrieval.components),
        likeliest=next((guess.name for guess in case.retrieval.components), ""),
    )


def results_of(messages: Messages, nonce: str) -> list[tuple[str, Json]]:
    """Return (tool name, result) of the calls so far."""
    names = {call.id: call.name for message in messages for call in message.calls}
    texts = ((message.answers, message.text) for message in messages if message.role is Role.TOOL)
    return [(names.get(call, ""), json.loads(unfenced(text, RESULT, nonce) or text)) for call, text in texts]


def _estimated(messages: Messages, tools: Sequence[ToolSpec], text: str, calls: Sequence[ToolCall]) -> Usage:
    """Estimate the tokens that a real model would have used, at four bytes each of what is sent: JSON without blanks."""
    asked = sum(len(s.text.encode()) + sum(len(c.arguments) + len(c.name) for c in s.calls) for s in messages)
    shown = sum(len(spec.description) + len(_sent(spec.parameters)) + len(spec.name) for spec in tools)
    answered = len(text.encode()) + sum(len(c.arguments) + len(c.name) for c in calls)
    return Usage(input_tokens=(asked + shown) // 4, output_tokens=answered // 4, cost_usd=0.0)


def _sent(schema: Json) -> bytes:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()
