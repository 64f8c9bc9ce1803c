"""How work grows with its input: a ratio within one run, which a busy machine does not change."""

import time
from collections.abc import Callable
from typing import Final

FLOOR: Final = 0.005
"""Seconds of processor time below which a measurement is noise."""


def growth(run: Callable[[int], object], size: int, times: int = 8) -> float:
    """What a unit of `times` as much input costs against one of `size`: about 1 where work grows with the input,
    `times` where it grows with its square.
    """
    return _cost(run, size * times) / max(_cost(run, size), FLOOR) / times


def _cost(run: Callable[[int], object], size: int) -> float:
    costs = []
    for _ in range(3):
        began = time.process_time()
        run(size)
        costs.append(time.process_time() - began)
    return min(costs)
