"""The tool that looks up who writes: from the directories, only for the mail's sender."""

from dataclasses import asdict

from triage.agent.toolbox import tool
from triage.domain.conversation import Grant, Json
from triage.domain.errors import SourceDown
from triage.toolsets.context import Context


@tool(Grant.READ)
async def get_contact(at: Context) -> Json:
    """Who the sender is to us: name, organisation, level and contract, and how far the address is proven.

    It looks up nobody else, so that a mail cannot ask for other people's entries.
    """
    sender = at.case.mail.sender
    trust = at.case.identity.trust.value
    if sender is None or at.contacts is None:
        return {"known": False, "trust": trust}
    try:
        found = await at.contacts.find(sender.address)
    except SourceDown as e:
        return {"error": str(e)}
    if found is None:
        return {"known": False, "trust": trust}
    return {"known": True, "trust": trust, **{name: value for name, value in asdict(found).items() if value}}
