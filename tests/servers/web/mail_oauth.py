"""A small OAuth provider over HTTP that gives tokens for mail: device codes, codes with PKCE, refresh tokens that rotate."""

import base64
import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.servers.web.json_server import serving

CLIENT = "triage-at-harbour"
SCOPES = "https://mail.example/IMAP.AccessAsUser.All https://mail.example/SMTP.Send offline_access"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


@dataclass
class MailProvider:
    """What it knows and does; a test may change it at any time."""

    issuer: str = ""
    token: Callable[[], str] = field(default=lambda: f"at-{secrets.token_urlsafe(8)}")
    """Makes an access token."""
    lives: int = 3600
    secret: str = ""
    """Of the application; empty: it needs none."""
    granted: str = SCOPES
    interval: int = 5
    """Seconds between two questions for a device code."""
    agreed: bool = True
    """Somebody has typed the code in."""
    gives_refresh: bool = True
    errors: list[dict[str, Any]] = field(default_factory=list)
    """Answers of the token endpoint instead of the usual ones, in order."""
    down: bool = False
    only_rfc8414: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)
    """Forms that the token endpoint got."""
    good: str = ""
    """The refresh token that it takes; every other one was used before, or never given."""
    given: list[str] = field(default_factory=list)
    """Access tokens, oldest first."""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def sign_in(self, url: str, **instead: str) -> str:
        """Agree on the page at this URL; return the URL that the browser is sent back to."""
        asked = dict(parse_qsl(urlsplit(url).query))
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']} | instead)}"

    def answer(self, path: str, form: dict[str, str]) -> tuple[int, Any]:
        """Status and JSON of a request."""
        if self.down:
            return 503, {}
        match path:
            case "/.well-known/openid-configuration" if not self.only_rfc8414:
                return 200, self._metadata()
            case "/.well-known/oauth-authorization-server":
                return 200, self._metadata()
            case "/device":
                return self._device(form)
            case "/token":
                with self.lock:
                    self.asked.append(form)
                    return self._token(form)
        return 404, {}

    def _device(self, form: dict[str, str]) -> tuple[int, Any]:
        if form.get("client_id") != CLIENT:
            return 400, {"error": "invalid_client"}
        return 200, {
            "device_code": "dc-1",
            "user_code": "WDJB-MJHT",
            "verification_uri": f"{self.issuer}/activate",
            "expires_in": 900,
            "interval": self.interval,
        }

    def _metadata(self) -> dict[str, Any]:
        places = {"authorization": "authorize", "token": "token", "device_authorization": "device"}
        told = {f"{name}_endpoint": f"{self.issuer}/{path}" for name, path in places.items()}
        return {name: value for name, value in ({"issuer": self.issuer} | told | self.metadata).items() if value}

    def _token(self, form: dict[str, str]) -> tuple[int, Any]:
        if self.errors:
            return 400, self.errors.pop(0)
        if form.get("client_id") != CLIENT or form.get("client_secret", "") != self.secret:
            return 401, {"error": "invalid_client", "error_description": "AADSTS7000215: wrong secret"}
        if error := self._refused(form):
            return 400, {"error": error}
        told: dict[str, Any] = {"access_token": self.token(), "token_type": "Bearer", "expires_in": self.lives}
        self.given.append(told["access_token"])
        if self.gives_refresh and form["grant_type"] != "client_credentials":
            self.good = told["refresh_token"] = f"rt-{secrets.token_urlsafe(8)}"
        return 200, told | ({"scope": self.granted} if self.granted else {})

    def _refused(self, form: dict[str, str]) -> str:
        match form["grant_type"]:
            case "refresh_token":
                return "" if form["refresh_token"] == self.good else "invalid_grant"
            case "authorization_code":
                return self._wrong_code(form)
            case kind if kind == DEVICE:
                return "" if self.agreed else "authorization_pending"
        return ""

    def _wrong_code(self, form: dict[str, str]) -> str:
        asked = self.codes.pop(form["code"], {})
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        fits = (challenge, form["redirect_uri"]) == (asked.get("code_challenge"), asked.get("redirect_uri"))
        return "" if fits else "invalid_grant"


@contextmanager
def mail_provider() -> Iterator[MailProvider]:
    """A running provider on loopback."""
    state = MailProvider()
    with serving(lambda path, form, _: state.answer(path, form)) as state.issuer:
        yield state
