"""Reads the example texts of the shipped support categories, `triage/words/support/*.txt`: a line is a category and a text."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from triage.config.word_lists import FOLDER

EXAMPLES: Final = FOLDER / "support"


@cache
def shipped_examples(language: str = "*") -> tuple[tuple[str, str], ...]:
    """Return category and text of every example, in all languages or in the one of this code."""
    return tuple(_examples(language))


def _examples(language: str) -> Iterator[tuple[str, str]]:
    for path in sorted(EXAMPLES.glob(f"{language}.txt")):
        for line in path.read_text("utf-8").splitlines():
            category, _, text = line.partition(": ")
            yield category, text
