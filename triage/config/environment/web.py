"""The variables of what people and programs ask over HTTP, and the roles that OIDC_ROLES gives."""

import shlex

from pydantic import SecretStr

from triage.config.declaring import Text, VariableGroup, env
from triage.domain.operations.accounts import RoleMatch, RoleRule
from triage.domain.operations.tokens import AccessScope

GROUP = "group:"


class WebVariables(VariableGroup):
    """Console and API, those who sign in, and those who are told."""

    public_url: Text = env(
        "PUBLIC_URL",
        "",
        "https address at which approvers reach `triage serve`: letters and chat then carry signed links that decide; empty: none",
        pattern=r"(https?://[^\s/?#]+(/[^\s?#]*)?)?",
    )
    api_requests_per_minute: int = env(
        "API_REQUESTS_PER_MINUTE",
        300,
        "requests of the HTTP API that one token may make of one process; the API is on where `triage token` made a token",
        ge=1,
    )
    enable_mcp: bool = env(
        "ENABLE_MCP",
        False,
        "`triage serve` offers our MCP servers at `/mcp` (extra `mcp`) to holders of a token of `triage token`",
    )
    mcp_writes: bool = env(
        "MCP_WRITES",
        False,
        "offer MCP clients tools that propose changes; each waits for a person, as `triage approvals`",
    )
    mcp_calls: int = env("MCP_CALLS", 200, "calls of one MCP session", ge=1)
    webhook_hosts: Text = env(
        "WEBHOOK_HOSTS",
        "",
        "webhooks out: hosts, separated by blanks, that may be told although they are in a private network or have no TLS",
    )
    console: bool = env("CONSOLE", True, "serve the console, the pages on which people see and correct cases, at `/`")
    console_session_hours: float = env(
        "CONSOLE_SESSION_HOURS", 12.0, "hours after which whoever signed in does so again", gt=0, le=720
    )
    console_idle_minutes: float = env(
        "CONSOLE_IDLE_MINUTES", 120.0, "minutes without a request after which a session ends", gt=0, le=43_200
    )
    trusted_proxies: Text = env(
        "TRUSTED_PROXIES",
        "127.0.0.1",
        "addresses or networks of reverse proxies, separated by commas: their X-Forwarded-For and -Proto count",
    )
    oidc_issuer: Text = env(
        "OIDC_ISSUER",
        "",
        "OpenID Connect provider that people sign in with (extra `oidc`), as it names itself; empty: none",
    )
    oidc_client_id: Text = env("OIDC_CLIENT_ID", "", "our id there; its redirect URI is PUBLIC_URL and /oidc/callback")
    oidc_client_secret: SecretStr = env("OIDC_CLIENT_SECRET", SecretStr(""), "secret for it; empty: PKCE alone")
    oidc_roles: Text = env(
        "OIDC_ROLES",
        "",
        "who gets which role, separated by blanks: admin=group:ops approver=@example.com reader=group:support viewer=ada@example.org; others get none",
    )
    oidc_scopes: Text = env("OIDC_SCOPES", "openid email profile", "what we ask the provider for; some have `groups`")
    oidc_groups_claim: Text = env("OIDC_GROUPS_CLAIM", "groups", "claim with the groups of a person")
    oidc_trust_addresses: bool = env(
        "OIDC_TRUST_ADDRESSES",
        False,
        "take addresses of which the provider does not say that it verified them (Entra ID, one tenant)",
    )


def role_rules(text: str) -> tuple[RoleRule, ...]:
    """Return the rules of `admin=group:ops approver=@example.com viewer=ada@example.org`. Raises `ValueError`."""
    return tuple(map(_rule, shlex.split(text)))


def _rule(word: str) -> RoleRule:
    role, _, whom = word.partition("=")
    if role not in set(AccessScope):
        raise ValueError(f"`{word}` begins with no role: viewer=, reader=, approver= or admin=")
    scope = AccessScope(role)
    if group := whom.removeprefix(GROUP) if whom.startswith(GROUP) else "":
        return RoleRule(scope=scope, whom=RoleMatch.GROUP, value=group)
    name, at, domain = whom.casefold().partition("@")
    if not at or "." not in domain or "@" in domain:
        raise ValueError(
            f"`{word}` names nobody: give an address, @domain or group:NAME, in quotes where it has blanks"
        )
    return RoleRule(
        scope=scope, whom=RoleMatch.ADDRESS if name else RoleMatch.DOMAIN, value=whom.casefold() if name else domain
    )
