"""Builds prompts: our own text as it is, untrusted text only behind a fence.

A fence does not make a model safe. It makes plain what is data, and it keeps a mail from forging our lines:
what the model may do is bounded by `permission.py`, whatever it believes.
"""

import json
import re
from collections.abc import Mapping
from typing import Final

from triage.domain.conversation import Json
from triage.domain.untrusted import Prompt, Untrusted

LONGEST_WORD: Final = 80
UNSAFE: Final = re.compile(r"[^\w .,:@+#/&()'-]")


def ours(text: str) -> Prompt:
    """Words from our own files and code. Never hand it anything that came from outside."""
    return Prompt(text)


def fenced(title: str, text: Untrusted, nonce: str) -> Prompt:
    """Somebody's words between two lines that they cannot write, since the nonce is not theirs to know."""
    while nonce in text:  # taking it out of the middle of its own halves would leave it whole
        text = Untrusted(text.replace(nonce, ""))
    return Prompt(f"<<<{title} {nonce}\n{text}\n{nonce} {title}>>>\n")


def unfenced(prompt: str, title: str, nonce: str) -> str:
    """What stands in a fence, empty where there is none."""
    _, _, rest = prompt.partition(f"<<<{title} {nonce}\n")
    return rest.partition(f"\n{nonce} {title}>>>\n")[0]


def outside(prompt: str, nonce: str) -> str:
    """The prompt without its fences: what only we can have written."""
    mark = re.escape(nonce)
    return re.sub(rf"<<<(\w+) {mark}\n.*?\n{mark} \1>>>\n", "", prompt, flags=re.DOTALL)


def facts(values: Mapping[str, Json]) -> Prompt:
    """One line of JSON that code made: short words only, so that no sentence travels in it."""
    return Prompt(json.dumps(_plain(values), ensure_ascii=True, separators=(",", ":")))


def word(text: str) -> str:
    """A name or value from outside, cut to what a word may hold."""
    return UNSAFE.sub("", text)[:LONGEST_WORD].strip()


def _plain(value: Json) -> Json:
    """The same value with every string cut to a word."""
    if isinstance(value, str):
        return word(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
