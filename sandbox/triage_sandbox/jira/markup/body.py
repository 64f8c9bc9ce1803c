"""A stored description or comment: its source, its format, and its plain text."""

import json
from dataclasses import dataclass
from typing import Any, Literal, Self

from markupsafe import Markup

from triage_sandbox.jira.markup import adf, wiki
from triage_sandbox.jira.markup.html import html

Language = Literal["adf", "wiki"]


@dataclass(frozen=True, slots=True)
class Body:
    """Text in one of Jira's two languages."""

    source: str
    language: Language

    @classmethod
    def of(cls, value: Any) -> Self:
        """What a client sent, a document or a string, already known to be sound."""
        if isinstance(value, str):
            return cls(value, "wiki")
        return cls(json.dumps(value, ensure_ascii=False, separators=(",", ":")), "adf")

    @property
    def stored(self) -> dict[str, str]:
        """As comments and worklogs store it."""
        return {"body": self.source, "markup": self.language, "plain": self.plain}

    def stored_as(self, name: str) -> dict[str, str]:
        """As an issue stores a text of this name."""
        return {name: self.source, f"{name}_markup": self.language, f"{name}_plain": self.plain}

    @property
    def document(self) -> adf.Node:
        """As ADF, for v3 and for pages."""
        if self.language == "wiki":
            return wiki.read(self.source)
        node: adf.Node = json.loads(self.source)
        return node

    @property
    def markup(self) -> str:
        """As wiki markup, for v2."""
        return self.source if self.language == "wiki" else wiki.write(self.document)

    @property
    def plain(self) -> str:
        """The words alone, for searching."""
        return adf.plain(self.document)

    @property
    def html(self) -> Markup:
        """For pages."""
        return html(self.document)

    def said_in(self, version: str) -> Any:
        """In the language of this API version."""
        return self.document if version == "3" else self.markup
