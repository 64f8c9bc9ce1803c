"""Mailgun routes: a form with the raw mail or its fields; the signature covers a token, not the mail."""

import hmac
import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, ClassVar, Final, Self

from triage.config.settings import Settings
from triage.domain.errors import BadSignature, NotAMail, SettingsInvalid
from webhooks.forms import FormPart, PostedForm, names_beside, text_of
from webhooks.providers.base import InboundDelivery, Request
from webhooks.rebuilt_mail import Fields, MailPiece, mail_of

OLDEST: Final = 12 * 3600
"""Seconds. Mailgun retries for eight hours with the same signature, so a shorter time would refuse the retries of mails
that came while we were down. Against replays each token is valid for one mail only (decision 010)."""
AHEAD: Final = 300
SHORTEST: Final = 24

_STAMP: Final = re.compile(r"[0-9]{1,12}")
_TOKEN: Final = re.compile(r"[!-~]{8,200}")


class Mailgun:
    """Mailgun inbound mail. Mailgun posts the raw mail only to a URL that ends in `mime`, else its fields.

    It does not retry after 200 and 406, so neither may be the answer to a mail that is not stored. Source:
    https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http
    """

    name: ClassVar[str] = "mailgun"
    needs: ClassVar[tuple[str, ...]] = ("MAILGUN_SIGNING_KEY",)
    max_expansion: ClassVar[float] = 4
    """Mailgun URL-encodes a form without attachments, which makes up to three bytes of one."""
    blocking: ClassVar[bool] = False
    drops_on_4xx: ClassVar[bool] = False

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys or min(map(len, keys)) < SHORTEST:
            raise SettingsInvalid((f"MAILGUN_SIGNING_KEY: {SHORTEST} characters or more; copy it from Mailgun",))
        self._keys = [key.encode() for key in keys]

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Read the keys from the settings, two separated by a blank during rotation; None without a key."""
        keys = settings.mailgun_signing_key.get_secret_value().split()
        return cls(keys) if keys else None

    def verify(self, request: Request) -> None:
        """Check the HMAC-SHA256 of time and token, and the age. The store checks that the token is new."""
        form = self._form(request)
        stamp, token, signature = (form.text(name) for name in ("timestamp", "token", "signature"))
        wanted = [hmac.new(key, (stamp + token).encode(), sha256).hexdigest() for key in self._keys]
        matches = [hmac.compare_digest(want.encode(), signature.lower().encode()) for want in wanted]
        if not any(matches):
            raise BadSignature(self.name, "signature is missing or made with another key")
        if not _STAMP.fullmatch(stamp) or not _TOKEN.fullmatch(token):
            raise BadSignature(self.name, "timestamp is no number of seconds, or the token is odd")
        if not -AHEAD <= (age := int(request.at.timestamp()) - int(stamp)) <= OLDEST:
            raise BadSignature(self.name, f"the timestamp is {age} s old; a replay, or check the clock")

    def read(self, request: Request) -> list[InboundDelivery]:
        """Return the raw mail, else one rebuilt from the fields.

        Its id is a hash, since nothing else stays the same in Mailgun's retries. There is no verdict: Mailgun copies the
        fields for SPF and DKIM from headers that the sender can forge.
        """
        form = PostedForm.read(request.headers, request.body)
        raw = form.bytes("body-mime") or mail_of(_fields(form))
        name = sha256(form.bytes("recipient") + b"\0" + raw).hexdigest()
        return [InboundDelivery(id=name, raw=raw, token=form.text("token"))]

    def _form(self, request: Request) -> PostedForm:
        try:
            return PostedForm.read(request.headers, request.body)
        except NotAMail as e:
            raise BadSignature(self.name, f"no signed form: {e.detail}") from None


def _fields(form: PostedForm) -> Fields:
    """Return the mail's fields. Raises `NotAMail` for a form of another Mailgun webhook."""
    headers = [
        (str(pair[0]), str(pair[1]))
        for pair in _list(form.bytes("message-headers"))
        if isinstance(pair, list) and len(pair) == 2  # noqa: PLR2004 - name and value
    ]
    if not headers and not form.has("from"):
        raise NotAMail("a form, but not of a route; this URL belongs into the forward action of a route")
    ids = {part: content_id for content_id, part in _object(form.bytes("content-id-map")).items()}
    return Fields(
        headers=headers + [(name, form.text(name.lower())) for name in names_beside(headers, form)],
        words=[("Subject", form.text("subject")), ("Delivered-To", form.text("recipient"))],
        text=form.text("body-plain"),
        html=form.text("body-html"),
        pieces=[_piece(part, str(ids.get(part.name, part.content_id))) for part in form.files],
    )


def _piece(part: FormPart, content_id: str) -> MailPiece:
    data = b64encode(part.value).decode()
    return MailPiece(name=part.filename, content_type=part.content_type, base64=data, content_id=content_id)


def _list(value: bytes) -> list[Any]:
    found = _json(value)
    return found if isinstance(found, list) else []


def _object(value: bytes) -> dict[str, Any]:
    found = _json(value)
    return found if isinstance(found, dict) else {}


def _json(value: bytes) -> Any:
    try:
        return json.loads(text_of(value))
    except (ValueError, RecursionError):
        return None
