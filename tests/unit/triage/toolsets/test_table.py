"""The table of all toolsets: every writing tool has a rule, a switch brings its tools."""

import pytest

from cli.wiring.agents.profiles import agents_of
from prompts import read
from tests.unit.triage.toolsets.rights import EVERY_FIELD, EVERYTHING, RIGHTS, WITH_ASSIGNMENT
from triage.agent.profiles import profile_of
from triage.config.settings import Isolated, load
from triage.config.triage_yaml import Config
from triage.domain.conversation import Grant


def test_a_tool_that_writes_has_a_rule() -> None:
    """What writes or sends and has no row in the table of rights is refused; only such tools have rows."""
    box = agents_of(load(Isolated, **EVERYTHING), EVERY_FIELD).toolbox

    assert {tool.name for tool in box.tools if tool.grant is not Grant.READ} == {
        tool.name for tool in box.tools if tool.rule and tool.rule.rights
    }


@pytest.mark.parametrize("switch", ["false", "true"])
def test_a_switch_brings_its_tools(switch: str) -> None:
    """Without it the model is shown exactly the tools of the first table, in the same order."""
    box = agents_of(load(Isolated, ENABLE_SMART_ASSIGNMENT=switch), Config()).toolbox.granted(
        profile_of("jira", read("jira")).tools
    )
    more = [*WITH_ASSIGNMENT["jira"]] if switch == "true" else []

    assert [spec.name for spec in box.specs] == [*RIGHTS["jira"], *more]
