"""Answers a question to the memory by a model that reads notes; sentences that no source supports are dropped."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from triage.agent.loop import Limits
from triage.agent.profiles import Profile
from triage.agent.run import run
from triage.agent.toolbox import Toolbox
from triage.domain.conversation import AgentResult, ChatMessage, Messages, RunStatus
from triage.domain.errors import Permanent, StoreDown, Transient
from triage.domain.memory.answers import MemoryAnswer, MemorySource, SourceKind
from triage.domain.memory.errors import VaultDown
from triage.domain.ports import AnswerLog, Clock, Model
from triage.domain.untrusted import NOTHING, Untrusted
from triage.policy.memory.asking.evidence import source_of_note
from triage.policy.memory.asking.questions import MemoryQuestion
from triage.policy.memory.asking.worded import supported
from triage.policy.text.commands import commands_in
from triage.policy.text.untrusted import facts, fenced, ours
from triage.services.memory.notes import NoteService
from triage.services.memory.one_run import OneRun
from triage.toolsets.memory.context import MemoryContext
from triage.toolsets.memory.scope import TEMPLATES, memory_scope
from triage.toolsets.memory.tools import read_memory

EACH: Final = 5
"""Sources of each kind in the prompt."""
LONGEST: Final = 2_000
"""Characters of a source in the prompt."""
SECONDS: Final = 60.0
"""Seconds to wait for the model; then quotations answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedAnswers:
    """The Query agent; `AskService` asks it for people who may read whole mails and notes, since its tools show them whole."""

    model: Model
    profile: Profile
    tools: Toolbox
    notes: NoteService
    log: AnswerLog
    used_up: Callable[[], Awaitable[bool]]
    clock: Clock
    nonce: Callable[[], str]
    """Returns a new unguessable name, for a fence or a run."""

    async def answer(self, question: MemoryQuestion, sources: Sequence[MemorySource]) -> MemoryAnswer | None:
        """Return the model's answer as far as sources support it, else None. Raises `StoreDown`, `VaultDown`."""
        if commands_in(question.whole) or await self.used_up():
            return None
        shown = [one for _, some in groupby(sorted(sources, key=_kind), _kind) for one in list(some)[:EACH]]
        shown = [replace(one, text=_cut(one)) for one in shown]
        try:
            result = await self._asked(question, shown)
        except (StoreDown, VaultDown):
            raise
        except (Transient, Permanent):
            return None
        if result.status is not RunStatus.COMPLETED:
            return None
        read = {one.key: one for one in (*shown, *[one async for one in self._read(result)])}
        sentences = supported(result.final_message, tuple(read.values()))
        cited = tuple(read[key] for key in dict.fromkeys(one.source for one in sentences))
        answered = MemoryAnswer(question=question.text, sentences=sentences, sources=cited, by=result.model)
        return answered if sentences else None

    async def _asked(self, question: MemoryQuestion, shown: Sequence[MemorySource]) -> AgentResult:
        nonce, name = self.nonce(), f"ask-{self.nonce()}"
        at = MemoryContext(agent=self.profile.name, notes=self.notes, clock=self.clock, nonce=nonce)
        journal = OneRun(log=self.log, clock=self.clock, counted=name, profile=self.profile.name)
        scope = memory_scope(at, run=name, journal=journal, limits=Limits(seconds=SECONDS))
        opening = self._opening(question, shown, nonce)
        return await run(scope, self.profile, self.tools, self.model, opening)

    def _opening(self, question: MemoryQuestion, shown: Sequence[MemorySource], nonce: str) -> Messages:
        """Return the prompt: our rules, then the question and what was found for it, behind fences."""
        user = ours(f"Answer this question.\n\nToday is {self.clock.now():%A, %Y-%m-%d}.\n")
        user += fenced("QUESTION", Untrusted(question.text), nonce)
        if question.before:
            user += ours("\nIt goes on from this question of the same person:\n")
            user += fenced("QUESTION BEFORE", Untrusted(question.before), nonce)
        user += ours("\nFacts of the run, found by the words of the question:\n")
        for one in shown:
            text = Untrusted("\n".join(filter(None, (one.title, one.fact, one.text))))
            user += facts({"kind": one.kind.value, "id": one.id}) + ours("\n") + fenced("SOURCE", text, nonce)
        return ChatMessage.system(ours(TEMPLATES.from_string(self.profile.prompt).render())), ChatMessage.user(user)

    async def _read(self, result: AgentResult) -> AsyncIterator[MemorySource]:
        """Yield the notes that the run has read, whole."""
        for note in dict.fromkeys(_notes_read(result)):
            if found := await self.notes.get(note):
                yield source_of_note(found, whole=True)


def _notes_read(result: AgentResult) -> Iterator[str]:
    for call in result.tool_calls:
        if call.tool == read_memory.name and "id" in call.facts:
            yield str(call.facts["id"])


def _kind(source: MemorySource) -> str:
    return source.kind.value


def _cut(source: MemorySource) -> Untrusted:
    """Return the part of a source's text for the prompt; notes are read by tool, so that their trust is known."""
    return NOTHING if source.kind is SourceKind.NOTE else Untrusted(source.text[:LONGEST])
