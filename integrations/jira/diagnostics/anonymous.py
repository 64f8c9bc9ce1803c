"""Anonymises Jira's answers: keeps structure and Jira's own vocabulary, replaces all else with pseudonyms.

It works by an allowlist: a text that matches no rule is replaced.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from integrations.jira.diagnostics.jira_vocabulary import (
    CHOSEN,
    CONSTANT,
    MOMENTS,
    PATH_WORDS,
    QUERY_WORDS,
    THEIR_KEYS,
    is_jiras,
    is_project,
    is_user,
)
from integrations.jira.diagnostics.pseudonyms import HOST, Pseudonyms
from triage.domain.conversation import Json

_KEY: Final = re.compile(r"([A-Z][A-Z0-9_]+)-(\d+)")
_FIELD_NAME: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_.$-]{0,60}|\d+x\d+")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?")
_MARK: Final = re.compile(r"triage-[0-9a-z]{16,}")
_PRINTED: Final = re.compile(r"Sprint@\w+\[(.*)\]", re.DOTALL)
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_WORDS: Final = re.compile(r"[\w.@:/?=&%+-]+")
_A_DAY: Final = "2026-01-01"


class JiraAnonymiser:
    """Anonymises one recording: the same value gets the same pseudonym in all its answers."""

    def __init__(self, url: str, project: str) -> None:
        self.pseudonyms = Pseudonyms()
        self.pseudonyms.project(project)
        self.pseudonyms.register_name(project)
        self._hosts = {_host(url)}
        self.pseudonyms.register_host(url)

    def collect(self, body: Json) -> None:
        """Collect people, projects and hosts of a body; call for all bodies before the first is anonymised."""
        for shape in _objects(body):
            if is_user(shape):
                self.pseudonyms.register(shape)
            elif is_project(shape):
                self._meet_project(shape)
            if isinstance(shape.get("baseUrl"), str):
                self._hosts.add(_host(shape["baseUrl"]))
                self.pseudonyms.register_host(shape["baseUrl"])

    def _meet_project(self, shape: Json) -> None:
        for key in (shape.get("key"), shape.get("projectKey")):
            if key and re.fullmatch(r"[A-Z][A-Z0-9_]+", str(key)):
                self.pseudonyms.project(str(key))
                self.pseudonyms.register_name(str(key))
        for name in ("name", "projectName", "displayName"):
            self.pseudonyms.register_name(str(shape.get(name) or ""))

    # --- bodies -----------------------------------------------------------------------------------

    def value(self, value: Json, name: str = "", shape: Json = None, *, custom: bool = False) -> Json:
        """Anonymise any value; `name` is its key in the object `shape`, `custom` is true inside a custom field."""
        if isinstance(value, dict):
            return self._object(value, name, custom=custom)
        if isinstance(value, list):
            return [self.value(each, name, shape, custom=custom) for each in value]
        if isinstance(value, str):
            return self._text(value, name, shape or {}, custom=custom)
        foreign = custom and not isinstance(value, bool) and value is not None and not name.lower().endswith("id")
        return 1 if foreign else value

    def _object(self, shape: Json, name: str, *, custom: bool) -> Json:
        if is_user(shape):
            rest = {key: value for key, value in shape.items() if not isinstance(value, str) or key in _USER_TEXTS}
            return {**self._members(rest, name, custom=custom), **self.pseudonyms.person(shape)}
        if name == "avatarUrls":
            return {str(size): f"https://{HOST}/avatar" for size in shape if _FIELD_NAME.fullmatch(str(size))}
        if name in CHOSEN:
            return {
                self._property(str(key)): self.value(value, "property", shape, custom=True)
                for key, value in shape.items()
            }
        return self._members(shape, name, custom=custom)

    def _members(self, shape: Json, name: str, *, custom: bool) -> Json:
        return {
            self._member(str(key), custom=custom): self.value(
                value, str(key), {**shape, "__name__": name}, custom=custom or str(key).startswith("customfield_")
            )
            for key, value in shape.items()
        }

    def _member(self, key: str, *, custom: bool) -> str:
        plain = key in THEIR_KEYS if custom else _FIELD_NAME.fullmatch(key)
        return key if plain else self.pseudonyms.of("id", key)

    def _property(self, key: str) -> str:
        return key if key == "triage" else self.pseudonyms.of("id", key)

    # --- texts ------------------------------------------------------------------------------------

    def _text(self, text: str, name: str, shape: Mapping[str, Json], *, custom: bool) -> str:  # noqa: PLR0911 - one return per kind of text
        known = self.pseudonyms
        if not text:
            return text
        if name in CONSTANT:
            return CONSTANT[name]
        if is_jiras(text, name, shape, custom=custom):
            return known.kept(text)
        if found := self._known(text):
            return found
        if "://" in text and " " not in text:
            return self.url(text)
        if text.isdecimal() and name.lower().endswith(("value",) if "label" in shape else ("id", "ids")) and not custom:
            return text
        if _MOMENT.fullmatch(text):
            return text if name in MOMENTS and not custom else _A_DAY + text[len(_A_DAY) :].translate(_ZEROES)
        return self._named(text, name)

    def _known(self, text: str) -> str:
        """Return the pseudonym of a person's id or address, a ticket or project key or our mark; else empty."""
        known = self.pseudonyms
        if (number := known.number_of(text)) is not None:
            return f"person{number}@example.com" if "@" in text else f"account-{number}"
        if key := _KEY.fullmatch(text):
            return f"{known.project(key[1])}-{key[2]}"
        if known.knows_project(text):
            return known.project(text)
        return known.of("mark", text) if _MARK.fullmatch(text) else ""

    def _named(self, text: str, name: str) -> str:
        known = self.pseudonyms
        if name in {"errorMessages", "message", "errorMessage"}:
            return self.message(text)
        if printed := _PRINTED.search(text):
            return _sprint(printed[1])
        if name == "labels":
            return known.of("label", text)
        if name == "filename":
            ending = re.search(r"\.\w{1,5}$", text)
            return known.of("file", text) + (ending[0].lower() if ending else "")
        if name.lower().endswith(("id", "ids")):
            return known.of("id", text)
        return known.of("email" if "@" in text and " " not in text else "text", text)

    def message(self, text: str) -> str:
        """Anonymise a message of Jira: replace quoted text and known names."""
        bare = _QUOTED.sub(lambda found: f"'{self.pseudonyms.of('text', found[0][1:-1])}'", text)
        return _WORDS.sub(lambda found: self._word(found[0]), bare)

    def _word(self, word: str) -> str:
        if found := self._known(word.rstrip(".,:")):
            return found
        if "://" in word or "@" in word or self.pseudonyms.contains_name(word):
            return self.pseudonyms.of("word", word)
        return word

    # --- addresses --------------------------------------------------------------------------------

    def url(self, text: str) -> str:
        """Anonymise a URL: another host, and only Jira's own words in its path."""
        try:
            parts = urlsplit(text)
        except ValueError:
            return self.pseudonyms.of("text", text)
        if parts.netloc not in self._hosts:
            return f"https://{self.pseudonyms.of('host', parts.netloc)}/{self.pseudonyms.of('id', text)}"
        query = urlencode(
            [(name, self._asked(name, value)) for name, value in parse_qsl(parts.query) if name.isalpha()]
        )
        return f"https://{HOST}{self.path(parts.path)}" + (f"?{query}" if query else "")

    def path(self, path: str) -> str:
        """Anonymise each segment of a path."""
        return "/".join(self._segment(part) for part in path.split("/"))

    def _segment(self, part: str) -> str:
        if not part or part in PATH_WORDS or part.isdecimal():
            return part
        return self._known(part) or "x"

    def _asked(self, name: str, value: str) -> str:
        plain = name in QUERY_WORDS and (value.isdecimal() or not self.pseudonyms.contains_name(value))
        return value if plain else self._known(value) or "x"

    def params(self, params: Mapping[str, str | int]) -> dict[str, str | int]:
        """Anonymise request parameters, which hold only Jira's words and the project's key."""
        return {name: self.jql(value) if isinstance(value, str) else value for name, value in params.items()}

    def jql(self, text: str) -> str:
        """Replace the project's key in our own JQL or list of fields."""
        return _WORDS.sub(lambda found: self._known(found[0]) or found[0], text)


_USER_TEXTS: Final = frozenset({"self", "accountType", "timeZone", "locale", "expand"})
_ZEROES: Final = str.maketrans("123456789", "000000000")


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""


def _objects(body: Json) -> Iterator[Json]:
    if isinstance(body, dict):
        yield body
    for each in body.values() if isinstance(body, dict) else body if isinstance(body, list) else ():
        yield from _objects(each)


def _sprint(inside: str) -> str:
    """Anonymise a sprint in Java's toString format; keep ids and state."""
    kept = re.findall(r"(?:^|,)((?:id|rapidViewId|state)=\w+)", inside)
    return f"com.atlassian.greenhopper.service.sprint.Sprint@1[{','.join(kept)},name=Sprint]"
