"""The tool that returns date and time; it needs no Jira."""

from triage.agent.toolbox import tool
from triage.domain.conversation import Grant, Json
from triage.toolsets.context import Context


@tool(Grant.READ)
async def get_current_period(at: Context) -> Json:
    """Today's date, weekday, time (UTC), week and month."""
    now = at.clock.now()
    return {
        "now": now.strftime("%Y-%m-%dT%H:%MZ"),
        "weekday": now.strftime("%A"),
        "week": now.isocalendar().week,
        "month": now.strftime("%Y-%m"),
    }
