"""The table of toolsets, and what is derived from it: tools, rules, kinds of effects."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from triage.agent.toolbox import Toolbox
from triage.domain.cases import Case
from triage.effects.kinds import EffectKinds, by_name
from triage.policy.decision.permission import RunHistory, ToolRule
from triage.policy.decision.rights import Right, Sender
from triage.policy.decision.sprints import OVERFILL, PLAN
from triage.policy.letters.reply.decide import ReplyPart
from triage.toolsets.calendar.tools import get_current_period
from triage.toolsets.contacts.tools import get_contact
from triage.toolsets.endings.facts import ending
from triage.toolsets.endings.tools import finish
from triage.toolsets.knowledge.tools import knowledge_retriever
from triage.toolsets.letters.effects import LETTER_EFFECTS
from triage.toolsets.letters.tools import LETTER_TOOLS, create_draft, send_reply
from triage.toolsets.meetings.effects import INVITE
from triage.toolsets.meetings.tools import MEETING_TOOLS, check_calendar
from triage.toolsets.memory.public import NOTE_EFFECT, WRITE
from triage.toolsets.outside.effects import EFFECTS as OUTSIDE_EFFECTS
from triage.toolsets.people.facts import people_facts, people_shown, why_theirs
from triage.toolsets.people.tools import PEOPLE_TOOLS
from triage.toolsets.sprints.effects import PLACE
from triage.toolsets.sprints.rules import running_sprint
from triage.toolsets.sprints.tools import SPRINT_TOOLS
from triage.toolsets.tickets.account import why_there
from triage.toolsets.tickets.effects import EFFECTS
from triage.toolsets.tickets.facts import ticket_facts, tickets_shown
from triage.toolsets.tickets.linking import link_jira_tickets
from triage.toolsets.tickets.reading import get_jira_ticket
from triage.toolsets.tickets.tools import FIELDS, TICKET_TOOLS, describe_fields
from triage.toolsets.tickets.undo import WITHDRAWALS
from triage.toolsets.toolset import Toolset

LETTERS: Final = "letters"
TICKETS: Final = "tickets"
PEOPLE: Final = "people"
SPRINTS: Final = "sprints"
MEETINGS: Final = "meetings"
CONTACTS: Final = "contacts"
KNOWLEDGE: Final = "knowledge"
TOOLSETS: Final = (
    Toolset(name="calendar", tools=(get_current_period,)),
    Toolset(name=MEETINGS, tools=MEETING_TOOLS, effects=(INVITE,), answers={ReplyPart.CALENDAR: check_calendar.name}),
    Toolset(name=CONTACTS, tools=(get_contact,), answers={ReplyPart.CONTACT: get_contact.name}),
    Toolset(name=KNOWLEDGE, tools=(knowledge_retriever,), named_if_off=False),
    Toolset(name="endings", tools=(finish,), addition=ending),
    Toolset(
        name=TICKETS,
        tools=(*TICKET_TOOLS, link_jira_tickets, get_jira_ticket),
        effects=(*EFFECTS, *WITHDRAWALS),
        facts=ticket_facts,
        began=tickets_shown,
        reasons=why_there,
    ),
    Toolset(
        name=PEOPLE,
        tools=PEOPLE_TOOLS,
        facts=people_facts,
        fragment="parts/assignment.md",
        began=people_shown,
        reasons=why_theirs,
    ),
    Toolset(
        name=SPRINTS,
        tools=SPRINT_TOOLS,
        effects=(PLACE,),
        arguments=("sprint",),
        deeds=(PLAN, OVERFILL),
        fragment="parts/sprints.md",
        addition=running_sprint,
    ),
    Toolset(name="outside", tools=(), effects=OUTSIDE_EFFECTS),
    Toolset(name="memory", tools=(), effects=(NOTE_EFFECT,)),
    Toolset(
        name=LETTERS,
        tools=LETTER_TOOLS,
        effects=LETTER_EFFECTS,
        fragment="parts/letters.md",
        named_if_off=False,
        answers={ReplyPart.DRAFT: create_draft.name, ReplyPart.LETTER: send_reply.name},
    ),
)

KINDS: Final[EffectKinds] = by_name(*(kind for toolset in TOOLSETS for kind in toolset.effects))
"""Kinds of effects by name; the first kind that a case wrote, in this order, gives its outcome."""
PARTS: Final[Mapping[ReplyPart, str]] = {part: tool for toolset in TOOLSETS for part, tool in toolset.answers.items()}
"""What an answer needs → the tool that does it, installed or not."""
NAMES: Final = frozenset(tool.name for toolset in TOOLSETS for tool in toolset.tools)
"""Tools of every toolset, switched on or not."""
LETTER_NAMES: Final = frozenset(tool.name for toolset in TOOLSETS if toolset.name == LETTERS for tool in toolset.tools)
"""After one of these the mail needs no second letter."""
TOLD: Final = {Right.PERSON: "a_person_decides", Right.LESS: "reduced", Right.NO: "refused"}
"""How a prompt names the rights that keep a call from being carried out as it is."""
UNRELATED: Final = "?"
"""Stands for a ticket that has nothing to do with the sender."""
RULES: Final[Mapping[str, ToolRule | None]] = {
    WRITE.name: WRITE.rule,
    **{tool.name: tool.rule for toolset in TOOLSETS for tool in toolset.tools},
}
"""Rules of all tools by name, also of disabled ones, since stored runs may have called them."""


def toolbox(off: Collection[str] = (), fields: Mapping[str, Sequence[str]] = MappingProxyType({})) -> Toolbox:
    """Return the tools of all toolsets except those in `off`, and drop the arguments that need those.

    `fields` are the custom fields that triage.yaml leaves to the mail, with their values.
    """
    gone = [argument for toolset in TOOLSETS if toolset.name in off for argument in toolset.arguments]
    gone += [] if fields else [FIELDS]
    on = (toolset for toolset in TOOLSETS if toolset.name not in off)
    return Toolbox(
        tool.without(*gone).described(FIELDS, describe_fields(fields)) for toolset in on for tool in toolset.tools
    )


def granted(tools: Iterable[str]) -> tuple[Toolset, ...]:
    names = set(tools)
    return tuple(toolset for toolset in TOOLSETS if names & {tool.name for tool in toolset.tools})


def begun(case: Case) -> RunHistory:
    """Return a run's history before its first turn: what the prompt shows."""
    history = RunHistory()
    for toolset in TOOLSETS:
        history = toolset.began(case, history)
    return history


def describe_rights(tools: Iterable[str], sender: Sender, ticket: str | None) -> dict[str, list[str]]:
    """Return, for this sender, what a person decides, what is reduced and what is refused; `ticket` is the thread's."""
    on = granted(tools := tuple(tools))
    gone = {deed for toolset in TOOLSETS if toolset not in on for deed in toolset.deeds}
    rules = [rule for name in tools if (rule := RULES.get(name))]
    standings = [(rule, sender.standing((ticket or UNRELATED) if rule.target else "")) for rule in rules]
    rights = {deed: row.of(standing) for rule, standing in standings for deed, row in rule.rights.items()}
    names = {
        title: sorted(deed for deed, right in rights.items() if right is which and deed not in gone)
        for which, title in TOLD.items()
    }
    return {title: deeds for title, deeds in names.items() if deeds}
