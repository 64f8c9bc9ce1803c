"""Builds prompts: our own text as it is, untrusted text only behind a fence.

A fence does not make a model safe. It marks data as data and keeps a mail from imitating our lines. What the model may
do is bounded by `permission.py`, whatever it believes.

"""

import json
import re
from collections.abc import Mapping
from typing import Final

from triage.domain.conversation import Json
from triage.domain.text.truncation import truncated
from triage.domain.untrusted import Prompt, Untrusted

LONGEST_WORD: Final = 255
UNSAFE: Final = re.compile(r"[^\w .,:@+#/&()'…-]")


def ours(text: str) -> Prompt:
    """Mark text of our own files and code as prompt; never call it with text from outside."""
    return Prompt(text)


def fenced(title: str, text: Untrusted, nonce: str) -> Prompt:
    """Put untrusted text between two lines that it cannot contain, since its author does not know the nonce."""
    while nonce in text:  # taking it out of the middle of its own halves would leave it whole
        text = Untrusted(text.replace(nonce, ""))
    return Prompt(f"<<<{title} {nonce}\n{text}\n{nonce} {title}>>>\n")


def unfenced(prompt: str, title: str, nonce: str) -> str:
    """Return the text inside a fence, empty if the prompt has no such fence."""
    _, _, rest = prompt.partition(f"<<<{title} {nonce}\n")
    return rest.partition(f"\n{nonce} {title}>>>\n")[0]


def outside(prompt: str, nonce: str) -> str:
    """Return the prompt without its fences, which only our code can have written."""
    mark = re.escape(nonce)
    return re.sub(rf"<<<(\w+) {mark}\n.*?\n{mark} \1>>>\n", "", prompt, flags=re.DOTALL)


def facts(values: Mapping[str, Json]) -> Prompt:
    """Write values as one line of JSON; strings are cut to words, so that no sentence can pass."""
    return Prompt(json.dumps(_plain(values), ensure_ascii=False, separators=(",", ":")))


def word(text: str) -> str:
    """Reduce a name or value from outside to the characters that a name may have; what is longer than a name ends with `…`."""
    return truncated(UNSAFE.sub("", text).strip(), LONGEST_WORD)


def _plain(value: Json) -> Json:
    """Cut every string within a value."""
    if isinstance(value, str):
        return word(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
