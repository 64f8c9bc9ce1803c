"""How work grows with its input: a ratio within one run, which a busy machine does not change."""

import time
from collections.abc import Callable
from itertools import count
from typing import Final

FLOOR: Final = 0.016
"""Seconds of processor time below which a measurement is noise."""
TRIES: Final = 5


def growth(run: Callable[[int], object], size: int, below: float = 3, times: int = 8) -> float:
    """What a unit of `times` as much input costs against one of `size`: about 1 where work grows with the input,
    `times` where it grows with its square.

    Each try runs `times` small inputs and then a large one, so both take about as long and a neighbour on the processor
    slows both; the lowest ratio counts, and one that is `below` ends the tries. No size is asked twice: what is remembered costs nothing.
    """
    steps = count()
    ratios: list[float] = []
    while len(ratios) < TRIES and (not ratios or min(ratios) >= below):
        small = [size + next(steps) * max(size // 100, 1) for _ in range(times)]
        large = size * times + next(steps) * max(size // 100, 1)
        ratios.append((_cost(run, [large]) / large) / (max(_cost(run, small), FLOOR) / sum(small)))
    return min(ratios)


def _cost(run: Callable[[int], object], sizes: list[int]) -> float:
    began = time.process_time()
    for size in sizes:
        run(size)
    return time.process_time() - began
