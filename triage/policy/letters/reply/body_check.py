"""Checks the body that a model wrote for a letter: what a mail could have talked it into is not sent."""

import re
from collections.abc import Collection
from typing import Final

LONGEST: Final = 4_000
_LINK: Final = re.compile(r"(?:https?|ftp|mailto|javascript|data):|\bwww\.|\]\(", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+\.\w")
_KEY: Final = re.compile(r"\b[A-Z][A-Z0-9_]+-[1-9]\d*\b")
_FENCE: Final = re.compile(r"<<<|>>>|<[a-z/!]", re.IGNORECASE)


def fault_in(body: str, keys: Collection[str]) -> str:
    """Return why a model's body is not used; empty if it may be. `keys` are the tickets that it may name."""
    if not body.strip():
        return "the model wrote nothing"
    if len(body) > LONGEST:
        return f"the model wrote more than {LONGEST} characters"
    found = (
        (_LINK.search(body), "the model's text has a link"),
        (_ADDRESS.search(body), "the model's text has an address"),
        (_FENCE.search(body), "the model's text has markup"),
    )
    fault = next((why for match, why in found if match), "")
    strange = sorted(set(_KEY.findall(body)) - set(keys))
    return fault or (f"the model's text names {strange[0]}, which is not this mail's ticket" if strange else "")
