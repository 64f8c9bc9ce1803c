"""Decides and writes: runs the tool loop with the profile's model, or with the playbook if no model is configured."""

import asyncio
from dataclasses import replace
from typing import Final

from triage.agent.profiles import Profile
from triage.agent.run import run
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult
from triage.domain.errors import ContextTooLong, ModelDown, TicketGone
from triage.domain.findings import DispositionFinding
from triage.domain.ports import Model
from triage.domain.tickets import TicketDetails
from triage.pipeline.context import Services
from triage.pipeline.scope import profile_of, scope_of
from triage.policy.decision.finish import finish_of
from triage.policy.decision.rights import sender_of
from triage.toolsets.playbook import Playbook, facts_of
from triage.toolsets.prompt import nonce_of, opening
from triage.toolsets.table import TICKETS, granted
from triage.toolsets.tickets.facts import shown_in_full
from triage.toolsets.toolset import PromptInput

MODEL_CONFIDENCE: Final = 0.85
"""Confidence in a disposition that a model gives; it states none of its own."""


async def act(case: Case, at: Services) -> Case:
    """Return the case with the result of its agent run, and with the disposition that the run ended with."""
    case = await _with_result(case, at)
    ended = finish_of(case)
    found = case.classification.disposition
    if ended is None or (found is not None and found.disposition is ended.disposition):
        return case
    before = found.evidence if found else ()
    finding = DispositionFinding(
        disposition=ended.disposition,
        confidence=MODEL_CONFIDENCE,
        evidence=(f"the model: {ended.reason}", *before),
        unwanted=found.unwanted if found else 0.0,
    )
    return replace(case, classification=replace(case.classification, disposition=finding))


async def _with_result(case: Case, at: Services) -> Case:
    """Return the case with the result of its agent run."""
    profile = at.profiles[profile_of(case)]
    model = at.model(profile) if at.model else None
    if model is None:
        return await _by_playbook(case, profile, at)
    if at.budget_used_up and await at.budget_used_up():
        return await _by_playbook(_in_new_run(case, "budget-used-up"), profile, at)
    try:
        return await _with_model(case, profile, model, at)
    except ModelDown:
        waited = (at.clock.now() - case.received_at).total_seconds()
        if waited < at.rules.model_patience:
            raise
    return await _by_playbook(_in_new_run(case, "model-down"), profile, at)


async def _with_model(case: Case, profile: Profile, model: Model, at: Services) -> Case:
    """Run the model; if the prompt is too long, try a shorter one, then the playbook with a ticket for review."""
    try:
        return case.decided(await _ask(case, profile, model, at))
    except ContextTooLong:
        case = _in_new_run(case, "model-overflow")
    try:
        return case.decided(await _ask(case, profile, model, at, short=True))
    except ContextTooLong:
        return await _by_playbook(_in_new_run(case, "model-down"), profile, at)


async def _by_playbook(case: Case, profile: Profile, at: Services) -> Case:
    """Run the playbook as the model; its answers need no commit of their own, since it gives them again."""
    facts = facts_of(await _prompt_input(case, at), profile.preprocessor)
    playbook = Playbook(facts, nonce_of(case, at.secret))
    return case.decided(await _ask(case, profile, playbook, replace(at, journal=at.journal.deferring())))


async def _ask(case: Case, profile: Profile, model: Model, at: Services, *, short: bool = False) -> AgentResult:
    """Run the agent once. The journal stores the opening first, so that a restart sends the same prompt."""
    scope = scope_of(case, at)
    first = await at.journal.opening(scope.run)
    if first is None:
        about, tools = await _prompt_input(case, at, short=short), profile.toolbox(at.toolbox).names
        if not isinstance(model, Playbook) and not short and TICKETS in {one.name for one in granted(tools)}:
            about = replace(about, pages=await _pages(case, at))
        first = opening(about, profile, tools, nonce=scope.nonce, now=at.clock.now())
        await at.journal.keep_opening(scope.run, profile.name, first)
    return await run(scope, profile, at.toolbox, model, first)


async def _pages(case: Case, at: Services) -> dict[str, TicketDetails]:
    """Read the likeliest similar tickets from Jira, each with its last comment, without deleted ones."""

    async def page(key: str) -> TicketDetails | None:
        try:
            return await at.tracker.tickets.details(key, 1)
        except TicketGone:
            return None

    found = await asyncio.gather(*(page(candidate.ticket.key) for candidate in shown_in_full(case)))
    return {one.ticket.key: one for one in found if one}


async def _prompt_input(case: Case, at: Services, *, short: bool = False) -> PromptInput:
    project = await at.tracker.metadata.project()
    sender = sender_of(case, project, at.rules.domains)
    return PromptInput(case=case, project=project, sender=sender, rules=at.rules, short=short)


def _in_new_run(case: Case, flag: str) -> Case:
    """Start a new run of the case, whose journal is separate from the first one's."""
    return replace(case, run=case.run + 1).flagged(flag)


def describe(_before: Case, after: Case) -> str:
    """Name the model and the status of its run."""
    r = after.result
    return f"{r.model}: {r.status}, rounds: {r.iterations}, tool calls: {len(r.tool_calls)}" if r else ""
