"""The tool that links two tickets, with its rule."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from triage.agent.toolbox import LiveName, tool
from triage.domain.conversation import Grant, Json, ToolRun
from triage.policy.decision.permission import Arguments, RunHistory, Terms, ToolRule
from triage.policy.decision.resolution import Live
from triage.policy.decision.rights import Right, RightsRow, Standing
from triage.toolsets.context import Context
from triage.toolsets.tickets.effects import LINK, TicketWrites
from triage.toolsets.tickets.rules import INSTEAD, by_whom, spent, unseen

TIE: Final = "link older tickets"
WORDS: Final = {"duplicates": "duplicates", "relates": "relates to", "blocks": "blocks"}


def _no_link(arguments: Arguments, history: RunHistory, terms: Terms) -> str:
    """Return why these two cannot be linked; empty if they can."""
    one, other = str(arguments["ticket_key"]), str(arguments["other_key"])
    if one == other:
        return f"{one} cannot be tied to itself"
    return unseen(one, history, terms) or unseen(other, history, terms) or spent(history, terms)


def _asked(_: str, arguments: Arguments, standing: Standing) -> str:
    return f"{_sentence(arguments)} would be written; the sender is not part of it ({standing})"


def _link_sentence(run: ToolRun) -> str:
    match run.result.get("status"):
        case "linked":
            return f"{_sentence(run.result)}.{by_whom(run.result)}"
        case "dry_run":
            return f"Would write that {_sentence(run.result['would'])}."
    return ""


def _sentence(link: Mapping[str, Json]) -> str:
    return f"{link['ticket_key']} {WORDS[link['kind']]} {link['other_key']}"


LINK_RULE: Final = ToolRule(
    rights={TIE: RightsRow(Right.YES, Right.PERSON, Right.NO, Right.NO)},
    deeds=lambda *_: {"": TIE},
    refusal=_no_link,
    target="ticket_key",
    counts=("change",),
    instead=INSTEAD,
    asked=_asked,
    effect="link",
    whole=lambda arguments: (f"link {arguments['other_key']}", arguments["kind"]),
    record=lambda arguments, _, history: history.did("change", str(arguments["ticket_key"])),
    kinds=lambda _: (LINK.name,),
    describe=_link_sentence,
)


@tool(Grant.WRITE, LINK_RULE)
async def link_jira_tickets(
    at: Context,
    ticket_key: Annotated[str, LiveName(Live.TICKET)],
    other_key: Annotated[str, LiveName(Live.TICKET)],
    kind: Literal["duplicates", "relates", "blocks"],
) -> Json:
    """Link two tickets."""
    await TicketWrites(effects=at.effects, tracker=at.tracker).link(ticket_key, other_key, kind)
    return {"status": "linked", "key": ticket_key, "ticket_key": ticket_key, "other_key": other_key, "kind": kind}
