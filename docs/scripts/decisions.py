"""A hook of mkdocs: lists the decision records on their page, so that a new record needs no second line."""

from pathlib import Path
from typing import Any, Final

PAGE: Final = "reference/decisions.md"


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Append the list of records to its page; every other page stays as it is."""
    if page.file.src_uri != PAGE:
        return markdown
    return "\n".join([markdown, *map(_line, sorted((Path(config["docs_dir"]) / "decisions").glob("*.md")))])


def _line(record: Path) -> str:
    title = record.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
    return f"- [{title}](../decisions/{record.name})"
