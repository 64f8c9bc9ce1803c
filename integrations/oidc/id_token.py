"""Checks the ID token of a provider: signature by joserfc, claims as OpenID Connect Core 3.1.3.7 has them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from triage.domain.operations.errors import IdentityRefused

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
