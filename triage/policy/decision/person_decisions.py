"""People's decisions about a case's proposals, read from the record of its run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.approvals import AMEND, MERGE, PART, UNDO, ApprovalState
from triage.domain.cases import Case
from triage.policy.text.word_patterns import ended

ORDERED: Final[Mapping[str, str]] = {UNDO: "took back", AMEND: "corrected", MERGE: "merged", PART: "moved"}
"""What people order without being asked, as a verb, by its tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A person's decision about a proposal."""

    by: str
    word: str
    """The state that the approval ended in."""
    reason: str
    """Why it was asked."""
    error: str = ""
    """Why it could not be done, empty where it was."""
    superseded_by: int = 0
    """The later proposal that replaced this one before it was decided."""
    successor: str = ""
    """The state that the later proposal ended in."""
    instruction: str = ""
    overtaken: str = ""
    """What had changed before it could be done."""
    followed: bool = False
    """The agent has gone on with the instruction."""
    ordered: str = ""
    """What a person has taken back or corrected, and what stays, behind its verb."""

    @property
    def refusal(self) -> str:
        """That it was not done, was taken back or corrected, in a sentence; empty where it was done."""
        if self.ordered:
            return ended(f"{self.by} {self.ordered}")
        if self.superseded_by:
            late = ", which nobody decided in time" if self.successor == ApprovalState.EXPIRED else ""
            return ended(f"Superseded by approval {self.superseded_by}{late}: {self.reason}")
        match self.word:
            case ApprovalState.EXPIRED:
                return ended(f"Nobody decided in time: {self.reason}")
            case ApprovalState.VOID:
                return ended(f"Overtaken, so it was not done: {self.reason}; {self.overtaken}")
            case ApprovalState.ANSWERED:
                return ended(f"{self.by} wants instead: {self.instruction}")
        return "" if self.word == ApprovalState.ACCEPTED else ended(f"{self.by} rejected this: {self.reason}")

    @property
    def open_end(self) -> str:
        """Why a person still has to look; empty if the matter is over."""
        if self.error:
            return f"{self.by} accepted this: {self.reason}; but {self.error}"
        if ApprovalState.EXPIRED in {self.word, self.successor} or (
            self.word == ApprovalState.ANSWERED and not self.followed
        ):
            return self.refusal.removesuffix(".")
        return ""


def decided(case: Case) -> Iterator[Decided]:
    """Return people's decisions, read from the record of the run."""
    for run in case.calls:
        if "decision" in (came := run.facts):
            yield Decided(
                by=str(came["by"]),
                word=str(came["decision"]),
                reason=str(came["reason"]),
                error=str(came.get("error", "")),
                superseded_by=int(came.get("superseded_by", 0)),
                successor=str(came.get("successor") or ""),
                instruction=str(came.get("instruction", "")),
                overtaken=str(came.get("overtaken", "")),
                followed=bool(came.get("followed")),
                ordered=_ordered(run.tool, (*came.get("done", ()), *came.get("left", ()))),
            )


def _ordered(tool: str, what: tuple[object, ...]) -> str:
    """Return verb and objects of what a person has ordered; empty for what he was asked, or where nothing came of it."""
    return f"{ORDERED[tool]}: {'; '.join(map(str, what))}" if tool in ORDERED and what else ""
