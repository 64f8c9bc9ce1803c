"""Fits the weights by which a young tracker's component is guessed: `python -m tests.training.component_weights`.

By maximum likelihood over mails to six firms (`tests/corpus/dispatch/`), and mails about mail, which are about no component of the first.
Prints them beside the shipped ones, and for each firm how many components are written, and how many rightly, by weights of the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from cli.console import screen
from cli.evaluate.cases.expected import NONE, cases_of
from cli.evaluate.data_files import rows_of
from integrations.mime.message import message_of
from triage.domain.tickets import Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.classifiers.choice_model import choice_model, softmax
from triage.policy.people.expertise import History, history_of, neighbours_of
from triage.policy.text.author_text import body_of, subject_of
from triage.policy.ticket.components import (
    MEANING_WEIGHTS,
    MODEL,
    OF_NONE,
    SURE,
    Known,
    component_features,
    meaning_features,
    namings_of,
)
from triage_sandbox.jira.seed.story import Story

FOLDER: Final = Path(__file__).parents[1] / "corpus" / "dispatch"
FIRMS: Final = ("seen", "instruments", "payroll", "library", "catalogue", "ferry")
"""Those that may be read: the first is the demo's company."""
ABOUT_MAIL: Final = FOLDER / "mail_trouble.jsonl"
WORK: Final = "work"
IMPORTANCE: Final = 0.7
"""Of a mail about mail: such mails are rarer at a desk."""
PENALTY: Final = 0.015
"""Times the squared weights."""
SCALE: Final = np.array([1.0, 1.0, 1.0, 5.0, 1.0])
"""A weight is penalised in this unit: two texts share few words, so their cosine is small."""
SHIPPED: Final = np.array([*MEANING_WEIGHTS, OF_NONE])
BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A mail, what speaks for each component, and which are right."""

    features: NDArray[Any]
    """A row per component, and one for none of them."""
    right: NDArray[Any]
    """Whether the component of the row is right, and none."""
    importance: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    """A project with its components, and what its assigned tickets tell: what a search finds besides is left out."""

    known: Known
    history: History

    @classmethod
    def of_story(cls, story: Story) -> "Firm":
        """Read a firm as the sandbox plants it."""
        parts = story.project.components
        tickets = [
            Ticket(
                key=one.key,
                summary=Untrusted(one.summary),
                description=Untrusted(one.description),
                status=one.status,
                category="",
                issue_type=one.type,
                components=tuple(one.components),
                assignee=Person(id=one.assignee, name=Untrusted(one.assignee)) if one.assignee else None,
                created=BEGIN - timedelta(days=one.created_days_ago),
                updated=BEGIN - timedelta(days=one.updated_days_ago),
            )
            for one in sorted(story.tickets, key=lambda one: one.updated_days_ago)
        ]
        known = Known(names=tuple(one.name for one in parts), texts={one.name: one.description for one in parts})
        return cls(known=known, history=history_of(tuple(tickets)))

    def example(self, title: str, text: str, right: Sequence[str], importance: float = 1.0) -> Example:
        """Return what the product would see of a mail."""
        namings = namings_of(title, text, self.known, self.history)
        neighbours = neighbours_of(title, text, (), self.history)
        words = component_features(self.known.names, namings, neighbours, self.history)
        chances = choice_model(MODEL).probabilities(words)
        rows = meaning_features(chances, title, text, self.known, self.history)
        features = np.zeros((len(rows) + 1, rows.shape[1] + 1))
        features[:-1, :-1], features[-1, -1] = rows, 1.0
        fits = [name in right for name in self.known.names]
        return Example(
            features=features, right=np.array([*fits, NONE in right or not any(fits)]), importance=importance
        )


def examples_of(folder: Path) -> list[Example]:
    """Return the mails of a firm whose component is known."""
    firm = Firm.of_story(Story.of_folder(folder))
    return [
        firm.example(subject_of(mail), body_of(mail), case.expected.component)
        for case in cases_of(folder)
        if case.expected.component
        for mail in [message_of(case.raw)]
    ]


def about_mail() -> Iterator[Example]:
    """Yield mails to the demo's company for which it has no component."""
    firm = Firm.of_story(Story.of_folder(FOLDER / FIRMS[0]))
    for _, row in rows_of(ABOUT_MAIL):
        if row["is"] == WORK:
            yield firm.example(row["subject"], row["text"], (NONE,), IMPORTANCE)


def fitted(examples: Sequence[Example]) -> NDArray[Any]:
    """Return the weights, that of none last, under which the right components are most probable."""

    def loss(scaled: NDArray[Any]) -> tuple[float, NDArray[Any]]:
        weights, total, slope = scaled * SCALE, PENALTY * float(scaled @ scaled), 2 * PENALTY * scaled
        for one in examples:
            chances = softmax(one.features @ weights)
            right = chances * one.right
            total -= one.importance * float(np.log(right.sum()))
            slope = slope + one.importance * SCALE * ((chances - right / right.sum()) @ one.features)
        return total, slope

    found: NDArray[Any] = minimize(loss, np.zeros(len(SCALE)), jac=True, method="L-BFGS-B").x * SCALE
    return found


def written(examples: Sequence[Example], weights: NDArray[Any]) -> NDArray[Any]:
    """Return how many components would be written, and how many of them rightly."""
    counts = np.zeros(2, dtype=int)
    for one in examples:
        chances = softmax(one.features @ weights)[:-1]
        if chances.max() >= SURE:
            counts += (1, int(one.right[chances.argmax()]))
    return counts


def all_examples() -> dict[str, list[Example]]:
    """Return the mails of each firm, and those about mail."""
    return {name: examples_of(FOLDER / name) for name in FIRMS} | {ABOUT_MAIL.stem: list(about_mail())}


def main() -> None:
    """Fit the weights and measure them."""
    examples, out = all_examples(), screen()
    everything = [one for of_firm in examples.values() for one in of_firm]
    out.print(f"{len(everything)} mails: fitted {fitted(everything).round(2)}, shipped {SHIPPED}")
    for left in FIRMS:
        held_out = fitted([one for name in examples if name != left for one in examples[name]])
        by_others, by_shipped = (written(examples[left], weights) for weights in (held_out, SHIPPED))
        out.print(f"{left}: written and right {by_others}, by the shipped weights {by_shipped}")


if __name__ == "__main__":
    main()
