"""Lists what an undo would take back, before a person orders it."""

from dataclasses import dataclass

from triage.domain.effects import Effect, EffectState
from triage.domain.letters import Letter, LetterState
from triage.domain.reports import Report
from triage.toolsets.tickets.undo import UNDOABLE


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoPlan:
    """What a case has written, by what an undo does with it."""

    back: tuple[Effect, ...] = ()
    """Taken back unless people have built on it; the worker checks, and reports what is kept."""
    cancelled: tuple[Letter, ...] = ()
    """Letters that still wait and never leave."""
    stays: tuple[Effect, ...] = ()
    """Files, watchers and the like, which are never taken back."""
    sent: tuple[Letter, ...] = ()
    """Letters that have left or may have."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to take back."""
        return not self.back and not self.cancelled


def undo_plan(report: Report) -> UndoPlan:
    """Return what `ApprovalService.undo` would do about a case."""
    done = [one for one in report.effects if one.state is EffectState.DONE]
    return UndoPlan(
        back=tuple(one for one in done if one.kind in UNDOABLE),
        cancelled=tuple(one for one in report.letters if one.state is LetterState.WAITING),
        stays=tuple(one for one in done if one.kind not in UNDOABLE),
        sent=tuple(one for one in report.letters if one.state in {LetterState.SENT, LetterState.UNKNOWN}),
    )
