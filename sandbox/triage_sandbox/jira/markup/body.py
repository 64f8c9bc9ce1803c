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
    """A rich text, as ADF or as wiki markup."""

    source: str
    language: Language

    @classmethod
    def of(cls, value: Any) -> Self:
        """Wrap what a client sent and the checks have accepted, a document or a string."""
        if isinstance(value, str):
            return cls(value, "wiki")
        return cls(json.dumps(value, ensure_ascii=False, separators=(",", ":")), "adf")

    @property
    def stored(self) -> dict[str, str]:
        """Return the columns of a comment or worklog that store the text."""
        return {"body": self.source, "markup": self.language, "plain": self.plain}

    def stored_as(self, name: str) -> dict[str, str]:
        """Return the columns of an issue that store a text of this name."""
        return {name: self.source, f"{name}_markup": self.language, f"{name}_plain": self.plain}

    @property
    def document(self) -> adf.Node:
        if self.language == "wiki":
            return wiki.read(self.source)
        node: adf.Node = json.loads(self.source)
        return node

    @property
    def markup(self) -> str:
        return self.source if self.language == "wiki" else wiki.write(self.document)

    @property
    def plain(self) -> str:
        """The text without markup, for searching."""
        return adf.plain(self.document)

    @property
    def html(self) -> Markup:
        return html(self.document)

    def said_in(self, version: str) -> Any:
        """Return the text in the format of this API version."""
        return self.document if version == "3" else self.markup
