"""Trains the models of cues, `python -m tests.training.cues`, from our own labelled sentences and whole mails.

`request_type.npz` tells bug, feature, support and general by words and meaning, `urgency.npz` how far a text presses;
`type_choice.npz` and `priority_choice.npz` weigh that against the lists.

"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import numpy as np

from cli.evaluate.classifiers.linear_training import Options, TextExample, train_and_answer
from cli.evaluate.data_files import rows_of
from tests.training.choice import Choice, calibration_of, weights_of
from tests.training.model_files import write_choice_model, write_classifier
from tests.training.whole_mails import WholeMail, whole_mails
from triage.config.model_files import FOLDER
from triage.domain.conversation import Json
from triage.domain.mail import Message
from triage.policy.classifiers.choice_model import ChoiceModel
from triage.policy.classifiers.linear_classifier import FeatureShape
from triage.policy.cues.ensemble import (
    MEANT,
    PRIORITIES,
    PRIORITY_CHOICE,
    PRIORITY_FACTS,
    TYPE_CHOICE,
    TYPE_FACTS,
    TYPES,
    features_of,
    names_of,
    priority_facts,
    type_facts,
)
from triage.policy.cues.semantic_cues import TYPE, URGENCY, judged
from triage.policy.decision.disposition.text_classes import core_of
from triage.policy.text.cues import ListedCues, listed_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

SENTENCES: Final = Path(__file__).parents[1] / "corpus" / "cues"
EASY, HARD = "train.jsonl", "hard.jsonl"
WEIGHT: Final = {EASY: 1.0, HARD: 3.0}
"""How often a sentence counts: the hard ones are fewer, and more like mails."""
OPTIONS: Final = Options(shape=FeatureShape(shortest=2, longest=5, meaning=1.0), penalty=1e-4)
PENALTY: Final = 1e-3
"""Of the weights by which lists and meaning are weighed."""
KEPT: Final = 3
"""One of so many easy sentences and mails is weighed: the lists were made with them, and err more elsewhere."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled text: a short one as it is judged, or a whole mail."""

    subject: str
    text: str
    expect: Mapping[str, Any]
    weight: float = 1.0
    whole: bool = False

    def example(self, label: str) -> TextExample:
        """Return it as an example of a classifier."""
        cut = core_of if self.whole else judged
        return TextExample(cut(self.subject, self.text), label, weight=self.weight)

    def listed(self) -> ListedCues:
        """Return what the lists say of it."""
        return listed_of(Message.of_text(self.subject, self.text))


def _type(expect: Mapping[str, Any]) -> str:
    return _first(expect.get("type"))


def _urgency(expect: Mapping[str, Any]) -> str:
    return MEANT.get(_first(expect.get("priority")), "")


def _first(accepted: str | list[str] | None) -> str:
    """Return the label, of several accepted ones the first."""
    return accepted[0] if isinstance(accepted, list) else accepted or ""


LABELS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    TYPE: _type,
    URGENCY: _urgency,
}
"""Classifier → what reads its label from what is expected; empty: the sample is no example."""


def samples_of(sentences: Path = SENTENCES, mails: Iterable[WholeMail] | None = None) -> Iterator[Sample]:
    """Yield the sentences of a folder and the whole mails."""
    for name, weight in WEIGHT.items():
        for _, row in rows_of(sentences / name):
            yield Sample(row.get("subject", ""), row["text"], row["expect"], weight)
    for mail in whole_mails() if mails is None else mails:
        yield Sample(mail.subject, mail.text, {"type": mail.type, "priority": mail.priority}, whole=True)


def checksum_of(sentences: str, mails: Iterable[object]) -> int:
    """Return a number that tells by which sentences and mails a model was trained."""
    return crc32("\n".join((sentences, *map(repr, mails))).encode())


def retrain(sentences: Path = SENTENCES, folder: Path = FOLDER, mails: Iterable[WholeMail] | None = None) -> None:
    """Write the models."""
    samples = list(samples_of(sentences, mails))
    about: dict[str, Json] = {"trained_on": f"{len(samples)} sentences and mails", "checksum": checksum_of("", samples)}
    chances = {}
    for model, label_of in LABELS.items():
        known = [(number, label) for number, one in enumerate(samples) if (label := label_of(one.expect))]
        examples = [samples[number].example(label) for number, label in known]
        trained, held_out = train_and_answer(examples, OPTIONS)
        write_classifier(folder / f"{model}.npz", trained, about)
        answers = (dict(zip(trained.labels, map(float, row), strict=True)) for row in held_out)
        chances[model] = dict(zip((number for number, _ in known), answers, strict=True))
    weighed = [
        Weighed(one, one.listed(), chances[TYPE].get(number, {}), chances[URGENCY].get(number, {}))
        for number, one in enumerate(samples)
        if one.weight > 1 or crc32(one.text.encode()) % KEPT == 0
    ]
    types = _fitted(names_of(TYPES, TYPE_FACTS), [one for each in weighed if (one := each.type_choice())])
    write_choice_model(folder / f"{TYPE_CHOICE}.npz", types, about)
    priorities = [one for each in weighed if (one := each.priority_choice(types))]
    write_choice_model(
        folder / f"{PRIORITY_CHOICE}.npz", _fitted(names_of(PRIORITIES, PRIORITY_FACTS), priorities), about
    )


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sample, what the lists say of it, and what the classifiers say that were trained without it."""

    sample: Sample
    listed: ListedCues
    types: Mapping[str, float]
    urgencies: Mapping[str, float]

    @property
    def _fixed(self) -> bool:
        return self.listed.fixed.value == "yes"

    def _type_features(self) -> "NDArray[Any]":
        facts = type_facts(self.listed.kind, fixed=self._fixed)
        return features_of(TYPES, [self.types.get(label, 0.0) for label in TYPES], facts)

    def type_choice(self) -> Choice | None:
        """Return the types with their features and the right one; None where the lists alone decide."""
        right = _type(self.sample.expect)
        if not (right and self.listed.kind_text.text):
            return None
        return Choice(self._type_features(), TYPES.index(right))

    def priority_choice(self, types: ChoiceModel) -> Choice | None:
        """Return the priorities with their features and the right one; None where the lists alone decide."""
        right, text = _first(self.sample.expect.get("priority")), self.listed.priority_text
        if not (right and text.text) or text.long or self.listed.priority.settled:
            return None
        kind = self.listed.kind.value
        if self.types and self.listed.kind_text.text:
            kind = TYPES[int((self._type_features() @ types.weights).argmax())]
        facts = priority_facts(self.listed.priority, kind, fixed=self._fixed)
        return Choice(
            features_of(PRIORITIES, [self.urgencies[MEANT[label]] for label in PRIORITIES], facts),
            PRIORITIES.index(right),
        )


def _fitted(names: Sequence[str], choices: Sequence[Choice]) -> ChoiceModel:
    weights = weights_of(choices, PENALTY)
    return ChoiceModel(
        features=tuple(names),
        weights=weights,
        calibration=calibration_of(choices, weights),
        thresholds=np.array([(0.0, 0.0), (1.0, 1.0)]),
    )


if __name__ == "__main__":
    retrain()
