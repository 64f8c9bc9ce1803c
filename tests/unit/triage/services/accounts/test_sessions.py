"""Sign-ins and sessions over a real store."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from integrations.argon2_hash import Argon2
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock
from triage.config.environment.web import role_rules
from triage.domain.operations.accounts import Peer, ProvenIdentity
from triage.domain.operations.errors import IdentityRefused, NotSignedIn, SignInRefused, TokenInvalid, TooManyTries
from triage.domain.operations.tokens import AccessScope
from triage.services.accounts.accounts import AccountService
from triage.services.accounts.login_limits import LoginLimits
from triage.services.accounts.sessions import SessionService
from triage.services.operations.tokens import TokenService

RIVER = "a calm river runs"
ADA = "ada@example.com"
HERE = Peer(host="192.0.2.7", agent="Browser/1 " + "x" * 500)
WHO = ProvenIdentity(
    issuer="https://id.example", subject="u-17", address="carol@example.com", name="Carol", groups=frozenset({"ops"})
)
HOUR = 3_600
Make = Callable[..., SessionService]


@pytest.fixture
def make(store: SqlStore, clock: HeldClock) -> Make:
    """Returns the service with these roles of OIDC_ROLES."""

    def made(roles: str = "") -> SessionService:
        return SessionService(
            sessions=store.sessions,
            store=store.accounts,
            accounts=AccountService(
                accounts=store.accounts, sessions=store.sessions, passwords=Argon2(), deeds=store.deeds, clock=clock
            ),
            tokens=TokenService(store=store.tokens, deeds=store.deeds, clock=clock),
            limits=LoginLimits(),
            clock=clock,
            lifetime=timedelta(hours=12),
            idle=timedelta(hours=2),
            roles=role_rules(roles),
            key=b"k" * 32,
        )

    return made


@pytest.fixture
async def sessions(make: Make) -> SessionService:
    """The service with one account."""
    service = make()
    await service.accounts.add(ADA, "Ada", AccessScope.ADMIN, RIVER, by="shell")
    return service


async def test_a_person_signs_in(sessions: SessionService, store: SqlStore, tmp_path: Path) -> None:
    """The cookie is found again, is another one each time, and is kept nowhere."""
    text, who = await sessions.by_password(" ADA@example.com", RIVER, HERE)
    other, _ = await sessions.by_password(ADA, RIVER, HERE)
    again = await sessions.holder(text)
    await store.close()
    with sqlite3.connect(tmp_path / "triage.db") as connection:
        dumped = "\n".join(connection.iterdump())
    connection.close()

    assert again == who
    assert (again.name, again.address, again.scope) == ("Ada", ADA, AccessScope.ADMIN)
    assert (again.session.peer, len(again.session.agent)) == ("192.0.2.7", 200)
    assert len({text, other}) == 2
    assert (len(text), text in dumped) == (43, False)


async def test_a_session_ends(sessions: SessionService, clock: HeldClock) -> None:
    """After a rest, after its time however busy it is, and at once when its person signs out."""
    text, _ = await sessions.by_password(ADA, RIVER, HERE)
    for _ in range(11):
        await clock.sleep(HOUR)
        await sessions.holder(text)
    await clock.sleep(HOUR)
    with pytest.raises(NotSignedIn, match="expired"):
        await sessions.holder(text)
    text, _ = await sessions.by_password(ADA, RIVER, HERE)
    await clock.sleep(2 * HOUR)
    with pytest.raises(NotSignedIn, match="expired"):
        await sessions.holder(text)
    text, _ = await sessions.by_password(ADA, RIVER, HERE)
    await sessions.sign_out(text)
    await sessions.sign_out("never a cookie")
    with pytest.raises(NotSignedIn, match="signed out"):
        await sessions.holder(text)
    for forged in ("", "x" * 43, "x" * 4_000, "\udcff", text[:-1]):
        with pytest.raises(NotSignedIn):
            await sessions.holder(forged)


async def test_use_is_recorded_seldom(sessions: SessionService, store: SqlStore, clock: HeldClock) -> None:
    """A page costs no write: the last use is known to two minutes."""
    text, who = await sessions.by_password(ADA, RIVER, HERE)
    await clock.sleep(60)
    await sessions.holder(text)
    soon = (await store.sessions.open_at(clock.now()))[0]
    await clock.sleep(60)
    await sessions.holder(text)
    later = (await store.sessions.open_at(clock.now()))[0]
    await clock.sleep(600)
    await sessions.holder(text, used=False)
    alone = (await store.sessions.open_at(clock.now()))[0]

    assert alone.seen_at == later.seen_at, "what a page asks by itself keeps no session awake"
    assert soon.seen_at == who.session.seen_at
    assert later.seen_at == clock.now() - timedelta(minutes=10)


async def test_sessions_end_with_their_account(sessions: SessionService) -> None:
    """A new password ends all but the one that changed it; a disabled account has none."""
    mine, who = await sessions.by_password(ADA, RIVER, HERE)
    elsewhere, _ = await sessions.by_password(ADA, RIVER, HERE)
    await sessions.accounts.set_password("1", "another river runs", by=ADA, keep=who.session.id)
    assert (await sessions.holder(mine)).session.id == who.session.id
    with pytest.raises(NotSignedIn):
        await sessions.holder(elsewhere)
    assert [one.id for one in await sessions.accounts.open_sessions()] == [who.session.id]
    await sessions.accounts.end_sessions(ADA, by="shell")
    with pytest.raises(NotSignedIn):
        await sessions.holder(mine)
    mine, _ = await sessions.by_password(ADA, "another river runs", HERE)
    await sessions.accounts.add("bob@example.com", "", AccessScope.ADMIN, RIVER, by="shell")
    await sessions.accounts.disable(ADA, by="bob@example.com")
    with pytest.raises(NotSignedIn, match="signed out"):
        await sessions.holder(mine)


async def test_a_token_signs_in(sessions: SessionService, clock: HeldClock) -> None:
    """An access token makes a session with its scope and person, which ends with it."""
    text, token = await sessions.tokens.create("board", AccessScope.APPROVER, 1, by="ada", person="bob@example.com")
    cookie, who = await sessions.by_token(f" {text}\n", HERE)
    assert (who.scope, who.address, who.name) == (AccessScope.APPROVER, "bob@example.com", "bob@example.com")
    assert who.session.expires_at - clock.now() == timedelta(hours=12)
    await sessions.tokens.revoke(token.id, by="ada")
    with pytest.raises(NotSignedIn, match="revoked"):
        await sessions.holder(cookie)
    with pytest.raises(TokenInvalid):
        await sessions.by_token(text, HERE)
    short, _ = await sessions.tokens.create("short", AccessScope.VIEWER, 1, by="ada")
    await clock.sleep(23 * HOUR)
    _, brief = await sessions.by_token(short, HERE)

    assert brief.session.expires_at - clock.now() == timedelta(hours=1)
    assert (brief.address, brief.name) == ("", "token short")


async def test_guessing_is_slow(sessions: SessionService, clock: HeldClock) -> None:
    """The right password, too, waits after five wrong ones, unless the browser has signed in before."""
    mark = sessions.device_mark(ADA)
    for _ in range(5):
        with pytest.raises(SignInRefused):
            await sessions.by_password(ADA, "wrong", HERE)
    for forged in ("", "x.y", mark[:-1], sessions.device_mark("bob@example.com")):
        with pytest.raises(TooManyTries):
            await sessions.by_password(ADA, RIVER, HERE, forged)
    assert await sessions.by_password(ADA, RIVER, HERE, mark)
    await clock.sleep(60)
    assert await sessions.by_password(ADA, RIVER, HERE)
    for _ in range(20):
        await sessions.by_password(ADA, RIVER, HERE)


async def test_old_sessions_are_forgotten(sessions: SessionService, store: SqlStore, clock: HeldClock) -> None:
    """A month after its end a session is no longer in the store."""
    text, _ = await sessions.by_password(ADA, RIVER, HERE)
    await clock.sleep(31 * 24 * HOUR)
    await sessions.by_password(ADA, RIVER, HERE)

    with pytest.raises(NotSignedIn) as told:
        await sessions.holder(text)
    assert told.value.why == "", "it is not even known as expired"


# --- through a provider -----------------------------------------------------------------------------


async def test_nobody_gets_a_role_by_default(make: Make) -> None:
    """Whom no rule names is not let in, and has no account; without a verified address nobody is."""
    service = make("admin=group:admins viewer=@example.org")
    for who in (WHO, replace(WHO, address="", groups=frozenset({"admins"}))):
        with pytest.raises(IdentityRefused):
            await service.by_identity(who, HERE)

    assert await service.accounts.all() == ()


async def test_a_rule_makes_an_account(make: Make) -> None:
    """Role and person come from the provider, and the role follows it at each sign-in."""
    service = make("approver=@example.com admin=group:ops")
    _, who = await service.by_identity(WHO, HERE)
    cookie, later = await service.by_identity(replace(WHO, groups=frozenset(), name="C."), HERE)
    assert who.account is not None
    assert (who.scope, who.account.managed, who.account.made_by) == (AccessScope.ADMIN, True, "https://id.example")
    assert (later.scope, later.account and later.account.id, later.name) == (
        AccessScope.APPROVER,
        who.account.id,
        "Carol",
    )
    with pytest.raises(IdentityRefused, match="given you a role"):
        await make("admin=group:ops").by_identity(replace(WHO, groups=frozenset()), HERE)
    with pytest.raises(NotSignedIn):
        await service.holder(cookie)
    with pytest.raises(IdentityRefused, match="another person"):
        await service.by_identity(replace(WHO, subject="u-18"), HERE)
    _, again = await service.by_identity(replace(WHO, address="caroline@example.com"), HERE)
    assert (again.account and again.account.id, again.address) == (who.account.id, "carol@example.com")
    await service.accounts.add("zoe@example.com", "", AccessScope.ADMIN, RIVER, by="shell")
    await service.accounts.disable("carol@example.com", by="shell")
    with pytest.raises(IdentityRefused, match="disabled"):
        await service.by_identity(WHO, HERE)


async def test_an_account_that_was_made_here(sessions: SessionService) -> None:
    """Whoever an admin has made an account for signs in through the provider, too, with the role given here."""
    made = await sessions.accounts.add("carol@example.com", "C", AccessScope.APPROVER, None, by="shell")
    _, who = await sessions.by_identity(WHO, HERE)

    assert who.account == replace(made, issuer=WHO.issuer, subject=WHO.subject, signed_in_at=sessions.clock.now())
    assert await sessions.accounts.one("carol@example.com") == who.account
