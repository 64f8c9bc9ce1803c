"""Resolves the style of an HTML element from style sheets and attributes, as far as mails need it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from lxml.etree import _Element

from integrations.mime.html.selectors import MAX_LENGTH, Selector, SelectorBudget, selectors_of

MAX_SHEET: Final = 200_000
MAX_RULES: Final = 2000
MAX_NESTING: Final = 6
WIDTH: Final = 1000.0
"""Pixels of the screen that `@media` conditions are checked against."""

Style = Mapping[str, str]
"""Properties and values in lower case."""
NONE: Final[Style] = MappingProxyType({})

_PROPERTIES: Final = frozenset(
    {"display", "visibility", "opacity", "filter", "font", "font-size", "color", "background", "background-color"}
    | {"background-image", "position", "left", "right", "top", "bottom", "inset", "margin", "margin-left", "margin-top"}
    | {"margin-bottom", "text-indent", "clip", "clip-path", "max-height", "max-width", "height", "width", "overflow"}
    | {"overflow-x", "overflow-y", "transform", "scale", "translate", "zoom", "content-visibility", "letter-spacing"}
    | {"-webkit-text-fill-color", "white-space", "border"}
)
"""The properties that decide what a reader sees."""
_BEYOND: Final = "*" * (MAX_LENGTH + 1)
"""Replaces selectors that are too long to parse."""
_BRACES: Final = re.compile(r"[{}]")
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_OWN: Final = re.compile(r"(--[\w-]+)\s*:\s*([^;{}]{0,200})")
_VARIABLE: Final = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_QUERY: Final = re.compile(r"(?:(not|only)\s+)?(\([^()]*\)|[a-z]+)((?:\s+and\s*\([^()]*\))*)")
_WIDTH: Final = re.compile(r"\(\s*(min|max)-(?:device-)?width\s*:\s*(\d*\.?\d+)(px|em|rem)?\s*\)")
_FEATURE: Final = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True)
class _StyleRule:
    """One selector with its declarations."""

    selector: Selector
    style: Style
    important: frozenset[str]


@dataclass(slots=True)
class Sheet:
    """All style sheets of a page."""

    _rules: dict[str, list[tuple[int, _StyleRule]]] = field(default_factory=dict)
    _count: int = 0
    _budget: SelectorBudget = field(default_factory=SelectorBudget)
    _variables: dict[str, str] = field(default_factory=dict)
    _cut: bool = False

    @property
    def exhausted(self) -> bool:
        """Tell whether the sheets exceed the budget, so that rules that hide text may be missing."""
        return self._cut or self._budget.left <= 0

    def add(self, css: str) -> None:
        """Add the content of a `<style>` element."""
        self._cut = self._cut or len(css) > MAX_SHEET
        plain = _unescaped(_without_comments(css[:MAX_SHEET]))
        self._variables.update((name, value.strip().lower()) for name, value in _OWN.findall(plain))
        for selectors, body in _blocks(plain):
            style, important = declarations(body, self._variables)
            found, whole = selectors_of(selectors) if style else ([], True)
            self._cut = self._cut or not whole or self._count + len(found) > MAX_RULES
            for selector in found[: MAX_RULES - self._count]:
                self._count += 1
                rule = _StyleRule(selector, style, important)
                for key in selector.keys:
                    self._rules.setdefault(key, []).append((self._count, rule))

    def style_of(self, element: _Element) -> Style:
        """Compute the style of an element from sheets, old attributes and its `style`."""
        own = element.get("style")
        inline, inline_important = declarations(own, self._variables) if own else ({}, frozenset())
        fitting = sorted(self._fitting(element), key=lambda found: (found[1].selector.weight, found[0]))
        result = dict(_attributes(element))
        for _, rule in fitting:
            result.update(rule.style)
        result.update(inline)
        for _, rule in fitting:
            result.update({name: rule.style[name] for name in rule.important if name not in inline_important})
        return result

    def _fitting(self, element: _Element) -> Iterator[tuple[int, _StyleRule]]:
        if not self._rules:
            return
        keys = ["*", str(element.tag), f"#{(element.get('id') or '').lower()}"]
        keys += [f".{name}" for name in (element.get("class") or "").lower().split()]
        for key in keys:
            for number, rule in self._rules.get(key, ()) if self._budget.left > 0 else ():
                if rule.selector.fits(element, self._budget):
                    yield number, rule


def declarations(text: str, variables: Mapping[str, str] = NONE) -> tuple[dict[str, str], frozenset[str]]:
    """Parse properties and values in lower case, and which of them are `!important`."""
    style: dict[str, str] = {}
    important: set[str] = set()
    plain_text = _unescaped(_without_comments(text)) if "\\" in text or "/*" in text else text
    if "--" in plain_text:
        variables = {**variables, **{name: value.strip().lower() for name, value in _OWN.findall(plain_text)}}
    for line in plain_text.split(";"):
        name, colon, value = line.partition(":")
        name, value = name.strip().lower(), value.strip().lower()
        if not colon or name not in _PROPERTIES:
            continue
        plain = value.removesuffix("important").rstrip().removesuffix("!").rstrip()
        if plain != value:
            important.add(name)
        if plain != value or name not in important:
            style[name] = _filled_in(plain, variables)
    return style, frozenset(important)


def _filled_in(value: str, variables: Mapping[str, str]) -> str:
    """Replace variables by the page's values; an unknown one keeps its name or takes its fallback."""
    if "var(" not in value:
        return value
    return _VARIABLE.sub(lambda found: variables.get(found[1]) or (found[2] or "").strip() or found[0], value)


