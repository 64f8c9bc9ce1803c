"""Verifies Amazon SNS messages, and restricts the two URLs that a message may make us fetch to SNS."""

import binascii
import re
import time
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

import httpx2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.x509 import load_pem_x509_certificate

from triage.domain.errors import BadSignature, ProviderDown

NOTIFICATION: Final = "Notification"
CONFIRMATION: Final = "SubscriptionConfirmation"

SIGNED: Final = {
    NOTIFICATION: ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    CONFIRMATION: ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
    "UnsubscribeConfirmation": ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
}
"""The signed fields of each message type, in the order of signing; Subject is optional."""

LARGEST: Final = 64 * 1024
PATIENCE: Final = 5.0
LIFE: Final = 86_400.0
"""Seconds that a certificate stays cached."""
PAUSE: Final = 10.0
"""Seconds without another attempt after a failed fetch, so that strangers cannot make us call Amazon at will."""

_REGION: Final = r"[a-z]{2}(?:-[a-z]+)+-[0-9]"
_CERTIFICATE: Final = re.compile(
    rf"https://sns\.({_REGION})\.amazonaws\.com/SimpleNotificationService-[A-Za-z0-9]{{1,80}}\.pem"
)
_CONFIRM: Final = re.compile(rf"https://sns\.({_REGION})\.amazonaws\.com/\?[A-Za-z0-9=&%:._~-]{{1,2000}}")
_ARN: Final = re.compile(rf"arn:aws:sns:({_REGION}):[0-9]{{12}}:[A-Za-z0-9_-]{{1,256}}")

Fetch = Callable[[str], bytes]


def fetched(url: str) -> bytes:
    """GET at most 64 KiB, without following redirects. Raises `ProviderDown`."""
    try:
        with httpx2.stream("GET", url, timeout=PATIENCE, follow_redirects=False) as answer:
            if answer.status_code != httpx2.codes.OK:
                raise ProviderDown("ses", f"SNS answered {answer.status_code}")
            body = b""
            for piece in answer.iter_bytes():
                body += piece
                if len(body) > LARGEST:
                    raise ProviderDown("ses", "SNS sent more than a certificate")
            return body
    except httpx2.HTTPError as e:
        raise ProviderDown("ses", type(e).__name__) from e


def region_of(topic: str) -> str:
    """Return the region in a topic's ARN, empty if the ARN is invalid."""
    found = _ARN.fullmatch(topic)
    return found[1] if found else ""


def confirmation_url(message: Mapping[str, Any]) -> str:
    """Return the SubscribeURL if it leads to SNS in the topic's region. Raises `BadSignature` otherwise."""
    url = str(message.get("SubscribeURL", ""))
    found = _CONFIRM.fullmatch(url)
    if not found or found[1] != region_of(str(message.get("TopicArn", ""))):
        raise BadSignature("ses", "SubscribeURL does not lead to SNS")
    return url


@dataclass
class Certificates:
    """Caches Amazon's public keys by URL, four at most, for a day."""

    fetch: Fetch = fetched
    _keys: dict[str, tuple[float, RSAPublicKey]] = field(default_factory=dict)
    _failed: float = float("-inf")
    _lock: Lock = field(default_factory=Lock)

    def key(self, url: str) -> RSAPublicKey:
        """Return the key from the cache or fetch it; blocks. Raises `ProviderDown`."""
        with self._lock:
            at, key = self._keys.get(url, (float("-inf"), None))
            if key is None or time.monotonic() - at > LIFE:
                if time.monotonic() - self._failed < PAUSE:
                    raise ProviderDown("ses", "the certificate could not be had a moment ago")
                key = self._keep(url)
            return key

    def _keep(self, url: str) -> RSAPublicKey:
        before, self._failed = self._failed, time.monotonic()
        key = self._rsa(self.fetch(url))
        self._failed = before
        self._keys = {url: (time.monotonic(), key), **dict(list(self._keys.items())[:3])}
        return key

    def _rsa(self, pem: bytes) -> RSAPublicKey:
        try:
            key = load_pem_x509_certificate(pem).public_key()
        except ValueError as e:
            raise ProviderDown("ses", "what SNS sent is no certificate") from e
        if not isinstance(key, RSAPublicKey):
            raise ProviderDown("ses", "the certificate of SNS holds no RSA key")
        return key


def verify(message: Mapping[str, Any], certificates: Certificates) -> None:
    """Check Amazon's signature of a message. Raises `BadSignature`, `ProviderDown`."""
    url = str(message.get("SigningCertURL", ""))
    found = _CERTIFICATE.fullmatch(url)
    if not found or found[1] != region_of(str(message.get("TopicArn", ""))):
        raise BadSignature("ses", "SigningCertURL does not lead to SNS in the topic's region")
    digest = {"1": SHA1(), "2": SHA256()}.get(str(message.get("SignatureVersion")))  # noqa: S303 - version 1 is SHA1
    if digest is None:
        raise BadSignature("ses", "SignatureVersion is neither 1 nor 2")
    try:
        signature = b64decode(str(message.get("Signature", "")), validate=True)
        certificates.key(url).verify(signature, _signed(message), PKCS1v15(), digest)
    except (binascii.Error, ValueError, InvalidSignature):
        raise BadSignature("ses", "Signature is wrong, or the message was altered") from None


def _signed(message: Mapping[str, Any]) -> bytes:
    names = SIGNED[str(message["Type"])]
    lines = (f"{name}\n{message[name]}\n" for name in names if message.get(name) is not None)
    return "".join(lines).encode("utf-8", "surrogatepass")
