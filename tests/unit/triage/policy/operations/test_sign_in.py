"""When a session ends, which role a person gets, and where a sign-in may lead."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.approvals import Approver, ApproverProof
from triage.domain.operations.accounts import Account, ProvenIdentity, RoleMatch, RoleRule, Session, SignedIn
from triage.domain.operations.tokens import AccessScope, ApiToken
from triage.policy.operations.sign_in import role_of, safe_path, why_ended

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
IDLE = timedelta(hours=2)
ADA = Account(id=1, address="ada@example.com", name="Ada", scope=AccessScope.ADMIN, made_by="shell", made_at=NOW)
SESSION = Session(
    account=1, peer="192.0.2.7", agent="x", made_at=NOW, seen_at=NOW, expires_at=NOW + timedelta(hours=12)
)
HERS = SignedIn(session=SESSION, account=ADA)
TOKEN = ApiToken(
    name="board",
    scope=AccessScope.APPROVER,
    person="bob@example.com",
    hint="triage_abcd",
    made_by="ada",
    made_at=NOW,
    expires_at=NOW + timedelta(days=1),
)
ITS = SignedIn(session=SESSION, token=TOKEN)


@pytest.mark.parametrize(
    ("who", "after", "why"),
    [
        (HERS, timedelta(), ""),
        (HERS, timedelta(hours=2), "expired"),
        (replace(HERS, session=replace(SESSION, seen_at=NOW + timedelta(hours=11))), timedelta(hours=12), "expired"),
        (replace(HERS, session=replace(SESSION, ended_at=NOW)), timedelta(), "signed out"),
        (replace(HERS, account=replace(ADA, disabled_at=NOW)), timedelta(), "disabled"),
        (ITS, timedelta(), ""),
        (replace(ITS, token=replace(TOKEN, revoked_at=NOW)), timedelta(), "revoked"),
        (replace(ITS, token=replace(TOKEN, expires_at=NOW)), timedelta(), "has expired"),
    ],
)
def test_a_session_ends(who: SignedIn, after: timedelta, why: str) -> None:
    """By its own end, by rest, with its account, with its token."""
    told = why_ended(who, NOW + after, IDLE)

    assert why in told
    assert bool(why) == bool(told)


def test_whose_a_session_is() -> None:
    """An account acts in its own name, a token in that of its person; a session of nobody may only look."""
    nobody = SignedIn(session=SESSION)

    assert HERS.approver == Approver(name="Ada", proof=ApproverProof.CONSOLE, address="ada@example.com")
    assert ITS.approver == Approver(name="token board", proof=ApproverProof.API, address="bob@example.com")
    assert [one.scope for one in (HERS, ITS, nobody)] == [AccessScope.ADMIN, AccessScope.APPROVER, AccessScope.VIEWER]
    assert (nobody.name, nobody.address) == ("", "")


RULES = (
    RoleRule(scope=AccessScope.VIEWER, whom=RoleMatch.DOMAIN, value="example.com"),
    RoleRule(scope=AccessScope.ADMIN, whom=RoleMatch.GROUP, value="ops"),
    RoleRule(scope=AccessScope.APPROVER, whom=RoleMatch.ADDRESS, value="bob@example.org"),
)


@pytest.mark.parametrize(
    ("address", "groups", "role"),
    [
        ("ada@example.com", set(), AccessScope.VIEWER),
        ("ada@example.com", {"ops", "all"}, AccessScope.ADMIN),
        ("bob@example.org", set(), AccessScope.APPROVER),
        ("eve@example.org", set(), None),
        ("eve@sub.example.com", set(), None),
        ("eve@evilexample.com", set(), None),
        ("", {"Ops"}, None),
    ],
)
def test_roles(address: str, groups: set[str], role: AccessScope | None) -> None:
    """The highest role of all rules that name the person exactly; nobody else gets one."""
    who = ProvenIdentity(issuer="i", subject="s", address=address, name="", groups=frozenset(groups))

    assert role_of(who, RULES) is role


@pytest.mark.parametrize("path", ["/", "/cases/17?q=state:waiting&x=%2F%2F#top", "/accounts", "/sign-ins"])
def test_inside(path: str) -> None:
    """A path of the console is where a sign-in leads."""
    assert safe_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "cases",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\/evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\r\nset-cookie: a=b",
        " //evil.example",
        "/caf\u00e9",
        "/" + "a" * 2_000,
        "//[",
        "/sign-out",
        "/sign-in?next=/sign-in",
        "/oidc/callback?code=1",
    ],
)
def test_outside(path: str) -> None:
    """Whatever a browser could take for another site, and what would sign out again, is the front page instead."""
    assert safe_path(path) == "/"
