"""Makes a case the scope of an agent run: context of tools, effects, name resolution, verdicts, approvals."""

from dataclasses import replace
from functools import partial

from triage.agent.run import Scope
from triage.agent.toolbox import Invocation, canonical
from triage.config.autonomy.table import LETTER
from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.conversation import Grant, Json
from triage.domain.errors import TicketGone
from triage.domain.text.escapes import unescaped
from triage.domain.tickets import Project
from triage.effects.writer import EffectWriter
from triage.pipeline.context import Services
from triage.policy.approvals.autonomy import effect_of, lowered
from triage.policy.decision.permission import Ask, RunHistory, Terms, Verdict, verdict
from triage.policy.decision.proposals import HELD, TEXTS, current_value, worded
from triage.policy.decision.resolution import Live, resolve
from triage.policy.decision.rights import sender_of
from triage.policy.letters.reply.confidence import always_person, with_reasons
from triage.policy.thread.content_hash import fingerprint
from triage.policy.thread.lateness import is_late
from triage.policy.ticket.labels import labels_for
from triage.policy.ticket.version_names import named_anywhere
from triage.policy.ticket.versions import versioned_text
from triage.toolsets.context import Context, Rules
from triage.toolsets.prompt import nonce_of
from triage.toolsets.table import KINDS, begun
from triage.toolsets.tickets.effects import TicketWrites


def writes_of(case: Case, at: Services) -> TicketWrites:
    """Return the writer of a case's tickets."""
    return TicketWrites(effects=effects_of(case, at), tracker=at.tracker)


def effects_of(case: Case, at: Services) -> EffectWriter:
    """Return the exactly-once writer of a case's effects."""
    return EffectWriter(
        ledger=at.ledger,
        kinds=KINDS,
        clock=at.clock,
        case=case.id,
        secret=at.secret,
        fingerprint=fingerprint(case.mail),
        settle_seconds=at.rules.settle_seconds,
        late=is_late(case.mail, case.received_at),
    )


def context_of(case: Case, at: Services) -> Context:
    """Return the first argument of the tools in runs about this case."""
    return Context(
        case=case,
        tracker=at.tracker,
        ticket_store=at.ticket_store,
        index=at.index,
        people_index=at.people_index,
        effects=effects_of(case, at),
        clock=at.clock,
        rules=at.rules,
        calendar=at.calendar,
        contacts=at.contacts,
        library=at.library,
        account=case.support.account if case.support else "",
        letters=at.letters,
    )


def scope_of(case: Case, at: Services, *, by: str = "") -> Scope:
    """Return the scope of a run about this case. It asks the tracker nothing before a tool call needs it.

    `by` is the person who has accepted its calls, if anybody has.
    """
    context = replace(context_of(case, at), accepted=by)

    async def name(noun: str, text: str) -> Json:
        return resolve(Live(noun), text, await at.tracker.metadata.project())

    async def park(invocation: Invocation, ask: Ask, result: Json) -> Approval:
        return await at.approvals.park(await approval_of(case, at, invocation, ask, result))

    return Scope(
        run=case.run_id,
        nonce=nonce_of(case, at.secret),
        context=lambda call: replace(context, sequence=call.sequence, notes=call.notes),
        resolve=name,
        judge=lambda call, history: _verdict_on(call, history, case, at),
        history=begun(case),
        park=park,
        journal=at.journal,
        clock=at.clock,
        limits=at.rules.limits,
        dry_run=at.rules.dry_run,
    )


async def _verdict_on(invocation: Invocation, history: RunHistory, case: Case, at: Services) -> Verdict:
    """Decide about a call: by its toolset's rule, then lowered by what the agent may do unasked."""
    tool = invocation.tool
    if tool.grant is Grant.READ and not tool.ends:
        return Verdict.allowed(invocation.arguments)
    ruling = verdict(tool.name, tool.grant, tool.rule, invocation.arguments, history, await terms_of(case, at))
    level_of = partial(at.rules.autonomy.level, profile_of(case), tool.name)
    if tool.rule is None or tool.grant is Grant.READ:
        return ruling
    left = lowered(ruling, tool.rule, tool.grant, invocation.arguments, level_of)
    if effect_of(tool.rule, tool.grant) != LETTER:
        return left
    return with_reasons(left, str(invocation.arguments.get("body", "")), always_person(case))


def profile_of(case: Case) -> str:
    """Return the name of the case's agent."""
    return case.route.profile if case.route else "jira"


async def terms_of(case: Case, at: Services) -> Terms:
    """Return what the verdicts on all writes of this case need: budget, sender, priorities, threshold."""
    terms = terms_for(case, await at.tracker.metadata.project(), at.rules)
    return replace(terms, no_letter=at.letters.no_letter(case)) if at.letters else terms


def terms_for(case: Case, project: Project, rules: Rules) -> Terms:
    """Return what the verdicts on all writes of this case need, by this metadata of the project."""
    return Terms(
        budget=rules.budget,
        sender=sender_of(case, project, rules.domains),
        priorities=project.priorities,
        labels=labels_for(case, rules.labels, rules.domains),
        versions=named_anywhere(versioned_text(case), project.versions),
        may_be_from=rules.may_be_from,
    )


async def approval_of(case: Case, at: Services, invocation: Invocation, ask: Ask, result: Json) -> Approval:
    """Build the approval of a whole call or of one field, with what a person needs to decide about it."""
    tool, rule = invocation.tool, invocation.tool.rule
    key = invocation.target or str(result.get("key", ""))  # a letter changes no ticket
    arguments = dict(invocation.arguments)
    if not ask.whole and rule is not None:
        tool = at.toolbox[rule.part]
        arguments = {tool.target: key, ask.field: ask.value}
    return Approval(
        case=case.id,
        expires_at=at.clock.now() + at.rules.approvals.expires_after,
        rework=sum(one.state is ApprovalState.ANSWERED for one in await at.approvals.approvals()),
        tool=tool.name,
        effect=effect_of(rule, tool.grant, "" if ask.whole else ask.field),
        arguments=canonical(arguments),
        reason=ask.why,
        ticket=key,
        field=ask.field,
        was=await _current_value(at, ask.field, key),
        becomes=unescaped(worded(ask.value)) if ask.field in TEXTS else worded(ask.value),
        sender=str(case.mail.sender or ""),
        trust=case.identity.trust.value,
    )


async def _current_value(at: Services, field: str, key: str) -> str:
    """Return the field's current value as text; empty if it has none or the ticket is gone."""
    if at.rules.dry_run or field not in HELD:
        return ""
    try:
        return current_value(field, await at.tracker.tickets.get(key))
    except TicketGone:
        return ""
