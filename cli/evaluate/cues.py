"""`triage eval cues`: measures what the word lists find in labelled sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.console import print_json, screen, table
from cli.evaluate.data_files import rows_of
from cli.verb import AsJson

if TYPE_CHECKING:
    from triage.domain.findings import Cues
    from triage.domain.tickets import Person

VALUES: Final = ("priority", "type", "fixed")
"""Cues with one value; a list of them means that each is right."""
SETS: Final = ("technologies", "people")
"""Cues with any number of values, all of which must be found and no others."""


@dataclass(slots=True)
class Score:
    """How many sentences were judged by a cue, and of how many it was right."""

    checked: int = 0
    exact: int = 0


@dataclass(slots=True)
class CueFigures:
    """What `--json` prints."""

    sentences: int = 0
    exact: int = 0
    """Sentences in which every judged cue was right."""
    per_cue: dict[str, Score] = field(default_factory=lambda: {cue: Score() for cue in (*VALUES, *SETS)})


@dataclass(frozen=True, slots=True)
class CueMiss:
    """A cue that was not what was expected."""

    lang: str
    text: str
    cue: str
    expected: str
    got: str
    evidence: tuple[str, ...]


File = Annotated[
    Path,
    typer.Argument(
        exists=True,
        dir_okay=False,
        help="One sentence a line as JSON: lang, subject, text, expect{priority, type, technologies, people, fixed}; "
        "what is absent is not judged, a list of values for priority, type or fixed accepts each.",
    ),
]
People = Annotated[
    Path | None, typer.Option(exists=True, dir_okay=False, help="The people that may be named: id, name, email.")
]
Html = Annotated[Path | None, typer.Option(help="Write a report with a plot and all misses.")]
Show = Annotated[bool, typer.Option("--show", help="List what was read wrongly, on standard error.")]


def cues(file: File, people: People = None, as_json: AsJson = False, html: Html = None, show: Show = False) -> None:
    """Read labelled sentences and say how often each cue is right."""
    figures, misses = evaluated(file, people)
    if html:
        _report(file, figures, misses, html)
    if show:
        rows = [(one.lang, one.text, one.cue, one.expected, one.got, ", ".join(one.evidence)) for one in misses]
        screen(error=True).print(table(("lang", "text", "cue", "expected", "got", "evidence"), rows))
    if as_json:
        print_json(figures)
        return
    scores = [(cue, score) for cue, score in figures.per_cue.items() if score.checked]
    shares = [(cue, str(score.checked), f"{score.exact / score.checked:.1%}") for cue, score in scores]
    title = f"{figures.sentences} sentences, {figures.exact} right in every cue"
    screen().print(table(("cue", "judged", "exact"), shares, title))


def _report(file: Path, figures: CueFigures, misses: Sequence[CueMiss], html: Path) -> None:
    from cli.evaluate import report

    shares = {cue: score.exact / score.checked for cue, score in figures.per_cue.items() if score.checked}
    page = report.ReportPage(
        f"triage eval cues {file.name}", f"{figures.sentences} sentences, {figures.exact} right in every cue."
    )
    page.plot("Exact by cue", report.bars(shares, top=1.0))
    for cue in VALUES:
        missed = [(one.lang, one.text, one.expected, one.got) for one in misses if one.cue == cue]
        page.table(f"Misses: {cue}", ("lang", "text", "expected", "got"), missed)
    page.write(html)


def evaluated(file: Path, people: Path | None = None) -> tuple[CueFigures, list[CueMiss]]:
    """Read the sentences one by one. Raises `SettingsInvalid` for a line that is none."""
    from triage.domain.mail import Message
    from triage.policy.text.cues import cues_of

    known = _people(people)
    figures, misses = CueFigures(), []
    for _, row in rows_of(file, ("text", "expect")):
        mail = Message.of_text(row.get("subject") or "", row["text"])
        found = cues_of(mail, known)
        wrong = [
            CueMiss(row.get("lang", ""), f"{mail.subject}: {mail.text}", cue, _shown(row["expect"][cue]), got, evidence)
            for cue, got, evidence in _judged(found, row["expect"], known, figures)
        ]
        figures.sentences += 1
        figures.exact += not wrong
        misses += wrong
    return figures, misses


def _people(file: Path | None) -> tuple["Person", ...]:
    from triage.domain.tickets import Person
    from triage.domain.untrusted import Untrusted

    rows = rows_of(file, ("id", "name")) if file else ()
    return tuple(
        Person(id=str(row["id"]), name=Untrusted(row["name"]), email=row.get("email") or "") for _, row in rows
    )


def _judged(
    found: "Cues", expect: Mapping[str, Any], known: Sequence["Person"], figures: CueFigures
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Count the judged cues; yield cue, answer and evidence of each that is wrong."""
    for cue in VALUES:
        if cue in expect:
            answer = getattr(found, cue)
            right = answer.value.casefold() in _accepted(expect[cue])
            if not _counted(figures.per_cue[cue], right=right):
                yield cue, answer.value, answer.evidence
    for cue, got in (("technologies", [one.value for one in found.technologies]), ("people", list(found.people))):
        if cue in expect:
            named = _identified(known) if cue == "people" else _technology
            right = set(map(named, got)) == set(map(named, expect[cue]))
            if not _counted(figures.per_cue[cue], right=right):
                yield cue, ", ".join(got), ()


def _counted(score: Score, *, right: bool) -> bool:
    score.checked += 1
    score.exact += right
    return right


def _accepted(value: Any) -> set[str]:
    """Return the accepted answers; true and false mean yes and no."""
    each = value if isinstance(value, list) else [value]
    return {("yes" if one else "no") if isinstance(one, bool) else str(one).casefold() for one in each}


def _identified(known: Sequence["Person"]) -> Callable[[str], str]:
    """Return what finds the id of a person who is named by id, name or address; other words stay as they are."""
    ids = {name.casefold(): person.id for person in known for name in (person.email, person.name, person.id) if name}
    return lambda name: ids.get(name.casefold(), name.casefold())


def _technology(name: str) -> str:
    """Return the technology that a name stands for; a name that is not listed stands for itself."""
    from triage.policy.text.technologies import technologies_in

    return next((found.value for found in technologies_in(name)), name).casefold()


def _shown(value: Any) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)
