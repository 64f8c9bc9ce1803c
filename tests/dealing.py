"""Deals the tests of a run to its processes so that a server that is dear to start is started by one of them.

xdist gives each process a run of neighbours out of all tests, and whoever has none left takes half of the longest rest from its end.
So tests that need the same server come first in the hand of one process, and all others, in their order, behind them.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

SERVERS: Final = (
    ("site", "chrome", "_chromium"),
    ("postgres",),
    ("dovecot",),
    ("_large_cloud_served", "_large_server_served"),
)
"""Fixtures that live as long as their process: each row belongs into one hand."""


Test = TypeVar("Test")
"""A test with the names of the fixtures that it needs, those of its fixtures included, as `fixturenames`; without, it needs none."""


def dealt(tests: Sequence[Test], hands: int) -> list[Test]:
    """Return the tests in the order in which so many hands, one after the other, are cut from them."""
    blocks: list[list[Test]] = [[] for _ in SERVERS]
    others: list[Test] = []
    for test in tests:
        block = next(
            (at for at, row in enumerate(SERVERS) if not set(row).isdisjoint(getattr(test, "fixturenames", ()))), None
        )
        (others if block is None else blocks[block]).append(test)
    first = [[test for block in blocks[hand::hands] for test in block] for hand in range(hands)]
    found: list[Test] = []
    for hand, mine in enumerate(first):
        room = (len(tests) - len(found)) // (hands - hand) - len(mine)
        found += [*mine, *others[: max(0, room)]]
        del others[: max(0, room)]
    return [*found, *others]
