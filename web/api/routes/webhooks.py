"""`/api/v1/webhooks`: who is told how cases end."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from web.api.guard import Admin, decider
from web.api.problems import NOT_FOUND
from web.api.services import Services
from web.api.shapes.figures import ThrottleQuery
from web.api.shapes.parts import Asked, Number, Part


class WebhookRequest(Asked):
    """An address that shall be told how cases end."""

    url: str = Field(min_length=8, max_length=1000, examples=["https://hooks.example.com/triage"])


class WebhookShape(Part):
    """A webhook, without its secret."""

    id: int
    url: str
    made_by: str
    made_at: datetime
    ended_at: datetime | None = Field(description="Null: it is told.")
    trouble: str


class CreatedWebhook(WebhookShape):
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


routes = APIRouter(tags=["webhooks"])


@routes.get("/webhooks")
async def webhooks(at: Services, _: Admin) -> list[WebhookShape]:
    """List the webhooks, those that are told nothing more included."""
    return [WebhookShape.model_validate(one) for one in await at.webhooks.webhooks()]


@routes.post("/webhooks", status_code=201)
async def create(at: Services, token: Admin, asked: WebhookRequest) -> CreatedWebhook:
    """Tell this address of outcomes (`case.ended`) from now on; the answer has the secret that signs, once."""
    return CreatedWebhook.model_validate(await at.webhooks.create(asked.url, decider(token)))


@routes.delete("/webhooks/{number}", responses=NOT_FOUND)
async def end(at: Services, token: Admin, number: Number) -> WebhookShape:
    """Tell it nothing more."""
    return WebhookShape.model_validate(await at.webhooks.end(number, decider(token)))


@routes.get("/webhooks/{number}/deliveries")
async def deliveries(
    at: Services, _: Admin, number: Number, query: Annotated[ThrottleQuery, Query()]
) -> list[DeliveryShape]:
    """List the newest deliveries."""
    return [DeliveryShape.model_validate(one) for one in await at.webhooks.deliveries(number, query.limit)]
