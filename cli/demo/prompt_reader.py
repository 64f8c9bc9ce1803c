"""A model for the demo and tests: parses our prompt, which it gets over HTTP, and decides by the playbook's rules."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Final

from triage.domain.conversation import Json, Messages, ToolSpec, Turn
from triage.domain.untrusted import Untrusted
from triage.policy.calendar.due_date import DueDate
from triage.policy.decision.playbook import Action, Near, RuleInput
from triage.policy.text.untrusted import outside, unfenced, word
from triage.toolsets.playbook import action_of, results_of, turn_of
from triage.toolsets.prompt import FACTS

IDLE: Final = "Ready. I decide about mails, by rules."
"""The answer to prompts that are not about a mail, such as that of `triage doctor`."""


class PromptReader:
    """A `Model` that knows only the prompt."""

    name = "playbook"

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Return the playbook's next action; call only granted tools."""
        del max_tokens
        if not any(FACTS in message.text for message in conversation[1:2]):  # the message after the system prompt
            return turn_of(Action(text=IDLE), conversation, tools, self.name)
        names, results = {spec.name for spec in tools}, results_of(conversation, fence_of(conversation))
        return turn_of(action_of(read_back(conversation), results, names), conversation, tools, self.name)


def fence_of(conversation: Messages) -> str:
    """Return the fence's nonce in the first user message, empty if there is none."""
    return conversation[1].text.partition("<<<MAIL ")[2].partition("\n")[0]


def read_back(conversation: Messages) -> RuleInput:
    """Parse the rules' input from the first two messages: the prompt's own lines, and the fenced mail."""
    system, user = (message.text for message in conversation[:2])
    nonce = fence_of(conversation)
    head, _, text = unfenced(user, "MAIL", nonce).partition("\n\n")
    found = json.loads(outside(user, nonce).partition(FACTS)[2].partition("\n")[0])
    values = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    return RuleInput(
        subject=values.get("Subject", "") if found.get("new_topic", {}).get("own_subject", True) else "",
        sender=values.get("From", ""),
        text=Untrusted(text),
        trust=found["sender"],
        type=found["type"],
        priority=found["priority"]["value"],
        fixed=found.get("fixed", False),
        ticket=found.get("ticket"),
        ticket_open=not found.get("ticket_closed", False),
        near=tuple(map(_candidate, _candidates(unfenced(user, "TICKETS", nonce)))),
        searched=not found.get("not_searched", False),
        issue_types=_names(system, "Issue types: "),
        priorities=_names(system, "Priorities: "),
        components=_names(system, "Components: "),
        done_status=system.partition("set its status to ")[2].partition(";\n")[0],
        proposals=tuple(name for name, _, _ in found.get("proposals", ())),
        forward="forward" in found.get("flags", ()),
        keys=tuple(found.get("keys_mentioned", ())),
        review=found.get("review", False),
        due=DueDate(day=date.fromisoformat(found["due"]), evidence=found["due_because"]) if "due" in found else None,
        creates=found.get("creates", 1),
        component=found.get("component", ""),
        affected=tuple(found.get("affects_versions", ())),
    )


def _candidates(tickets: str) -> list[dict[str, Json]]:
    """Parse the lines of the tickets with a probability; the others are near in meaning alone."""
    lines = [json.loads(line) for line in tickets.split("\n") if line]
    return [line for line in lines if "same" in line]


def _candidate(line: dict[str, Json]) -> Near:
    return Near(
        key=line["key"],
        probability=int(line["same"].partition(" ")[0]) / 100,
        open=not line.get("done", False),
        certain=word(line.get("certain", "")),
    )


def _names(system: str, label: str) -> tuple[str, ...]:
    """Return the names in one line of the system prompt, without what is said about them."""
    line = system.partition(label)[2].partition("\n")[0]
    return tuple(one.partition(" = ")[0] for one in line.split("; ")) if line and line != "none" else ()
