"""Trains `triage/models/disposition.npz`, which tells spam, sales mail and newsletters from mail for us.

    python -m tests.training.disposition

The examples are fictitious and ours: whole mails (`whole_mails`), those of `mails/letters`, and shorter ones in `mails/*.txt`. There `{one|two}` stands for
one or the other; a text with such places gives up to three examples.

"""

import re
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
from triage.policy.decision.disposition.text_classes import MODEL, core_of

MAILS: Final = Path(__file__).parent / "mails"
LETTERS: Final = MAILS / "letters"
"""Mails whose sort is hard to tell: bills, announcements, thanks, and mails for us in their words."""
LABELS: Final = ("mail", "spam", "sales", "news", "talk", "auto", "done", "letter")
OPTIONS: Final = Options(shape=FeatureShape(buckets=1 << 16, shortest=4, bare=True, meaning=1.0), penalty=3e-5)
MOST: Final = 3
"""Examples of one text."""
_BLOCK: Final = re.compile(rf"\n(?=(?:{'|'.join(LABELS)}): )")
_CHOICE: Final = re.compile(r"\{([^{}|]*\|[^{}]*)\}")


def examples() -> Iterator[TextExample]:
    """Yield the examples of all languages."""
    for mail in (*whole_mails(), *whole_mails(LETTERS)):
        yield _example(mail.subject, mail.text, mail.label)
    for path in sorted(MAILS.glob("*.txt")):
        for block in _BLOCK.split(path.read_text("utf-8").strip()):
            head, _, body = block.partition("\n")
            label, _, subject = head.partition(": ")
            choices = [len(choice.split("|")) for choice in _CHOICE.findall(block)]
            for number in range(min(MOST, max(choices, default=1))):
                yield _example(chosen(subject, number), chosen(body.strip(), number), label, group=block[:40])


def _example(subject: str, text: str, label: str, group: str = "") -> TextExample:
    whole = f"{subject}\n{text}".strip()
    return TextExample(text=whole, label=label, group=group or whole, core=core_of(subject, text))


def chosen(text: str, number: int) -> str:
    """Return the text with one of the alternatives at each place."""

    def one(match: re.Match[str]) -> str:
        parts = match[1].split("|")
        return parts[number % len(parts)]

    return _CHOICE.sub(one, text)


def main() -> None:
    """Train, print how well it does on held-out texts, and write the model."""
    given = tuple(examples())
    model, shares = train_and_answer(given, OPTIONS)
    answers = [labels_of(given)[int(share.argmax())] for share in shares]
    confusion = Counter((example.label, answer) for example, answer in zip(given, answers, strict=True))
    out = screen()
    out.print(f"{len(given)} examples of {len({one.group for one in given})} texts")
    rows = [(label, answer, str(number)) for (label, answer), number in sorted(confusion.items())]
    out.print(table(("label", "judged", "examples"), rows))
    about = {"what": "mail for us, spam, sales mail or newsletter", "examples": len(given)}
    write_classifier(FOLDER / f"{MODEL}.npz", model, about)


if __name__ == "__main__":
    main()
