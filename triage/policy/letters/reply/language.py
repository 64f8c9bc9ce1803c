"""Chooses the language of a letter by the words and letters of the mail that it answers."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from triage.config.letters.texts import LetterTexts
from triage.domain.mail import Message
from triage.policy.cues.language import CODES_OF
from triage.policy.text.author_text import author_text, subject_of
from triage.policy.text.sentences import read

LEAST: Final = 2
"""Points that a language needs, so that a mail is answered in it."""
TELLING: Final = {
    "cs": "ěřů",
    "de": "ß",
    "es": "ñ¿¡",
    "fr": "œç",
    "pl": "łżśćąęź",
    "pt": "ãõ",
}
"""Letters that few languages share; one of them counts as much as `LEAST` common words."""
KANA: Final = ("\u3041", "\u30ff")
"""The letters that only Japanese has; its other ones are Chinese, too."""


def letter_language(message: Message, texts: LetterTexts, default: str) -> str:
    """Return the language of a letter about a mail: the mail's own if there are texts in it, else the default one."""
    return texts.language(language_of_mail(message, frozenset(texts.templates)), default)


def language_of_mail(message: Message, known: Collection[str]) -> str:
    """Return the code of the mail's language, one of the known ones; empty where the mail does not tell."""
    text = f"{subject_of(message)}\n{author_text(message.reply or message.text)}"
    if "ja" in known and any(KANA[0] <= letter <= KANA[1] for letter in text):
        return "ja"
    points: Counter[str] = Counter()
    for word in read(text).words:
        points.update(CODES_OF.get(word.plain, frozenset()) & frozenset(known))
    letters = frozenset(text.lower())
    points.update({code: LEAST for code, telling in TELLING.items() if code in known and letters & frozenset(telling)})
    ranked = points.most_common(2)
    if not ranked or ranked[0][1] < LEAST or (ranked[1:] and ranked[1][1] == ranked[0][1]):
        return ""
    return ranked[0][0]
