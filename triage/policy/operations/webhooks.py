"""Webhooks out: their signature, when they are tried again, and which addresses they may reach."""

import hmac
import ipaddress
from base64 import b64decode, b64encode
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

RETRIES: Final = tuple(
    timedelta(seconds=seconds) for seconds in (5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000)
)
"""Pauses after failed attempts: about two days in all."""
MARK: Final = "whsec_"
NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""All that IANA has given out for the internet; `is_global` also takes what nobody has, such as old forms of private addresses."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def signed(secret: str, message_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """Return the headers by Standard Webhooks: HMAC-SHA256 of `id.timestamp.body` by the key in `whsec_…`."""
    stamp, key = str(int(at.timestamp())), b64decode(secret.removeprefix(MARK))
    digest = hmac.new(key, f"{message_id}.{stamp}.".encode() + body, "sha256").digest()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{b64encode(digest).decode()}",
    }


def next_try(attempts: int, now: datetime) -> datetime | None:
    """Return when a delivery that has failed so often is tried again, None if it is given up."""
    return now + RETRIES[attempts - 1] if attempts <= len(RETRIES) else None


def why_unfit(url: str, allowed: Collection[str]) -> str:
    """Return why nothing is sent to this URL, empty if it is fit; hosts in `allowed` may do without TLS."""
    try:
        parts = urlsplit(url)
        host, _ = (parts.hostname or "").casefold(), parts.port
    except ValueError:
        return "it is no URL"
    if not host or parts.scheme not in {"http", "https"}:
        return "it must begin with https:// and name a host"
    if parts.username is not None or parts.password is not None:
        return "it must hold no user and no password"
    if parts.scheme == "http" and host not in allowed:
        return "it must begin with https://"
    return ""


def _inside(address: Address) -> Address | None:
    """Return the IPv4 address that an IPv6 address leads to: mapped, 6to4 (RFC 3056) or NAT64 (RFC 6052)."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def reachable(address: Address) -> bool:
    """Whether an address is one of the public internet: no loopback, no private network, no metadata service of a cloud."""
    inner = _inside(address)
    given_out = isinstance(address, ipaddress.IPv4Address) or address in UNICAST or address in NAT64
    return given_out and address.is_global and not address.is_multicast and (inner is None or reachable(inner))
