"""The section `knowledge:` of triage.yaml: where the articles of the knowledge base come from."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from triage.config.shapes.base import Form, ProjectKey, Shape, keeps_secrets, once, password_in


class ArticleSourceKind(StrEnum):
    """What a source is; also the key that names its place in triage.yaml."""

    FOLDER = "folder"
    GIT = "git"
    CONFLUENCE = "confluence"
    HELP_CENTRE = "help_centre"
    TICKETS = "tickets"


_PATHS: Final = frozenset({ArticleSourceKind.FOLDER, ArticleSourceKind.GIT})


def _address(value: str) -> str:
    if keeps_secrets(value):
        return value.rstrip("/")
    raise ValueError("is no https:// address; http:// would send password and articles in clear")


def _address_or_path(value: str) -> str:
    return _address(value) if "://" in value else value


def _link(value: str) -> str:
    if value and not ("{path}" in value or "{name}" in value):
        raise ValueError("names no {path} or {name}; all articles would have one address")
    if value and urlsplit(value).scheme not in {"https", "http"}:
        raise ValueError("is no https:// address")
    return value


Name = Annotated[str, Form(r"^[a-z0-9][a-z0-9_-]{0,39}$", "write a name of 40 small letters, digits, - and _ at most")]
Tag = Annotated[str, Field(min_length=1, max_length=60)]
_NEEDED: Final[Mapping[ArticleSourceKind, tuple[str, ...]]] = {ArticleSourceKind.CONFLUENCE: ("space",)}
_ALLOWED: Final[Mapping[ArticleSourceKind, frozenset[str]]] = {
    ArticleSourceKind.FOLDER: frozenset({"link", "edit"}),
    ArticleSourceKind.GIT: frozenset({"link", "pull"}),
    ArticleSourceKind.CONFLUENCE: frozenset({"space", "user", "password_file"}),
    ArticleSourceKind.HELP_CENTRE: frozenset({"user", "password_file", "locale"}),
    ArticleSourceKind.TICKETS: frozenset({"days"}),
}
"""Keys by kind, beside `name`, `account` and `tags`."""


class KnowledgeSource(Shape):
    """An entry of `knowledge.sources`: a place that articles come from."""

    name: Name
    folder: str = ""
    git: str = ""
    confluence: Annotated[str, AfterValidator(_address)] = ""
    help_centre: Annotated[str, AfterValidator(_address_or_path)] = ""
    tickets: ProjectKey | None = None
    account: str = ""
    """The account whose mails its articles answer; empty: all."""
    tags: Annotated[tuple[Tag, ...], Field(max_length=20)] = ()
    link: Annotated[str, AfterValidator(_link)] = ""
    """Address of an article of a folder, with `{path}` or `{name}` (without its ending); empty: none."""
    space: str = ""
    """Of Confluence."""
    user: str = ""
    password_file: str = ""
    locale: Annotated[str, Form(r"^[a-zA-Z-]*$", "write a locale, such as en-us")] = ""
    """Of a help centre; empty: the articles of all."""
    pull: bool = False
    """Whether `git pull` comes before each reading."""
    edit: bool = False
    """Whether the console may change its files."""
    days: Annotated[int, Field(ge=1, le=10_000)] = 365
    """How long ago a ticket may have been solved."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if len(self._kinds) != 1:
            raise ValueError(f"give one of {', '.join(ArticleSourceKind)}")
        others = {key for keys in _ALLOWED.values() for key in keys} - _ALLOWED[self.kind]
        if unknown := sorted(others & self.model_fields_set):
            raise ValueError(f"{', '.join(unknown)}: not for `{self.kind}`")
        if missing := [key for key in _NEEDED.get(self.kind, ()) if not getattr(self, key)]:
            raise ValueError(f"`{self.kind}` needs {', '.join(missing)}")
        return self

    @property
    def _kinds(self) -> list[ArticleSourceKind]:
        return [kind for kind in ArticleSourceKind if getattr(self, kind.value)]

    @property
    def kind(self) -> ArticleSourceKind:
        return self._kinds[0]

    @property
    def place(self) -> str:
        """Folder, file, address or project."""
        return str(getattr(self, self.kind.value))

    def password(self) -> str:
        """Return the password or token from its file, empty if there is none. Raises `SettingsInvalid`."""
        return password_in(self.password_file, f"knowledge source {self.name}") if self.password_file else ""

    def beside(self, folder: Path) -> Self:
        """Resolve a place that is a path against the configuration's folder, where it exists there."""
        is_path = self.kind in _PATHS or (self.kind is ArticleSourceKind.HELP_CENTRE and "://" not in self.place)
        found = folder / self.place
        return self.model_copy(update={self.kind.value: str(found)}) if is_path and found.exists() else self


class KnowledgeSettings(Shape):
    """The section `knowledge:`; the knowledge base is off where there is no source."""

    minutes: Annotated[float, Field(ge=0, le=10_000)] = 5.0
    """Between two readings by a service; 0: only `triage knowledge sync` reads."""
    sources: Annotated[tuple[KnowledgeSource, ...], Field(max_length=50), once("source")] = ()

    def beside(self, folder: Path) -> Self:
        """Resolve the places that are paths against the configuration's folder."""
        return self.model_copy(update={"sources": tuple(source.beside(folder) for source in self.sources)})
