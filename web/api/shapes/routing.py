"""The verdict of the routing rules on a mail, as JSON."""

from pydantic import BaseModel, ConfigDict, Field

from triage.services.routing.route_tester import RouteTest
from web.api.shapes.parts import Part


class RouteQuery(BaseModel):
    """How the mail is taken to have come."""

    model_config = ConfigDict(extra="forbid")

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


def route_shape(test: RouteTest) -> RouteShape:
    """Return the result of a test."""
    facts, chosen = test.facts, test.route
    return RouteShape(
        rule=chosen.rule,
        route=chosen.way,
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
