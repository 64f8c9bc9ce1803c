"""Errors of the knowledge base."""

from triage.domain.errors import Refused, Transient


class ArticlesDown(Transient):
    """A source of articles cannot be read: what is known of it stays as it is."""

    source: str
    detail: str


class ArticleNotFound(Refused):
    """There is no such article: `triage knowledge list` lists them."""

    article: str


class ArticleChanged(Refused):
    """Somebody has changed the article meanwhile, so nothing is written: look at what stands there now, then save again."""

    article: str


class ArticleNotEditable(Refused):
    """This article cannot be edited here."""

    article: str
    detail: str


class NoChatRule(Refused):
    """triage.yaml has no rule with `route: support` for this account."""

    account: str
