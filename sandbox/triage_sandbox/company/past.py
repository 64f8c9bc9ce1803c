"""Generates a larger history for the company: hundreds of tickets, always the same for the same number.

What is true about them (which tickets tell of the same thing, which only sound alike) is told here and never in them.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from triage_sandbox.company import DemoComment, DemoLink, DemoProject, DemoTicket
from triage_sandbox.company.pieces import Matter, Plan, pieces
from triage_sandbox.company.plans import Planning

TICKETS: Final = 240
_DAYS: Final = 330
_NEAR: Final = 150
"""Tickets back to which people still link."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The expected results of an evaluation: pairs of ticket keys, the older ticket first."""

    duplicates: tuple[tuple[str, str], ...]
    """Two tickets about one matter, in different words."""
    lookalikes: tuple[tuple[str, str], ...]
    """Nearly the same words about two matters."""


@dataclass(frozen=True, slots=True)
class Past:
    """Generated tickets, and which of them are duplicates."""

    tickets: tuple[DemoTicket, ...]
    truth: Truth


def past(number: int, project: DemoProject, *, first: int = 1, count: int = TICKETS) -> Past:
    """Generate the tickets that belong to `number`, always the same ones; their numbers begin at `first`."""
    return _Writing(random.Random(number), project, first).written(count)  # noqa: S311 - must be the same every time


