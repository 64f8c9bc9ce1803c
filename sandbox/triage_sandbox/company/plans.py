"""Plans the subjects and the order of generated tickets, including duplicates and near-duplicates of earlier ones."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from triage_sandbox.company.pieces import Matter, Part, Pieces, Plan

DUPLICATES: Final = 30
LOOKALIKES: Final = 15
_WISHES, _CHORES = 32, 16


class Planning:
    """Plans generated tickets by a seeded random number generator: the same number gives the same plans."""

    def __init__(self, chance: random.Random, pieces: Pieces) -> None:
        self._chance = chance
        self._pieces = pieces

    def plans(self, count: int) -> list[Plan]:
        """Return the plans in the order of time; each duplicate comes some places after its original."""
        pairs = DUPLICATES + LOOKALIKES
        matters = self._matters(count - pairs)
        plans = [Plan(matter, self._chance.randrange(3)) for matter in matters]
        bugs = [place for place, plan in enumerate(plans) if plan.matter.type == "Bug"]
        elders = self._chance.sample(bugs[: len(bugs) * 9 // 10], len(bugs) * 9 // 10)
        for place in elders[:DUPLICATES]:
            elder = plans[place]
            plans.append(Plan(elder.matter, (elder.wording + 1) % 3, twin=place))
        used = set(matters)
        for place in elders[DUPLICATES:]:
            others = self._others(plans[place].matter) - used
            if others and len(plans) < len(matters) + pairs:
                other = min(others, key=repr)
                used.add(other)
                plans.append(Plan(other, plans[place].wording, alike=place))
        return self._in_time(plans, len(matters))

    def _others(self, matter: Matter) -> set[Matter]:
        """The same trouble of the same thing under other conditions."""
        conditions = range(len(self._pieces.parts[matter.component].conditions))
        return {replace(matter, condition=condition) for condition in conditions} - {matter}

    def _in_time(self, plans: list[Plan], base: int) -> list[Plan]:
        """The later ones of each pair are put somewhere behind the earlier ones; places are told anew."""
        times = [float(place) for place in range(base)]
        for plan in plans[base:]:
            elder = plan.twin if plan.twin is not None else plan.alike or 0
            times.append(self._chance.uniform(elder + 0.5, base))
        order = sorted(range(len(plans)), key=times.__getitem__)
        new = {old: place for place, old in enumerate(order)}
        ordered = [plans[old] for old in order]
        return [
            replace(
                plan,
                twin=None if plan.twin is None else new[plan.twin],
                alike=None if plan.alike is None else new[plan.alike],
            )
            for plan in ordered
        ]

    def _matters(self, count: int) -> list[Matter]:
        """As many different ones; where there are more tickets than matters, matters come up again."""
        wishes = [Matter(name, "Story", thing=n) for name, part in self._parts() for n in range(len(part.wishes))]
        chores = [Matter(name, "Task", thing=n) for name, part in self._parts() for n in range(len(part.chores))]
        bugs = [
            Matter(name, "Bug", thing, trouble, condition)
            for name, part in self._parts()
            for thing, what in enumerate(part.things)
            for trouble, condition in product(range(len(what.troubles)), range(len(part.conditions)))
        ]
        chosen = [*wishes[:_WISHES], *chores[:_CHORES]]
        wanted = max(0, count - len(chosen))
        # Some parts break more often than others.
        weak = {name: self._chance.uniform(0.3, 2) for name, _ in self._parts()}
        bugs.sort(key=lambda bug: self._chance.random() ** (1 / weak[bug.component]), reverse=True)
        chosen += (bugs * (wanted // len(bugs) + 1))[:wanted]
        self._chance.shuffle(chosen)
        return chosen[:count]

    def _parts(self) -> Sequence[tuple[str, Part]]:
        return list(self._pieces.parts.items())
