"""The playbook as a model: rounds of searching and acting, with the tools that an agent has."""

from dataclasses import replace

import pytest

from tests.unit.triage.toolsets.rule_facts import FACTS, calls
from triage.domain.conversation import ToolSpec
from triage.toolsets.playbook import NO_MODEL, Playbook


def test_it_searches_when_nobody_has() -> None:
    """Without a prefetch the first move is a search, the second one uses what it found."""
    blind = replace(FACTS, searched=False)
    (search,) = calls(blind)
    same = {"key": "HARB-3", "probability": 0.9, "certain": "same error", "category": "new"}
    found = {"tickets": [same, {"key": "HARB-4", "category": "done"}]}
    (comment,) = calls(blind, ("read_jira_tickets", found))

    assert (search.tool, comment.arguments["ticket_key"]) == ("read_jira_tickets", "HARB-3")


def test_a_failed_search_still_tries_to_create() -> None:
    """A search that answered an error gives no candidates; the guard decides about the create."""
    (call,) = calls(replace(FACTS, searched=False), ("read_jira_tickets", "broken"))

    assert call.tool == "create_jira_ticket"


@pytest.mark.parametrize("tools", [(), ("send_reply",)])
async def test_an_agent_without_its_tools_is_told_to_need_a_model(tools: tuple[str, ...]) -> None:
    """Where the rules want a tool that the agent has not, its case says that no model decides."""
    specs = [ToolSpec(name=name, description="", parameters={}) for name in tools]
    for facts in (FACTS, replace(FACTS, searched=False)):
        turn = await Playbook(facts, "n").complete((), specs, 100)

        assert (turn.text, turn.calls) == (NO_MODEL, ())
