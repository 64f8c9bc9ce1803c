"""All that the toolsets bring, one row each."""

from typing import Final

from triage.effects.kinds import Kinds, by_name
from triage.toolsets.sprints.effects import SPRINT
from triage.toolsets.tickets.effects import EFFECTS

KINDS: Final[Kinds] = by_name(*EFFECTS, SPRINT)
"""The kinds of effects; of several the first in this order gives a case its outcome."""
