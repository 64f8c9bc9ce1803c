"""Parses CSS selectors, and matches them against an element."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from lxml.etree import _Element

MAX_TOKENS: Final = 30
MAX_LENGTH: Final = 1000
MAX_TRIES: Final = 200_000
"""Tries per page; matching is quadratic, and beyond this limit sheets are ignored."""

_TOKEN: Final = re.compile(
    r"\s*(?P<combinator>[>+~])\s*|(?P<blank>\s+)|(?P<sign>[.#])(?P<name>(?:[\w-]|[^\x00-\x7f])+)"
    r"|\[\s*(?P<attribute>[\w-]+)\s*(?:(?P<how>[~|^$*]?=)\s*(?:\"(?P<a>[^\"]*)\"|'(?P<b>[^']*)'|(?P<c>[^\]\s]*))\s*[is]?\s*)?\]"
    r"|:(?P<test>[a-z-]+)(?:\((?P<of>[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*)\))?"
    r"|(?P<tag>\*|[a-z][\w-]*)"
)
_SIGNS: Final = re.compile(r"[(),]")
_STEPS: Final = re.compile(r"\s*(?:(?P<word>odd|even)|(?P<a>[+-]?\d*)n\s*(?P<b>[+-]\s*\d+)?|(?P<one>\d+))\s*")
_OF_ONE: Final = frozenset({"first-child", "last-child", "only-child", "root", "checked", "link", "any-link"})
_OF_MANY: Final = {"not": "not", "is": "is", "where": "is", "matches": "is", "has": "has"}


@dataclass(slots=True)
class SelectorBudget:
    """Limits the matching of all sheets and elements of a page together."""

    left: int = MAX_TRIES

    def spend(self) -> bool:
        """Count one try; return False when the budget is spent."""
        self.left -= 1
        return self.left > 0


@dataclass(frozen=True, slots=True)
class Compound:
    """Conditions on one element: `td.note[hidden]:first-child`."""

    tag: str = ""
    ids: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str], ...] = ()
    tests: tuple[Callable[[_Element, SelectorBudget], bool], ...] = ()

    def fits(self, element: _Element, budget: SelectorBudget) -> bool:
        """Tell whether the element meets all conditions; names ignore case, since mails have no doctype."""
        if not budget.spend() or self.tag not in {"", "*", element.tag}:
            return False
        if self.ids and (element.get("id") or "").lower() not in self.ids:
            return False
        if self.classes and not self.classes <= set((element.get("class") or "").lower().split()):
            return False
        if not all(_attribute_fits(element.get(name), how, want) for name, how, want in self.attributes):
            return False
        return all(test(element, budget) for test in self.tests)


@dataclass(frozen=True, slots=True)
class Selector:
    """Compounds from the innermost outwards, each with its combinator."""

    compounds: tuple[Compound, ...]
    ways: tuple[str, ...]

    def fits(self, element: _Element, budget: SelectorBudget, at: int = 0) -> bool:
        """Tell whether the element and its surroundings match."""
        if not self.compounds[at].fits(element, budget):
            return False
        if at == len(self.ways):
            return True
        return any(self.fits(other, budget, at + 1) for other in _others(element, self.ways[at], budget))

    @property
    def keys(self) -> Iterable[str]:
        """Return the keys of an index: the rarest conditions on the element itself."""
        own = self.compounds[0]
        if own.ids:
            return (f"#{next(iter(own.ids))}",)
        return (f".{next(iter(own.classes))}",) if own.classes else (own.tag or "*",)

    @property
    def weight(self) -> tuple[int, int, int]:
        """Return the specificity; of two matching rules the higher one counts."""
        return (
            sum(len(one.ids) for one in self.compounds),
            sum(len(one.classes) + len(one.attributes) + len(one.tests) for one in self.compounds),
            sum(one.tag not in {"", "*"} for one in self.compounds),
        )


def selectors_of(text: str) -> tuple[list[Selector], bool]:
    """Parse a list of selectors, and tell whether none was too long.

    Selectors that need a mouse (`:hover`) or match no element hide nothing when the mail is opened, and are left out.
    """
    listed = list(_listed(text.lower()))
    short = [one for one in listed if len(one) <= MAX_LENGTH and len(_TOKEN.findall(one)) <= MAX_TOKENS]
    return [selector for one in short if (selector := _selector(one))], len(short) == len(listed)


def _listed(text: str) -> Iterator[str]:
    """Split at commas outside parentheses."""
    depth = begin = 0
    for sign in _SIGNS.finditer(text):
        depth += {"(": 1, ")": -1, ",": 0}[sign[0]]
        if sign[0] == "," and depth == 0:
            yield text[begin : sign.start()].strip()
            begin = sign.end()
    yield text[begin:].strip()


@dataclass(slots=True)
class _Draft:
    """A compound while it is parsed."""

    tag: str = ""
    ids: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    tests: list[Callable[[_Element, SelectorBudget], bool]] = field(default_factory=list)

    def take(self, token: Mapping[str, str | None]) -> bool:
        """Add one condition; return False if it is unknown."""
        if token["sign"]:
            (self.ids if token["sign"] == "#" else self.classes).add(token["name"] or "")
        elif token["attribute"]:
            want = token["a"] or token["b"] or token["c"] or ""
            self.attributes.append((token["attribute"], token["how"] or "", want))
        elif token["test"]:
            test = _test(token["test"], token["of"])
            self.tests += [test] if test else []
            return test is not None
        else:
            self.tag = token["tag"] or ""
        return True

    def done(self) -> Compound:
        return Compound(
            self.tag, frozenset(self.ids), frozenset(self.classes), tuple(self.attributes), tuple(self.tests)
        )


def _selector(text: str) -> Selector | None:
    drafts, ways, at = [_Draft()], list[str](), 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        at = match.end()
        if way := match["combinator"] or match["blank"]:
            drafts.append(_Draft())
            ways.append(way.strip() or " ")
        elif not drafts[-1].take(match.groupdict()):
            return None
    return Selector(tuple(draft.done() for draft in reversed(drafts)), tuple(reversed(ways))) if text else None


def _others(element: _Element, way: str, budget: SelectorBudget) -> Iterator[_Element]:
    """Yield the elements that a combinator leads to, within the budget."""
    match way:
        case ">":
            found: Iterable[_Element] = (one for one in (element.getparent(),) if one is not None)
        case "+":
            found = (one for one in (_sibling(element, before=True),) if one is not None)
        case "~":
            found = element.itersiblings("*", preceding=True)
        case _:
            found = element.iterancestors()
    for one in found:
        if not budget.spend():
            return
        yield one


def _sibling(element: _Element, *, before: bool) -> _Element | None:
    return next(iter(element.itersiblings("*", preceding=before)), None)


def _test(name: str, of: str | None) -> Callable[[_Element, SelectorBudget], bool] | None:
    """Return the test of a pseudo-class that applies to a page when it opens; None if it is unknown."""
    if name in _OF_ONE and of is None:
        return lambda element, _: _stands(element, name)
    if name in _OF_MANY and of is not None:
        return _group(_OF_MANY[name], tuple(selectors_of(of)[0]))
    if name in {"nth-child", "nth-last-child"} and (steps := _STEPS.fullmatch(of or "")):
        a, b = _steps(steps.groupdict())
        return lambda element, budget: _counts(element, a, b, budget, before=name == "nth-child")
    return None


def _group(kind: str, selectors: tuple[Selector, ...]) -> Callable[[_Element, SelectorBudget], bool]:
    def among(element: _Element, budget: SelectorBudget) -> bool:
        return any(one.fits(element, budget) for one in selectors)

    def inside(element: _Element, budget: SelectorBudget) -> bool:
        return any(among(one, budget) for one in element.iterdescendants("*") if budget.spend())

    return {"is": among, "has": inside, "not": lambda element, budget: not among(element, budget)}[kind]


def _stands(element: _Element, name: str) -> bool:
    first, last = (_sibling(element, before=before) is None for before in (True, False))
    match name:
        case "root":
            return element.getparent() is None
        case "checked":
            return element.get("checked") is not None or element.get("selected") is not None
        case "link" | "any-link":
            return element.tag == "a" and element.get("href") is not None
    return {"first-child": first, "last-child": last, "only-child": first and last}[name]


def _steps(found: Mapping[str, str | None]) -> tuple[int, int]:
    """Parse `2n+1` to two numbers."""
    if found["word"]:
        return 2, int(found["word"] == "odd")
    if found["one"]:
        return 0, int(found["one"][:6])
    a = found["a"] or ""
    return int(f"{a}1" if a in {"", "+", "-"} else a[:6]), int((found["b"] or "0").replace(" ", "")[:6])


def _counts(element: _Element, a: int, b: int, budget: SelectorBudget, *, before: bool) -> bool:
    place = 1
    for _ in element.itersiblings("*", preceding=before):
        if not budget.spend():
            return False
        place += 1
    return place == b if a == 0 else (place - b) % a == 0 and (place - b) // a >= 0


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
        "|=": have == want or have.startswith(f"{want}-"),
    }
    return tests.get(how, False)
