"""The effect that puts a ticket into a sprint."""

from typing import Final

from triage.domain.cases import Outcome
from triage.domain.ports import TrackerView
from triage.effects.kinds import EffectKind, WriteIntent, WriteResult
from triage.policy.decision.sprints import SPRINT


async def _place(to: TrackerView, intent: WriteIntent[int]) -> WriteResult:
    await to.sprints.place(intent.target, intent.body)
    return WriteResult()


PLACE: Final = EffectKind(name=SPRINT, send=_place, verb="Planned", ends=Outcome.UPDATED)
