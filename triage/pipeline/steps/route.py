"""Routes the case: the first matching rule names the pipeline and the profile."""

from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.findings import Route
from triage.pipeline.context import Services
from triage.policy.routing.route import Proof, route_of
from triage.policy.sender.from_header import senders_of
from triage.policy.sender.trust_verdict import above_border, behind_edge


async def route(case: Case, at: Services) -> Case:
    """Return the case with its route."""
    edge = behind_edge(case.source, at.rules.edge)
    proof = Proof(
        trust=case.identity.trust,
        checked=case.verdict is not None or edge.checks,
        deceptive="lookalike" in case.flags or bool(senders_of(case.mail).other_readings),
        border=above_border(case.mail.headers, edge),
    )
    chosen = route_of(case.mail, at.rules.routing, proof)
    return replace(case, route=replace(chosen, project=_project_of(case, chosen, at)))


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
    passed_over = "".join(f"; not rule {told}" for told in after.route.passed_over)
    return f"rule {after.route.rule}: {after.route.way} {after.route.profile}{project}{because}{passed_over}"
