"""Decides about sign-ins: whether a session still counts, which role a person gets, where he goes next."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from triage.domain.operations.accounts import ProvenIdentity, RoleMatch, RoleRule, SignedIn
from triage.domain.operations.tokens import AccessScope
from triage.policy.operations.tokens import why_invalid

HOME: Final = "/"
LONGEST_PATH: Final = 2_000


def why_ended(who: SignedIn, now: datetime, idle: timedelta) -> str:
    """Return why a session counts no longer, empty if it does."""
    session = who.session
    if session.ended_at is not None:
        return "you have signed out"
    if who.account is not None and who.account.disabled_at is not None:
        return "the account is disabled"
    if who.token is not None and (why := why_invalid(who.token, now)):
        return f"the access token: {why}"
    if now >= session.expires_at or now - session.seen_at >= idle:
        return "the session has expired"
    return ""


def role_of(identity: ProvenIdentity, rules: Iterable[RoleRule]) -> AccessScope | None:
    """Return the highest role that the rules give a person, None for nobody they name."""
    given = [rule.scope for rule in rules if _fits(identity, rule)]
    return max(given, key=list(AccessScope).index, default=None)


def _fits(identity: ProvenIdentity, rule: RoleRule) -> bool:
    if rule.whom is RoleMatch.GROUP:
        return rule.value in identity.groups
    return rule.value == (identity.address if rule.whom is RoleMatch.ADDRESS else identity.address.rpartition("@")[2])


def safe_path(wanted: str) -> str:
    r"""Return the path on this site that a sign-in leads to; `/` for whatever a browser could take for another site.

    Browsers read `\` as `/`, drop tabs and line ends, and take `//host` for a host.
    """
    if len(wanted) > LONGEST_PATH or not wanted.isascii() or not wanted.isprintable() or "\\" in wanted:
        return HOME
    try:
        parts = urlsplit(wanted)
    except ValueError:
        return HOME
    plain = wanted.startswith("/") and not wanted.startswith("//") and not parts.scheme and not parts.netloc
    inside = not any(
        parts.path == path or parts.path.startswith(f"{path}/") for path in ("/sign-in", "/sign-out", "/oidc")
    )
    return wanted if plain and inside else HOME
