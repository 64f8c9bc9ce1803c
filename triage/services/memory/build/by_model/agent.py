"""Runs an agent of a build, once more with the answers that did not fit, and returns what is left to the rules."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from triage.agent.loop import Limits, dumped
from triage.agent.profiles import Profile
from triage.agent.run import run as run_agent
from triage.agent.toolbox import Toolbox
from triage.agent.wrappers import PatientModel
from triage.domain.conversation import AgentResult, ChatMessage, Json, Messages, RunStatus, Turn
from triage.domain.memory.notes import MemoryMail, Observation
from triage.domain.ports import AnswerLog, Clock, Failpoint, MemoryMails, Model
from triage.domain.untrusted import Untrusted
from triage.policy.memory.reconcile import TicketState
from triage.policy.text.untrusted import fenced, ours
from triage.services.memory.build.model_reader import TRIES
from triage.services.memory.build.progress import Progress
from triage.services.memory.one_run import OneRun
from triage.toolsets.memory.context import MemoryContext, Notes
from triage.toolsets.memory.scope import TEMPLATES, memory_scope
from triage.toolsets.memory.tools import write_memory

LIMITS: Final = Limits(rounds=20, max_tokens=8_000, tokens=150_000, seconds=900.0, calls=30)
"""Of one run about a batch."""
PROBLEMS: Final = 10
"""Problems of a run that the next one is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTask:
    """What one run is about."""

    wants: str
    """A sentence of ours."""
    known: Mapping[str, Json]
    """What code has found: notes by their lines, observations, states of tickets. Words of others stand in it."""
    facts: Mapping[str, MemoryMail] = field(default_factory=dict)
    observed: Mapping[str, Observation] = field(default_factory=dict)
    sent: Mapping[str, MemoryMail] = field(default_factory=dict)
    tickets: Mapping[str, TicketState] = field(default_factory=dict)
    mails: MemoryMails | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildAgent:
    """Runs one agent of a build: its model, profile and tools, over the notes."""

    model: Model
    profile: Profile
    tools: Toolbox
    notes: Notes
    used_up: Callable[[], Awaitable[bool]]
    """Tells whether the month's budget is spent; then the rules do the work."""
    clock: Clock
    log: AnswerLog
    failpoint: Failpoint
    nonce: Callable[[], str]
    """Returns a new suffix of fences, which no sender can guess."""

    async def run(self, task: AgentTask, progress: Progress, problems: Sequence[str] = ()) -> AgentResult:
        """Run the agent about a batch. Raises `ModelDown` after the last try, `ModelDenied`, `BuildLost`."""
        nonce = self.nonce()
        at = MemoryContext(
            agent=self.profile.name,
            notes=self.notes,
            clock=self.clock,
            nonce=nonce,
            mails=task.mails,
            facts=task.facts,
            observed=task.observed,
            sent=task.sent,
            tickets=task.tickets,
        )
        journal = _ProgressJournal(
            log=self.log,
            clock=self.clock,
            counted=f"memory-{progress.build.id}/{self.profile.name}",
            profile=self.profile.name,
            progress=progress,
            failpoint=self.failpoint,
        )
        scope = memory_scope(at, run=f"{self.profile.name}/{nonce}", journal=journal, limits=LIMITS)
        opening = self._opening(task, nonce, problems)
        return await run_agent(scope, self.profile, self.tools, PatientModel(self.model, self.clock, TRIES), opening)

    def _opening(self, task: AgentTask, nonce: str, problems: Sequence[str]) -> Messages:
        system = ours(TEMPLATES.from_string(self.profile.prompt).render())
        user = ours(
            f"{task.wants}\n\nToday is {self.clock.now():%A, %Y-%m-%d}. Found by code, in the words of others:\n"
        )
        user += fenced("FOUND", Untrusted(dumped(task.known)), nonce)
        if problems:
            text = Untrusted("\n".join(problems[:PROBLEMS]))
            user += ours("\nA run before this one left these undone, or got them refused:\n")
            user += fenced("PROBLEMS", text, nonce) + ours("Do them now; what is done stays done.\n")
        return ChatMessage.system(system), ChatMessage.user(user)


@dataclass(slots=True, kw_only=True)
class _ProgressJournal(OneRun):
    """The journal of a run; each answer is a sign of life of the build, so that one that was taken over stops before it writes."""

    progress: Progress
    failpoint: Failpoint

    async def keep_turn(self, run: str, number: int, turn: Turn, ms: float) -> None:
        """Keep an answer. Raises `BuildLost`."""
        await OneRun.keep_turn(self, run, number, turn, ms)
        await self.progress.step(0)

    async def keep_result(self, run: str, call: str, tool: str, arguments: str, result: str) -> None:
        """Keep nothing; after a note tests kill the process here."""
        del run, call, arguments, result
        if tool == write_memory.name:
            self.failpoint("memory.note")


def refused(result: AgentResult) -> tuple[str, ...]:
    """Return why a run did not end, and the refusals of its last turn that wrote: what it could not mend."""
    if result.status is not RunStatus.COMPLETED:
        return (result.error or f"it did not end within {result.iterations} rounds",)
    writes = [call for call in result.tool_calls if call.tool == write_memory.name]
    last = [call for call in writes if call.iteration == writes[-1].iteration] if writes else []
    return tuple(str(call.facts["error"]) for call in last if "error" in call.facts)


def outcomes(result: AgentResult) -> dict[str, int]:
    """Count what became of the notes that a run wrote, by outcome."""
    counts: dict[str, int] = {}
    for call in result.tool_calls:
        if call.tool == write_memory.name and "outcome" in call.facts:
            name = str(call.facts["outcome"])
            counts[name] = counts.get(name, 0) + 1
    return counts
