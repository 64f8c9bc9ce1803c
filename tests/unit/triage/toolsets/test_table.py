"""The table of all toolsets: every writing tool has a rule, a switch brings its tools."""

import pytest

from cli.wiring.agents.profiles import agents_of
from prompts import read
from triage.agent.profiles import profile_of
from triage.config.settings import Isolated, load
from triage.config.triage_yaml import Config
from triage.domain.conversation import Grant

RIGHTS = {
    "jira": {
        "get_current_period": "read",
        "read_jira_tickets": "read",
        "create_jira_ticket": "write",
        "modify_jira_ticket": "write",
        "link_jira_tickets": "write",
        "get_jira_ticket": "read",
        "finish": "read",
    },
}
"""Who may call what. A new right must be written here, and so shows in the diff."""


WITH_ASSIGNMENT = {
    "jira": {"get_project_users": "read", "get_user_workload": "read", "suggest_assignee": "read"},
}
"""What ENABLE_SMART_ASSIGNMENT adds."""


EVERYTHING = {
    "ENABLE_SMART_ASSIGNMENT": "true",
    "ENABLE_SPRINTS": "true",
    "SMTP_HOST": "127.0.0.1",
    "MAIL_FROM": "support@harbour.example",
}
"""Settings with every feature on."""


EVERY_FIELD = Config(fields={"Severity": ("S1", "S2")})
"""Configuration of a toolbox with every argument."""


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
