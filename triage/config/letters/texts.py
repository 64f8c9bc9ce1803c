"""The texts of letters that need no model: one Markdown file per language, with a Jinja2 block per text.

A folder of the user's may hold files of the same names; each block in them replaces the shipped one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import prompts
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from jinja2 import Template

SHIPPED: Final = prompts.HERE / "letters"
FALLBACK: Final = "en"
SAMPLE: Final[Mapping[str, Any]] = {
    "name": "Ada Byron",
    "signature": "Harbour Support",
    "ticket": "HARB-72",
    "status": "In Progress",
    "slots": ("2026-11-24 10:00",),
    "zone": "Europe/Prague",
    "missing": ("steps",),
    "subject": "Export",
    "limit": 25,
    "done": "- 12 EUR paid back",
    "question": "When do you open?",
    "opens": "2026-11-24 08:00",
    "day": "Tuesday",
    "at": datetime(2026, 11, 24, 8, tzinfo=UTC),
}
"""A value of every variable, for the check at start."""


@dataclass(frozen=True, slots=True)
class LetterTexts:
    """The texts in all languages that there are files for."""

    templates: Mapping[str, tuple["Template", ...]]
    """Language → the user's file and the shipped one; the first one with a block gives the text."""

    def language(self, wanted: str, default: str = FALLBACK) -> str:
        """Return the wanted language if there are texts in it, else the default one, else English."""
        return next(one for one in (wanted, default, FALLBACK) if one in self.templates)

    def text(self, language: str, block: str, values: Mapping[str, Any]) -> str:
        """Render one text. Raises `LookupError` if there is no such block; missing values are empty."""
        known = dict.fromkeys(SAMPLE, "") | dict(values)
        for template in self.templates[language]:
            if block in template.blocks:
                return "".join(template.blocks[block](template.new_context(known))).strip()
        raise LookupError(f"{language}: there is no text {block}")


@cache
def letter_texts(folder: str = "") -> LetterTexts:
    """Read the shipped texts and those of a folder. Raises `SettingsInvalid` with every fault."""
    from jinja2 import Environment, StrictUndefined, TemplateError  # noqa: PLC0415 - only letters need it

    environment = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 - Markdown, escaped when sent
    problems: list[str] = []

    def read(path: Path) -> "Template | None":
        try:
            return environment.from_string(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, TemplateError) as e:
            problems.append(f"{path}: {e}")
            return None

    shipped = {path.stem: template for path in sorted(SHIPPED.glob("*.md")) if (template := read(path))}
    own = _own(folder, problems)
    overriding = {path.stem: template for path in own if (template := read(path))}
    known = frozenset(shipped[FALLBACK].blocks)
    languages = {
        code: tuple(each for each in (overriding.get(code), shipped.get(code)) if each)
        for code in {*shipped, *overriding}
    }
    texts = LetterTexts(languages)
    for path in own:
        problems += _faults(path, texts, known) if path.stem in overriding else ()
    if problems:
        raise SettingsInvalid(tuple(problems))
    return texts


def _own(folder: str, problems: list[str]) -> list[Path]:
    if not folder:
        return []
    found = sorted(Path(folder).glob("*.md"))
    if not found:
        problems.append(f"letters.templates: there is no LANGUAGE.md in {folder}; correct the path, or leave it empty")
    return found


def _faults(path: Path, texts: LetterTexts, known: frozenset[str]) -> Iterator[str]:
    """Yield what is wrong with a file of the user's: unknown blocks, missing ones, unknown variables."""
    from jinja2 import TemplateError  # noqa: PLC0415 - see `letter_texts`

    own = frozenset(texts.templates[path.stem][0].blocks)
    for block in sorted(own - known):
        yield f"{path}: there is no text {block!r}; there are {', '.join(sorted(known))}"
    for block in sorted(known):
        try:
            texts.text(path.stem, block, SAMPLE)
        except LookupError:
            yield f"{path}: {{% block {block} %}} is missing: a language that does not come with Triage needs every text"
        except TemplateError as e:
            yield f"{path}: {{% block {block} %}}: {e}"
