"""Trains `triage/models/delicate.npz`, which tells mails for one person's eyes, requests for an account and frauds without a link.

    python -m tests.training.delicate

The examples are fictitious and ours: `mails/delicate`, and as ordinary ones the whole mails of the other classifiers. Of those the spam
and the letters to others of us are left out, since some of them are delicate.

"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cli.console import screen, table
from cli.evaluate.classifiers.linear_training import Options, TextExample, labels_of, train_and_answer
from tests.training.model_files import write_classifier
from tests.training.whole_mails import whole_mails
from triage.config.model_files import FOLDER
from triage.policy.classifiers.linear_classifier import FeatureShape
from triage.policy.decision.disposition.delicate import MODEL, ORDINARY
from triage.policy.decision.disposition.text_classes import LETTER, core_of

MAILS: Final = Path(__file__).parent / "mails"
DELICATE: Final = MAILS / "delicate"
OTHERS: Final = (MAILS / "whole", MAILS / "letters")
LEFT_OUT: Final = frozenset({"spam", LETTER})
OPTIONS: Final = Options(shape=FeatureShape(shortest=4, bare=True, meaning=1.5), penalty=1e-4, balanced=False)


def examples() -> Iterator[TextExample]:
    """Yield the delicate mails and the ordinary ones."""
    for mail in whole_mails(DELICATE):
        yield _example(mail.subject, mail.text, mail.label)
    for mail in (mail for folder in OTHERS for mail in whole_mails(folder)):
        if mail.label not in LEFT_OUT:
            yield _example(mail.subject, mail.text, ORDINARY)


def _example(subject: str, text: str, label: str) -> TextExample:
    return TextExample(text=f"{subject}\n{text}".strip(), label=label, core=core_of(subject, text))


def main() -> None:
    """Train, print how well it does on held-out texts, and write the model."""
    given = tuple(examples())
    model, shares = train_and_answer(given, OPTIONS)
    answers = [labels_of(given)[int(share.argmax())] for share in shares]
    confusion = Counter((example.label, answer) for example, answer in zip(given, answers, strict=True))
    rows = [(label, answer, str(number)) for (label, answer), number in sorted(confusion.items())]
    screen().print(table(("label", "judged", "examples"), rows))
    write_classifier(FOLDER / f"{MODEL}.npz", model, {"what": "delicate mails", "examples": len(given)})


if __name__ == "__main__":
    main()
