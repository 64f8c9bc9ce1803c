"""Composes letters from a case and queues each once by its key."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from triage.domain.cases import Case
from triage.domain.errors import ToolRefused
from triage.domain.letters import Letter
from triage.domain.ports import Clock, LetterStore
from triage.effects.kinds import WriteIntent, WriteResult, digest
from triage.policy.letters.compose import LetterRules, Wording, letter_of
from triage.policy.letters.recipients import may_pass_on, may_write_automatically, recipients_of

DAY: Final = timedelta(days=1)
PASSED_ON: Final = 20
"""Most letters with people's text that one case may send a day; stops two programs that answer each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterWriter:
    """Composes letters and queues them. All letters of cases pass here; `services/letters/sender.py` sends what is queued."""

    store: LetterStore
    rules: LetterRules
    clock: Clock
    secret: bytes = field(repr=False)

    @property
    def sent(self) -> int:
        """Always 0: queueing is idempotent, so no write is ever in doubt."""
        return 0

    def no_letter(self, case: Case) -> str:
        """Return why no letter about this mail is allowed; empty if one is."""
        return recipients_of(case, self.rules.ours).why

    def letter(self, case: Case, effect: str, wording: Wording, *, by: str = "", draft: bool = False) -> Letter:
        """Return a letter that a person accepted, or a draft for one. Raises `ToolRefused` if it has no allowed recipient."""
        return letter_of(
            case,
            effect,
            wording,
            self.rules,
            secret=self.secret,
            now=self.clock.now(),
            automatic=not by,
            draft=draft,
            by=by,
        )

    async def write_automatically(self, case: Case, effect: str, wording: Wording) -> Letter:
        """Queue a letter that no person has seen: `receipt:1` of a case, once.

        Raises `ToolRefused` with the reason if the sender may get none, `TooManyLetters` if he got enough today.
        """
        await self.check_automatic(case, effect)
        return await self.store.queue(self.letter(case, effect, wording), most=self.rules.per_person)

    async def pass_on(self, case: Case, effect: str, wording: Wording, *, author: str) -> Letter:
        """Queue a person's text to the sender alone, once: `comment:10012` of a case.

        They do not count as automatic letters, of which a person gets few; PASSED_ON of a case within a day are the limit.
        Raises `ToolRefused` with the reason if the sender may get none.
        """
        may = may_pass_on(case, self.rules.ours)
        if not may.yes:
            raise ToolRefused(may.why)
        letter = replace(self.letter(case, effect, wording, by=author), cc=(), note="")
        known = [one for one in await self.store.letters(case=case.id) if one.kind is wording.kind]
        day_ago = self.clock.now() - DAY
        if sum(one.key != letter.key and one.due_at is not None and one.due_at > day_ago for one in known) >= PASSED_ON:
            raise ToolRefused(f"the sender got {PASSED_ON} comments within a day")
        return await self.store.queue(letter)

    async def check_automatic(self, case: Case, effect: str) -> None:
        """Raise `ToolRefused` with the reason if this letter may not go without a person."""
        written = await self._written(case, f"{case.id}:{effect}")
        may = may_write_automatically(case, self.rules.ours, written=written, most=self.rules.per_person)
        if not may.yes:
            raise ToolRefused(may.why)

    async def _written(self, case: Case, key: str) -> int:
        """Count the sender's automatic letters of a day, without this one, in case it was queued before."""
        person = case.mail.sender.address if case.mail.sender else ""
        known = any(one.key == key and one.automatic for one in await self.store.letters(case=case.id))
        return await self.store.written(person, self.clock.now() - DAY) - known


async def queue_letter(to: LetterWriter, intent: WriteIntent[Letter]) -> WriteResult:
    """Queue the letter of an effect; its key makes a second try the same letter."""
    return WriteResult(answer=await to.store.queue(intent.body))


def body_digest(letter: Letter) -> str:
    """Return the digest by which the ledger recognises an equal letter."""
    return digest(letter.body)
