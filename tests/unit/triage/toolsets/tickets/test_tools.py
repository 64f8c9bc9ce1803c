"""The tools about tickets: names and parameters, fields that a team configures."""

import pytest

from triage.agent.toolbox import Tool
from triage.toolsets.table import toolbox
from triage.toolsets.tickets.tools import TICKET_TOOLS


@pytest.mark.parametrize("jira_tool", TICKET_TOOLS, ids=lambda t: t.name)
def test_contract_names(jira_tool: Tool) -> None:
    """The names and parameters of the documents are contract."""
    contract = {
        "get_current_period": set(),
        "read_jira_tickets": {"days", "status", "assignee", "search_text"},
        "create_jira_ticket": {
            "summary", "description", "issue_type", "priority", "assignee", "labels", "components", "due_date",
            "affects_versions", "parent", "related", "fields", "sprint",
        },
        "modify_jira_ticket": {"ticket_key", "summary", "status", "assignee", "comment", "sprint", "priority"},
    }  # fmt: skip

    assert set(jira_tool.spec.parameters.get("properties", {})) == contract[jira_tool.name]
    assert jira_tool.spec.description


def test_custom_fields_stand_in_the_schema_where_some_are_configured() -> None:
    """With their values, so that the model needs no other list; without any the argument does not exist."""
    shape = toolbox(fields={"Severity": ("S1", "S2"), "Team": ()})["create_jira_ticket"].spec.parameters["properties"]

    assert shape["fields"]["description"].endswith("Severity: S1 | S2; Team: any text")
    assert "fields" not in toolbox()["create_jira_ticket"].spec.parameters["properties"]
