"""`triage eval memory`: measures the rules of the team's memory on labelled mails and notes."""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cli.evaluate.memory.figures import Difference, Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What `--json` prints."""

    mails: int
    kinds: "dict[str, Rate]"
    deadlines: "Rate"
    owners: float
    """Part of the right observations with a labelled owner whose owner is right."""
    notes: int
    """Labelled notes for the reconciliation."""
    notes_right: float
    closings_found: float
    false_closings: int
    seconds: float
    """For all mails."""
    differences: "tuple[Difference, ...]"


def memory(
    folder: Annotated[
        Path,
        typer.Argument(
            exists=True, file_okay=False, help="Labelled mails in .txt files, and notes in its folder reconciliation."
        ),
    ],
    part: Annotated[str, typer.Option(help="Only files whose names begin so, such as held_out.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Tell how many promises, requests, decisions, deadlines and owners the rules find in mails, and which notes they close wrongly."""
    from cli.console import print_json, screen, table

    figures = figures_of(folder, part)
    if as_json:
        print_json(figures)
        return
    rows = [
        (name, str(one.labels), str(one.found), f"{one.precision:.3f}", f"{one.recall:.3f}")
        for name, one in figures.kinds.items()
    ]
    day = figures.deadlines
    rows.append(("deadlines", str(day.labels), str(day.found), f"{day.precision:.3f}", f"{day.recall:.3f}"))
    screen().print(
        table(
            ("kind", "labels", "found", "precision", "recall"),
            rows,
            f"{figures.mails} mails in {figures.seconds:.1f} s",
        )
    )
    screen().print(
        f"owners right: {figures.owners:.3f}; {figures.notes} notes reconciled: {figures.notes_right:.3f} right,"
        f" {figures.closings_found:.3f} of the done ones closed, {figures.false_closings} closed wrongly"
    )
    for one in figures.differences:
        screen().print(f"{one.case}  {one.kind}: {one.what}")


def figures_of(folder: Path, part: str = "") -> Figures:
    """Measure a folder; `part` begins the names of the files that count. Raises `SettingsInvalid` where a file cannot be read."""
    from cli.evaluate.memory.figures import counted, rate
    from cli.evaluate.memory.labelled import labelled_mails
    from cli.evaluate.memory.reconciled import judged, labelled_notes
    from triage.policy.memory.observations import observe

    mails = [one for one in labelled_mails(folder) if one.file.startswith(part)]
    start = perf_counter()
    pairs = [(one, observe(one.mail)) for one in mails]
    seconds = round(perf_counter() - start, 3)
    counts, notes = counted(pairs), judged(labelled_notes(folder))
    return Figures(
        mails=len(mails),
        kinds={kind.value: rate(counts.labels[kind], counts.found[kind], counts.right[kind]) for kind in counts.labels},
        deadlines=rate(counts.days_labelled, counts.days_found, counts.days_right),
        owners=_share(sum(counts.owners), len(counts.owners)),
        notes=notes.notes,
        notes_right=_share(notes.right, notes.notes),
        closings_found=_share(notes.closed, notes.closings),
        false_closings=len(notes.false_closings),
        seconds=seconds,
        differences=(*counts.missed, *counts.false),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0
