"""Says who has to do what a sentence asks for: whom it addresses by name, else the mail's only recipient."""

import re
from typing import Final

from triage.domain.memory.notes import MemoryMail
from triage.policy.memory.reading.wording import Sentence
from triage.policy.text.word_patterns import levelled

_NAME: Final = r"[^\W\d_a-z][^\W\d_]+"
_BULLET: Final = r"(?:[-*•]|\d{1,2}[.)]|(?i:action(?: item)?|to-?do|task|item|point|top|punkt|aufgabe|acción|tarea|punto|tâche)(?:\s*\d+)?\s*:)\s*"
"""What an entry of minutes begins with."""
_ADDRESSED: Final = re.compile(
    rf"^\W*(?:@|{_BULLET})?(?:(?:Hi|Hello|Dear|Hallo|Hola|Bonjour)\s+)?(?P<name>{_NAME})\s*[,:]\s"
)
_ORDERED: Final = re.compile(rf"^\s*{_BULLET}@?(?P<name>{_NAME}(?:\s{_NAME})?)(?::|\s[-\u2013])?\s+")
_MENTIONED: Final = re.compile(rf"@(?P<name>{_NAME})\b")
NO_NAMES: Final = frozenset(
    [
        *("yes", "no", "ok", "okay", "thanks", "sorry", "well", "great", "perfect", "good", "fine", "sure"),
        *("right", "also", "so", "hello", "hi", "hallo", "hola", "bonjour", "dear", "ja", "nein", "gut"),
        *("danke", "merci", "gracias", "vale", "oui", "and", "then", "now", "today", "tomorrow", "morgen"),
        *("heute", "demain", "all", "team", "everyone", "hey", "oh", "si", "re", "please", "finally"),
        *("meanwhile", "otherwise", "however", "reminder", "open", "note", "todo", "action", "monday"),
        *("tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "afterwards", "colleagues"),
        *("bitte", "unfortunately"),
    ]
)
"""Words with a capital before the first comma that are no names."""


def ordered(sentence: Sentence) -> tuple[str, int]:
    """Return the name at the beginning of an entry of minutes (`- Marek to write …`), and where it ends; empty if there is none."""
    found = _ORDERED.match(sentence.text)
    return (found["name"], found.end()) if found and _is_name(found["name"]) else ("", 0)


def addressed(sentence: Sentence) -> str:
    """Return the name that a sentence begins with or mentions with an @: `Tom, please show him the ramp`; empty if there is none."""
    found = _ADDRESSED.match(sentence.text)
    if found and _is_name(found["name"]):
        return found["name"]
    mentioned = _MENTIONED.search(sentence.text)
    return mentioned["name"] if mentioned else ""


def owner_of(name: str, mail: MemoryMail) -> str:
    """Return the address of the recipient with this name, else the name; without a name the only recipient, else nobody."""
    if not name:
        return mail.to[0] if len(mail.to) == 1 else ""
    return next((address for address in mail.to if same_person(name, address)), name)


def same_person(one: str, other: str) -> bool:
    """Tell whether two owners are the same: equal, or a name's words all stand in the local part of the other's address."""
    low, high = sorted((levelled(one).strip(), levelled(other).strip()), key=lambda who: "@" in who)
    if low == high:
        return bool(low)
    words = set(re.split(r"[\W_]+", low)) - {""}
    return "@" not in low and bool(words) and words <= set(re.split(r"[\W_]+", high.partition("@")[0]))


def _is_name(word: str) -> bool:
    return word.casefold() not in NO_NAMES
