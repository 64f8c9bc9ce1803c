"""Reads what the author of a comment says himself: without quotes, code, tables and panels."""

import re
from typing import Final

from integrations.jira.markup.adf import text_of_adf
from integrations.jira.markup.wiki import text_of_wiki
from triage.domain.conversation import Json

_OWN: Final = frozenset({"paragraph", "bulletList", "orderedList", "heading"})
"""Blocks of a document that hold the author's words; all others quote, show or decorate."""
_BLOCKS: Final = re.compile(r"\{(quote|code|noformat|panel)(?::[^}]*)?\}.*?(?:\{\1\}|\Z)", re.DOTALL | re.IGNORECASE)
_LINES: Final = re.compile(r"^(?:bq\.\s|>|\|).*$", re.MULTILINE)
_CUT: Final = "\n\N{OBJECT REPLACEMENT CHARACTER}\n"
"""Stands for what is left out, so that words behind a quote do not become the beginning."""


def own_words(body: Json) -> str:
    """Return the author's words at the beginning of a comment, up to the first block that is not his."""
    if isinstance(body, dict):
        own = []
        for block in body.get("content") or ():
            if not isinstance(block, dict) or block.get("type") not in _OWN:
                break
            own.append(block)
        return text_of_adf({"content": own})
    markup = body if isinstance(body, str) else ""
    markup = markup.replace("\r\n", "\n").replace("\r", "\n")
    return text_of_wiki(_LINES.sub(_CUT, _BLOCKS.sub(_CUT, markup)).partition(_CUT)[0])
