"""Standard Webhooks signatures: what proves a delivery, and everything near it that does not."""

from base64 import b64decode, b64encode
from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.errors import BadSignature, SettingsInvalid
from webhooks.signatures import SigningKeys

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
OLD_SECRET = "whsec_" + b64encode(b"the key of last year, 32 bytes..").decode()
NEW_SECRET = "whsec_" + b64encode(b"the key of this year, 32 bytes..").decode()
BODY = b"Subject: caf\xe9\r\n\r\nbytes, not text: \xff\x00\r\n"


@pytest.fixture
def keys() -> SigningKeys:
    """In the middle of a rotation."""
    return SigningKeys.read([NEW_SECRET, OLD_SECRET], "WEBHOOK_SECRET")


def test_known_answer() -> None:
    """The signature of the specification's own example comes out."""
    keys = SigningKeys.read(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], "WEBHOOK_SECRET")
    signed = keys.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", datetime.fromtimestamp(1614265330, UTC), b'{"test": 2432232314}')

    assert signed["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert signed["webhook-timestamp"] == "1614265330"


@pytest.mark.parametrize("secret", [OLD_SECRET, NEW_SECRET])
def test_both_keys(keys: SigningKeys, secret: str) -> None:
    """While keys are rotated either one is enough."""
    headers = SigningKeys.read([secret], "X").sign("delivery-1", NOW, BODY)

    assert keys.verify("mime", headers, BODY, NOW) == "delivery-1"


def test_list_of_signatures(keys: SigningKeys) -> None:
    """A sender that rotates lists several signatures; one that we know is enough, wherever it stands."""
    stranger = SigningKeys.read(["a plain secret of 24 bytes or more"], "X").sign("delivery-1", NOW, BODY)
    ours = keys.sign("delivery-1", NOW, BODY)
    both = f"v1a,ed25519 {stranger['webhook-signature']} v1,?? {ours['webhook-signature']}"

    assert keys.verify("mime", ours | {"webhook-signature": both}, BODY, NOW) == "delivery-1"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"webhook-id": ""}, "webhook-id"),
        ({"webhook-id": "delivery-2"}, "webhook-signature"),
        ({"webhook-id": "with.stop"}, "webhook-id"),
        ({"webhook-id": "with blank"}, "webhook-id"),
        ({"webhook-id": "x" * 201}, "webhook-id"),
        ({"webhook-timestamp": ""}, "webhook-timestamp"),
        ({"webhook-timestamp": "soon"}, "webhook-timestamp"),
        ({"webhook-timestamp": "²"}, "webhook-timestamp"),
        ({"webhook-timestamp": "9" * 5000}, "webhook-timestamp"),
        ({"webhook-timestamp": str(int(NOW.timestamp()) + 1)}, "webhook-signature"),
        ({"webhook-signature": ""}, "webhook-signature"),
        ({"webhook-signature": "v1,"}, "webhook-signature"),
        ({"webhook-signature": "v1,AAAA"}, "webhook-signature"),
        ({"webhook-signature": "v1,nö base64"}, "webhook-signature"),
        ({"webhook-signature": "v2," + b64encode(bytes(32)).decode()}, "webhook-signature"),
    ],
)
def test_refused(keys: SigningKeys, change: dict[str, str], told: str) -> None:
    """Whatever of the three headers is not as signed, the delivery is refused, and the log can tell which."""
    headers = keys.sign("delivery-1", NOW, BODY) | change

    with pytest.raises(BadSignature, match=told):
        keys.verify("mime", headers, BODY, NOW)


def test_altered_body(keys: SigningKeys) -> None:
    """One bit of the body is enough."""
    headers = keys.sign("delivery-1", NOW, BODY)

    with pytest.raises(BadSignature):
        keys.verify("mime", headers, BODY[:-1] + bytes([BODY[-1] ^ 1]), NOW)


def test_cut_elsewhere() -> None:
    """A signed id, time and body cannot be cut at another full stop into another delivery."""
    keys = SigningKeys.read([NEW_SECRET], "X")
    stamp = int(NOW.timestamp())
    signed = keys.sign("a", NOW - timedelta(days=1), f"{stamp}.the rest".encode())
    moved = signed | {"webhook-id": f"a.{signed['webhook-timestamp']}", "webhook-timestamp": str(stamp)}

    with pytest.raises(BadSignature, match="full stop"):
        keys.verify("mime", moved, b"the rest", NOW)


@pytest.mark.parametrize(("seconds", "well"), [(-301, False), (-300, True), (0, True), (300, True), (301, False)])
def test_window(keys: SigningKeys, seconds: int, well: bool) -> None:  # noqa: FBT001 - a column of the table
    """Five minutes both ways, and not a second more."""
    headers = keys.sign("delivery-1", NOW + timedelta(seconds=seconds), BODY)

    if well:
        assert keys.verify("mime", headers, BODY, NOW) == "delivery-1"
    else:
        with pytest.raises(BadSignature, match=f"{seconds} s off"):
            keys.verify("mime", headers, BODY, NOW)


@pytest.mark.parametrize(
    ("secrets", "told"),
    [
        ([], "empty"),
        (["short"], "5 bytes are too few"),
        (["whsec_" + b64encode(bytes(23)).decode()], "23 bytes are too few"),
        (["whsec_not*base64"], "no base64"),
        (["whsec_" + b64encode(bytes(24)).decode(), "short"], "5 bytes are too few"),
    ],
)
def test_weak_secrets(secrets: list[str], told: str) -> None:
    """A key that can be guessed is no key, and the message says how to make one."""
    with pytest.raises(SettingsInvalid, match=told) as caught:
        SigningKeys.read(secrets, "WEBHOOK_SECRET")

    assert "openssl rand" in str(caught.value)
    assert str(caught.value).startswith("WEBHOOK_SECRET: ")


def test_plain_secret() -> None:
    """A secret without the prefix is its own bytes, even where it looks like base64."""
    plain = b64encode(bytes(32)).decode()
    headers = SigningKeys.read([plain], "X").sign("delivery-1", NOW, BODY)

    assert SigningKeys((plain.encode(),)).verify("mime", headers, BODY, NOW) == "delivery-1"
    with pytest.raises(BadSignature):
        SigningKeys((b64decode(plain),)).verify("mime", headers, BODY, NOW)


def test_nothing_shown() -> None:
    """Keys do not show in a log or traceback."""
    assert "key of" not in repr(SigningKeys((b"the key of last year, 32 bytes..",)))
