"""Articles and questions of an evaluation, as they lie on the disk."""

import gzip
from pathlib import Path

import pytest

from cli.evaluate.knowledge.files import Articles, articles_of, questions_of
from triage.domain.errors import SettingsInvalid


async def test_a_folder_of_markdown(tmp_path: Path) -> None:
    """A page is known by its path; its title is that of the front matter, else its first heading, else its name."""
    (tmp_path / "bills").mkdir()
    (tmp_path / "bills" / "refunds.md").write_text('---\nid: x\ntitle: "Refunds"\n---\n\n# Other\n')
    (tmp_path / "games.mdx").write_text("Text\n\n# Games\n")
    (tmp_path / "lost-parcels.md").write_bytes(b"\xff\x00 text")
    (tmp_path / "picture.png").write_bytes(b"x")

    articles = articles_of(tmp_path)

    assert {one.id: one.title for one in articles} == {
        "bills/refunds": "Refunds",
        "games": "Games",
        "lost-parcels": "lost parcels",
    }
    assert await Articles(articles).articles("nowhere") == ()


def test_chunks_and_questions(tmp_path: Path) -> None:
    """Chunks keep their ids; a question names one article, several chunks, or null."""
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(b'{"id": 7, "title": null, "text": "x"}\n\n'))
    (tmp_path / "q.jsonl").write_text(
        '{"question": "a", "article": "b.md"}\n{"question": "a", "correct_chunks": [1, "2"]}\n'
        '{"question": "a", "article": null}\n'
    )

    assert [(one.id, one.title) for one in articles_of(tmp_path / "c.jsonl.gz")] == [("7", "")]
    assert [one.right for one in questions_of(tmp_path / "q.jsonl")] == [{"b"}, {"1", "2"}, set()]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1: is no JSON"),
        ("[1]", "line 1: is no object"),
        ('{"id": 1}', "line 1: lacks"),
        ("", "holds no"),
        ('{"question": "a", "article": 5}', "line 1: (is no question|lacks id, text)"),
    ],
)
def test_wrong_lines_are_named(tmp_path: Path, line: str, told: str) -> None:
    """File and line stand in the message."""
    (tmp_path / "f.jsonl").write_text(f"{line}\n")

    for read in (articles_of, questions_of):
        with pytest.raises(SettingsInvalid, match=f"f.jsonl.*{told}"):
            read(tmp_path / "f.jsonl")
