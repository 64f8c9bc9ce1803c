"""A model that plays all agents of a build by their prompts, well unless a test says otherwise."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from triage.domain.conversation import Messages, Role, ToolCall, ToolSpec, Turn, Usage
from triage.domain.errors import ModelDown

AGENTS: Final = {
    "Email Reader": "email_reader",
    "Memory Writer": "memory_writer",
    "Action Agent": "action",
    "Reconciliation Agent": "reconciliation",
}
Part = Callable[[Messages], Turn]
USED: Final = Usage(input_tokens=900, output_tokens=90)


@dataclass
class Player:
    """The port `Model`. `parts` replaces what an agent says."""

    parts: dict[str, Part] = field(default_factory=dict)
    down: set[str] = field(default_factory=set)
    """Agents whose model does not answer."""
    heard: list[tuple[str, Messages]] = field(default_factory=list)
    offered: dict[str, list[str]] = field(default_factory=dict)
    name: str = "player"

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Answer as the agent whose prompt this is."""
        assert max_tokens
        agent = next(name for words, name in AGENTS.items() if f"You are the {words}" in conversation[0].text)
        self.heard.append((agent, conversation))
        self.offered[agent] = [tool.name for tool in tools]
        if agent in self.down:
            raise ModelDown(self.name, "503")
        turn = self.parts.get(agent, USUAL[agent])(conversation)
        return Turn(text=turn.text, calls=turn.calls, usage=USED, model=self.name)

    def asked(self, agent: str) -> int:
        """How often the model was asked as this agent."""
        return sum(name == agent for name, _ in self.heard)


def known(conversation: Messages) -> Any:
    """What code has told the agent."""
    return json.loads(re.findall(r"<<<FOUND \S+\n(.*)\n\S+ FOUND>>>", conversation[1].text)[0])


def turns(conversation: Messages) -> int:
    """How often the model has answered in this run."""
    return sum(message.role is Role.ASSISTANT for message in conversation)


def calls(*wanted: tuple[str, Mapping[str, object]]) -> Turn:
    """Calls of tools."""
    made = (ToolCall(id=str(n), name=name, arguments=json.dumps(given)) for n, (name, given) in enumerate(wanted))
    return Turn(text="", calls=tuple(made))


def reads(conversation: Messages) -> Turn:
    """Take each sentence of each mail that promises something for a commitment."""
    mails = re.findall(
        r'\{"case":"(case-\d+)","from":"([^"]+)".*?\}\n<<<MAIL \S+\n.*?\n\n(.*?)\n\S+ MAIL>>>',
        conversation[1].text,
        re.DOTALL,
    )
    found = [
        {
            "kind": "commitments" if "I will" in sentence else "action_required",
            "title": f"{sender.partition('@')[0].title()}: {sentence}",
            "text": f"As it was told: {sentence}.",
            "source_emails": [case],
            "owner": sender if "I will" in sentence else "",
            "quote": sentence,
        }
        for case, sender, text in mails
        for sentence in re.findall(r"(?:I will|Please) [^.]+", text)
    ]
    return Turn(text=json.dumps(found))


def writes(conversation: Messages) -> Turn:
    """Write a note of each observation, in words of its own."""
    if turns(conversation):
        return Turn(text="All written.")
    found = known(conversation)["observations"]
    return calls(*(("write_memory", noted(one["name"], one["observation"])) for one in found))


def noted(name: str, observation: Mapping[str, Any], **more: object) -> dict[str, object]:
    """Arguments of a note."""
    words = {"title": f"Noted: {observation['title']}", "text": "It was said in a mail."}
    return {"kind": observation["kind"], **words, "source_emails": [name], **more}


def plans(conversation: Messages) -> Turn:
    """Make an action of each promise."""
    if turns(conversation):
        return Turn(text="All planned.")
    promises = known(conversation)["promises_without_action"]
    return (
        calls(*(("write_memory", action(one["id"])) for one in promises)) if promises else Turn(text="Nothing to do.")
    )


def action(promise: str, **more: object) -> dict[str, object]:
    """Arguments of an action."""
    return {
        "kind": "action_required",
        "title": f"Do what {promise.rpartition('/')[2][11:]} says"[:150],
        "quadrant": "do",
        "priority_justification": "the auditor cannot begin without it",
        "source_memories": [promise],
        **more,
    }


def settles(conversation: Messages) -> Turn:
    """Close each note with the newest sent mail, whatever it says."""
    if turns(conversation) == 0:
        return calls(("fetch_sent_emails", {"days": 180}))
    if turns(conversation) > 1:
        return Turn(text="All settled.")
    evidence = re.findall(r'"message_id":"([^"]+)"', conversation[-1].text)[0]
    return calls(*(("write_memory", closed(one["id"], evidence)) for one in known(conversation)["notes"]))


def closed(note: str, evidence: str) -> dict[str, object]:
    """Arguments of a closing."""
    return {"kind": note.partition("/")[0], "note": note, "status": "closed", "evidence": evidence}


USUAL: Final[Mapping[str, Part]] = {
    "email_reader": reads,
    "memory_writer": writes,
    "action": plans,
    "reconciliation": settles,
}
