"""Prepares a text for classifiers, in training and in use: what is the same in mails of every kind stands as one word, or drops out."""

import re
from typing import Final

LONGEST: Final = 4_000
"""Characters that are judged: what a mail wants stands at its beginning."""
URL: Final = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"[^\s@]{1,80}@\S{1,200}")
_MONEY: Final = re.compile(
    r"(?:[$€£¥]|\b(?:usd|eur|gbp|chf|us\$))\s?\d[\d.,']*|\d[\d.,']*\s?(?:[$€£¥円元]|(?:usd|eur|euros?|dollars?|kč|zł|pounds|万円)\b)",
    re.IGNORECASE,
)
_PERCENT: Final = re.compile(r"\d+\s?%")
_NUMBER: Final = re.compile(r"\d[\d.,:/-]*")
CODE: Final = re.compile(r"[;{}]\s*$|=>|\(\)|^\s+at |::|^[+-]{1,3}[^\s-]|^@@|\bdiff --git|\w\.\w+\(")
"""A line of a program, a trace or a patch."""
_TAG: Final = re.compile(r"<[^<>]{1,300}>")
_BLOB: Final = re.compile(r"\S{50,}")
"""Encoded data: no language has such words."""


def judged_text(subject: str, text: str = "") -> str:
    """Return the words to judge: without links, addresses and numbers, sums of money and code as one word each."""
    lines = (" xcode " if CODE.search(line) else line for line in text[:LONGEST].splitlines())
    bare = _ADDRESS.sub(" ", URL.sub(" ", _TAG.sub(" ", "\n".join((subject, *lines)))))
    return _NUMBER.sub(" ", _PERCENT.sub(" xpercent ", _MONEY.sub(" xmoney ", _BLOB.sub(" ", bare))))
