"""Marks the words of a mail that a finding rests on, while its text becomes HTML."""

import re
from collections import Counter
from collections.abc import Mapping
from html import escape
from typing import Final

from triage.domain.text.visible import visible

OFTEN: Final = 3
"""Times that the same words are marked."""
MOST: Final = 60
"""Words that are looked for."""


class Highlight:
    """Turns text into HTML, with labels on words."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        """Look for these words; each has a label that says what it was taken for, such as `priority`."""
        folded = {_folded(words): label for words, label in labels.items() if words.strip()}
        self._labels = {words: folded[words] for words in sorted(folded, key=len, reverse=True)[:MOST]}
        choices = "|".join(r"\s+".join(map(re.escape, words.split())) for words in self._labels)
        self._pattern = re.compile(rf"(?<!\w)(?:{choices})(?!\w)", re.IGNORECASE) if choices else None
        self._seen: Counter[str] = Counter()
        self._named: set[str] = set()

    def html(self, text: str) -> str:
        """Return the text escaped, without characters that nobody sees, with its labelled words in `mark`."""
        text = visible(text)
        if self._pattern is None:
            return escape(text)
        pieces, at = [], 0
        for found in self._pattern.finditer(text):
            pieces += [escape(text[at : found.start()]), self._marked(found[0])]
            at = found.end()
        return "".join((*pieces, escape(text[at:])))

    def _marked(self, words: str) -> str:
        name = _folded(words)
        self._seen[name] += 1
        if name not in self._labels or self._seen[name] > OFTEN:
            return escape(words)
        # Each label stands once: beside every word it would break the lines of the mail.
        label = self._labels[name]
        note = "" if label in self._named else f"<sup>{escape(label)}</sup>"
        self._named.add(label)
        return f'<mark class="cue">{escape(words)}{note}</mark>'


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())
