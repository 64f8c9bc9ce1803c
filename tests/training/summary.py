"""Trains what a summary is made with, `python -m tests.training.summary`, from our own whole mails.

`key_sentence.npz` ranks the sentences by how well they say what is wrong or wanted, `subject_line.npz` what a subject says of that.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from cli.console import screen
from cli.evaluate.classifiers.linear_training import Options, TextExample, train
from cli.evaluate.data_files import rows_of
from tests.training.cues import checksum_of
from tests.training.model_files import write_classifier
from tests.training.ranking import Choice, share_found, train_ranking
from triage.config.model_files import FOLDER
from triage.domain.conversation import Json
from triage.domain.untrusted import Untrusted
from triage.policy.classifiers.linear_classifier import FeatureShape
from triage.policy.cues.semantic_cues import judged
from triage.policy.decision.playbook import RuleInput
from triage.policy.ticket.text.draft import prose_of
from triage.policy.ticket.text.key_sentence import SENTENCE, SUBJECT, prior_of
from triage.policy.ticket.text.summary import sentences_in

MAILS: Final = Path(__file__).parent / "mails"
"""Whole mails; the long ones were written for summaries alone."""
SUBJECTS: Final = "subjects.tsv"
"""A file beside them: language, what it says, the subject."""
SHAPE: Final = FeatureShape(shortest=2, longest=5, meaning=2.0)
OPTIONS: Final = {
    SENTENCE: Options(shape=SHAPE, penalty=3e-4, balanced=False),
    SUBJECT: Options(shape=replace(SHAPE, meaning=1.0), penalty=2e-4, balanced=False),
}


def marked_mails(folder: Path = MAILS) -> Iterator[Mapping[str, Json]]:
    """Yield the mails whose key sentences were marked, in the order of the files' names."""
    for path in sorted(folder.rglob("*.jsonl"), key=lambda path: path.name):
        yield from (row for _, row in rows_of(path) if "subject_says" in row)


def subjects(mails: Iterable[Mapping[str, Json]], lines: Path) -> list[TextExample]:
    """Return subjects with what they say: those of the mails, and lines without a mail, among which most say all."""
    alone = (line.split("\t")[1:] for line in lines.read_text("utf-8").splitlines())
    pairs = [*((row["subject_says"], row["subject"]) for row in mails), *alone]
    return [TextExample(judged(" ".join(subject.split()), ""), says) for says, subject in pairs]


def choices(mails: Iterable[Mapping[str, Json]]) -> Iterator[Choice]:
    """Yield the sentences of each mail that has several, and which ones were marked."""
    for row in mails:
        texts = sentences_in(prose_of(RuleInput(subject=row["subject"], sender="", text=Untrusted(row["text"]))))
        right = frozenset(at for at, text in enumerate(texts) if any(_same(text, key) for key in row["key_sentences"]))
        if right and len(texts) > 1:
            yield Choice(texts=texts, right=right, prior=prior_of(texts))


def _same(text: str, key: str) -> bool:
    """Tell whether a sentence is the one that was marked, although it was cut a little differently."""
    return key in text or (text in key and len(text) > len(key) / 2)


def retrain(mails: Path = MAILS, folder: Path = FOLDER) -> float:
    """Write the models; return for how many of a hundred mails a model without them finds the key sentence."""
    rows = list(marked_mails(mails))
    found = list(choices(rows))
    about = {"trained_on": f"{len(rows)} mails", "checksum": checksum(mails)}
    write_classifier(folder / f"{SENTENCE}.npz", train_ranking(found, OPTIONS[SENTENCE]), about)
    write_classifier(folder / f"{SUBJECT}.npz", train(subjects(rows, mails / SUBJECTS), OPTIONS[SUBJECT]), about)
    return 100 * share_found(found, OPTIONS[SENTENCE])


def checksum(mails: Path = MAILS) -> int:
    """Return a number that tells by which mails and subjects the models were trained."""
    return checksum_of((mails / SUBJECTS).read_text("utf-8"), marked_mails(mails))


if __name__ == "__main__":
    screen().print(f"key sentence found for {retrain():.1f} % of mails that were held out")