class _Writing:
    def __init__(self, chance: random.Random, project: DemoProject, first: int) -> None:
        self._chance = chance
        self._project = project
        self._first = first
        self._pieces = pieces()
        self._leads = {part.name: part.lead for part in project.components}
        self._builders = [
            p.username for p in project.people if p.active and ("Developer" in p.role or p.role == "DevOps")
        ]
        self._reporters = [p.username for p in project.people if p.role in {"Support", "Product Owner", "Developer"}]

    def written(self, count: int) -> Past:
        epics = list(self._pieces.epics.items())
        plans = Planning(self._chance, self._pieces).plans(count - len(epics))
        ages = sorted((self._chance.uniform(1, _DAYS) for _ in plans), reverse=True)
        heads = [self._epic(place, component, name) for place, (component, name) in enumerate(epics)]
        tickets = [*heads]
        for place, (plan, age) in enumerate(zip(plans, ages, strict=True)):
            tickets.append(self._ticket(place + len(heads), plan, int(age), tickets))
        keys = [ticket.key for ticket in tickets[len(heads) :]]
        duplicates = tuple((keys[plan.twin], keys[at]) for at, plan in enumerate(plans) if plan.twin is not None)
        alike = tuple((keys[plan.alike], keys[at]) for at, plan in enumerate(plans) if plan.alike is not None)
        return Past(tuple(tickets), Truth(duplicates, alike))

    # --- in words -----------------------------------------------------------------------------

    def _epic(self, place: int, component: str, name: str) -> DemoTicket:
        return DemoTicket(
            key=self._key(place),
            type="Epic",
            status="In Progress",
            priority="Medium",
            summary=name,
            description="A goal for this year; the stories below it say how.",
            reporter=self._project.lead,
            assignee=self._leads[component],
            components=(component,),
            created_days_ago=_DAYS + 10,
            updated_days_ago=self._chance.randrange(5, 40),
        )

    def _key(self, place: int) -> str:
        return f"{self._project.key}-{self._first + place}"

    def _ticket(self, place: int, plan: Plan, age: int, earlier: Sequence[DemoTicket]) -> DemoTicket:
        matter, chance = plan.matter, self._chance
        slots = self._slots(plan)
        status = self._status(age)
        updated = chance.randint(0, age) if status != "Done" else chance.randint(age // 4, age)
        remarks = chance.choices((0, 1, 2, 3), (50, 28, 15, 7))[0]
        done = status == "Done"
        return DemoTicket(
            key=self._key(place),
            type=matter.type,
            status=status,
            resolution=chance.choices(("Fixed", "Done", "Won't Do", "Cannot Reproduce"), (6, 3, 1, 1))[0]
            if done
            else None,
            priority=chance.choices(("Highest", "High", "Medium", "Low", "Lowest"), (3, 20, 52, 20, 5))[0],
            summary=self._summary(plan),
            description=self._description(plan, slots),
            reporter=chance.choice(self._reporters),
            assignee=self._assignee(matter, status),
            components=(matter.component,),
            labels=self._labels(matter),
            fix_versions=(chance.choice(("2026.9", "2026.10")),) if done and matter.type == "Bug" else (),
            parent=self._parent(matter, earlier),
            created_days_ago=age,
            updated_days_ago=updated,
            comments=tuple(self._comment(slots, age, updated) for _ in range(remarks)),
            links=self._links(matter, earlier),
        )

    def _summary(self, plan: Plan) -> str:
        matter, part = plan.matter, self._pieces.parts[plan.matter.component]
        if matter.type != "Bug":
            return (part.wishes if matter.type == "Story" else part.chores)[matter.thing][plan.wording]
        thing = part.things[matter.thing]
        words = f"{thing.names[plan.wording]} {thing.troubles[matter.trouble][plan.wording]}"
        return _capital(f"{words} {part.conditions[matter.condition][plan.wording % 2]}")

    def _slots(self, plan: Plan) -> dict[str, Any]:
        part, chance = self._pieces.parts[plan.matter.component], self._chance
        return {
            "customer": chance.choice(self._pieces.customers),
            "evidence": chance.choice(part.evidence),
            "account": f"C-{chance.randrange(10_000, 99_999)}",
            "count": chance.randrange(3, 90),
            "few": chance.randrange(2, 12),
            "day": chance.randrange(4, 29),
        }

    def _description(self, plan: Plan, slots: dict[str, Any]) -> str:
        matter, pieces, chance = plan.matter, self._pieces, self._chance
        if matter.type != "Bug":
            texts = (chance.choice(pieces.reasons), chance.choice(pieces.plans))
            return "\n".join(text.format_map(slots) for text in texts)
        part = pieces.parts[matter.component]
        thing, other = part.things[matter.thing], (plan.wording + 1) % 3 if plan.alike is None else plan.wording
        condition = part.conditions[matter.condition][other % 2]
        sentences = {
            "thing": thing.names[other],
            "trouble": thing.troubles[matter.trouble][other],
            "condition": condition,
            "Condition": _capital(condition),
        }
        kinds = (pieces.openings, pieces.symptoms, pieces.details, pieces.impacts)
        lines = [chance.choice(kind) for kind in kinds[: 4 if chance.random() < 0.7 else 3]]
        return "\n".join(line.format_map({**slots, **sentences}) for line in lines)

    def _comment(self, slots: dict[str, Any], age: int, updated: int) -> DemoComment:
        text = self._chance.choice(self._pieces.remarks).format_map(slots)
        author = self._chance.choice((*self._builders, *self._reporters))
        return DemoComment(author=author, text=text, days_ago=self._chance.randint(min(updated, age), age))

    # --- who, how far, with what --------------------------------------------------------------

    def _status(self, age: int) -> str:
        weights = (10, 6, 4, 80) if age > 120 else (48, 20, 10, 22)
        return self._chance.choices(("To Do", "In Progress", "In Review", "Done"), weights)[0]

    def _assignee(self, matter: Matter, status: str) -> str | None:
        """Uneven as in life: leads get most of it, and some work lies where nobody has picked it up."""
        luck = self._chance.random()
        if status == "To Do" and luck < 0.35:
            return None
        if luck < 0.8:
            return self._leads[matter.component]
        weights = [1 / (place + 1) for place in range(len(self._builders))]
        return self._chance.choices(self._builders, weights)[0]

    def _labels(self, matter: Matter) -> tuple[str, ...]:
        labels = [label for label in self._project.labels if label not in {"from-mail", "infrastructure"}]
        more = ("infrastructure",) if matter.component == "Monitoring" and self._chance.random() < 0.5 else ()
        return (*more, *self._chance.sample(labels, self._chance.choices((0, 1, 2), (55, 35, 10))[0]))

    def _parent(self, matter: Matter, earlier: Sequence[DemoTicket]) -> str | None:
        if matter.type != "Story":
            return None
        return next((t.key for t in earlier if t.type == "Epic" and t.components == (matter.component,)), None)

    def _links(self, matter: Matter, earlier: Sequence[DemoTicket]) -> tuple[DemoLink, ...]:
        """Never to a twin: what is true is not told."""
        recent = earlier[-_NEAR:]
        near = [t.key for t in recent if t.components == (matter.component,) and t.type not in {"Epic", "Bug"}]
        if not near or self._chance.random() > 0.15:
            return ()
        return (DemoLink(type=self._chance.choice(("Relates", "Blocks")), to=self._chance.choice(near)),)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
