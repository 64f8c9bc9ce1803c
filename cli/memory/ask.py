"""`triage ask`: answers a question from notes, mails, tickets and articles, each sentence with its source."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from cli.console import print_json, screen
from cli.verb import AsJson, Service

if TYPE_CHECKING:
    from triage.domain.memory.answers import MemoryAnswer

EXIT_CODES = "Exit codes: 0 answered; 1 nobody knows; 2 wrong use or settings; 3 the store did not answer."

Question = Annotated[str, typer.Argument(help="Such as: What is overdue? Who promised the report?")]
After = Annotated[
    str,
    typer.Option(
        help="Your question before, which this one goes on from: --after 'What is overdue?' 'And who promised that?'"
    ),
]


def ask(question: Question, after: After = "", as_json: AsJson = False) -> None:
    """Ask the team's memory; answers quote their sources."""
    from cli.wiring.memory.ask import open_ask
    from triage.domain.operations.tokens import AccessScope

    # Whoever runs commands here can read the store anyway.
    answer = Service(open_ask).ask(lambda asked: asked.ask(question, AccessScope.ADMIN, "shell", after))
    if as_json:
        print_json(answer_json(answer))
    else:
        print_answer(answer, screen())
    if answer.refused:
        raise typer.Exit(1)


def answer_json(answer: "MemoryAnswer") -> dict[str, object]:
    """Return the answer for machines, without the whole texts of its sources."""
    return {
        "question": answer.question,
        "job": answer.job,
        "answer": [{"text": one.text, "source": one.source} for one in answer.sentences],
        "sources": [
            {"key": one.key, "kind": one.kind, "id": one.id, "title": one.title, "url": one.url}
            for one in answer.sources
        ],
        "refused": answer.refused,
        "told": answer.told,
        "by": answer.by,
    }


def print_answer(answer: "MemoryAnswer", out: "Console") -> None:
    """Print the sentences with numbers, and the sources below."""
    numbers = {source.key: number for number, source in enumerate(answer.sources, 1)}
    if not answer.sentences:
        out.print(answer.refused or answer.told, soft_wrap=True)
    for one in answer.sentences:
        out.print(f"{one.text} [{numbers.get(one.source, '?')}]", soft_wrap=True)
    for source in answer.sources:
        out.print(f"  [{numbers[source.key]}] {source.kind} {source.id}: {source.title}", style="dim", soft_wrap=True)
