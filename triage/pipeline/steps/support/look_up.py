"""The tool agent: looks up data of the customer by the tools of the route's agent, by a model or by rules.

Rules only read, and propose a refund to a person where a mail plainly asks for one (decision 334).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from triage.agent.profiles import Profile
from triage.agent.run import invoke_of, run
from triage.agent.toolbox import Tool, Toolbox
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Grant, Json, ToolRun
from triage.domain.errors import ContextTooLong, ModelDown
from triage.domain.mail import Trust
from triage.domain.ports import Model
from triage.domain.support.conversations import Attempt, SupportAgent
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.pipeline.scope import profile_of, scope_of
from triage.pipeline.steps.support.parts import called, own_words, result_of, settings_of, support_of
from triage.policy.decision.rights import sender_of
from triage.policy.letters.reply.arguments import known_values
from triage.policy.support.resolving.lookups import MOST, arguments_of, learnt_of, read_of
from triage.policy.support.resolving.refunds import RefundFacts, refund_plan, wish_for_refund
from triage.toolsets.prompt import opening
from triage.toolsets.toolset import PromptInput

PLACE: Final = "support.look_up"


async def look_up(case: Case, at: Services) -> Case:
    """Return the case with the tools' results; it is then resolved again."""
    profile = at.profiles[profile_of(case)]
    tools = lookups_of(profile, at.toolbox)
    model = at.model(profile) if at.model else None
    result, why_not = await _by_model(case, replace(profile, tools=tools), model, at) if model else None, ""
    if result is None:
        result, why_not = await _by_rules(case, profile.toolbox(at.toolbox), tools, at)
    found = {name: one.result for name, one in _named(result)}
    support = replace(support_of(case), tool_results=found, resolution=None)
    for name, one in _named(result):
        support = support.tried(Attempt(agent=SupportAgent.TOOL_AGENT, outcome=_describe(name, one)))
    if why_not:
        support = support.tried(Attempt(agent=SupportAgent.TOOL_AGENT, outcome=f"no refund is proposed: {why_not}"))
    return replace(case, result=result, support=support)


def lookups_of(profile: Profile, box: Toolbox) -> tuple[str, ...]:
    """Return the agent's tools that come from outside: tickets and letters are the matter of other steps."""
    return tuple(tool.name for tool in profile.toolbox(box).tools if tool.outside)


async def _by_model(case: Case, profile: Profile, model: Model, at: Services) -> AgentResult | None:
    """Run the agent once with only the tools from outside; None if rules have to look up."""
    if at.budget_used_up and await at.budget_used_up():
        return None
    scope = scope_of(case, at)
    first = await at.journal.opening(scope.run)
    if first is None:
        first = opening(await _subject(case, at), profile, profile.tools, nonce=scope.nonce, now=at.clock.now())
        await at.journal.keep_opening(scope.run, profile.name, first)
    try:
        return await run(scope, profile, at.toolbox, model, first)
    except ContextTooLong:
        return None
    except ModelDown:
        if (at.clock.now() - case.received_at).total_seconds() < at.rules.model_patience:
            raise
        return None


async def _subject(case: Case, at: Services) -> PromptInput:
    project = await at.tracker.metadata.project()
    return PromptInput(case=case, project=project, sender=sender_of(case, project, at.rules.domains), rules=at.rules)


async def _by_rules(case: Case, box: Toolbox, tools: tuple[str, ...], at: Services) -> tuple[AgentResult, str]:
    """Make the reading calls whose arguments code knows, then propose a refund; return why none is proposed, too.

    Values of a result are arguments of the next calls.
    """
    result, made = result_of(case), 0
    if case.identity.trust is not Trust.VERIFIED:
        return result, ""
    known: dict[str, Json] = dict(known_values(case.mail, at.clock.now()))
    invoke = invoke_of(scope_of(case, at))
    for name in tools:
        for arguments in arguments_of(box[name].spec.parameters, known):
            if made >= MOST or not _only_reads(box[name], arguments):
                continue
            made += 1
            came = await called(name, arguments, f"{PLACE}.{made}", invoke, at)
            known |= learnt_of(came)
            call = ToolRun(tool=name, arguments=arguments, result=came, iteration=result.iterations)
            result = replace(result, tool_calls=(*result.tool_calls, call))
    return await _proposed(case, result, [box[name] for name in tools if box[name].refunds], known, at)


async def _proposed(
    case: Case, result: AgentResult, tools: Sequence[Tool], known: Mapping[str, Json], at: Services
) -> tuple[AgentResult, str]:
    """Return the record with the call that a person decides, or why there is none; each call of such a tool waits."""
    text = f"{case.mail.subject}\n\n{own_words(case)}"
    wish = wish_for_refund(text)
    if not wish or not tools:
        return result, ""
    hits = (
        await at.library.find(Untrusted(wish), settings_of(at).passages, support_of(case).account) if at.library else ()
    )
    found, tool = support_of(case).resolution, tools[0]
    facts = RefundFacts(
        text=text,
        schema=tool.spec.parameters,
        known=known,
        read=read_of({name: one.result for name, one in _named(result)}),
        hits=(*(found.answer.hits if found and found.answer else ()), *hits),
    )
    plan = refund_plan(facts)
    if not plan.arguments:
        return result, plan.why_not
    came = await called(tool.name, plan.arguments, f"{PLACE}.refund", invoke_of(scope_of(case, at)), at)
    call = ToolRun(tool=tool.name, arguments=plan.arguments, result=came, iteration=result.iterations)
    return replace(result, tool_calls=(*result.tool_calls, call)), ""


def _only_reads(tool: Tool, arguments: Mapping[str, Json]) -> bool:
    return tool.grant is Grant.READ or (tool.reads is not None and tool.reads(arguments))


def _named(result: AgentResult) -> tuple[tuple[str, ToolRun], ...]:
    """Return the calls with unique names."""
    counts: dict[str, int] = {}
    named = []
    for one in result.tool_calls:
        counts[one.tool] = counts.get(one.tool, 0) + 1
        named.append((one.tool if counts[one.tool] == 1 else f"{one.tool} {counts[one.tool]}", one))
    return tuple(named)


def _describe(name: str, one: ToolRun) -> str:
    if "error" in one.facts:
        more = one.facts.get("suggestion") or one.facts.get("action") or ""
        return f"{name}: {one.facts['error']}{f' ({more})' if more else ''}"
    waits = one.facts.get("waiting") or one.facts.get("status") == "awaiting_approval"
    return f"{name}: waits for a person's approval" if waits else f"{name}: done"


def describe(_before: Case, after: Case) -> str:
    """List the tools and what they brought."""
    tried = after.support.attempts if after.support else ()
    outcomes = [one.outcome for one in tried if one.agent is SupportAgent.TOOL_AGENT]
    return "; ".join(outcomes) or "no tool could be asked: the sender is not proven, or nothing is known to ask with"
