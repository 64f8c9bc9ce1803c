"""Says what a person may edit in a proposal, and checks the edit: names are resolved, and the rules of the first call apply."""

import json
from collections.abc import Mapping
from dataclasses import replace

from triage.agent.toolbox import Tool, Toolbox, canonical
from triage.domain.approvals import Approval
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.errors import ToolRefused
from triage.domain.ports import Metadata
from triage.domain.tickets import Project
from triage.pipeline.scope import terms_for
from triage.policy.approvals.edit_form import EditField, edit_fields
from triage.policy.decision.permission import Decision, RunHistory, recorded, verdict
from triage.policy.decision.resolution import Live, choices_of, resolve
from triage.toolsets.context import Rules
from triage.toolsets.table import begun


async def edited_arguments(
    case: Case, approval: Approval, changes: Mapping[str, Json], toolbox: Toolbox, metadata: Metadata, rules: Rules
) -> str:
    """Return the canonical arguments with these changes; None leaves an argument out. Raises `ToolRefused` if they could not have been proposed."""
    tool, project = toolbox[approval.tool], await metadata.project()
    given = json.loads(approval.exact)
    editable = _editable(tool, approval, given)
    if foreign := sorted(changes.keys() - editable):
        raise ToolRefused(f"{', '.join(foreign)} cannot be changed here; {', '.join(sorted(editable))} can")

    async def name(noun: str, text: str) -> Json:
        return resolve(Live(noun), text, project)

    anew = {name: value for name, value in changes.items() if value is not None}
    kept = {name: value for name, value in given.items() if name not in changes}
    arguments = await tool.recalled(canonical({**kept, **await tool.resolved(anew, name)}), name)
    history = seen_by(case, approval, toolbox)
    terms = replace(terms_for(case, project, rules), versions=None)  # a person may know more than the mail names
    ruling = verdict(tool.name, tool.grant, tool.rule, arguments, history, terms)
    if ruling.word is Decision.REFUSE:
        raise ToolRefused(ruling.reason)
    return canonical(arguments)


def fields_for(approval: Approval, toolbox: Toolbox, project: Project) -> tuple[EditField, ...]:
    """Return what a person may change in a proposal; nothing of a tool that there is no more."""
    if approval.tool not in toolbox.names:
        return ()
    tool, given = toolbox[approval.tool], json.loads(approval.exact)
    choices = {name: choices_of(mark.noun, project) for name, mark in tool.names.items()}
    return edit_fields(tool.form, given, _editable(tool, approval, given), choices)


def _editable(tool: Tool, approval: Approval, given: Mapping[str, Json]) -> frozenset[str]:
    """Return the arguments that a person may change: the proposed field alone, of a whole call all but its target."""
    whole = frozenset(tool.exact.model_fields) - {tool.target}
    return frozenset({approval.field}) if approval.field in given else whole


def seen_by(case: Case, approval: Approval, toolbox: Toolbox) -> RunHistory:
    """Return what the run had seen; what it has written is left out, since budgets allowed the call already."""
    history = begun(case)
    for run in case.calls:
        if run.tool in toolbox.names and isinstance(run.arguments, Mapping):
            history = recorded(toolbox[run.tool].rule, run.arguments, run.result, history)
    if approval.ticket:
        history = history.saw(Live.TICKET, {approval.ticket: history.of(Live.TICKET).get(approval.ticket, 0.0)})
    return replace(history, done={})
