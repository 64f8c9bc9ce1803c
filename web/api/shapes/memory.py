"""Builds of the team's memory as JSON."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from triage.domain.memory.builds import BuildKind, BuildStage
from web.api.shapes.parts import Part


class BuildAsked(BaseModel):
    """What is to be done."""

    model_config = ConfigDict(extra="forbid")

    kind: BuildKind = Field(default=BuildKind.BUILD, description="`build` does all of it.")


class BuildShape(Part):
    """A build, and how far it is."""

    id: int
    kind: BuildKind
    by: str
    stage: BuildStage
    done: int = Field(description="Of the stage's `total`: mails or notes.")
    total: int
    figures: dict[str, int] = Field(description="What was counted.", examples=[{"mails": 12, "created": 5}])
    trouble: str = Field(description="Why it failed.")
    started_at: datetime
    ended_at: datetime | None
