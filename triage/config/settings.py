"""Loads the settings from environment, `.env` and defaults, in this order, and reports all errors at once."""

import ipaddress
import logging
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, PrivateAttr, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
)

from triage.config.environment.web import role_rules
from triage.config.mail_oauth import half_set_oauth
from triage.config.setting_sources import CHECKED, Checked, CheckedNames, SecretFiles, Unreadable, given_in
from triage.config.shapes.base import keeps_secrets, this_machine
from triage.config.variables import Variables, variables
from triage.domain.errors import SettingsInvalid
from triage.domain.operations.checks import SettingProblem
from triage.domain.text.encoding import not_utf8

SENDER: Final = re.compile(r"[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
"""Addresses that letters may come from."""
_PREFIX: Final = re.compile("^(?:Value error, |Input )")
"""Of pydantic's messages."""


class Settings(Variables):
    """The validated variables of this process."""

    _warnings: tuple[SettingProblem, ...] = PrivateAttr(())

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources by rank: environment, `*_FILE`, `.env`."""
        if not isinstance(env_settings, EnvSettingsSource) or not isinstance(dotenv_settings, DotEnvSettingsSource):
            raise TypeError("the environment and .env are read by other classes than we know")
        del file_secret_settings
        checked = CheckedNames(settings_cls, env_settings, dotenv_settings)
        files = SecretFiles(settings_cls, {**given_in(dotenv_settings), **given_in(env_settings)})
        return checked, init_settings, env_settings, files, dotenv_settings

    @property
    def warnings(self) -> tuple[SettingProblem, ...]:
        """Messages about probably misspelt or old names; the settings are valid."""
        return self._warnings

    @property
    def jira_ready(self) -> bool:
        return bool(self.jira_base_url and self.jira_project_key and (self.jira_token or self.jira_api_token))

    @field_validator("*", mode="before")
    @classmethod
    def _readable(cls, value: Any) -> Any:
        if isinstance(value, Unreadable):
            raise ValueError(value.reason)  # noqa: TRY004 - pydantic collects ValueErrors
        return value

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems(cls, values: Any, made: Callable[[Any], Self]) -> Self:
        """Collect wrong values, wrong names and incomplete groups. Raises `SettingsInvalid` with all of them."""
        wrong: tuple[str, ...] = ()
        checked = values.pop(CHECKED, Checked())
        try:
            settings = made(values)
        except ValidationError as e:
            wrong = tuple(_problems(e))
            names = {problem.partition(":")[0] for problem in wrong}
            settings = made({name: value for name, value in values.items() if name not in names})
        named = tuple(problem.partition(":")[0] for problem in wrong)
        half = tuple(problem for problem in _half_set(settings) if not problem.startswith(named or ("\0",)))
        if checked.problems or wrong or half:
            placed = (*checked.problems, *map(checked.placed, wrong + half))
            raise SettingsInvalid(settings=placed, warnings=checked.warnings)
        settings._warnings = checked.warnings  # noqa: SLF001 - our own
        return settings


class Isolated(Settings):
    """Settings from arguments only, without the environment: for the demo and for tests."""

    def __init__(self, **given: Any) -> None:
        """Check the arguments at once: to prepare sources of which none is asked takes six times as long as to check."""
        BaseModel.__init__(self, **given)


class FromFile(Settings):
    """Settings from one file, without the environment."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the usual sources with an empty environment."""
        if isinstance(env_settings, EnvSettingsSource):
            env_settings.env_vars = {}
        return super().settings_customise_sources(
            settings_cls, init_settings, env_settings, dotenv_settings, file_secret_settings
        )


ALONE: Final[ContextVar[Path | None]] = ContextVar("settings file that counts alone", default=None)
"""The file that a command's option names; None: the usual sources."""


def load(kind: type[Settings] = Settings, **given: Any) -> Settings:
    """Load the settings and write warnings to standard error. Raises `SettingsInvalid` with every problem."""
    settings = read(kind, **given)
    for warning in settings.warnings:
        sys.stderr.write(f"triage: {warning}\n")
    return settings


def read(kind: type[Settings] = Settings, **given: Any) -> Settings:
    """Load the settings without writing warnings. Raises `SettingsInvalid` with every problem."""
    logging.getLogger("dotenv").addHandler(logging.NullHandler())  # we say ourselves which line is wrong
    alone = ALONE.get() if kind is Settings else None
    if alone and not alone.is_file():
        raise SettingsInvalid((f"--env: there is no {alone}; name a file of NAME=value lines",))
    try:
        settings = FromFile(_env_file=alone) if alone else kind(**given)
    except UnicodeDecodeError as e:
        raise SettingsInvalid((f"{alone or '.env'}: {not_utf8(e)}",)) from None
    except OSError as e:
        raise SettingsInvalid((f"{alone or '.env'}: cannot be read ({e.strerror}); it must be a text file",)) from None
    trust(settings.ssl_cert_file)
    return settings


def trust(file: str) -> None:
    """Have every connection of this process trust the certificates of a file; OpenSSL itself looks for its name there."""
    if file:
        os.environ["SSL_CERT_FILE"] = file


def _problems(e: ValidationError) -> Iterator[str]:
    """Yield each error as `NAME: what it should be (what it is for)`; no value, as it may be a secret in the wrong place."""
    known = variables()
    for error in e.errors(include_input=False, include_url=False):
        name, reason = str(error["loc"][0]), _PREFIX.sub("", error["msg"]).partition(", unable to")[0]
        if error["type"] == "string_pattern_mismatch":  # the description says the form in words
            reason = "has another form than it needs"
        yield f"{name}: {reason[0].lower()}{reason[1:]} ({known[name].description})"


# --- what single variables cannot say of themselves -----------------------------------------------


def _half_set(settings: Variables) -> Iterator[str]:
    """Yield a problem for each variable that needs another one, is no usable address, or names a missing file."""
    yield from _broken_addresses(settings)
    yield from _missing_files(settings)
    if settings.jira_base_url and not settings.jira_project_key:
        yield "JIRA_PROJECT_KEY: missing; it is the part before the dash of your ticket keys"
    if settings.jira_api_token and not settings.jira_email:
        yield "JIRA_EMAIL: missing; the API token belongs to this account (Data Center: set JIRA_TOKEN instead)"
    if settings.jira_token and settings.jira_api_token:
        yield "JIRA_TOKEN: set together with JIRA_API_TOKEN; keep JIRA_TOKEN for Data Center, the other for Cloud"
    if bool(settings.postmark_user) != bool(settings.postmark_password):
        yield "POSTMARK_PASSWORD: POSTMARK_USER and POSTMARK_PASSWORD go together"
    if bool(settings.mandrill_url) != bool(settings.mandrill_key.get_secret_value()):
        yield "MANDRILL_URL: MANDRILL_KEY and MANDRILL_URL go together"
    if settings.max_cost_per_month is not None and None in {settings.openai_price_input, settings.openai_price_output}:
        yield "MAX_COST_PER_MONTH: needs OPENAI_PRICE_INPUT and OPENAI_PRICE_OUTPUT, by which it counts"
    if settings.anthropic_model and not settings.anthropic_api_key:
        yield "ANTHROPIC_API_KEY: missing; ANTHROPIC_MODEL is set"
    yield from _half_set_archive(settings)
    yield from half_set_oauth(settings)
    yield from _half_set_mailbox(settings)
    yield from _half_set_letters(settings)
    yield from _half_set_sign_in(settings)


def _missing_files(settings: Variables) -> Iterator[str]:
    """Yield a problem for each variable that names a file which is not there."""
    config = settings.triage_config if "triage_config" in settings.model_fields_set else ""
    named = {"TRIAGE_CONFIG": config, "TEAM_FILE": settings.team_file, "SSL_CERT_FILE": settings.ssl_cert_file}
    for name, file in named.items():
        if file and not Path(file).exists():
            yield f"{name}: there is no {Path(file).absolute()}; correct the path, or leave it empty"


DATABASE_URL: Final = "DATABASE_URL: must be sqlite:///file or postgresql://user:password@host/name; write @ : / [ of a password as %40 %3A %2F %5B"
_HTTP: Final = ("https", "http")
ADDRESSES: Final = (
    ("jira_base_url", _HTTP, "JIRA_BASE_URL: must be https:// and the name of the site; copy it from the browser"),
    ("openai_base_url", _HTTP, "OPENAI_BASE_URL: must be https:// and a name, most often with /v1 at its end"),
    ("anthropic_base_url", _HTTP, "ANTHROPIC_BASE_URL: must be https:// and a name"),
    ("otlp_endpoint", _HTTP, "OTEL_EXPORTER_OTLP_ENDPOINT: must be http:// or https:// and the name of the collector"),
    ("database_url", ("sqlite", "postgresql"), DATABASE_URL),
    ("redis_url", ("redis", "rediss", "unix"), "REDIS_URL: must be redis://host:port/number, rediss:// with TLS"),
)
"""Setting, schemes, and the problem of another URL; it repeats none, since a URL may hold a password."""


def _broken_addresses(settings: Variables) -> Iterator[str]:
    """Yield a problem for each unusable URL and name server."""
    for name, schemes, problem in ADDRESSES:
        value = getattr(settings, name)
        if not _is_address(value.get_secret_value() if isinstance(value, SecretStr) else value, *schemes):
            yield problem
    try:
        nameserver_of(settings)
    except ValueError:
        yield "DKIM_NAMESERVER: must be an IP address, with :port where that is not 53 and IPv6 in brackets"


def nameserver_of(settings: Variables) -> tuple[str, int] | None:
    """Return address and port of DKIM_NAMESERVER; None if it is empty. Raises `ValueError`."""
    if not settings.dkim_nameserver:
        return None
    parts = urlsplit(f"//{settings.dkim_nameserver}")
    return str(ipaddress.ip_address(parts.hostname or "")), parts.port or 53


def _is_address(url: str, *schemes: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    named = bool(parts.hostname) or port is not None or parts.scheme not in {"http", "https", "redis", "rediss"}
    return not url or ("://" in url and parts.scheme in schemes and named)


def _half_set_archive(settings: Variables) -> Iterator[str]:
    if not settings.archive_to.startswith("s3:"):
        return
    parts = urlsplit(settings.archive_to)
    if not parts.netloc or parts.query or parts.fragment:
        yield "ARCHIVE_TO: must be s3://bucket or s3://bucket/prefix, or a folder"
    if not (settings.s3_key_id and settings.s3_secret_key):
        yield "S3_SECRET_KEY: ARCHIVE_TO names a bucket, so S3_KEY_ID and S3_SECRET_KEY are needed"
    if not _is_address(settings.s3_endpoint, "https", "http"):
        yield "S3_ENDPOINT: must be https:// and the name of the server"


def _half_set_mailbox(settings: Variables) -> Iterator[str]:
    if not settings.imap_host:
        if settings.imap_user or settings.imap_password or settings.imap_token_command:
            yield "IMAP_HOST: missing; it is the mail server of IMAP_USER"
        return
    if not settings.imap_user:
        yield "IMAP_USER: missing; it is the user name at IMAP_HOST"
    yield from _half_set_account("IMAP", settings.imap_password, settings.imap_token_command, settings.mail_oauth)
    if settings.imap_tls == "none" and not this_machine(settings.imap_host):
        yield "IMAP_TLS: `none` sends the password in clear; use `ssl`, or say `insecure` if you mean it"


def _half_set_letters(settings: Variables) -> Iterator[str]:
    secret = settings.smtp_password or settings.smtp_token_command
    if not settings.smtp_host:
        if settings.smtp_user or secret:
            yield "SMTP_HOST: missing; it is the mail server of SMTP_USER"
        return
    if not SENDER.fullmatch(parseaddr(settings.mail_from)[1]):
        yield "MAIL_FROM: missing or no address; it is whom letters come from, such as support@example.org"
    if settings.smtp_user or secret:
        yield from _half_set_account("SMTP", settings.smtp_password, settings.smtp_token_command, settings.mail_oauth)
    if secret and not settings.smtp_user:
        yield "SMTP_USER: missing; it is the user name at SMTP_HOST"
    if settings.smtp_tls == "none" and not this_machine(settings.smtp_host):
        yield "SMTP_TLS: `none` sends letters in clear; use `starttls`, or say `insecure` if you mean it"


def _half_set_account(server: str, password: SecretStr, command: str, provider: str) -> Iterator[str]:
    """Yield a problem where an account has no secret or several, or a command that no shell reads."""
    if (password and command) or not (password or command or provider):
        yield f"{server}_PASSWORD: set it, or MAIL_OAUTH or {server}_TOKEN_COMMAND where the server wants tokens, and one of them alone"
    try:
        shlex.split(command)
    except ValueError as e:
        yield f"{server}_TOKEN_COMMAND: {e}; quote it as in a shell"


def _half_set_sign_in(settings: Variables) -> Iterator[str]:
    try:
        role_rules(settings.oidc_roles)
    except ValueError as e:
        yield f"OIDC_ROLES: {e}"
    if not settings.oidc_issuer:
        if settings.oidc_client_id or settings.oidc_client_secret:
            yield "OIDC_ISSUER: missing; it is the provider of OIDC_CLIENT_ID, such as https://login.example.com"
        return
    if not keeps_secrets(settings.oidc_issuer):
        yield "OIDC_ISSUER: must be https:// and a name; copy it from `issuer` in the provider's metadata"
    if not settings.oidc_client_id:
        yield "OIDC_CLIENT_ID: missing; register Triage at the provider"
    if not settings.public_url:
        yield "PUBLIC_URL: missing; the provider sends people back there, to /oidc/callback"
