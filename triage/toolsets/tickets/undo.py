"""Takes back what a case has written to tickets: only our own effects, each once, and only where nobody has built on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from triage.domain.channels.ticket_notes import Verb
from triage.domain.effects import Effect
from triage.domain.errors import Denied, Permanent, Refused
from triage.domain.ports import TrackerView
from triage.domain.tickets import Comment, Project
from triage.effects.kinds import EffectKind, WriteIntent, WriteResult
from triage.effects.writer import EffectWriter
from triage.policy.channels.commands import command_in
from triage.toolsets.tickets.effects import (
    CHANGE,
    COMMENT,
    CREATE,
    EDIT,
    LINK,
    TRANSITION,
    LinkTarget,
    TicketEdit,
)

WORDS: Final = (
    *("withdrawn", "cancelled", "canceled", "won't do", "wont do", "won't fix", "rejected", "declined"),
    *("invalid",),
)
"""Names of statuses for what should not be done, in lower case, best first."""
UNDOABLE: Final = frozenset({CREATE.name, COMMENT.name, LINK.name, CHANGE.name, TRANSITION.name})
LOOKED: Final = 50
"""Comments that are read to see whether people have answered."""


async def _unlink(to: TrackerView, intent: WriteIntent[LinkTarget]) -> WriteResult:
    await to.writer.unlink(intent.target, intent.body.other, intent.body.kind)
    return WriteResult()


UNSAY: Final = EffectKind(name="withdraw-comment", send=EDIT.send)
CLOSE: Final = EffectKind(name="withdraw-ticket", send=TRANSITION.send)
UNLINK: Final = EffectKind(name="withdraw-link", send=_unlink)
WITHDRAWALS: Final = (UNSAY, CLOSE, UNLINK)
"""All may be sent again without harm, so none is looked for."""


class Undone(NamedTuple):
    """Whether an effect is taken back, and what was done or why not."""

    done: bool
    text: str


def withdrawn_status(project: Project) -> str:
    """Return the status of a ticket that is taken back, else the first that means done; empty if there is none."""
    done = {status.name.casefold(): status.name for status in project.statuses if status.category == "done"}
    return next((done[word] for word in WORDS if word in done), next(iter(done.values()), ""))


def _built(comment: Comment, me: str) -> bool:
    """Tell whether a comment is somebody else's; what he only says to Triage, such as `/triage undo`, is none."""
    command = command_in(str(comment.text))
    return comment.by != me and (command is None or command.verb is Verb.HELP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """Takes back the effects of one case."""

    effects: EffectWriter
    tracker: TrackerView
    by: str
    """Who wants it."""

    async def back(self, done: Sequence[Effect]) -> tuple[Undone, ...]:
        """Take these effects back, the last first. `Transient` errors raise, and a later call goes on."""
        return tuple([await self._one(effect) for effect in reversed(done)])

    async def _one(self, effect: Effect) -> Undone:
        where = effect.target or effect.result
        try:
            match effect.kind:
                case CREATE.name:
                    return await self._ticket(effect.result)
                case COMMENT.name:
                    return await self._comment(effect.target, effect.result)
                case LINK.name:
                    return await self._link(effect)
        except Denied:
            raise
        except (Permanent, Refused) as e:
            return Undone(False, f"{effect.kind} of {where} stays: {e}")
        return Undone(False, f"the {effect.kind} of {where} stays: what it held before is in Jira's history")

    async def _ticket(self, key: str) -> Undone:
        if await self._touched(key):
            return Undone(False, f"{key} stays: people have worked on it")
        status = withdrawn_status(await self.tracker.metadata.project())
        if not status:
            return Undone(False, f"{key} stays: its workflow has no end")
        await self.effects.once(CLOSE.name, self.tracker, status, target=key, sequence="1")
        return Undone(True, f"{key} is {status}")

    async def _touched(self, key: str) -> bool:
        """Tell whether anybody but us has changed the ticket or said something there."""
        if await self._begun(CLOSE.name, key, "1"):
            return False
        me = await self.tracker.people.me()
        changed = any(change.author not in {"", me} for change in await self.tracker.tickets.changes(key))
        return changed or any(_built(one, me) for one in (await self.tracker.tickets.details(key, LOOKED)).comments)

    async def _comment(self, key: str, comment: str) -> Undone:
        if not await self._begun(UNSAY.name, key, comment) and await self._answered(key, comment):
            return Undone(False, f"the comment on {key} stays: people have said something since")
        text = f"*Withdrawn by {self.by}: this comment was written by mistake.*"
        await self.effects.once(UNSAY.name, self.tracker, TicketEdit(comment, text), target=key, sequence=comment)
        return Undone(True, f"the comment on {key} is withdrawn")

    async def _answered(self, key: str, comment: str) -> bool:
        """Tell whether anybody else has commented after our comment, as far as it is among the latest."""
        me = await self.tracker.people.me()
        later: list[Comment] = []
        for one in (await self.tracker.tickets.details(key, LOOKED)).comments:  # newest first
            if one.id == comment:
                return any(_built(each, me) for each in later)
            later.append(one)
        return True

    async def _link(self, effect: Effect) -> Undone:
        kind, _, other = effect.key.split(f":{effect.target}:", 1)[1].partition(":")
        link = LinkTarget(other, kind)
        await self.effects.once(UNLINK.name, self.tracker, link, target=effect.target, sequence=f"{kind}:{other}")
        return Undone(True, f"{effect.target} and {other} are no longer linked")

    async def _begun(self, kind: str, key: str, sequence: str) -> bool:
        """Tell whether this withdrawal was begun, so that what it has changed itself is no reason against it."""
        return await self.effects.known(self.effects.effect(kind, key, sequence, "").key) is not None
