"""The words of a mail at the end of a note's text, in quotation marks: what the note is about, whatever it says in other words."""

import re
from typing import Final

from triage.policy.text.sentences import plain

_ENDS: Final = ' ."'
_QUOTED: Final = re.compile(r"“([^“”]{1,2000})”\s*$")


def with_quote(text: str, quote: str) -> str:
    """Return a text that ends with the mail's words, if it does not end with them."""
    bare = " ".join(quote.replace("“", '"').replace("”", '"').split()).rstrip(".")
    ends = squeezed(text).rstrip(_ENDS).endswith(squeezed(bare).rstrip(_ENDS))
    return text if not bare or ends else f"{text.rstrip()}\n\n“{bare}”"


def quote_of(text: str) -> str:
    """Return the mail's words at the end of a note's text; empty where a note has none."""
    found = _QUOTED.search(text)
    return found[1] if found else ""


def squeezed(text: str) -> str:
    """Return a text as it is compared: folded, each gap one blank, every mark of quotation the same."""
    return " ".join(plain(text.replace("“", '"').replace("”", '"')).split())
