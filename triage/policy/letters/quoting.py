"""Quotes the mail that a letter answers, below it, in the sender's language."""

import html
from typing import Final

from triage.domain.letters import Original
from triage.domain.text.visible import visible
from triage.domain.untrusted import Untrusted

LONGEST: Final = 4_000
"""Characters of the original that are quoted."""
WROTE: Final = {
    "en": "On {at}, {who} wrote:",
    "de": "Am {at} schrieb {who}:",
    "fr": "Le {at}, {who} a écrit :",
    "es": "El {at}, {who} escribió:",
    "pt": "Em {at}, {who} escreveu:",
    "it": "Il {at}, {who} ha scritto:",
    "nl": "Op {at} schreef {who}:",
    "pl": "W dniu {at} {who} pisze:",
    "cs": "Dne {at} {who} napsal(a):",
    "ja": "{at}、{who} のメール:",
}


def attribution(original: Original, language: str) -> str:
    """Return the line above the quote, which mail programs recognise; a name stays on it."""
    at = f"{original.at:%Y-%m-%d %H:%M}" if original.at else "?"
    who = " ".join(visible(original.sender).split()) or "?"
    return WROTE.get(language, WROTE["en"]).format(at=at, who=who)


def quoted_plain(original: Original, language: str) -> str:
    """Return attribution and quote as plain text; empty without an original."""
    if not original.text.strip():
        return ""
    return "\n".join([attribution(original, language), *(f"> {line}".rstrip() for line in _lines(original.text))])


def quoted_html(original: Original, language: str) -> str:
    """Return attribution and quote as HTML; the original is escaped. Empty without an original."""
    if not original.text.strip():
        return ""
    lines = "<br>\n".join(html.escape(line) for line in _lines(original.text))
    style = "margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex"
    return f'<p>{html.escape(attribution(original, language))}</p>\n<blockquote type="cite" style="{style}">{lines}</blockquote>'


def _lines(text: Untrusted) -> list[str]:
    shown = visible(text).rstrip()
    return [*shown[:LONGEST].splitlines(), *(["[…]"] if len(shown) > LONGEST else [])]
