"""What single variables cannot say of themselves: those that make no sense alone, addresses nobody could connect to."""

import ipaddress
import shlex
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from triage.config.variables import Variables


def half_set(settings: Variables) -> Iterator[str]:
    """Variables that make no sense alone, and files that are named and not there."""
    yield from _broken_addresses(settings)
    if "triage_config" in settings.model_fields_set and not settings.triage_config.exists():
        yield f"TRIAGE_CONFIG: there is no {settings.triage_config.absolute()}; correct the path, or leave it empty"
    if settings.team_file and not Path(settings.team_file).exists():
        yield f"TEAM_FILE: there is no {Path(settings.team_file).absolute()}; correct the path, or leave it empty"
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
    if settings.anthropic_model and not settings.anthropic_api_key:
        yield "ANTHROPIC_API_KEY: missing; ANTHROPIC_MODEL is set"
    yield from _half_set_mailbox(settings)


def _broken_addresses(settings: Variables) -> Iterator[str]:
    """URLs that nobody could connect to; none is repeated, since it may hold a password."""
    if not _is_address(settings.jira_base_url, "https", "http"):
        yield "JIRA_BASE_URL: must be https:// and the name of the site; copy it from the browser"
    if not _is_address(settings.openai_base_url, "https", "http"):
        yield "OPENAI_BASE_URL: must be https:// and a name, most often with /v1 at its end"
    if not _is_address(settings.database_url.get_secret_value(), "sqlite", "postgresql"):
        yield "DATABASE_URL: must be sqlite:///file or postgresql://user:password@host/name; write @ : / [ of a password as %40 %3A %2F %5B"
    if not _is_address(settings.redis_url.get_secret_value(), "redis", "rediss", "unix"):
        yield "REDIS_URL: must be redis://host:port/number, rediss:// with TLS"
    try:
        nameserver_of(settings)
    except ValueError:
        yield "DKIM_NAMESERVER: must be an IP address, with :port where that is not 53 and IPv6 in brackets"


def nameserver_of(settings: Variables) -> tuple[str, int] | None:
    """Address and port of DKIM_NAMESERVER; None where it is empty. Raises `ValueError`."""
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


def _half_set_mailbox(settings: Variables) -> Iterator[str]:
    secrets = [bool(settings.imap_password), bool(settings.imap_token_command)]
    if not settings.imap_host:
        if settings.imap_user or any(secrets):
            yield "IMAP_HOST: missing; it is the mail server of IMAP_USER"
        return
    if not settings.imap_user:
        yield "IMAP_USER: missing; it is the user name at IMAP_HOST"
    if sum(secrets) != 1:
        yield "IMAP_PASSWORD: set it, or IMAP_TOKEN_COMMAND where the server wants OAuth, and not both"
    if settings.imap_tls == "none" and not this_machine(settings.imap_host):
        yield "IMAP_TLS: `none` sends the password in clear; use `ssl`, or say `insecure` if you mean it"
    try:
        shlex.split(settings.imap_token_command)
    except ValueError as e:
        yield f"IMAP_TOKEN_COMMAND: {e}; quote it as in a shell"


def this_machine(host: str) -> bool:
    """Nobody else hears what is said to it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
