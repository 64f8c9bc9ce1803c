"""The ticket tools that programs outside may use, under the names by which those know them."""

from collections.abc import Mapping
from typing import Final

from triage.agent.toolbox import Tool
from triage.toolsets.tickets.reading import get_jira_ticket
from triage.toolsets.tickets.tools import create_jira_ticket, read_jira_tickets

PUBLIC: Final[Mapping[str, Tool]] = {"search": read_jira_tickets, "get": get_jira_ticket, "propose": create_jira_ticket}
