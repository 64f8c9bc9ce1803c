"""The section `approvals:` of triage.yaml: who may decide, for how long a proposal waits, and how often it may be reworked."""

from datetime import timedelta
from typing import Annotated

from pydantic import AfterValidator, Field

from triage.config.shapes.base import Shape, Some

Hours = Annotated[float, Field(gt=0, le=8760)]


def _folded(name: str) -> str:
    return name.strip().casefold()


class ApproverRules(Shape):
    """Who may decide besides the shell; by default tokens for that, and nobody else."""

    people: frozenset[Annotated[Some, AfterValidator(_folded)]] = frozenset()
    """Addresses and account ids, in lower case."""
    groups: tuple[Some, ...] = ()
    """Names of the tracker's groups."""
    roles: tuple[Some, ...] = ()
    """Names of roles in the project."""
    programs: bool = False
    """Tokens that belong to no person decide, too."""

    @property
    def nobody(self) -> bool:
        """Whether no approver is named, so that a token's scope alone is the right."""
        return not (self.people or self.groups or self.roles)


class ApprovalRules(Shape):
    """The section."""

    approvers: ApproverRules = ApproverRules()
    expire_hours: Hours = 72
    remind_hours: Hours = 12
    four_eyes: frozenset[Some] = frozenset()
    """Kinds of effects that two people have to accept."""
    rework: Annotated[int, Field(ge=0, le=10)] = 3
    """Most instructions in a row about one proposal."""
    letters: bool = False
    """Ask approvers by letter."""

    @property
    def expires_after(self) -> timedelta:
        """How long a proposal waits."""
        return timedelta(hours=self.expire_hours)

    @property
    def remind_before(self) -> timedelta:
        """How long before it expires an approval is reminded of."""
        return timedelta(hours=self.remind_hours)

    def eyes(self, effect: str) -> int:
        """Return how many people have to accept an effect of this kind."""
        return 2 if effect in self.four_eyes else 1
