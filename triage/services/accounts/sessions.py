"""Signs people in and out: creates sessions, and finds the account of a cookie."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from loguru import logger

from triage.domain.operations.accounts import Account, Peer, ProvenIdentity, RoleRule, Session, SignedIn
from triage.domain.operations.errors import IdentityRefused, NotSignedIn, SignInRefused, TokenInvalid
from triage.domain.operations.tokens import AccessScope, ApiToken
from triage.domain.ports import AccountStore, Clock, SessionStore
from triage.policy.operations.sign_in import role_of, why_ended
from triage.services.accounts.accounts import AccountService
from triage.services.accounts.login_limits import LoginLimits
from triage.services.operations.tokens import TokenService

RANDOM: Final = 32
"""Random bytes of a cookie: enough that a fast hash is as safe as a slow one."""
LONGEST_TEXT: Final = 64
SELDOM: Final = timedelta(minutes=2)
"""How exactly the last use is recorded."""
KEPT: Final = timedelta(days=30)
"""How long ended sessions are kept."""
LONGEST_AGENT: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionService:
    """Called by the console. All methods raise `StoreDown`."""

    sessions: SessionStore
    store: AccountStore
    accounts: AccountService
    tokens: TokenService
    limits: LoginLimits
    clock: Clock
    lifetime: timedelta
    idle: timedelta
    roles: tuple[RoleRule, ...] = ()
    """Those of OIDC_ROLES."""
    key: bytes
    """Signs the mark of a browser that has signed in before."""

    # --- in ---------------------------------------------------------------------------------------

    async def by_password(self, address: str, password: str, peer: Peer, mark: str = "") -> tuple[str, SignedIn]:
        """Sign in; return the cookie's text, which is kept nowhere, and the session.

        `mark` is what `device_mark` gave this browser. Raises `TooManyTries`, `SignInRefused`.
        """
        address = address.strip().casefold()
        device, now = mark if self._known(mark, address) else "", self.clock.now()
        self.limits.take(address, peer.host, device, now)
        try:
            account = await self.accounts.with_password(address, password)
        except SignInRefused:
            await self._refused(peer, address)
            raise
        self.limits.give_back(address, peer.host, device)
        return await self._signed_in(account, peer)

    async def by_token(self, text: str, peer: Peer) -> tuple[str, SignedIn]:
        """Sign in by an access token: the session ends with it. Raises `TooManyTries`, `TokenInvalid`."""
        self.limits.take("", peer.host, "", self.clock.now())
        try:
            token = await self.tokens.holder(text.strip())
        except TokenInvalid:
            await self._refused(peer)
            raise
        self.limits.give_back("", peer.host, "")
        return await self._opened(SignedIn(session=self._session(peer, token=token), token=token))

    async def by_identity(self, who: ProvenIdentity, peer: Peer) -> tuple[str, SignedIn]:
        """Sign in whom a provider has proven, and make his account if a rule names him. Raises `IdentityRefused`."""
        if not who.address:
            raise IdentityRefused("it vouches for no e-mail address of yours")
        return await self._signed_in(await self._of(who), peer)

    async def of_account(self, account: Account, peer: Peer) -> tuple[str, SignedIn]:
        """Sign in the person who just created the first account."""
        return await self._signed_in(account, peer)

    # --- who --------------------------------------------------------------------------------------

    async def holder(self, text: str, *, used: bool = True) -> SignedIn:
        """Return the cookie's account, and record its use if a person made the request. Raises `NotSignedIn`."""
        who = await self.sessions.find(_digest(text)) if 0 < len(text) <= LONGEST_TEXT else None
        if who is None:
            raise NotSignedIn
        now = self.clock.now()
        if why := why_ended(who, now, self.idle):
            raise NotSignedIn(why)
        if used and now - who.session.seen_at >= min(SELDOM, self.idle / 4):
            await self.sessions.seen(who.session.id, now)
        return who

    async def sign_out(self, text: str) -> None:
        """End the session of this cookie, if it is one."""
        if who := await self.sessions.find(_digest(text)):
            await self.sessions.end(who.session.id, self.clock.now())

    def device_mark(self, address: str) -> str:
        """Return the mark of a browser that has signed in to this account: other people's failed attempts do not lock it out."""
        nonce = secrets.token_urlsafe(12)
        return f"{nonce}.{self._signature(nonce, address)}"

    # --- how --------------------------------------------------------------------------------------

    async def _refused(self, peer: Peer, address: str = "") -> None:
        """Keep a refused try at an account for the audit: what else is typed may be a password, and is counted nowhere."""
        logger.bind(peer=peer.host).warning("sign_in.refused")
        if address and await self.store.by_address(address):
            await self.accounts.deeds.record("sign_in_refused", f"somebody at {peer.host}", address)

    def _known(self, mark: str, address: str) -> bool:
        nonce, _, signature = mark.partition(".")
        return bool(mark) and hmac.compare_digest(signature.encode(), self._signature(nonce, address).encode())

    def _signature(self, nonce: str, address: str) -> str:
        return hmac.new(self.key, f"console device\n{nonce}\n{address}".encode(), hashlib.sha256).hexdigest()

    async def _of(self, who: ProvenIdentity) -> Account:
        """Return the person's account, changed as the provider and OIDC_ROLES say."""
        scope = role_of(who, self.roles)
        account = await self.store.by_subject(who.issuer, who.subject) or await self.store.by_address(who.address)
        if account is None:
            if scope is None:
                raise IdentityRefused("nobody has given you a role here: ask an admin")
            made = await self.store.add(_account_of(who, scope, self.clock), "")
            if made is None:
                raise IdentityRefused("try again")
            logger.bind(account=made.id, role=scope).info("account.made")
            await self.accounts.deeds.record("account_made", who.issuer, f"{made.address}, {scope}")
            return made
        if account.disabled_at is not None:
            raise IdentityRefused("the account is disabled")
        if account.subject and (account.issuer, account.subject) != (who.issuer, who.subject):
            raise IdentityRefused("another person of the provider has this address here: ask an admin")
        if account.managed and scope is None:
            await self.sessions.end_all(account.id, self.clock.now())
            raise IdentityRefused("nobody has given you a role here: ask an admin")
        role = scope if account.managed and scope else account.scope
        if role is not account.scope:
            await self.accounts.deeds.record("role_changed", who.issuer, f"{account.address}, {role}")
        return replace(account, issuer=who.issuer, subject=who.subject, scope=role)

    async def _signed_in(self, account: Account, peer: Peer) -> tuple[str, SignedIn]:
        now = self.clock.now()
        await self.sessions.forget(now - KEPT)
        account = replace(account, signed_in_at=now)
        await self.store.save(account)
        return await self._opened(SignedIn(session=self._session(peer, account=account), account=account))

    def _session(self, peer: Peer, account: Account | None = None, token: ApiToken | None = None) -> Session:
        now = self.clock.now()
        until = now + self.lifetime
        return Session(
            account=account.id if account else None,
            token=token.id if token else None,
            peer=peer.host,
            agent=peer.agent[:LONGEST_AGENT],
            made_at=now,
            seen_at=now,
            expires_at=min(until, token.expires_at) if token else until,
        )

    async def _opened(self, who: SignedIn) -> tuple[str, SignedIn]:
        text = secrets.token_urlsafe(RANDOM)
        session = await self.sessions.add(who.session, _digest(text))
        logger.bind(session=session.id, account=session.account, token=session.token).info("sign_in.done")
        return text, replace(who, session=session)


def _account_of(who: ProvenIdentity, scope: AccessScope, clock: Clock) -> Account:
    return Account(
        address=who.address,
        name=who.name or who.address,
        scope=scope,
        issuer=who.issuer,
        subject=who.subject,
        managed=True,
        made_by=who.issuer,
        made_at=clock.now(),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
