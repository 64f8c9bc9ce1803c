"""Limits failed sign-ins: tolerates typing errors, prevents guessing, and lets no one lock out another person."""

import ipaddress
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil
from typing import Final

from triage.domain.operations.errors import TooManyTries
from triage.policy.operations.token_bucket import Bucket, Rate

MOST: Final = 20_000
"""Buckets that are kept; the one used longest ago goes first."""


PAIR: Final = Rate(5, 60)
"""An address, tried from one network."""
ACCOUNT: Final = Rate(20, 60)
"""An address, tried from everywhere: at most 80 an hour."""
PEER: Final = Rate(30, 10)
"""A network, whatever it tries; an office may be one."""
DEVICE: Final = Rate(10, 60)
"""A browser that has signed in to this account before: others cannot use up its tries."""


@dataclass(slots=True)
class LoginLimits:
    """Kept in memory: each process counts for itself, and starts at zero."""

    buckets: dict[tuple[str, ...], Bucket] = field(default_factory=dict)
    """The most recently used one is last."""

    def take(self, address: str, host: str, device: str, now: datetime) -> None:
        """Take one try, before a password is looked at. Raises `TooManyTries`.

        `device` names a browser that has signed in to this account before; empty: it has not.
        """
        counted = [(key, self._filled(key, rate, now)) for key, rate in _counted(address, host, device)]
        if (wait := max(bucket.wait for _, bucket in counted)) > 0:
            raise TooManyTries(ceil(wait))
        for key, bucket in counted:
            self.buckets[key] = bucket.plus(-1)

    def give_back(self, address: str, host: str, device: str) -> None:
        """Count no failure: the password was right."""
        for key, _ in _counted(address, host, device):
            if key in self.buckets:
                self.buckets[key] = self.buckets[key].plus(1)

    def _filled(self, key: tuple[str, ...], rate: Rate, now: datetime) -> Bucket:
        bucket = (self.buckets.pop(key, None) or Bucket.full(rate, now)).filled(now)
        self.buckets[key] = bucket
        if len(self.buckets) > MOST:
            del self.buckets[next(iter(self.buckets))]
        return bucket


def _counted(address: str, host: str, device: str) -> list[tuple[tuple[str, ...], Rate]]:
    if device:
        return [(("device", device), DEVICE)]
    network = _network(host)
    return [(("pair", address, network), PAIR), (("account", address), ACCOUNT), (("peer", network), PEER)]


def _network(host: str) -> str:
    """Return the address; of IPv6 the /64, which one household has."""
    try:
        return str(ipaddress.ip_network(f"{host}/64", strict=False)) if ":" in host else host
    except ValueError:
        return host
