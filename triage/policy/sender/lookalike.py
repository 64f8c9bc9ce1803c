"""Detects senders that imitate a known person or domain: look-alike letters, foreign addresses under known names."""

# ruff: noqa: RUF001 - letters that deceive the eye are what this module is about
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from triage.domain.mail import Address
from triage.domain.tickets import Person
from triage.policy.sender.mail_hosts import PUBLIC

SCRIPTS: Final = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
"""Scripts with letters of the same shape; no word of any language mixes them."""
LONGEST: Final = 300
"""Characters of a name that are compared."""

_PAIRS: Final = (
    ("аɑα", "a"), ("с", "c"), ("ԁ", "d"), ("еε", "e"), ("һ", "h"), ("іι1|lｌ", "l"), ("ј", "j"), ("к", "k"),
    ("м", "m"), ("п", "n"), ("оο0օ", "o"), ("рρ", "p"), ("ѕ", "s"), ("т", "t"), ("υս", "u"), ("ν", "v"),
    ("ԝ", "w"), ("хχ", "x"), ("уγ", "y"), ("в", "b"), ("н", "h"), ("g", "g"), ("i", "l"),
)  # fmt: skip
ALIKE: Final = str.maketrans({letter: plain for letters, plain in _PAIRS for letter in letters})
"""Letters that look alike, and the one that stands for all of them."""
_ADDRESS: Final = re.compile(r"[^\s<>\"'@]{1,64}@([A-Za-z0-9.-]{1,255})")


_ASIDE: Final = re.compile(r"\([^()]*\)")


def lookalike(sender: Address, people: Iterable[Person], domains: Iterable[str]) -> tuple[str, ...]:
    """Return what is deceptive about the sender; `people` are those of the project, `domains` are our own."""
    return tuple(_signs(sender, tuple(people), frozenset(map(str.lower, domains))))


def _signs(sender: Address, people: Sequence[Person], domains: frozenset[str]) -> Iterator[str]:
    name, domain = " ".join(str(sender.name)[:LONGEST].split()), readable(sender.domain)
    for what, text in (("name", name), ("domain", domain)):
        if any(map(mixed, re.split(r"[\W\d_]+", text))):
            yield f"{what} mixes scripts: {text}"
    yield from imitations(sender, people, domains, proven=False)
    claimed = _ADDRESS.search(name)
    if claimed and claimed[1].lower().rstrip(".") != sender.domain:
        yield f"name is an address of {claimed[1].lower()}"


def imitations(sender: Address, people: Iterable[Person], domains: Iterable[str], *, proven: bool) -> Iterator[str]:
    """Yield how the sender resembles one of us, the people of the project and our domains, without being it.

    Who is `proven` to write from another firm bears the same name by chance.
    """
    name, domain = " ".join(str(sender.name)[:LONGEST].split()), readable(sender.domain)
    people, ours = tuple(people), frozenset(map(str.lower, domains))
    known = next((one.name for one in people if _like(name, " ".join(one.name.split()))), "")
    if known:
        yield f"name looks like {known}"
    namesake = next((one for one in people if _same_name(name, one.name) and _foreign(sender, one, ours)), None)
    if namesake and not (proven and sender.domain not in PUBLIC):
        yield f"name is that of {namesake.name}, the address is not"
    if house := next((one for one in ours if _like(domain, one)), ""):
        yield f"domain looks like {house}: {domain}"


def person_of(sender: Address, people: Iterable[Person]) -> str:
    """Return the id of the person whom a proven sender is: by address, or by name where Jira hides it; empty for a stranger.

    A proven sender from elsewhere with the name of one of us is none of us, and not proven any more: see `lookalike`.
    """
    known = tuple(people)
    found = next((one for one in known if one.email and one.email.casefold() == sender.address), None)
    named = found or next((one for one in known if not one.email and _same_name(str(sender.name), one.name)), None)
    return named.id if named else ""


def _same_name(name: str, known: str) -> bool:
    """Compare first and last name in any order; a single word (`Support`) matches nobody."""
    words, theirs = (sorted(skeleton(_ASIDE.sub(" ", one)).replace(",", " ").split()) for one in (name, known))
    return len(words) > 1 and words == theirs


def _foreign(sender: Address, person: Person, domains: frozenset[str]) -> bool:
    """Tell whether the address is neither that person's nor in one of our domains; False if no domain is known."""
    theirs = person.email.lower()
    houses = domains | {theirs.rpartition("@")[2]} - {""}
    at_home = any(sender.domain == house or sender.domain.endswith(f".{house}") for house in houses)
    return bool(houses) and sender.address != theirs and not at_home


def mixed(word: str) -> bool:
    """Tell whether a word has letters of two scripts that look alike."""
    if word.isascii():
        return False
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha()}
    return len(scripts & SCRIPTS) > 1


def readable(domain: str) -> str:
    """Decode the punycode labels of a domain."""
    return ".".join(map(_label, domain[:LONGEST].lower().split(".")))


def _label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def skeleton(text: str) -> str:
    """Replace letters by those that they look like; accents stay, since Muller and Müller are two names."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(ALIKE)
    return plain.replace("rn", "m").replace("vv", "w")


def _like(text: str, known: str) -> bool:
    """Tell whether a different text looks like a known one."""
    same = unicodedata.normalize("NFKC", text).casefold() == unicodedata.normalize("NFKC", known).casefold()
    return bool(text) and not same and skeleton(text) == skeleton(known)
