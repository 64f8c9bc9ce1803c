"""A small OpenID Connect provider over HTTP: metadata, keys, codes with PKCE, ID tokens; it can lie in every part."""

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.servers.web.json_server import serving

CLIENT = "triage console"
SECRET = "kept: between us"
ADA = {"sub": "u-17", "email": "Ada@Example.com", "email_verified": True, "name": "Ada Moreau", "groups": ["ops"]}


@cache
def _key(number: int) -> RSAKey:
    """A key; making one takes a tenth of a second."""
    return RSAKey.generate_key(2048, {"kid": f"key {number}", "use": "sig"})


@dataclass
class Provider:
    """What it says and does; a test may change it at any time."""

    issuer: str = ""
    person: dict[str, Any] = field(default_factory=lambda: dict(ADA))
    """Claims of whoever signs in."""
    lies: dict[str, Any] = field(default_factory=dict)
    """Claims of ID tokens instead of the true ones; None: the claim is left out."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """Metadata instead of the true ones."""
    algorithm: str = "RS256"
    thin: bool = False
    """The person's claims stand at the userinfo endpoint alone."""
    down: bool = False
    asked: list[str] = field(default_factory=list)
    """Paths of requests."""
    key: RSAKey = field(default_factory=lambda: _key(0))
    rotations: int = 0
    published: list[RSAKey] = field(default_factory=list)
    """Keys that it publishes; empty: the one that it signs by."""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def sign_in(self, url: str) -> str:
        """Sign in as the person at this authorization URL; return the URL that the browser is sent back to."""
        asked = dict(parse_qsl(urlsplit(url).query))
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert asked["client_id"] == CLIENT
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def rotate(self) -> None:
        """Sign by another key from now on."""
        self.rotations += 1
        self.key = _key(self.rotations)

    def answer(self, path: str, form: dict[str, str], login: str) -> tuple[int, Any]:
        """Status and JSON of a request."""
        self.asked.append(path)
        match path:
            case _ if self.down:
                return 503, {}
            case "/.well-known/openid-configuration":
                return 200, self._metadata()
            case "/keys":
                return 200, {"keys": [key.as_dict(private=False) for key in self.published or [self.key]]}
            case "/token":
                return self._token(form, login)
            case "/userinfo":
                return 200, self.person
        return 404, {}

    def _metadata(self) -> dict[str, Any]:
        places = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
        return {
            "issuer": self.issuer,
            "jwks_uri": f"{self.issuer}/keys",
            **{f"{name}_endpoint": f"{self.issuer}/{path}" for name, path in places.items()},
            **self.metadata,
        }

    def _token(self, form: dict[str, str], login: str) -> tuple[int, Any]:
        given = base64.b64decode(login.removeprefix("Basic ")).decode().split(":") if login else ["", ""]
        client, secret = form.get("client_id", unquote(given[0])), form.get("client_secret", unquote(given[1]))
        asked = self.codes.pop(form.get("code", ""), {})
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (client, secret) != (CLIENT, SECRET):
            return 401, {"error": "invalid_client"}
        fits = challenge.rstrip(b"=").decode() == asked.get("code_challenge")
        if not fits or form.get("redirect_uri") != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        said = {"sub": self.person["sub"]} if self.thin else self.person
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **said,
            **self.lies,
        }
        kept = {name: value for name, value in claims.items() if value is not None}
        return 200, {"access_token": "at", "token_type": "Bearer", "id_token": self._signed(kept)}

    def _signed(self, claims: dict[str, Any]) -> str:
        if self.algorithm == "none":
            return f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(claims)}."
        header = {"alg": self.algorithm, "kid": self.key.kid}
        if self.algorithm == "HS256":  # the public key as a secret that everybody knows; by hand, the library refuses
            text = f"{_part(header)}.{_part(claims)}"
            signed = hmac.digest(self.key.as_pem(private=False), text.encode(), "sha256")
            return f"{text}.{base64.urlsafe_b64encode(signed).rstrip(b'=').decode()}"
        return jwt.encode(header, claims, self.key, [self.algorithm])


def _part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@contextmanager
def provider() -> Iterator[Provider]:
    """A running provider on loopback."""
    state = Provider()
    with serving(
        lambda path, form, login: state.answer(path if form else urlsplit(path).path, form, login)
    ) as state.issuer:
        yield state
