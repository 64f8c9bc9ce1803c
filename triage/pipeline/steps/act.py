"""Decides and writes: runs the tool loop with the profile's model, or with the playbook where no model is configured."""

from triage.agent.profiles import Profile
from triage.agent.prompt import done_status, nonce_of, opening
from triage.agent.run import Run, agent_run, run_of
from triage.agent.services import Services
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Messages
from triage.domain.errors import ContextTooLong, ModelDown
from triage.domain.ports import Model
from triage.pipeline.writes import writes_of


async def act(case: Case, at: Services) -> Case:
    """The case with what was decided and written."""
    run = await run_of(case, at, writes_of(case, at))
    profile = at.profiles[case.route.profile if case.route else "jira"]
    if at.model is None:
        return case.decided(await _ask(run, profile, at.playbook))
    try:
        return await _with_model(run, profile, at.model(profile))
    except ModelDown:
        waited = (at.clock.now() - case.received_at).total_seconds()
        if waited < at.rules.model_patience:
            raise
    return await _without(run.again("model-down"), profile)


async def _with_model(run: Run, profile: Profile, model: Model) -> Case:
    """The model; where the mail is too long for it a shorter prompt, then the playbook."""
    try:
        return run.case.decided(await _ask(run, profile, model))
    except ContextTooLong:
        run = run.again("model-overflow")
    try:
        return run.case.decided(await _ask(run, profile, model, short=True))
    except ContextTooLong:
        return await _without(run.again("model-down"), profile)


async def _without(run: Run, profile: Profile) -> Case:
    """The playbook, with the ticket marked for review."""
    return run.case.decided(await _ask(run, profile, run.at.playbook))


async def _ask(run: Run, profile: Profile, model: Model, *, short: bool = False) -> AgentResult:
    """One run. Its opening is kept before it is sent: after a restart the same words are said."""
    journal, name = run.at.journal, run.case.run_id
    first = await journal.opening(name)
    if first is None:
        first = _opening(run, profile, short=short)
        await journal.keep_opening(name, profile.name, first)
    return await agent_run(run, profile, model, first)


def _opening(run: Run, profile: Profile, *, short: bool) -> Messages:
    at = run.at
    granted = at.toolbox.granted(profile.tools).names
    switches = {"assignment": at.rules.assignment is not None, "sprints": "get_sprints" in granted}
    return opening(
        run.case,
        run.project,
        profile,
        nonce=nonce_of(run.case, at.secret),
        now=at.clock.now(),
        done=done_status(run.project, at.rules.done_status),
        features=[name for name, on in switches.items() if on],
        short=short,
    )


def describe(_before: Case, after: Case) -> str:
    """Who has decided, and how its run ended."""
    r = after.result
    return f"{r.model}: {r.status}, {r.iterations} rounds, {len(r.tool_calls)} tool calls" if r else ""
