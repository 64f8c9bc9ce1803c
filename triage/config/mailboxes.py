"""Reads the mailboxes to watch: the one of the environment and those of `triage.yaml`."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from triage.config.declaring import AFTER, WHAT_AFTER
from triage.config.settings import Settings
from triage.config.shapes.base import Form, named_twice, password_in, this_machine
from triage.domain.errors import SettingsInvalid

Some = Annotated[str, Field(min_length=1, max_length=200)]
TlsWord = Literal["ssl", "starttls", "none", "insecure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxSpec:
    """One mailbox folder to watch."""

    name: str
    """`name`, or `name/folder` unless it is INBOX; used in reports and as the source of mails."""
    host: str
    port: int
    user: str
    folder: str
    tls: TlsWord
    after: str
    """`none`, `seen` or `move:Folder`."""
    password: str = field(default="", repr=False)
    password_file: str = ""
    token_command: tuple[str, ...] = ()
    oauth: bool = False
    """It is opened with tokens of MAIL_OAUTH."""

    def secret(self) -> str:
        """Return the password, from its file if there is one. Raises `SettingsInvalid`."""
        return password_in(self.password_file, f"mailboxes: {self.name}") if self.password_file else self.password


class MailboxEntry(BaseModel):
    """An entry of `mailboxes:`; it refers to secrets and contains none."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    name: Annotated[str, Form(r"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,99}$", "write a name of letters, digits, _, ., @ and -")]
    host: Some
    user: Some
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    folders: Annotated[tuple[Some, ...], Field(min_length=1)] = ("INBOX",)
    tls: TlsWord = "ssl"
    after: Annotated[str, Form(AFTER, WHAT_AFTER)] = "none"
    password_file: str = ""
    token_command: tuple[Some, ...] = ()
    oauth: bool = False

    @model_validator(mode="after")
    def _opens(self) -> Self:
        if bool(self.password_file) + bool(self.token_command) + self.oauth != 1:
            raise ValueError(
                "give `password_file`, or `oauth: true` or `token_command` where the server wants tokens, and one of them alone"
            )
        if self.tls == "none" and not this_machine(self.host):
            raise ValueError("`tls: none` sends the password in clear; use `ssl`, or `insecure` if you mean it")
        if len(set(self.folders)) < len(self.folders):
            raise ValueError("a folder stands there twice")
        return self

    def specs(self) -> Iterator[MailboxSpec]:
        """Yield one spec per folder."""
        given = self.model_dump(exclude={"name", "folders", "port"})
        for folder in self.folders:
            name = _name(self.name, folder)
            yield MailboxSpec(name=name, folder=folder, port=_port(self.port or 0, self.tls), **given)


def specs_of(settings: Settings, configured: tuple[MailboxSpec, ...]) -> tuple[MailboxSpec, ...]:
    """Return all mailboxes, the environment's first. Raises `SettingsInvalid` for names twice and tokens without provider."""
    specs = (*_of_environment(settings), *configured)
    if not settings.mail_oauth and (lost := [spec.name for spec in specs if spec.oauth]):
        raise SettingsInvalid((f"mailboxes: {', '.join(lost)}: `oauth` needs MAIL_OAUTH, the provider of its tokens",))
    if twice := named_twice(spec.name for spec in specs):
        raise SettingsInvalid((f"mailboxes: {', '.join(twice)}: stands there twice; choose other names",))
    return specs


def _of_environment(settings: Settings) -> Iterator[MailboxSpec]:
    if settings.imap_host:
        yield MailboxSpec(
            name=_name(settings.imap_user, settings.imap_folder),
            host=settings.imap_host,
            port=_port(settings.imap_port, settings.imap_tls),
            user=settings.imap_user,
            folder=settings.imap_folder,
            tls=settings.imap_tls,
            after=settings.imap_after,
            password=settings.imap_password.get_secret_value(),
            token_command=tuple(shlex.split(settings.imap_token_command)),
            oauth=not settings.imap_password and not settings.imap_token_command,
        )


def _name(name: str, folder: str) -> str:
    return name if folder.upper() == "INBOX" else f"{name}/{folder}"


def _port(port: int, tls: TlsWord) -> int:
    return port or (993 if tls == "ssl" else 143)
