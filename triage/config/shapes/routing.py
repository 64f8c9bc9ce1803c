"""The sections `routing:` and `agent:` of triage.yaml."""

import re
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, field_validator, model_validator

from triage.config.agents.profiles import ProfileSpec
from triage.config.routing.rule import RoutingRule
from triage.config.routing.safe_regex import pattern_of
from triage.config.shapes.base import Email, Form, ProjectKey, Shape, Some, once, several
from triage.config.word_lists import word_lists
from triage.domain.findings import Disposition, PipelineName
from triage.domain.mail import Kind, Trust


def _domain(value: str) -> str:
    return value.strip().lower().removeprefix("@")


def _checked(value: str) -> str:
    """Validate the pattern; `rule` compiles it again."""
    pattern_of(value)
    return value


def _recipient(value: str) -> str:
    address = value.strip().lower()
    if not re.fullmatch(r"[^@\s]*@[^@\s]+", address):
        raise ValueError(f"{value!r} is neither an e-mail address nor @ and a domain")
    return address


def _language(value: str) -> str:
    known = sorted(code for code, lists in word_lists().by_language.items() if "detection.common" in lists)
    if value not in known:
        raise ValueError(f"{value!r} is no language that is recognised; there are {', '.join(known)}")
    return value


def _believed(value: Trust) -> Trust:
    if value is Trust.FAILED:
        raise ValueError("every sender is at least `failed`; write verified, weak or unverified")
    return value


Recipient = Annotated[str, AfterValidator(_recipient)]


class MatchShape(Shape):
    """The conditions of a rule."""

    all: StrictBool = False
    sender_email: Email = ""
    sender_domain: Annotated[Some, AfterValidator(_domain)] = ""
    subject_contains: Some = ""
    header_match: dict[Some, Annotated[Some, AfterValidator(_checked)]] = Field(default_factory=dict)
    forwarded_from: Email = ""
    recipient: Annotated[tuple[Recipient, ...], BeforeValidator(several)] = ()
    mailbox: Annotated[tuple[Some, ...], BeforeValidator(several)] = ()
    kind: Annotated[tuple[Kind, ...], BeforeValidator(several)] = ()
    disposition: Annotated[tuple[Disposition, ...], BeforeValidator(several)] = ()
    language: Annotated[tuple[Annotated[str, AfterValidator(_language)], ...], BeforeValidator(several)] = ()
    has_attachment: StrictBool | None = None
    trust_at_least: Annotated[Trust, AfterValidator(_believed)] | None = None
    project: Annotated[tuple[ProjectKey, ...], BeforeValidator(several)] = ()
    unproven: StrictBool = False

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        given = self.model_dump(exclude={"unproven", "has_attachment"}).values()
        if not any(given) and self.has_attachment is None:
            raise ValueError("no condition; write `all: true` for every mail")
        return self


class RuleEntry(Shape):
    """One rule of `routing.rules`."""

    name: Some
    match: MatchShape
    route: PipelineName
    profile: Some = ""
    project: ProjectKey = ""
    labels: tuple[Annotated[str, Form(r"^\S{1,255}$", "write a label without blanks: Jira takes no others")], ...] = ()
    account: Some = ""

    @model_validator(mode="after")
    def _agent_has_profile(self) -> Self:
        if self.route is PipelineName.AGENT and not self.profile:
            raise ValueError("`route: agent` needs a `profile`")
        if self.account and self.route is not PipelineName.SUPPORT:
            raise ValueError("`account` is of `route: support` alone: it chooses the articles that answer")
        return self

    def rule(self) -> RoutingRule:
        given = self.match.model_dump(exclude={"header_match", "project"})
        given |= {"profile": self.profile} if self.profile else {}
        headers = tuple((name.lower(), pattern_of(text)) for name, text in self.match.header_match.items())
        return RoutingRule(
            name=self.name,
            pipeline=self.route,
            header_match=headers,
            in_project=self.match.project,
            project=self.project,
            labels=self.labels,
            account=self.account,
            **given,
        )


class RoutingShape(Shape):
    """The section `routing:`."""

    rules: Annotated[tuple[RuleEntry, ...], once("rule")] = ()


class AgentShape(Shape):
    """The section `agent:`."""

    profiles: dict[
        Annotated[str, Form(r"^[A-Za-z0-9][A-Za-z0-9_-]*$", "write a name of letters, digits, - and _")], ProfileSpec
    ] = Field(default_factory=dict)

    @field_validator("profiles")
    @classmethod
    def _names_agree(cls, profiles: dict[str, ProfileSpec]) -> dict[str, ProfileSpec]:
        for key, profile in profiles.items():
            if profile.name not in {"", key}:
                raise ValueError(f"the profile {key} calls itself {profile.name}")
        return {key: profile.model_copy(update={"name": key}) for key, profile in profiles.items()}
