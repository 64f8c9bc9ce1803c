"""How work grows with its input: a ratio within one run, which a busy machine does not change."""

import time
from collections.abc import Callable
from typing import Final

FLOOR: Final = 0.005
"""Seconds of processor time below which a measurement is noise."""
TRIES: Final = 3
PLAIN: Final = 1.5
"""A ratio that needs no second measurement: the larger input cost hardly more than it is larger."""


def growth(run: Callable[[int], object], size: int, times: int = 8) -> float:
    """What a unit of `times` as much input costs against one of `size`: about 1 where work grows with the input,
    `times` where it grows with its square.
    """
    one = max(min(_cost(run, size) for _ in range(TRIES)), FLOOR) * times
    ratios: list[float] = []
    while len(ratios) < TRIES and (not ratios or min(ratios) > PLAIN):
        ratios.append(_cost(run, size * times) / one)
    return min(ratios)


def _cost(run: Callable[[int], object], size: int) -> float:
    began = time.process_time()
    run(size)
    return time.process_time() - began
