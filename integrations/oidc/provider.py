"""The port `IdentityProvider` over HTTP: OpenID Connect's authorization code flow with PKCE, and the check of its id token."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from integrations.oidc.wire import ProviderHttp, endpoint_in, page_of
from triage.domain.operations.accounts import ProvenIdentity
from triage.domain.operations.errors import IdentityProviderDown, IdentityRefused
from triage.domain.ports import Clock

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""Those that are signed by a key only the provider has: never `none`, never HMAC."""
LEEWAY: Final = 60
"""Seconds that its clock may differ from ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedClaims:
    """What a token is held against."""

    issuer: str
    client: str
    nonce: str
    now: datetime


class UnknownKeyError(Exception):
    """The provider has signed with a key that we have not read yet."""


WELL_KNOWN: Final = "/.well-known/openid-configuration"
FRESH: Final = 3_600.0
"""Seconds that metadata and keys are kept."""
LONGEST_NAME: Final = 100


class OidcProvider:
    """The port `IdentityProvider`: one provider and our client there."""

    def __init__(
        self,
        issuer: str,
        client: str,
        secret: str,
        callback: str,
        clock: Clock,
        *,
        scopes: str = "openid email profile",
        groups: str = "groups",
        trust_addresses: bool = False,
    ) -> None:
        self._issuer, self._client, self._secret, self.callback = issuer, client, secret, callback
        self._scopes, self._groups, self._trust_addresses = scopes, groups, trust_addresses
        self._clock = clock
        self._http = ProviderHttp()
        self._turn = asyncio.Lock()
        self._known: tuple[float, dict[str, Any], KeySet] | None = None

    async def close(self) -> None:
        await self._http.close()

    async def address(self, state: str, nonce: str, challenge: str) -> str:
        """Return the URL of the authorization endpoint with our request."""
        metadata, _ = await self._read()
        asked = {
            "response_type": "code",
            "client_id": self._client,
            "redirect_uri": self.callback,
            "scope": self._scopes,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return page_of(self._endpoint(metadata, "authorization_endpoint"), asked)

    async def identity(self, code: str, verifier: str, nonce: str) -> ProvenIdentity:
        """Exchange the code, check the ID token, and return who it is."""
        metadata, keys = await self._read()
        tokens = await self._exchanged(metadata, code, verifier)
        claims = await self._checked(str(tokens.get("id_token", "")), keys, nonce)
        if "userinfo_endpoint" in metadata and not {"email", self._groups} <= claims.keys():
            claims = await self._completed(metadata, claims, str(tokens.get("access_token", "")))
        return self._identity(claims)

    async def _exchanged(self, metadata: Mapping[str, Any], code: str, verifier: str) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.callback,
            "code_verifier": verifier,
        }
        ways = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        login = None
        if self._secret and "client_secret_basic" in ways:
            login = (quote(self._client, safe=""), quote(self._secret, safe=""))  # RFC 6749, 2.3.1
        else:
            form |= {"client_id": self._client} | ({"client_secret": self._secret} if self._secret else {})
        status, answer = await self._http.post(self._endpoint(metadata, "token_endpoint"), form, login)
        if status != 200:  # noqa: PLR2004 - OK
            raise IdentityRefused(f"it did not take the code ({str(answer.get('error', status))[:60]})")
        return answer

    async def _checked(self, text: str, keys: KeySet, nonce: str) -> dict[str, Any]:
        held = ExpectedClaims(issuer=self._issuer, client=self._client, nonce=nonce, now=self._clock.now())
        try:
            return claims_of(text, keys, held)
        except UnknownKeyError:
            _, keys = await self._read(anew=True)
        try:
            return claims_of(text, keys, held)
        except UnknownKeyError:
            raise IdentityRefused("its ID token is signed by a key that it does not publish") from None

    async def _completed(self, metadata: Mapping[str, Any], claims: dict[str, Any], token: str) -> dict[str, Any]:
        """Add what some providers tell at their userinfo endpoint alone."""
        answer = await self._http.get(
            self._endpoint(metadata, "userinfo_endpoint"), {"authorization": f"Bearer {token}"}
        )
        if answer.get("sub") != claims["sub"]:
            raise IdentityRefused("it tells us about somebody else")
        return answer | claims

    def _identity(self, claims: Mapping[str, Any]) -> ProvenIdentity:
        flag = claims.get("email_verified")
        verified = flag is True or flag == "true" or (flag is None and self._trust_addresses)
        groups = claims.get(self._groups)
        address = str(claims.get("email", "")).strip().casefold()
        return ProvenIdentity(
            issuer=self._issuer,
            subject=str(claims["sub"]),
            address=address if verified and "@" in address else "",
            name=str(claims.get("name") or claims.get("preferred_username") or "")[:LONGEST_NAME],
            groups=frozenset(map(str, groups if isinstance(groups, list) else [groups] if groups else [])),
        )

    def _endpoint(self, metadata: Mapping[str, Any], name: str) -> str:
        return endpoint_in(metadata, name, self._issuer)

    async def _read(self, *, anew: bool = False) -> tuple[dict[str, Any], KeySet]:
        """Return metadata and keys, read at most once an hour unless a key is unknown."""
        async with self._turn:
            if self._known and not anew and time.monotonic() - self._known[0] < FRESH:
                return self._known[1:]
            metadata = await self._http.get(self._issuer.rstrip("/") + WELL_KNOWN)
            if metadata.get("issuer") != self._issuer:
                raise IdentityProviderDown("its metadata names another issuer; copy OIDC_ISSUER from there")
            keys = keys_of(await self._http.get(self._endpoint(metadata, "jwks_uri")))
            self._known = (time.monotonic(), metadata, keys)
            return metadata, keys


def keys_of(answer: dict[str, Any]) -> KeySet:
    """Return the provider's keys. Raises `IdentityRefused` if there are none that we can use."""
    try:
        return KeySet.import_key_set({"keys": [key for key in answer["keys"] if key.get("use", "sig") == "sig"]})
    except (JoseError, KeyError, TypeError, AttributeError, ValueError):
        raise IdentityRefused("it publishes no keys that we can use") from None


def claims_of(text: str, keys: KeySet, held: ExpectedClaims) -> dict[str, Any]:
    """Return the claims of a token. Raises `IdentityRefused`, `UnknownKeyError`."""
    wanted = jwt.JWTClaimsRegistry(
        now=int(held.now.timestamp()),
        leeway=LEEWAY,
        iss={"essential": True, "value": held.issuer},
        sub={"essential": True},
        aud={"essential": True, "value": held.client},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": held.nonce},
    )
    try:
        claims = jwt.decode(text, keys, algorithms=list(ALGORITHMS)).claims
        wanted.validate(claims)
    except InvalidKeyIdError:
        raise UnknownKeyError from None
    except (JoseError, ValueError, TypeError) as e:
        raise IdentityRefused(f"its ID token is not valid ({type(e).__name__}: {e})") from None
    others = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    if claims.get("azp", held.client) != held.client or (len(others) > 1 and "azp" not in claims):
        raise IdentityRefused("its ID token is for another program")
    return claims
