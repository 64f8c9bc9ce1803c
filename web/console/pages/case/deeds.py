"""Lists what Triage did about a mail: writes, changes that people decide, letters, the talk with the model."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.conversation import Json, ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.letters import Letter
from triage.domain.reports import Report, RunLine, TurnLine
from triage.policy.decision.proposals import deciders_of, why_of

LONG: Final = 20_000
"""Characters of an argument or a result that a page shows."""
LEAST: Final = 0.1
"""Seconds below which a case took no time worth telling."""
WORDS: Final = {
    "create": "Created",
    "comment": "Commented on",
    "edit": "Edited the comment on",
    "change": "Changed",
    "transition": "Moved",
    "attach": "Attached a file to",
    "link": "Linked",
    "watch": "Added watchers to",
    "report": "Reported on",
    "count": "Counted one more report on",
    "reply": "Answered the mail of",
    "withdraw-comment": "Withdrew the comment on",
    "withdraw-ticket": "Withdrew",
    "withdraw-link": "Withdrew the link of",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrote:
    """One write to another system."""

    words: str
    ticket: str
    state: str
    note: str
    times: int = 1
    """How often in a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a person decides or has decided."""

    number: int
    ticket: str
    field: str
    was: str
    becomes: str
    why: str
    state: str
    by: str
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A call of a tool with its result."""

    tool: str
    arguments: str
    result: str
    good: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One answer of a model, and what it led to."""

    number: int
    model: str
    text: str
    tokens: str
    cost: str
    ms: str
    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A run of an agent: the prompts, and the rounds."""

    run: int
    agent: str
    status: str
    system: str
    user: str
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """What a case has cost."""

    rounds: int
    tokens: str
    cost: str
    seconds: str
    jira_calls: int


def writes_of(report: Report) -> tuple[Wrote, ...]:
    """Return what was written, in order; the same several times in a row is one line."""
    return tuple(replace(one, times=len(list(same))) for one, same in groupby(map(_wrote, report.effects)))


def _wrote(one: Effect) -> Wrote:
    created = one.result if one.kind == "create" and one.state is EffectState.DONE else ""
    words = WORDS.get(one.kind, one.kind.replace("_", " ").capitalize())
    other = f"to {one.key.rpartition(':')[2]}" if one.kind in {"link", "withdraw-link"} else ""
    return Wrote(words=words, ticket=one.target or created, state=one.state.value, note=one.note or other)


def changes_of(approvals: Iterable[Approval]) -> tuple[Change, ...]:
    """Return what was parked for people, in order."""
    return tuple(
        Change(
            number=one.id,
            ticket=one.ticket,
            field=one.field or one.tool,
            was=one.was,
            becomes=one.becomes or one.exact,
            why=why_of(one),
            state=one.state.value,
            by=deciders_of(one),
            open=one.state is ApprovalState.OPEN,
        )
        for one in approvals
    )


def letters_of(letters: Iterable[Letter]) -> tuple[tuple[str, str, str], ...]:
    """Return kind, recipients and state of each letter."""
    return tuple((one.kind.value, ", ".join(map(str, one.to)), one.state.value) for one in letters)


def talks_of(report: Report) -> tuple[Talk, ...]:
    """Return the runs, newest first."""
    return tuple(
        Talk(
            run=run.run,
            agent=run.profile,
            status=run.status,
            system=run.system,
            user=run.user,
            rounds=tuple(_rounds(run, [turn for turn in report.turns if turn.run == run.run])),
        )
        for run in reversed(report.runs)
    )


def _rounds(run: RunLine, turns: Iterable[TurnLine]) -> Iterator[Round]:
    calls = run.result.tool_calls if run.result else ()
    for turn in turns:
        yield Round(
            number=turn.number,
            model=turn.model,
            text=turn.text,
            tokens=f"{turn.input_tokens:,} in, {turn.output_tokens:,} out",
            cost=cost_of(turn.cost_usd),
            ms=f"{turn.ms:,.0f}",
            uses=tuple(_use(call) for call in calls if call.iteration == turn.number),
        )


def _use(call: ToolRun) -> Use:
    bad = "error" in call.facts or call.facts.get("status") in {"refused", "error"}
    return Use(tool=call.tool, arguments=pretty(call.arguments), result=pretty(call.result), good=not bad)


def pretty(value: Json) -> str:
    """Return JSON as people read it, cut where it is endless."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return text if len(text) <= LONG else f"{text[:LONG]}\n… {len(text) - LONG:,} more characters"


def cost_of(usd: float | None) -> str:
    """Return a price; of a model without one that it is not known."""
    return "price not known" if usd is None else f"{usd:.4f} USD" if usd else "free"


def sums_of(report: Report) -> Sums:
    """Return what the case has cost."""
    known = [turn.cost_usd for turn in report.turns if turn.cost_usd is not None]
    asked = [turn for turn in report.turns if turn.model != "playbook"]
    total = sum(turn.input_tokens for turn in asked), sum(turn.output_tokens for turn in asked)
    seconds = sum(step.ms for step in report.steps) / 1000
    return Sums(
        rounds=len(asked),
        tokens=f"{total[0]:,} in, {total[1]:,} out",
        cost=cost_of(sum(known) if known else None),
        seconds=f"{seconds:.1f}" if seconds >= LEAST else f"under {LEAST}",
        jira_calls=report.jira_calls,
    )
