"""The answers file: what it takes beyond the shapes of its values."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from triage.domain.errors import SettingsInvalid
from triage.services.setup.answers import SetupAnswers, read_answers


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A token in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("Some_Token", " token-1 ")


def jira(**more: Any) -> dict[str, Any]:
    """A section `jira` for Data Center."""
    return {"url": "jira.acme.example", "token": {"env": "Some_Token"}, "project": "ops", **more}


def read(**given: Any) -> SetupAnswers:
    """The file with these sections."""
    Path("answers.yaml").write_text(yaml.safe_dump(given), encoding="utf-8")
    return read_answers(Path("answers.yaml"))


def test_jira_alone_is_enough() -> None:
    """Secrets are read without the blanks around them, a key in any case; what is left out has its default."""
    answers = read(jira=jira())

    assert (answers.jira.token.text(), answers.jira.project) == ("token-1", "OPS")
    assert (answers.mailbox, answers.model, answers.letters) == (None, None, None)


@pytest.mark.parametrize(
    ("sections", "problem"),
    [
        ({"jira": jira(url="two words")}, "it is no address"),
        ({"jira": jira(url="acme.atlassian.net")}, "cloud wants `email`"),
        ({"jira": jira(token={"file": "two-words"})}, "the token has blanks in it"),
        ({"jira": jira(token={"file": "lines"})}, "line break"),
        ({"jira": jira(token={"file": "absent"})}, "absent cannot be read"),
        ({"jira": jira(token={"env": "A", "file": "b"})}, "not both"),
        ({"jira": jira(), "mailbox": {"address": "a@b.example"}}, "give `password`, or `oauth`"),
        ({"jira": jira(), "letters": {"host": "smtp.acme.example", "tls": "some"}}, "letters.tls"),
    ],
)
def test_what_does_not_fit_is_told(sections: dict[str, Any], problem: str) -> None:
    """Each mistake names its place and the way out."""
    Path("two-words").write_text("two words\n", encoding="utf-8")
    Path("lines").write_text("two\nlines\n", encoding="utf-8")

    with pytest.raises(SettingsInvalid, match=problem):
        read(**sections)


@pytest.mark.parametrize("text", ["a: [", "- 1", "\x00", "jira: {url: nonsense}", "a: &a [*a]", ""])
def test_what_is_no_answers_file(text: str) -> None:
    """Broken YAML, lists, control characters, circles and nothing at all are refused under the file's name."""
    Path("answers.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(SettingsInvalid, match=r"answers\.yaml"):
        read_answers(Path("answers.yaml"))


def test_a_file_that_cannot_be_read() -> None:
    """Absent, too large, or no text."""
    for name, raw in (("absent", None), ("large", b"a" * 100_001), ("bytes", b"\xff")):
        if raw is not None:
            Path(name).write_bytes(raw)
        with pytest.raises(SettingsInvalid, match=name):
            read_answers(Path(name))
