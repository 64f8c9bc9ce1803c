"""Webhooks out as JSON."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from web.api.shapes.parts import Part


class WebhookAsked(BaseModel):
    """An address that shall be told how cases end."""

    model_config = ConfigDict(extra="forbid")

    url: str = Field(min_length=8, max_length=1000, examples=["https://hooks.example.com/triage"])


class WebhookShape(Part):
    """A webhook, without its secret."""

    id: int
    url: str
    made_by: str
    made_at: datetime
    ended_at: datetime | None = Field(description="Null: it is told.")
    trouble: str


class WebhookMade(WebhookShape):
    """A new webhook with its secret, which is shown this once."""

    secret: str = Field(examples=["whsec_bmV2ZXIgc2hvd24gYWdhaW4="])


class DeliveryShape(Part):
    """One outcome for one webhook."""

    message_id: str = Field(examples=["msg_17"], description="The header `webhook-id` of every attempt.")
    case: str
    state: str = Field(examples=["delivered"])
    attempts: int
    due_at: datetime
    made_at: datetime
    trouble: str
