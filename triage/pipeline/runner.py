"""Follow the table: one commit per step, so that a restart goes on where the last one ended."""

import time
from dataclasses import replace
from typing import Final

from triage.agent.services import Services
from triage.domain.cases import Case, Cues, StepDone
from triage.domain.errors import Behind
from triage.pipeline.ending import conclude
from triage.pipeline.lanes import in_front
from triage.pipeline.tables import LATER, Step, next_step


class LaneBusy(Behind):
    """An earlier mail of this thread is still being worked on."""


async def run_case(at: Services) -> Case:
    """Do what is left of a case. Raises what its steps raise; what they have finished is saved."""
    case = await at.book.load()
    if case.outcome is not None and case.collects:
        return await _one(LATER, case, at)
    while case.outcome is None and (step := next_step(case)):
        if len(case.done) == 1 and (ahead := await in_front(case, await at.book.ahead(case.lane), at)):
            raise LaneBusy(ahead)
        case = await _one(step, case, at)
    return case


async def _one(step: Step, case: Case, at: Services) -> Case:
    """One step, timed, counted and saved."""
    at.landmark(f"step.{step.__name__}")
    started, calls = time.perf_counter(), at.tracker.calls
    after = replace(await step(case, at), done=(*case.done, step.__name__))
    if case.outcome is None and after.outcome is not None:
        await conclude(after, at)
    done = StepDone(name=step.__name__, ms=(time.perf_counter() - started) * 1000, note=told(case, after))
    await at.book.save(after, done, calls=at.tracker.calls - calls)
    return after


def told(before: Case, after: Case) -> str:
    """What a step has found, in a few words for the report."""
    return "; ".join(now for tell in TELLINGS if (now := tell(after)) and now != tell(before))


def _thread(case: Case) -> str:
    if not case.ticket or case.result:
        return ""
    who = "" if case.participant else ", by somebody unproven" if case.joined else ""
    return f"thread of {case.ticket}{f' by its {case.joined}' if case.joined else ''}{who}"


def _apart(case: Case) -> str:
    return f"refers to the thread of {case.apart}, of which the sender is no part" if case.apart else ""


def _ours(case: Case) -> str:
    return f"about our mail of {case.ours}" if case.ours else ""


def _succeeds(case: Case) -> str:
    return f"its thread's ticket {case.succeeds} has been done for too long: a new one" if case.succeeds else ""


def _collects(case: Case) -> str:
    return "comes back to tell of those that no comment has told of" if case.collects else ""


def _follow_up(case: Case) -> str:
    return f"same sender and subject as {case.follow_up}" if case.follow_up else ""


def _kind(case: Case) -> str:
    why = f" ({', '.join(case.trust_because)})" if case.trust_because else ""
    return f"{case.kind.kind}, sender {case.trust}{why}" if case.kind else ""


def _route(case: Case) -> str:
    if case.route is None:
        return ""
    because = f" ({', '.join(case.route.because)})" if case.route.because else ""
    passed_over = "".join(f"; not rule {told}" for told in case.route.passed_over)
    return f"rule {case.route.rule}: {case.route.way} {case.route.profile}{because}{passed_over}"


def _cues(case: Case) -> str:
    if case.cues == Cues():
        return ""
    fixed = ", says fixed" if case.cues.fixed.value == "yes" else ""
    return f"{case.cues.type.value}, priority {case.cues.priority.value}{fixed}"


def _candidates(case: Case) -> str:
    if not case.searched:
        return ""
    best = case.candidates[:1]
    return (
        f"{len(case.candidates)} candidates, best {best[0].ticket.key} {best[0].score:.2f}" if best else "no candidate"
    )


def _proposals(case: Case) -> str:
    best = case.proposals[:1]
    return f"for {best[0].person.name}, {best[0].score:g} points" if best else ""


def _result(case: Case) -> str:
    r = case.result
    return f"{r.model}: {r.status}, {r.iterations} rounds, {len(r.tool_calls)} tool calls" if r else ""


def _enclosed(case: Case) -> str:
    return "; ".join(case.enclosed)


def _review(case: Case) -> str:
    return "; ".join(case.review.reasons) or "may stand" if case.review else ""


def _end(case: Case) -> str:
    return f"{case.outcome} {case.ticket or ''}".strip() if case.outcome else ""


TELLINGS: Final = (
    _thread,
    _apart,
    _ours,
    _follow_up,
    _succeeds,
    _kind,
    _route,
    _cues,
    _candidates,
    _proposals,
    _result,
    _enclosed,
    _review,
    _end,
    _collects,
)