def _unescaped(css: str) -> str:
    """Decode escaped letters, which can disguise a word such as `display`."""
    if "\\" not in css:
        return css

    def letter(found: re.Match[str]) -> str:
        number = int(found[1], 16) if found[1] else 0
        return found[2] or (chr(number) if 0 < number < 0xD800 else "\ufffd")  # noqa: PLR2004 - where halves begin

    return _ESCAPE.sub(letter, css)


def _without_comments(css: str) -> str:
    """Remove comments in linear time, even where one does not end."""
    kept = []
    for number, piece in enumerate(css.replace("<!--", "").replace("-->", "").split("/*")):
        kept.append(piece if number == 0 else piece.partition("*/")[2])
    return "".join(kept)


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and declarations of all rules for the screen; a nested rule carries both selectors."""
    at = 0
    around: list[tuple[str, list[str]]] = []
    for match in _BRACES.finditer(css):
        piece = css[at : match.start()].strip()
        at = match.end()
        if match[0] == "{":
            before, _, prelude = piece.rpartition(";")
            if around:
                around[-1][1].append(before)
            around.append((prelude.strip().lower(), []))
        elif around:
            prelude, pieces = around.pop()
            outer = [one for one, _ in around[: MAX_NESTING + 1]]
            if not prelude.startswith("@") and all(not one.startswith("@") or _holds(one) for one in outer):
                selector = _nested([one for one in outer if not one.startswith("@")], prelude)
                yield selector, ";".join([*pieces, piece])


def _nested(outer: list[str], prelude: str) -> str:
    """Join nested selectors, such as `div { & .x`."""
    if len(outer) > MAX_NESTING:
        return _BEYOND
    whole, *inside = [*outer, prelude]
    for inner in inside:
        around = f":is({whole})"
        if len(inner) + (inner.count("&") + 1) * len(around) > MAX_LENGTH:
            return _BEYOND
        whole = inner.replace("&", around) if "&" in inner else f"{around} {inner}"
    return whole


def _holds(at_rule: str) -> bool:
    """Tell whether a screen of `WIDTH` meets the condition."""
    name, _, condition = at_rule.partition(" ")
    if name.startswith(("@supports", "@layer")):
        return True
    if not name.startswith("@media"):
        return False
    condition = f"{name.removeprefix('@media')} {condition}".strip()
    return not condition or any(_query_holds(one.strip()) for one in condition.split(","))


def _query_holds(query: str) -> bool:
    found = _QUERY.fullmatch(query)
    if found is None:
        return False
    features = _FEATURE.findall(found[2] + found[3])
    kind = found[2] if not found[2].startswith("(") else "all"
    return (kind in {"all", "screen"} and all(map(_feature_holds, features))) != (found[1] == "not")


def _feature_holds(feature: str) -> bool:
    found = _WIDTH.fullmatch(feature)
    if found is None:
        return False
    pixels = float(found[2]) * (1.0 if found[3] in {None, "px"} else 16.0)
    return pixels <= WIDTH if found[1] == "min" else pixels >= WIDTH


def _attributes(element: _Element) -> Iterator[tuple[str, str]]:
    """Yield the styles of attributes from before CSS, such as `bgcolor`."""
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
