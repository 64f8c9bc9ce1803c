"""The file of `triage init --answers`: the wizard's answers as YAML or JSON; secrets are references."""

from pathlib import Path
from typing import Annotated, Any, Final, Self

import yaml
from pydantic import Field, StringConstraints, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, EnvSettingsSource

from triage.config.declaring import AFTER, WHAT_AFTER
from triage.config.mailboxes import TlsWord
from triage.config.shapes.base import Form, Shape
from triage.config.shapes.problems import problems
from triage.domain.errors import SettingsInvalid
from triage.policy.setup.jira_sites import is_cloud, sites_of

LARGEST: Final = 100_000
"""Bytes of an answers file."""

Some = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Address = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=320),
    Form(r"^[^@\s]+@[^@\s]+$", "write an address, such as help@example.com"),
]
Port = Annotated[int, Field(ge=1, le=65535)]


class SecretShape(Shape):
    """Reference to a secret: `{env: NAME}` or `{file: path}`; trailing line ends are ignored."""

    env: Some | None = Field(None, description="variable of the environment that holds it")
    file: Some | None = Field(None, description="file that holds it")

    @model_validator(mode="before")
    @classmethod
    def _no_secret(cls, value: Any) -> Any:
        if isinstance(value, str):
            raise ValueError("a secret does not stand in this file: give `env: NAME` or `file: path`")  # noqa: TRY004 - pydantic collects ValueErrors
        return value

    @model_validator(mode="after")
    def _readable(self) -> Self:
        if bool(self.env) == bool(self.file):
            raise ValueError("give `env` or `file`, and not both")
        if not (text := self.text()):
            raise ValueError(f"nothing is in {self.env or self.file}")
        if not text.isprintable():
            raise ValueError(f"there is a line break or a control character in {self.env or self.file}")
        return self

    def text(self) -> str:
        if self.env:
            return str(EnvSettingsSource(BaseSettings).env_vars.get(self.env.lower()) or "").strip()
        try:
            return Path(self.file or "").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as e:
            raise ValueError(f"{self.file} cannot be read ({type(e).__name__})") from None


class JiraAnswers(Shape):
    """Cloud wants `email` and an API token; Data Center a personal access token, or `user` and a password as `token`."""

    url: Some = Field(description="address of the site, as in the browser")
    email: Address | None = Field(None, description="Cloud: address of the account")
    user: Some | None = Field(None, description="Data Center with a password: user name of the account")
    token: SecretShape = Field(description="API token, personal access token, or password")
    project: Annotated[
        str,
        Form(r"^[A-Za-z][A-Za-z0-9_]+$", "write the key of a project, such as OPS"),
        StringConstraints(to_upper=True),
    ] = Field(description="key, such as OPS")

    @field_validator("url")
    @classmethod
    def _address(cls, url: str) -> str:
        if not sites_of(url):
            raise ValueError("it is no address, such as https://acme.atlassian.net")
        return url

    @model_validator(mode="after")
    def _account(self) -> Self:
        if is_cloud(sites_of(self.url)[0]) and not self.email:
            raise ValueError("Cloud wants `email`, the address of the token's account")
        if len(self.token.text().split()) > 1 and not self.user:
            raise ValueError("the token has blanks in it")
        return self


class OAuthAnswers(Shape):
    """An application that opens the mailbox with tokens; unless `app_only` somebody signs in afterwards: `triage mailbox login`."""

    provider: Some = Field(description="microsoft, google, or the https:// address of another provider")
    client_id: Some = Field(description="id of the application")
    client_secret: SecretShape | None = None
    tenant: Some | None = Field(None, description="Microsoft: directory (tenant) id")
    scopes: Some | None = Field(None, description="other providers: what is asked for, between blanks")
    app_only: bool = Field(default=False, description="the application opens the mailbox itself (Microsoft)")


class MailboxAnswers(Shape):
    """What is left out is found: the server by the address, its TLS by trying."""

    address: Address = Field(description="the mailbox whose mails become tickets")
    password: SecretShape | None = None
    token_command: Some | None = Field(None, description="instead of a password: command that prints an OAuth token")
    oauth: OAuthAnswers | None = Field(None, description="instead of a password: an application that gets tokens")
    user: Some | None = Field(None, description="user name, where it is not the address")
    host: Some | None = None
    port: Port | None = None
    tls: TlsWord | None = None
    folder: Some = "INBOX"
    after: Annotated[str, Form(AFTER, WHAT_AFTER)] = "none"

    @model_validator(mode="after")
    def _opens(self) -> Self:
        if bool(self.password) + bool(self.token_command) + bool(self.oauth) != 1:
            raise ValueError(
                "give `password`, or `oauth` or `token_command` where the server wants tokens, and one of them alone"
            )
        return self


class ModelAnswers(Shape):
    """Without this section rules alone decide."""

    key: SecretShape | None = Field(None, description="API key; needed unless `url` asks for none")
    url: Some | None = Field(None, description="an OpenAI-compatible server; OpenAI's own without it")
    name: Some | None = Field(None, description="the model's name, as the provider spells it")

    @model_validator(mode="after")
    def _asked(self) -> Self:
        if not self.key and not self.url:
            raise ValueError("give `key`, or the `url` of a server that asks for none")
        return self


class LettersAnswers(Shape):
    """Without this section Triage writes to nobody; login and sender are the mailbox's unless told."""

    host: Some
    port: Port | None = None
    tls: TlsWord | None = None
    user: Some | None = None
    password: SecretShape | None = None
    sender: Some | None = Field(None, description="MAIL_FROM, such as Harbour Support <support@example.org>")


class SetupAnswers(Shape):
    """The answers file of `triage init --answers`, section by section."""

    jira: JiraAnswers
    mailbox: MailboxAnswers | None = None
    model: ModelAnswers | None = None
    letters: LettersAnswers | None = None


def read_answers(path: Path) -> SetupAnswers:
    """Read an answers file. Raises `SettingsInvalid` with every mistake and its place."""
    try:
        text = path.read_bytes()[: LARGEST + 1].decode()
    except (OSError, UnicodeDecodeError) as e:
        unread = f"{path}: cannot be read ({type(e).__name__}); it must be YAML or JSON in UTF-8"
        raise SettingsInvalid((unread,)) from None
    if len(text) > LARGEST:
        raise SettingsInvalid((f"{path}: is larger than {LARGEST:,} bytes",))
    try:
        return SetupAnswers.model_validate(yaml.safe_load(text) or {})
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        place = f" (line {mark.line + 1}, column {mark.column + 1})" if mark else ""
        raise SettingsInvalid((f"{path}: {getattr(e, 'problem', None) or 'is no YAML'}{place}",)) from None
    except ValidationError as e:
        raise SettingsInvalid(tuple(problems(e, path.name, SetupAnswers, text))) from None
