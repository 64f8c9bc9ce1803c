"""Decides whether a tool call runs, is refused, or waits for a person, by the table of rights.

A toolset gives each of its tools that writes a `ToolRule`; this module applies rules and knows no tool by name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, Self

from triage.domain.conversation import Grant, Json, ToolRun
from triage.policy.decision.rights import NOBODY, Right, RightsRow, Sender, Standing

MADE: Final = "made"
"""Noun of tickets that the run itself created."""
WRITTEN: Final = "written"
"""Kind of every write, whatever the tool."""


class Decision(StrEnum):
    """The results of a verdict."""

    ALLOW = "allow"
    REFUSE = "refuse"
    ASK = "ask"
    SHADOW = "shadow"
    """Decided and recorded, but nothing is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A part of a call that a person decides: one field of one ticket, or the whole call."""

    field: str
    """Name of the argument; for a whole call, the field that the list of approvals shows."""
    value: Json
    why: str
    whole: bool = False
    """The person decides about the whole call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What happens to a call: the part that runs, the parts that wait, or the refusal."""

    word: Decision
    reason: str = ""
    arguments: Mapping[str, Json] = field(default_factory=dict)
    """The arguments that run now; for ASK nothing runs."""
    asks: tuple[Ask, ...] = ()
    """The parts that wait for a person."""
    notes: tuple[str, ...] = ()
    """What was left out or reduced; the tool's result shows it to the model."""

    @classmethod
    def allowed(cls, arguments: Mapping[str, Json]) -> Self:
        """Allow the call unchanged."""
        return cls(word=Decision.ALLOW, arguments=arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteBudget:
    """Most writes of one mail, by kind."""

    creates: int = 1
    comments: int = 2
    changes: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Facts that hold for all verdicts of a run."""

    sender: Sender
    budget: WriteBudget = WriteBudget()
    priorities: tuple[str, ...] = ()
    """Highest first."""
    labels: tuple[str, ...] = ()
    """Labels that code puts on every new ticket of this mail."""
    versions: frozenset[str] | None = None
    """The project's versions whose number or name the mail has; None where a person decides, or there is no mail."""
    may_be_from: float = 0.3
    """Probability from which a ticket may be the same matter (MAY_BE_DUPLICATE_FROM)."""
    no_letter: str = ""
    """Why no letter about the mail is allowed; empty if one is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHistory:
    """What a run has seen and written so far, taken from its prompt and tool results."""

    seen: Mapping[str, Mapping[Any, Json]] = field(default_factory=dict)
    """Noun, such as `ticket` → object shown to the model → a value that code computed, such as its score."""
    done: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Kind of write, such as `comment` → target → number of writes."""

    def of(self, noun: str) -> Mapping[Any, Json]:
        """Return the objects of this noun that were shown."""
        return self.seen.get(noun, {})

    def times(self, what: str, target: str | None = None) -> int:
        """Count the writes of this kind, to one target or in all."""
        counts = self.done.get(what, {})
        return sum(counts.values()) if target is None else counts.get(target, 0)

    def saw(self, noun: str, things: Mapping[Any, Json]) -> Self:
        """Return the history with these objects shown."""
        return replace(self, seen={**self.seen, noun: {**self.of(noun), **things}})

    def did(self, what: str, target: str = "") -> Self:
        """Return the history with one more write."""
        counts = self.done.get(what, {})
        return replace(self, done={**self.done, what: {**counts, target: counts.get(target, 0) + 1}})


Arguments = Mapping[str, Json]
"""Arguments of a resolved call: statuses and people as objects, other names as Jira spells them."""


def _left_out(name: str, arguments: Arguments, _terms: Terms) -> tuple[Arguments, str]:
    return {key: value for key, value in arguments.items() if key != name}, ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRule:
    """A tool's permissions and bookkeeping; a tool that only reads needs no rights."""

    rights: Mapping[str, RightsRow] = field(default_factory=dict)
    """Deed → rights. A deed without a row is refused."""
    deeds: Callable[[Arguments, RunHistory, Terms], Mapping[str, str]] = lambda *_: {}
    """Returns the call's deeds by argument; the key "" is the call itself."""
    refusal: Callable[[Arguments, RunHistory, Terms], str] = lambda *_: ""
    """Returns why the call is impossible for every sender; empty if it is possible."""
    target: str = ""
    """The argument that names what the call changes; empty if it creates something."""
    counts: tuple[str, ...] = ()
    """Kinds of writes that calls count as; they give a call's sequence number."""
    part: str = ""
    """The tool that runs a single accepted argument; empty if calls wait as a whole."""
    instead: str = ""
    """Advice to the model, appended to a refusal by rights."""
    adds: Callable[[Arguments, Terms], Arguments] = lambda *_: {}
    """Returns the arguments that code adds to every permitted call."""
    mark: Callable[[str, Arguments, Terms], Arguments] = lambda *_: {}
    """Returns the arguments that mark the sender as unproven, for `Right.MARKED`."""
    lessen: Callable[[str, Arguments, Terms], tuple[Arguments, str]] = _left_out
    """Returns the arguments with one reduced or dropped, and a note, for `Right.LESS`."""
    asked: Callable[[str, Arguments, Standing], str] = lambda deed, _, standing: (
        f"to {deed} would need approval; the sender is not part of it ({standing})"
    )
    """Returns what would happen and, after a semicolon, why a person decides."""
    whole: Callable[[Arguments], tuple[str, Json]] = lambda _: ("", None)
    """Returns the field and value that the list of approvals shows for a whole call."""
    record: Callable[[Arguments, Mapping[str, Json], RunHistory], RunHistory] = lambda *given: given[-1]
    """Returns the history with a result added."""
    effect: str = ""
    """Kind of effect of a call, as `autonomy` in triage.yaml names it; empty: `letter` of a tool that sends, else `change`."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Kind of effect by argument, where a call does several things; a person may then decide about one alone."""
    kinds: Callable[[Arguments], tuple[str, ...]] = lambda _: ()
    """Returns the kinds of effects that a call would write, for a dry run."""
    describe: Callable[[ToolRun], str] = lambda _: ""
    """Returns a sentence about what a call has written; empty if nothing."""


def verdict(
    tool: str, grant: Grant, rule: ToolRule | None, arguments: Arguments, history: RunHistory, terms: Terms
) -> Verdict:
    """Decide about a call. A tool that writes or sends and has no rights is refused."""
    if grant is Grant.READ:
        problem = rule.refusal(arguments, history, terms) if rule else ""
        return Verdict(word=Decision.REFUSE, reason=problem) if problem else Verdict.allowed(arguments)
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
    """Apply the rights to each deed: a forbidden one refuses the whole call, others wait or are reduced alone."""
    if not deeds:
        return Verdict(word=Decision.REFUSE, reason="this call does nothing that the table of rights knows")
    rights = {name: rule.rights.get(deed, NOBODY).of(standing) for name, deed in deeds.items()}
    if forbidden := [deeds[name] for name, right in rights.items() if right is Right.NO]:
        problem = f"to {forbidden[0]} is not for this sender ({standing}){rule.instead}"
        return Verdict(word=Decision.REFUSE, reason=problem)
    runs, asks, notes = {**arguments, **rule.adds(arguments, terms)}, [], []
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
    why = rule.asked(deed, arguments, standing)
    if name:
        return Ask(field=name, value=value, why=why)
    field_, shown = rule.whole(arguments)
    return Ask(field=field_, value=shown, why=why, whole=True)


def recorded(rule: ToolRule | None, arguments: Arguments, result: Json, history: RunHistory) -> RunHistory:
    """Return the history with this result, whether new or replayed; errors add nothing."""
    if rule is None or not isinstance(result, Mapping) or "error" in result:
        return history
    return rule.record(arguments, result, history)


def sequence_of(rule: ToolRule | None, arguments: Arguments, history: RunHistory) -> str:
    """Return the call's number among those of its kind, from 1: part of its effects' keys."""
    if rule is None:
        return "1"
    target = str(arguments.get(rule.target, ""))
    return str(max((history.times(what, target) for what in rule.counts), default=0) + 1)
