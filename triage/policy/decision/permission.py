"""Decides whether a tool call runs, is refused, or waits for a person, by the table of rights.

A toolset gives each of its tools that writes a `ToolRule`; this module applies rules and knows no tool by name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, Self

from triage.domain.conversation import Grant, Json, ToolRun
from triage.policy.decision.rights import NOBODY, Right, Row, Sender, Standing

MADE: Final = "made"
"""The noun of what a run has made itself."""


class Decision(StrEnum):
    """What a verdict says."""

    ALLOW = "allow"
    REFUSE = "refuse"
    ASK = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A part of a call that waits for a person: one field of one ticket, or all of the call."""

    field: str
    """The argument, or what a call that waits whole is called in the list of approvals."""
    value: Json
    why: str
    whole: bool = False
    """The person decides about the call as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is to be done with a call."""

    word: Decision
    reason: str = ""
    arguments: Mapping[str, Json] = field(default_factory=dict)
    """What runs now; for ASK nothing does."""
    asks: tuple[Ask, ...] = ()
    """What waits for a person."""
    notes: tuple[str, ...] = ()
    """What is less than was wanted, for the result."""

    @classmethod
    def allowed(cls, arguments: Mapping[str, Json]) -> Self:
        """The call runs as it is."""
        return cls(word=Decision.ALLOW, arguments=arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteBudget:
    """What one mail may write."""

    creates: int = 1
    comments: int = 2
    changes: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What holds for a whole run."""

    sender: Sender
    budget: WriteBudget = WriteBudget()
    priorities: tuple[str, ...] = ()
    """Highest first."""
    twin_from: float = 0.55
    """Likeness from which a ticket counts as certainly the same matter (DUPLICATE_THRESHOLD)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHistory:
    """What a run has seen and done so far, counted from the prompt and from tool results."""

    seen: Mapping[str, Mapping[Any, Json]] = field(default_factory=dict)
    """By noun, such as `ticket`: each one that the model was shown, and what code says of it."""
    done: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By what was written, such as `comment`: how often, by its target."""

    def of(self, noun: str) -> Mapping[Any, Json]:
        """Those of this noun that were shown."""
        return self.seen.get(noun, {})

    def times(self, what: str, target: str | None = None) -> int:
        """How often this was written, to one target or at all."""
        counts = self.done.get(what, {})
        return sum(counts.values()) if target is None else counts.get(target, 0)

    def saw(self, noun: str, things: Mapping[Any, Json]) -> Self:
        """The same with these shown."""
        return replace(self, seen={**self.seen, noun: {**self.of(noun), **things}})

    def did(self, what: str, target: str = "") -> Self:
        """The same with one more of this written."""
        counts = self.done.get(what, {})
        return replace(self, done={**self.done, what: {**counts, target: counts.get(target, 0) + 1}})


Arguments = Mapping[str, Json]
"""Of a resolved call: statuses and people as what they are, names as Jira spells them."""


def _left_out(name: str, arguments: Arguments, _terms: Terms) -> tuple[Arguments, str]:
    """The call without this argument."""
    return {key: value for key, value in arguments.items() if key != name}, ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRule:
    """All that code must know of a tool beyond its signature; a tool that only reads needs `record` at most."""

    rights: Mapping[str, Row] = field(default_factory=dict)
    """By deed: what a call can do, and who may do it. A deed without a row is refused."""
    deeds: Callable[[Arguments, RunHistory, Terms], Mapping[str, str]] = lambda *_: {}
    """What this call would do, by the argument that asks for it; the empty one is the call itself."""
    refusal: Callable[[Arguments, RunHistory, Terms], str] = lambda *_: ""
    """Why the call cannot be, whoever asks; empty where it can."""
    target: str = ""
    """The argument that names what the call changes; empty for a call that makes something new."""
    counts: tuple[str, ...] = ()
    """What its calls are counted as; they are numbered by it."""
    part: str = ""
    """The tool that runs one argument alone, after a person has accepted it; empty where a call waits whole."""
    instead: str = ""
    """What to do where the sender may not do this."""
    mark: Callable[[str, Arguments, Terms], Arguments] = lambda *_: {}
    """The arguments that say how far the sender is proven."""
    lessen: Callable[[str, Arguments, Terms], tuple[Arguments, str]] = _left_out
    """The call with less of an argument, and a note about it."""
    asked: Callable[[str, Arguments, Standing], str] = lambda deed, _, standing: (
        f"to {deed} for a sender who is not part of it ({standing})"
    )
    """Why a person decides, without the end of the sentence."""
    whole: Callable[[Arguments], tuple[str, Json]] = lambda _: ("", None)
    """Field and value as which a call that waits whole is listed."""
    record: Callable[[Arguments, Mapping[str, Json], RunHistory], RunHistory] = lambda *given: given[-1]
    """The history with a result in it."""
    kinds: Callable[[Arguments], tuple[str, ...]] = lambda _: ()
    """The kinds of effects that a call would have, for a dry run."""
    told: Callable[[ToolRun], str] = lambda _: ""
    """What a call has done, in a sentence; empty where it has done nothing."""


READING: Final = ToolRule()
"""Of a tool that reads, and tells the guard nothing."""


def verdict(
    tool: str, grant: Grant, rule: ToolRule | None, arguments: Arguments, history: RunHistory, terms: Terms
) -> Verdict:
    """What is to be done with this call. A tool that writes or sends and has no rights is refused."""
    if grant is Grant.READ:
        return Verdict.allowed(arguments)
    if rule is None or not rule.rights:
        return Verdict(word=Decision.REFUSE, reason=f"{tool} has no rule in the table of rights, so nobody may call it")
    if reason := rule.refusal(arguments, history, terms):
        return Verdict(word=Decision.REFUSE, reason=reason)
    key = str(arguments.get(rule.target, ""))
    standing = terms.sender.standing("" if key in history.of(MADE) else key)
    return _judged(rule, arguments, rule.deeds(arguments, history, terms), standing, terms)


def _judged(
    rule: ToolRule, arguments: Arguments, deeds: Mapping[str, str], standing: Standing, terms: Terms
) -> Verdict:
    """The table applied to each part of a call: one that is forbidden forbids all, others wait or are left out alone."""
    if not deeds:
        return Verdict(word=Decision.REFUSE, reason="this call does nothing that the table of rights knows")
    rights = {name: rule.rights.get(deed, NOBODY).of(standing) for name, deed in deeds.items()}
    if forbidden := [deeds[name] for name, right in rights.items() if right is Right.NO]:
        told = f"to {forbidden[0]} is not for this sender ({standing}){rule.instead}"
        return Verdict(word=Decision.REFUSE, reason=told)
    runs, asks, notes = dict(arguments), [], []
    for name, right in rights.items():
        match right:
            case Right.MARKED:
                runs |= rule.mark(name, runs, terms)
            case Right.PERSON:
                asks.append(_ask(rule, name, runs.pop(name, None), arguments, deeds[name], standing))
            case Right.LESS:
                lessened, note = rule.lessen(name, runs, terms)
                runs = dict(lessened)
                notes.append(note or f"without {name}: the sender is {standing}")
    if any(ask.whole for ask in asks) or (asks and len(asks) == len(rights)):
        return Verdict(word=Decision.ASK, reason=asks[0].why, asks=tuple(asks))
    return Verdict(word=Decision.ALLOW, arguments=runs, asks=tuple(asks), notes=tuple(notes))


def _ask(rule: ToolRule, name: str, value: Json, arguments: Arguments, deed: str, standing: Standing) -> Ask:
    why = f"{rule.asked(deed, arguments, standing)}: a person decides that"
    if name:
        return Ask(field=name, value=value, why=why)
    field_, shown = rule.whole(arguments)
    return Ask(field=field_, value=shown, why=why, whole=True)


def recorded(rule: ToolRule | None, arguments: Arguments, result: Json, history: RunHistory) -> RunHistory:
    """The history with this result in it, fresh or from the journal."""
    if rule is None or not isinstance(result, Mapping) or "error" in result:
        return history
    return rule.record(arguments, result, history)


def sequence_of(rule: ToolRule | None, arguments: Arguments, history: RunHistory) -> str:
    """Which one of its kind a call would be: part of its effects' keys."""
    if rule is None:
        return "1"
    target = str(arguments.get(rule.target, ""))
    return str(max((history.times(what, target) for what in rule.counts), default=0) + 1)
