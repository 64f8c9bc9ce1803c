"""Routes the case: the first matching rule names the pipeline and the profile."""

from dataclasses import replace
from typing import Final

from triage.domain.cases import Case
from triage.domain.findings import Disposition, PipelineName, Route
from triage.pipeline.context import Services
from triage.pipeline.disposition import NO_KIND, judged
from triage.pipeline.steps.support.dialogue import key_of
from triage.policy.routing.conditions import Proof, RouteFacts
from triage.policy.routing.route import DEFAULT, route_by, route_of
from triage.policy.sender.sender_checks import is_checked, is_deceptive
from triage.policy.sender.trust_verdict import above_border, behind_edge
from triage.policy.support.chat_message import ACCOUNT, SOURCE, chat_rule
from triage.policy.text.cues import cues_of, languages_of

CONVERSATION: Final = "goes on with its conversation"


async def route(case: Case, at: Services) -> Case:
    """Return the case with its route; a conversation with the support hub goes on there, whichever of our addresses is written to."""
    if case.source == SOURCE:
        chosen = _of_chat(case, at)
    else:
        chosen = await _of_conversation(case, at) or route_of(await facts_of(case, at), at.rules.routing)
    return replace(case, route=replace(chosen, project=_project_of(case, chosen, at)))


def _of_chat(case: Case, at: Services) -> Route:
    """Return the route of the support hub that the account of a chat names."""
    account = dict(case.mail.headers).get(ACCOUNT.lower(), "")
    rule = chat_rule(at.rules.routing.rules, account)
    return route_by(rule, ["chat"]) if rule else DEFAULT


async def _of_conversation(case: Case, at: Services) -> Route | None:
    """Return the route of the conversation with the support hub that the sender goes on with; None if there is none."""
    if at.dialogue is None or not case.mail.thread or (known := await at.dialogue.dialogue(key_of(case))) is None:
        return None
    hubs = (rule for rule in at.rules.routing.rules if rule.pipeline is PipelineName.SUPPORT)
    return next((route_by(rule, [CONVERSATION]) for rule in hubs if rule.account == known.account), None)


async def facts_of(case: Case, at: Services) -> RouteFacts:
    """Return the facts that rules can ask for. Language and disposition are computed only if a rule asks for them."""
    edge, rules = behind_edge(case.source, at.rules.edge), at.rules.routing.rules
    return RouteFacts(
        message=case.mail,
        proof=Proof(
            trust=case.identity.trust,
            checked=is_checked(case, edge),
            deceptive=is_deceptive(case),
            border=above_border(case.mail.headers, edge),
        ),
        source=case.source,
        kind=(case.identity.kind or NO_KIND).kind,
        project=(case.ticket or "").rpartition("-")[0],
        languages=languages_of(case.mail) if any(rule.language for rule in rules) else (),
        disposition=await _disposition(case, at) if any(rule.disposition for rule in rules) else None,
    )


async def _disposition(case: Case, at: Services) -> Disposition:
    """Return what `classify` would say of the case if no rule took it."""
    project = await at.tracker.metadata.project()
    cues = cues_of(case.mail, project.people, project.key, at.rules.severity)
    found, _ = await judged(case, cues, project.people, at)
    return found.disposition


def _project_of(case: Case, chosen: Route, at: Services) -> str:
    """Return the project of the thread's ticket, else the rule's, else the profile's; empty: the installation's own."""
    thread = (case.ticket or "").rpartition("-")[0]
    if thread in at.projects:
        return thread
    profile = at.profiles.get(chosen.profile)
    return chosen.project or (profile.project if profile else "")


def describe(_before: Case, after: Case) -> str:
    """Name rule, pipeline and profile, why the rule matched, and the rules that only lacked proof of the sender."""
    if after.route is None:
        return ""
    project = f" for {after.route.project}" if after.route.project else ""
    because = f" ({', '.join(after.route.because)})" if after.route.because else ""
    passed_over = "".join(f"; not rule {reason}" for reason in after.route.passed_over)
    return f"rule {after.route.rule}: {after.route.pipeline} {after.route.profile}{project}{because}{passed_over}"
