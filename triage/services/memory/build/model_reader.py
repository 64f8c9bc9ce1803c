"""Reads mails with a model (the Email Reader): one run per batch in a fresh context; an answer that fails the schema is repaired once, then the rules read instead."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn

from triage.agent.loop import Limits
from triage.agent.profiles import Profile
from triage.agent.run import Scope
from triage.agent.run import run as run_agent
from triage.agent.toolbox import Invocation, Toolbox
from triage.agent.wrappers import PatientModel
from triage.domain.conversation import AgentResult, ChatMessage, Json, Messages, RunStatus
from triage.domain.errors import ToolRefused
from triage.domain.memory.notes import MemoryMail
from triage.domain.ports import AnswerLog, Clock, Model
from triage.domain.untrusted import Prompt, Untrusted
from triage.policy.decision.permission import RunHistory, Verdict
from triage.policy.memory.observations import speaks_to_nobody
from triage.policy.memory.reading.grounding import held
from triage.policy.memory.reading.observation_json import observations_of, problems_of, proven
from triage.policy.text.json_answer import asked_again, json_in
from triage.policy.text.untrusted import facts, fenced, ours
from triage.services.memory.build.reading import EmailReader, MailBatch
from triage.services.memory.one_run import OneRun

PROFILE: Final = "email_reader"
TRIES: Final = 8
"""Times that a model is asked that is overloaded or limits us, as 429 and 529 say."""
LONGEST: Final = 4_000
"""Characters of a mail that the model reads."""
ANSWER: Final = 8_000
"""Output tokens of an answer about a batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReader:
    """Reads batches; has no tools, so that no mail can make it do anything but answer."""

    model: Model
    prompt: Prompt
    """The system prompt."""
    rules: EmailReader
    """Reads in its place where its answer is of no use or the month's budget is used up."""
    used_up: Callable[[], Awaitable[bool]]
    clock: Clock
    log: AnswerLog
    nonce: Callable[[], str]
    """Returns a new suffix of fences, which no sender can guess."""

    async def read(self, mails: Sequence[MemoryMail], run: str = "") -> MailBatch:
        """Return what these mails say. Raises `ModelDown` after the last try, `ModelDenied`."""
        mails = [mail for mail in mails if not speaks_to_nobody(mail)]
        if not mails:
            return MailBatch()
        if await self.used_up():
            return await self._by_rules(mails)
        by_case, nonce = {mail.case: mail for mail in mails}, self.nonce()
        opening = (ChatMessage.system(self.prompt), ChatMessage.user(shown(mails, nonce)))
        answer = await self._asked(opening, nonce, run)
        problems = self._problems(answer, by_case)
        if problems:
            repair = asked_again(opening, answer.final_message, problems, "list")
            answer = await self._asked(repair, nonce, run)
            problems = self._problems(answer, by_case)
        if problems:
            return await self._apart(mails, run)
        observations = observations_of(json_in(answer.final_message, "list"), by_case)
        return MailBatch(held(proven(observations, by_case), by_case))

    async def _by_rules(self, mails: Sequence[MemoryMail]) -> MailBatch:
        return replace(await self.rules.read(mails), by_rules=True)

    async def _apart(self, mails: Sequence[MemoryMail], run: str) -> MailBatch:
        """Read each mail by itself, so that one that makes the model answer nonsense spoils its own reading alone."""
        if len(mails) == 1:
            return await self._by_rules(mails)
        read = [await self.read((mail,), run) for mail in mails]
        found = tuple(one for batch in read for one in batch.observations)
        return MailBatch(found, by_rules=any(batch.by_rules for batch in read))

    def _problems(self, answer: AgentResult, mails: Mapping[str, MemoryMail]) -> tuple[str, ...]:
        if answer.status is not RunStatus.COMPLETED:
            return (answer.error or "no answer",)
        try:
            return problems_of(json_in(answer.final_message, "list"), mails.keys())
        except ValueError as e:
            return (str(e),)

    async def _asked(self, opening: Messages, nonce: str, counted: str) -> AgentResult:
        profile = Profile(name=PROFILE, tools=(), prompt="")
        patient = PatientModel(self.model, self.clock, TRIES)
        journal = OneRun(log=self.log, clock=self.clock, counted=counted or PROFILE, profile=PROFILE)
        return await run_agent(_scope(self.clock, nonce, journal), profile, Toolbox(()), patient, opening)


def _scope(clock: Clock, nonce: str, journal: OneRun) -> Scope:
    """Return the scope of a run without tools: every call is refused."""

    async def resolve(noun: str, name: str) -> Json:
        raise ToolRefused(f"there is no {noun} {name[:40]!r}")

    async def judge(invocation: Invocation, history: RunHistory) -> Verdict:
        raise ToolRefused(f"{invocation.tool.name} is not for the Email Reader ({len(history.seen)} facts)")

    async def park(invocation: Invocation, *_: object) -> NoReturn:
        raise ToolRefused(f"nobody decides about {invocation.tool.name}")

    return Scope(
        run=f"{PROFILE}/1",
        nonce=nonce,
        context=lambda invocation: invocation,
        resolve=resolve,
        judge=judge,
        park=park,
        journal=journal,
        clock=clock,
        limits=Limits(rounds=2, max_tokens=ANSWER),
    )


def shown(mails: Sequence[MemoryMail], nonce: str) -> Prompt:
    """Return a batch as the model reads it: what code knows as facts, what was written behind fences."""
    request = ours(f"Read these {len(mails)} mails, and answer with the list of observations.\n\n")
    for mail in mails:
        known = {
            "case": mail.case,
            "from": mail.sender,
            "to": list(mail.to),
            "sent": str(mail.at),
            "ticket": mail.ticket,
        }
        text = Untrusted(f"Subject: {mail.subject}\n\n{mail.text}"[:LONGEST])
        request += facts(known) + ours("\n") + fenced("MAIL", text, nonce)
    return request
