"""`triage knowledge`: reads the sources of articles, and lists, shows and searches them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson, Service
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from triage.domain.support.articles import Article, PassageHit
    from triage.domain.support.readings import SourceReading
    from triage.services.knowledge.articles import ArticleService

LONGEST: Final = 300
"""Characters of a passage that a search prints."""
Source = Annotated[str, typer.Option(metavar="NAME", help="Only this source of `knowledge` in triage.yaml.")]
knowledge = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Read and search the articles that answers are taken from.",
)

Empty = Annotated[bool, typer.Option("--empty", help="Remove the articles of a source that has none any more.")]


@knowledge.command()
def sync(source: Source = "", empty: Empty = False, as_json: AsJson = False) -> None:
    """Read all sources now; `triage serve` and `triage work` do that every few minutes. Exit code 1: something is wrong."""
    from cli.wiring.support.knowledge import open_knowledge_sync

    readings = Service(open_knowledge_sync).ask(lambda syncing: syncing.read(source, empty=empty))
    if not readings:
        raise SettingsInvalid(("knowledge: triage.yaml names no source; add one under `knowledge.sources`",))
    if as_json:
        print_json(readings)
    else:
        _print_readings(readings)
    raise typer.Exit(int(any(reading.trouble or reading.problems for reading in readings)))


@knowledge.command("list")
def list_articles(source: Source = "", as_json: AsJson = False) -> None:
    """List all articles, and what is wrong with some since the last reading."""
    from cli.wiring.support.knowledge import open_articles

    async def asked(stored: "ArticleService") -> "tuple[tuple[Article, ...], tuple[SourceReading, ...]]":
        readings = await stored.readings()
        return await stored.articles(source), tuple(one for one in readings if source in {"", one.source})

    articles, readings = Service(open_articles).ask(asked)
    if as_json:
        print_json({"articles": [_line(one) for one in articles], "readings": readings})
        return
    columns = ("article", "title", "account", "changed", "characters")
    rows = [_row(one) for one in articles]
    screen().print(table(columns, rows) if rows else "no article; `triage knowledge sync` reads those of triage.yaml")
    _print_problems(readings)


@knowledge.command()
def show(
    article: Annotated[str, typer.Argument(help="Its id in `triage knowledge list`.")], as_json: AsJson = False
) -> None:
    """Show an article as it is stored."""
    from cli.wiring.support.knowledge import open_articles

    found = Service(open_articles).ask(lambda stored: stored.article(article))
    if as_json:
        print_json(found)
        return
    facts = (found.id, found.url, f"account {found.account}" if found.account else "", ", ".join(found.tags))
    screen().print(f"{found.title}\n{' · '.join(filter(None, facts))}\n\n{found.text}", soft_wrap=True)


@knowledge.command()
def search(
    question: Annotated[str, typer.Argument(help="In words, as a customer would ask.")],
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many passages.")] = 3,
    account: Annotated[str, typer.Option(metavar="NAME", help="Its articles beside those for everybody.")] = "",
    as_json: AsJson = False,
) -> None:
    """Find the passages that answer a question best, as agents and answers find them. Exit code 1: nothing fits."""
    from cli.wiring.support.knowledge import open_articles

    hits = Service(open_articles).ask(lambda stored: stored.search(question, limit, account))
    if as_json:
        print_json(hits)
    else:
        _print_hits(hits)
    raise typer.Exit(int(not hits))


def _print_hits(hits: "Sequence[PassageHit]") -> None:
    if not hits:
        screen(error=True).print("no article answers that")
    elif hits[0].asked:
        screen(error=True).print(f"looked for in English: {hits[0].asked}", markup=False)
    for hit in hits:
        where = " > ".join(filter(None, (hit.passage.title, hit.passage.heading)))
        screen().print(f"{hit.similarity:.2f}  {where}  ({hit.passage.url or hit.passage.id})", soft_wrap=True)
        screen().print(f"      {' '.join(hit.passage.text.split())[:LONGEST]}", soft_wrap=True)


def _line(article: "Article") -> dict[str, object]:
    """Return an article without its text."""
    return {name: value for name, value in asdict(article).items() if name != "text"} | {
        "characters": len(article.text)
    }


def _print_readings(readings: "Sequence[SourceReading]") -> None:
    for one in readings:
        line = f"{one.articles:,} articles, {one.changed:,} new or changed, {one.removed:,} removed"
        screen().print(
            f"{one.source}: {one.trouble}; {line}" if one.trouble else f"{one.source}: {line}", soft_wrap=True
        )
    _print_problems(readings)


def _print_problems(readings: "Sequence[SourceReading]") -> None:
    for one in (problem for reading in readings for problem in reading.problems):
        screen(error=True).print(f"{one.article}: {one.why}{'' if one.kept else '; left out'}", soft_wrap=True)


def _row(one: "Article") -> tuple[str, ...]:
    changed = f"{one.changed_at:%Y-%m-%d}" if one.changed_at else ""
    return one.id, one.title, one.account, changed, f"{len(one.text):,}"
