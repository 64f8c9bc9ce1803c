"""`triage eval knowledge`: asks questions whose right articles are known, and says what is found, answered and refused."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import figures_table, print_json, screen
from cli.verb import AsJson

if TYPE_CHECKING:
    from cli.evaluate.knowledge.measure import MeasuredQuestion


Articles = Annotated[
    Path, typer.Argument(exists=True, help="A folder of Markdown, or chunks.jsonl: id, title, text; .gz, too.")
]
Questions = Annotated[
    Path,
    typer.Argument(
        exists=True,
        dir_okay=False,
        help="One question a line as JSON: question, and article (file name without .md; null: nothing answers it) or "
        "correct_chunks (ids of which each is right).",
    ),
]
Html = Annotated[Path | None, typer.Option(help="Write a report with plots to this file.")]
Show = Annotated[bool, typer.Option("--show", help="Print question and answer of each.")]


def knowledge(
    articles: Articles, questions: Questions, as_json: AsJson = False, html: Html = None, show: Show = False
) -> None:
    """Answer questions from articles, by rules alone: how often the right article is found, cited and believed.

    Recall counts articles, not passages. An answer is supported if all content words and numbers of each sentence stand in the passage that it cites.
    """
    from cli.evaluate.knowledge.files import articles_of, questions_of
    from cli.evaluate.knowledge.measure import asked, figures_of, page_of

    async def everything() -> list["MeasuredQuestion"]:
        return [one async for one in asked(articles_of(articles), questions_of(questions))]

    results = asyncio.run(everything())
    figures = asdict(figures_of(results))
    if show:
        for one in results:
            _show(one)
    if html is not None:
        page_of(questions.name, results, figures).write(html)
    if as_json:
        print_json(figures)
        return
    screen().print(figures_table(figures, f"{articles.name}: {len(results)} questions"))


def _show(one: "MeasuredQuestion") -> None:
    line = (
        "\n".join(f"  {each.text}  [{each.passage}]" for each in one.answer.sentences)
        or f"  refused: {one.answer.refused}"
    )
    scores = ", ".join(f"{name} {score:.2f}" for name, score in one.answer.scores)
    screen(error=True).print(f"{one.question.text}\n{line}\n  {scores}\n", markup=False, highlight=False)
