"""The agents, one Markdown file each, and the parts they share."""

from pathlib import Path

HERE = Path(__file__).parent


def read(name: str) -> str:
    """The text of `name.md`, front matter included. Raises `FileNotFoundError`, which names the file."""
    return (HERE / f"{name}.md").read_text(encoding="utf-8")


def names(folder: str = "") -> tuple[str, ...]:
    """The agents that come with us: those of cases, or those of a folder, such as `memory`."""
    return tuple(sorted(path.stem for path in (HERE / folder).glob("*.md")))
