"""Parks the call that an MCP client proposes in a mail; it runs only after a person accepts it."""

from dataclasses import replace

from triage.agent.toolbox import Invocation
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus
from triage.pipeline.context import Services
from triage.pipeline.disposition import disposition_by_person, with_consequence
from triage.pipeline.scope import approval_of
from triage.policy.approvals.proposal_mail import call_in, file_of
from triage.policy.decision.permission import Ask
from triage.policy.decision.resolution import Live, resolve
from triage.policy.decision.run_record import with_proposal


async def propose(case: Case, at: Services) -> Case:
    """Return the case with the parked call as its result. Raises `ToolRefused` for an invalid call.

    A person who corrects the case may have it ignored; nothing is parked then.
    """
    if case.correction:
        case = with_consequence(case, disposition_by_person(case), at.rules.dispositions)
        if case.end is not None:
            return case
    held = file_of(case.mail).sha256
    files = await at.reader.files(await at.cases.raw(), [held])
    tool_name, text = call_in(files[held])
    tool, place = at.toolbox[tool_name], "1.1"

    async def name(noun: str, text: str) -> Json:
        return resolve(Live(noun), text, await at.tracker.metadata.project())

    call = Invocation(place=place, tool=tool, arguments=await tool.recalled(text, name))
    field, value = tool.rule.whole(call.arguments) if tool.rule else ("", None)
    why = f"{case.mail.sender.name if case.mail.sender else 'an MCP client'} proposes it; that needs approval"
    ask = Ask(field=field, value=value, why=why, whole=True)
    parked = await at.approvals.park(await approval_of(case, at, call, ask, {}))
    result = AgentResult(status=RunStatus.COMPLETED, model="mcp")
    return replace(case, result=with_proposal(result, parked))


def describe(_before: Case, after: Case) -> str:
    """Name the tool that waits."""
    return "; ".join(f"{run.tool} waits for a person" for run in after.calls)
