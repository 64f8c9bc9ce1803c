"""Cases as JSON."""

from datetime import datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from triage.domain.reports import CaseLine


class CaseShape(BaseModel):
    """A case in a list."""

    model_config = ConfigDict(from_attributes=True)

    id: str = Field(examples=["case-17"])
    received_at: datetime
    sender: str = Field(examples=["Ada Byron <ada@example.com>"])
    subject: str = Field(examples=["The export stops at 40 %"])
    state: str = Field(examples=["ticketed"], description="The outcome; before there is one: ready, working, retrying.")
    ticket: str = Field(examples=["HARB-72"], description="Empty: none.")
    reason: str = Field(examples=["a new bug"])


class CaseQuery(BaseModel):
    """Which cases to list."""

    model_config = ConfigDict(extra="forbid")

    state: str = Field("", max_length=20, pattern="^[a-z]*$", description="Only these: waiting, ignored, retrying, …")
    ticket: str = Field(
        "", pattern=r"^([A-Z][A-Z0-9_]{0,40}-[1-9][0-9]{0,9})?$", description="Only those of this ticket."
    )
    sender: str = Field("", max_length=200, description="Only those whose sender's name or address contains this.")
    since: AwareDatetime | None = Field(None, description="Only those received since then.")
    until: AwareDatetime | None = Field(None, description="Only those received before then.")
    limit: int = Field(50, ge=1, le=200, description="Items of the page.")
    cursor: str = Field("", max_length=200, description="`next` of the page before; empty: the first page.")


def case_shape(line: CaseLine) -> CaseShape:
    """Return a line of the list."""
    return CaseShape.model_validate(line)
