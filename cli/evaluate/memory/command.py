"""`triage eval memory`: measures the rules of the team's memory on labelled mails and notes."""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import print_json, screen, table
from cli.evaluate.report import ReportPage, bars
from cli.verb import AsJson

if TYPE_CHECKING:
    from cli.evaluate.memory.figures import Difference, PrecisionRecall

RATE_COLUMNS: Final = ("kind", "labels", "found", "precision", "recall")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFigures:
    """What `--json` prints."""

    mails: int
    kinds: "dict[str, PrecisionRecall]"
    deadlines: "PrecisionRecall"
    owners: float
    """Part of the right observations with a labelled owner whose owner is right."""
    notes: int
    """Labelled notes for the reconciliation."""
    notes_right: float
    closings_found: float
    false_closings: int
    agent_closings: float
    """Part of the done notes that code lets an agent close."""
    agent_false_closings: int
    """Open notes that it would let an agent close that closes everything."""
    seconds: float
    """For all mails."""
    differences: "tuple[Difference, ...]"

    @property
    def rates(self) -> "dict[str, PrecisionRecall]":
        """The kinds, and the deadlines as one more."""
        return {**self.kinds, "deadlines": self.deadlines}


LabelledFolder = Annotated[
    Path,
    typer.Argument(
        exists=True, file_okay=False, help="Labelled mails in .txt files, and notes in its folder reconciliation."
    ),
]


def memory(
    folder: LabelledFolder,
    part: Annotated[str, typer.Option(help="Only files whose names begin so, such as held_out.")] = "",
    as_json: AsJson = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with tables and plots.")] = None,
) -> None:
    """Tell how many promises, requests, decisions, deadlines and owners the rules find in mails, and which notes they close wrongly."""
    figures = figures_of(folder, part)
    if html is not None:
        _page(folder.name, figures).write(html)
    if as_json:
        print_json(figures)
    else:
        _print(figures)


def _print(figures: MemoryFigures) -> None:
    rows = [
        (kind, str(one.labels), str(one.found), f"{one.precision:.3f}", f"{one.recall:.3f}")
        for kind, one in figures.rates.items()
    ]
    screen().print(table(RATE_COLUMNS, rows, f"{figures.mails} mails in {figures.seconds:.1f} s"))
    screen().print(
        f"owners right: {figures.owners:.3f}; {figures.notes} notes reconciled: {figures.notes_right:.3f} right,"
        f" {figures.closings_found:.3f} of the done ones closed, {figures.false_closings} closed wrongly;"
        f" an agent that closes everything: {figures.agent_closings:.3f} of the done ones, {figures.agent_false_closings} wrongly"
    )
    for one in figures.differences:
        screen().print(f"{one.case}  {one.kind}: {one.what}")


def _page(name: str, figures: MemoryFigures) -> "ReportPage":
    rates = figures.rates
    page = ReportPage("The team's memory", f"{name}: {figures.mails} mails, {figures.notes} notes with sent mail.")
    rows = [(kind, one.labels, one.found, one.precision, one.recall) for kind, one in rates.items()]
    page.table("What rules find in mails", RATE_COLUMNS, rows)
    page.plot("Precision", bars({kind: one.precision for kind, one in rates.items()}, top=1.0))
    page.plot("Recall", bars({kind: one.recall for kind, one in rates.items()}, top=1.0))
    _add_closings(page, figures)
    differences = [(one.case, one.kind, one.what) for one in figures.differences]
    page.table("Missed, or not said", ("mail", "kind", "words"), differences)
    return page


def _add_closings(page: "ReportPage", figures: MemoryFigures) -> None:
    """Show which notes are closed, rightly and wrongly."""
    shares = {
        "notes right": figures.notes_right,
        "done ones closed": figures.closings_found,
        "agent may close": figures.agent_closings,
    }
    page.plot("Reconciliation", bars(shares, top=1.0))
    wrong = {"by rules": figures.false_closings, "by an agent that closes all": figures.agent_false_closings}
    page.figures("Notes closed wrongly", wrong)


def figures_of(folder: Path, part: str = "") -> MemoryFigures:
    """Measure a folder; `part` begins the names of the files that count. Raises `SettingsInvalid` where a file cannot be read."""
    from cli.evaluate.memory.figures import counted, rate
    from cli.evaluate.memory.labelled import labelled_mails
    from cli.evaluate.memory.reconciled import closed_by_anyone, judged, labelled_notes
    from triage.policy.memory.observations import observe

    mails = [one for one in labelled_mails(folder) if one.file.startswith(part)]
    start = perf_counter()
    pairs = [(one, observe(one.mail)) for one in mails]
    seconds = round(perf_counter() - start, 3)
    labelled = labelled_notes(folder)
    counts, notes, (done, wrong) = counted(pairs), judged(labelled), closed_by_anyone(labelled)
    return MemoryFigures(
        mails=len(mails),
        kinds={kind.value: rate(counts.labels[kind], counts.found[kind], counts.right[kind]) for kind in counts.labels},
        deadlines=rate(counts.days_labelled, counts.days_found, counts.days_right),
        owners=_share(sum(counts.owners), len(counts.owners)),
        notes=notes.notes,
        notes_right=_share(notes.right, notes.notes),
        closings_found=_share(notes.closed, notes.closings),
        false_closings=len(notes.false_closings),
        agent_closings=_share(done, notes.closings),
        agent_false_closings=wrong,
        seconds=seconds,
        differences=(*counts.missed, *counts.false),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0
