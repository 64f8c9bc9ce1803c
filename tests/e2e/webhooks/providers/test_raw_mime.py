"""The shared cases for raw mails under our own signature; its quirks stand in `test_webhooks.py`."""

from base64 import b64encode
from datetime import datetime

from tests.e2e.webhooks.webhook_case import Call, WebhookCase
from tests.e2e.webhooks.webhook_door import SECRET
from webhooks.providers.raw_mime import RawMime
from webhooks.signatures import SigningKeys


class TestRawMimeCase(WebhookCase):
    """Our own signature."""

    provider = RawMime([SECRET])
    unsigned = ("webhook-signature",)

    def call(self, mail: bytes, at: datetime, *, key: str = "right") -> Call:
        """Three headers."""
        secret = SECRET if key == "right" else "whsec_" + b64encode(bytes(32)).decode()
        return Call(mail, SigningKeys.read([secret], "X").sign("delivery-1", at, mail))
