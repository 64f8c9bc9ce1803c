"""Says which connections keep a secret: those under TLS, and those within this machine."""

import ipaddress
from urllib.parse import urlsplit


def this_machine(host: str) -> bool:
    """Tell whether the host is this machine, so that no network carries the traffic."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def keeps_secrets(url: str) -> bool:
    """Tell whether a password sent to this URL cannot be read on the way: https, or http to this machine. Raises `ValueError`."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and this_machine(parts.hostname or ""))
