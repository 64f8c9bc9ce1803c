"""Trains `triage/models/components.npz` and `assignment.npz` on a tracker's history, in the order of time.

    python -m tests.training.assignment HISTORY.jsonl.gz

The first 80 % of the questions give the weights; the calibration is measured on the last quarter of these, by weights of the rest. The
last 20 % are never looked at. Half of the questions of people know the component, half guess it.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from cli.console import screen
from cli.evaluate.history import Past, Snapshot, moments, read_past
from tests.training.choice import Choice, train
from tests.training.model_files import write_choice_model
from triage.config.model_files import FOLDER
from triage.policy.classifiers.choice_model import ChoiceModel
from triage.policy.people.expertise import MODEL_FEATURES, History, Neighbours, expertise_of, history_of, neighbours_of
from triage.policy.ticket import components as guessing

FIRST: Final = 1_000
"""Questions at the beginning that are left out: little is known then."""
EVERY: Final = 4
"""One of so many tickets is a question."""
FIT: Final = 0.6
CALIBRATE: Final = 0.8


def questions_of(tickets: Sequence[Past], first: int = FIRST, every: int = EVERY) -> list[str]:
    """Return the tickets that are asked about: fixed by somebody, before the part that nobody looks at."""
    fixed = [past.id for past in tickets if past.assignee and past.fixed]
    return fixed[first : int(len(fixed) * CALIBRATE) : every]


def examples(tickets: Sequence[Past], asked: Sequence[str]) -> Iterator[tuple[Snapshot, History, Neighbours]]:
    """Yield each question with what is learnt from closed tickets."""
    for moment in moments(tickets, set(asked), closed_only=True):
        history = history_of(moment.assigned)
        yield moment, history, neighbours_of(moment.asked.summary, moment.asked.description, moment.found, history)


def component_choice(moment: Snapshot, history: History, neighbours: Neighbours) -> Choice:
    """Return the components to choose from."""
    known = guessing.Known(names=moment.components)
    namings = guessing.namings_of(moment.asked.summary, moment.asked.description, known, history)
    features = guessing.component_features(known.names, namings, neighbours, history)
    right = [at for at, name in enumerate(known.names) if name in moment.asked.components]
    return Choice(features, right[0] if right else None)


def person_choice(moment: Snapshot, history: History, neighbours: Neighbours, components: dict[str, float]) -> Choice:
    """Return the people to choose from."""
    learnt = expertise_of(neighbours, history, components, neighbours.people)
    return Choice(learnt.features(), learnt.people.get(moment.asked.assignee))


def parts(choices: Sequence[Choice]) -> tuple[Sequence[Choice], Sequence[Choice]]:
    """Return the choices to fit, and those to calibrate."""
    cut = int(len(choices) * FIT / CALIBRATE)
    return choices[:cut], choices[cut:]


def main(path: Path, folder: Path = FOLDER, *, first: int = FIRST, every: int = EVERY) -> None:
    """Train and write both models."""
    tickets = read_past([path])
    known = list(examples(tickets, questions_of(tickets, first, every)))
    asked = [(m, component_choice(m, h, n)) for m, h, n in known]
    components = train(guessing.FEATURES, *parts([choice for moment, choice in asked if moment.asked.components]))
    _write(components, folder / f"{guessing.MODEL}.npz", path, len(asked))
    people = []
    for turn, (moment, history, neighbours) in enumerate(known):
        if turn % 2:
            given = dict.fromkeys(moment.asked.components, 1 / max(1, len(moment.asked.components)))
        else:
            chances = components.probabilities(asked[turn][1].features)
            given = dict(zip(moment.components, map(float, chances), strict=True))
        people.append(person_choice(moment, history, neighbours, given))
    model = train(MODEL_FEATURES, *parts(people))
    _write(model, folder / "assignment.npz", path, len(people))
    screen().print(f"{len(people)} questions; {folder / f'{guessing.MODEL}.npz'} and assignment.npz are written")


def _write(model: ChoiceModel, path: Path, source: Path, count: int) -> None:
    write_choice_model(path, model, {"trained on": source.parent.name, "questions": count})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
