"""The severity policy: which impact gives which priority, as the section `severity:` of `triage.yaml` configures it."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import Field

from triage.config.shapes.base import Form, Shape

Priority: TypeAlias = Literal["Highest", "High", "Medium", "Low"]
PRIORITIES: Final = get_args(Priority)
MEANINGS: Final = {
    "outage": "many cannot work, or a vital system is down",
    "loss": "data lost",
    "exposure": "leak or break-in",
    "payment": "nobody can pay or is paid",
    "safety": "people may be hurt",
    "urgent": "the sender calls it urgent, as it is now and in own words",
    "money": "somebody is charged twice, a penalty or wages are at stake",
    "pressing": "the sender presses or is blocked",
    "deadline": "needed today or tomorrow",
}
"""Kind of impact → what it means, for prompts."""


System = Annotated[
    str, Form(r"^[\w' ]*\w[\w' ]*$", "write words without signs, such as label printer"), Field(max_length=80)
]


class Severity(Shape):
    """The priority that each kind of impact gives. Rules and prompt read the same."""

    outage: Priority = "Highest"
    loss: Priority = "Highest"
    exposure: Priority = "Highest"
    payment: Priority = "Highest"
    safety: Priority = "Highest"
    urgent: Priority = "Highest"
    money: Priority = "High"
    pressing: Priority = "High"
    deadline: Priority = "High"
    many_people: Annotated[int, Field(ge=2, le=1_000_000)] = 20
    """It is an outage where so many people cannot work."""
    vital: tuple[System, ...] = ()
    """Names of systems; where one does not work at all, it is an outage."""

    def priority_of(self, impact: str) -> Priority:
        priority: Priority = getattr(self, impact)
        return priority

    def lines(self) -> tuple[str, ...]:
        """Describe the policy, one line per priority that something gives."""
        given = {priority: [kind for kind in MEANINGS if self.priority_of(kind) == priority] for priority in PRIORITIES}
        sentences = [
            f"{name}: {'; '.join(MEANINGS[kind] for kind in kinds)}." for name, kinds in given.items() if kinds
        ]
        return (
            *sentences,
            f"Many are {self.many_people}.",
            *([f"Vital: {', '.join(self.vital)}."] if self.vital else []),
        )
