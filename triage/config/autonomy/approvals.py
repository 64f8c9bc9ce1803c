"""The section `approvals:` of triage.yaml: who may decide, for how long a proposal waits, and how often it may be reworked."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated

from pydantic import Field

from triage.config.shapes.base import Shape, Some

Hours = Annotated[float, Field(gt=0, le=8760)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproverRules:
    """Who may decide besides the shell; by default tokens for that, and nobody else."""

    people: frozenset[str] = frozenset()
    """Addresses and account ids, in lower case."""
    groups: tuple[str, ...] = ()
    """Names of the tracker's groups."""
    roles: tuple[str, ...] = ()
    """Names of roles in the project."""
    programs: bool = False
    """Tokens that belong to no person decide, too."""

    @property
    def nobody(self) -> bool:
        """Whether no approver is named, so that a token's scope alone is the right."""
        return not (self.people or self.groups or self.roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRules:
    """The section `approvals:` of triage.yaml."""

    approvers: ApproverRules = field(default_factory=ApproverRules)
    expires_after: timedelta = timedelta(hours=72)
    remind_before: timedelta = timedelta(hours=12)
    """How long before it expires an approval is reminded of."""
    four_eyes: frozenset[str] = frozenset()
    """Kinds of effects that two people have to accept."""
    rework: int = 3
    """Most instructions in a row about one proposal."""
    letters: bool = False
    """Ask approvers by letter."""

    def eyes(self, effect: str) -> int:
        """Return how many people have to accept an effect of this kind."""
        return 2 if effect in self.four_eyes else 1


class ApproversShape(Shape):
    """Who may decide."""

    people: tuple[Some, ...] = ()
    groups: tuple[Some, ...] = ()
    roles: tuple[Some, ...] = ()
    programs: bool = False


class ApprovalsShape(Shape):
    """The section as written."""

    approvers: ApproversShape = ApproversShape()
    expire_hours: Hours = 72
    remind_hours: Hours = 12
    four_eyes: tuple[Some, ...] = ()
    rework: Annotated[int, Field(ge=0, le=10)] = 3
    letters: bool = False

    def frozen(self) -> ApprovalRules:
        """Convert to the frozen `ApprovalRules`."""
        who = self.approvers
        return ApprovalRules(
            approvers=ApproverRules(
                people=frozenset(name.strip().casefold() for name in who.people),
                groups=who.groups,
                roles=who.roles,
                programs=who.programs,
            ),
            expires_after=timedelta(hours=self.expire_hours),
            remind_before=timedelta(hours=self.remind_hours),
            four_eyes=frozenset(self.four_eyes),
            rework=self.rework,
            letters=self.letters,
        )
