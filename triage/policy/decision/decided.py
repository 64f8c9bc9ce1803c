"""What people have said of a case's proposals, as it stands on the record of its run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from triage.domain.cases import Case


@dataclass(frozen=True, slots=True)
class Decided:
    """What a person has said of a proposal."""

    by: str
    accepted: bool
    reason: str
    """Why it was asked."""
    error: str
    """Why it could not be done, empty where it was."""
    superseded_by: int = 0
    """The later proposal that nobody has decided this one for."""

    @property
    def refusal(self) -> str:
        """That it was not done, in a sentence; empty where it was."""
        if self.superseded_by:
            return f"Superseded by approval {self.superseded_by}: {self.reason}."
        return "" if self.accepted else f"{self.by} rejected this: {self.reason}."


def decided(case: Case) -> Iterator[Decided]:
    """What people have said, as it stands on the record of the run."""
    for run in case.result.tool_calls if case.result else ():
        if isinstance(run.result, Mapping) and "decision" in run.result:
            by, accepted = str(run.result["by"]), run.result["decision"] == "accepted"
            reason, error = str(run.result["reason"]), str(run.result.get("error", ""))
            yield Decided(by, accepted, reason, error, int(run.result.get("superseded_by", 0)))
