"""`/api/v1/routes/test`: which routing rule would take a mail, and why."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from triage.services.routing.route_tester import RouteTest
from web.api.guard import Approver
from web.api.services import Services
from web.api.shapes.parts import Asked, Part

TEST: Final = "/routes/test"
MAIL: Final[dict[str, Any]] = {
    "required": True,
    "description": "The raw mail, at most MAX_MAIL_BYTES long.",
    "content": {
        "message/rfc822": {
            "schema": {"type": "string", "format": "binary"},
            "example": "From: Ada <ada@example.com>\r\nSubject: The export stops at 40 %\r\n\r\nHello,\r\n",
        }
    },
}


class RouteQuery(Asked):
    """How the mail is taken to have come."""

    mailbox: str = Field(
        "", max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$", description="As if it came by this mailbox of triage.yaml."
    )


class ConditionShape(Part):
    """What one condition of a rule says."""

    condition: str = Field(examples=["sender_domain partner.example"])
    holds: bool
    why: str = Field(description="Why it holds, or why it fails although the mail's text matches.")


class RuleShape(Part):
    """What one rule says."""

    rule: str = Field(examples=["partners"])
    takes: bool = Field(description="It holds, and no rule before it does.")
    holds: bool
    conditions: list[ConditionShape] = Field(validation_alias="findings")


class RouteShape(BaseModel):
    """The route of a mail, and what every rule says of it; its thread and what is known of its sender are left out."""

    rule: str = Field(examples=["partners"], description="The rule that takes it, or `default`.")
    route: str = Field(examples=["agent"])
    profile: str = Field(examples=["default"])
    project: str = Field(examples=["HARB"], description="Empty: the first one.")
    labels: list[str]
    because: list[str] = Field(examples=[["sender_domain partner.example"]])
    passed_over: list[str] = Field(description="Rules that the text matches and whose proof fails.")
    trust: str = Field(examples=["unverified"])
    trust_because: list[str]
    kind: str = Field(examples=["human"])
    languages: list[str] = Field(examples=[["en"]])
    disposition: str | None = Field(examples=["work"])
    rules: list[RuleShape] = Field(description="In the order of the file.")


routes = APIRouter(tags=["routes"])


@routes.post(TEST, openapi_extra={"requestBody": MAIL})
async def test(at: Services, _: Approver, http: Request, query: Annotated[RouteQuery, Query()]) -> RouteShape:
    """Say which rule takes the posted mail, why, and what each rule says; by its bytes and today's rules alone, nothing is kept."""
    try:
        raw = await http.body()
    except ClientDisconnect:
        raise HTTPException(400, "the mail is not complete") from None
    message = await at.read(raw)
    return route_shape(at.route_tester().test(message, f"imap:{query.mailbox}" if query.mailbox else "file"))


def route_shape(test: RouteTest) -> RouteShape:
    """Return the result of a test."""
    facts, chosen = test.facts, test.route
    return RouteShape(
        rule=chosen.rule,
        route=chosen.pipeline,
        profile=chosen.profile,
        project=chosen.project,
        labels=list(chosen.labels),
        because=list(chosen.because),
        passed_over=list(chosen.passed_over),
        trust=facts.proof.trust,
        trust_because=list(test.trust_because),
        kind=facts.kind,
        languages=list(facts.languages),
        disposition=facts.disposition,
        rules=[RuleShape.model_validate(one) for one in test.readings],
    )
