"""Reads OIDC_ROLES: who of an identity provider gets which role."""

import shlex

from triage.domain.operations.accounts import RoleMatch, RoleRule
from triage.domain.operations.tokens import Scope

GROUP = "group:"


def role_rules(text: str) -> tuple[RoleRule, ...]:
    """Return the rules of `admin=group:ops approver=@example.com viewer=ada@example.org`. Raises `ValueError`."""
    return tuple(map(_rule, shlex.split(text)))


def _rule(word: str) -> RoleRule:
    role, _, whom = word.partition("=")
    if role not in set(Scope):
        raise ValueError(f"`{word}` begins with no role: viewer=, reader=, approver= or admin=")
    scope = Scope(role)
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
