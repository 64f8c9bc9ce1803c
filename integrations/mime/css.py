"""Which style sheets of an HTML mail hold for which element: a resolver as small as mail needs it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from lxml.etree import _Element

MAX_SHEET: Final = 200_000
MAX_RULES: Final = 2000
MAX_COMPOUNDS: Final = 6
MAX_ANCESTORS: Final = 50
MAX_TRIES: Final = 200_000
"""Matching is quadratic by nature: behind so many tries the sheets of a page have no say any more."""

Style = Mapping[str, str]
"""Properties and their values, both in lower case."""

_PROPERTIES: Final = frozenset(
    {"display", "visibility", "opacity", "filter", "font", "font-size", "color", "background", "background-color"}
    | {"background-image", "position", "left", "right", "top", "bottom", "margin", "margin-left", "margin-top"}
    | {"margin-bottom", "text-indent", "clip", "clip-path", "max-height", "max-width", "height", "width", "overflow"}
    | {"overflow-x", "overflow-y", "transform", "white-space", "border"}
)
"""All others are of no concern to a reader of text."""
_BRACES: Final = re.compile(r"[{}]")
_UNCONDITIONAL: Final = re.compile(r"@media\s*(?:only\s+)?(?:all|screen)?\s*|@(?:supports|layer)\b.*", re.DOTALL)
_COMPOUND: Final = re.compile(r"(?P<tag>[a-z][\w-]*|\*)?(?P<rest>(?:[.#][\w-]+|\[[^\]]*\])*)")
_PIECE: Final = re.compile(r"([.#])([\w-]+)|\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*[\"']?([^\"'\]]*)[\"']?\s*)?\]")


@dataclass(frozen=True, slots=True)
class _Compound:
    """`td.note[hidden]`: all that one element has to be."""

    tag: str
    ids: frozenset[str]
    classes: frozenset[str]
    attributes: tuple[tuple[str, str, str], ...]

    def fits(self, element: _Element) -> bool:
        """The element is all of it."""
        if self.tag not in {"", "*", element.tag}:
            return False
        if self.ids and element.get("id") not in self.ids:
            return False
        if self.classes and not self.classes <= set((element.get("class") or "").split()):
            return False
        return all(_attribute_fits(element.get(name), how, want) for name, how, want in self.attributes)

    @property
    def keys(self) -> Iterable[str]:
        """Where a look-up finds the rule: its rarest trait."""
        if self.ids:
            return (f"#{next(iter(self.ids))}",)
        return (f".{next(iter(self.classes))}",) if self.classes else (self.tag or "*",)


@dataclass(frozen=True, slots=True)
class _Rule:
    """One selector and what it sets."""

    path: tuple[_Compound, ...]
    weight: tuple[int, int, int]
    style: Style
    important: frozenset[str]

    def fits(self, element: _Element) -> bool:
        """The element and what it stands in."""
        if not self.path[-1].fits(element):
            return False
        above = islice(element.iterancestors(), MAX_ANCESTORS)
        return all(any(one.fits(ancestor) for ancestor in above) for one in reversed(self.path[:-1]))


@dataclass(slots=True)
class Sheet:
    """All style sheets of a page."""

    _rules: dict[str, list[tuple[int, _Rule]]] = field(default_factory=dict)
    _count: int = 0
    _tries: int = 0

    @property
    def exhausted(self) -> bool:
        """The sheets asked for more work than a mail is worth."""
        return self._tries > MAX_TRIES

    def add(self, css: str) -> None:
        """Read one more `<style>`."""
        for selectors, body in _blocks(_without_comments(css[:MAX_SHEET])):
            style, important = declarations(body)
            for selector in selectors.split(",") if style else ():
                path = tuple(_path(selector.strip().lower()))
                if not 0 < len(path) <= MAX_COMPOUNDS or self._count >= MAX_RULES:
                    continue
                self._count += 1
                rule = _Rule(path, _weight(path), style, important)
                for key in path[-1].keys:
                    self._rules.setdefault(key, []).append((self._count, rule))

    def style_of(self, element: _Element) -> Style:
        """What the sheets, the old attributes and the `style` of an element come to."""
        own = element.get("style")
        inline, inline_important = declarations(own) if own else ({}, frozenset())
        fitting = sorted(self._fitting(element), key=lambda found: (found[1].weight, found[0])) if self._rules else []
        result = dict(_attributes(element))
        for _, rule in fitting:
            result.update(rule.style)
        result.update(inline)
        for _, rule in fitting:
            result.update({name: rule.style[name] for name in rule.important if name not in inline_important})
        return result

    def _fitting(self, element: _Element) -> Iterator[tuple[int, _Rule]]:
        keys = ["*", str(element.tag), f"#{element.get('id')}"]
        keys += [f".{name}" for name in (element.get("class") or "").lower().split()]
        for key in keys:
            for number, rule in self._rules.get(key, ()) if not self.exhausted else ():
                self._tries += 1 if len(rule.path) == 1 else MAX_ANCESTORS
                if rule.fits(element):
                    yield number, rule


def declarations(text: str) -> tuple[dict[str, str], frozenset[str]]:
    """Properties and values in lower case, and which of them are `!important`."""
    style: dict[str, str] = {}
    important: set[str] = set()
    for line in text.split(";"):
        name, colon, value = line.partition(":")
        name, value = name.strip().lower(), value.strip().lower()
        if not colon or name not in _PROPERTIES:
            continue
        plain = value.removesuffix("important").rstrip().removesuffix("!").rstrip()
        if plain != value:
            important.add(name)
        if plain != value or name not in important:
            style[name] = plain
    return style, frozenset(important)


def _without_comments(css: str) -> str:
    """In linear time also where nothing closes."""
    kept = []
    for number, piece in enumerate(css.replace("<!--", "").replace("-->", "").split("/*")):
        kept.append(piece if number == 0 else piece.partition("*/")[2])
    return " ".join(kept)


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """Selectors and declarations of the rules that hold on a screen of any size."""
    at = 0
    around: list[str] = []
    for match in _BRACES.finditer(css):
        piece = css[at : match.start()].strip()
        at = match.end()
        if match[0] == "{":
            around.append(piece.rpartition(";")[2].strip().lower())
        elif around:
            prelude = around.pop()
            if not prelude.startswith("@") and all(_UNCONDITIONAL.fullmatch(one) for one in around):
                yield prelude, piece


def _path(selector: str) -> Iterator[_Compound]:
    """The compounds from the outside in; nothing where the selector asks what we cannot know."""
    if not selector or ("=" not in selector and any(sign in selector for sign in ":+~\\|&")):
        return
    compounds = []
    for word in selector.replace(">", " ").split():
        match = _COMPOUND.fullmatch(word)
        if match is None:
            return
        pieces = [piece.groups() for piece in _PIECE.finditer(match["rest"])]
        compounds.append(
            _Compound(
                tag=match["tag"] or "",
                ids=frozenset(name for sign, name, *_ in pieces if sign == "#"),
                classes=frozenset(name for sign, name, *_ in pieces if sign == "."),
                attributes=tuple((name, how or "", want or "") for sign, _, name, how, want in pieces if name),
            )
        )
    yield from compounds


def _weight(path: tuple[_Compound, ...]) -> tuple[int, int, int]:
    return (
        sum(len(one.ids) for one in path),
        sum(len(one.classes) + len(one.attributes) for one in path),
        sum(one.tag not in {"", "*"} for one in path),
    )


def _attribute_fits(value: str | None, how: str, want: str) -> bool:
    if value is None:
        return False
    have = value.lower()
    tests = {
        "": True,
        "=": have == want,
        "~=": want in have.split(),
        "^=": have.startswith(want),
        "$=": have.endswith(want),
        "*=": want in have,
    }
    return tests.get(how, False)


def _attributes(element: _Element) -> Iterator[tuple[str, str]]:
    """What old HTML says without CSS."""
    if element.get("hidden") is not None:
        yield "display", "none"
    if element.get("bgcolor"):
        yield "background-color", str(element.get("bgcolor")).lower()
    if element.get("background"):
        yield "background-image", "url()"
    colour = element.get("color") if element.tag == "font" else element.get("text") if element.tag == "body" else None
    if colour:
        yield "color", colour.lower()
    elif element.tag == "a" and element.get("href"):
        yield "color", "blue"
