"""The file of an article, as people edit it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFile:
    """The whole content of a file, front matter included."""

    article: str
    """Id of its article."""
    text: str
    """With line feeds alone."""
    version: str
    """Hash of its bytes: a change is written over this version alone. Empty: there is no file yet."""
