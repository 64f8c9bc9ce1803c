"""How a ticket is put into a sprint."""

from typing import Final

from triage.domain.cases import Outcome
from triage.domain.ports import Tracker
from triage.effects.kinds import Intent, Kind, Sent


async def _place(to: Tracker, intent: Intent[int]) -> Sent:
    await to.place(intent.target, intent.body)
    return Sent()


SPRINT: Final = Kind(name="sprint", send=_place, verb="Planned", ends=Outcome.UPDATED)
