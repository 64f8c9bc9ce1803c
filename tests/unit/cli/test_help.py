"""What the help of a command shows beside its options."""

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.__main__ import VERBS, app
from cli.examples import EXAMPLES
from docs.scripts.reference import every_command


def help_of(*words: str) -> str:
    """What a terminal of 120 columns shows."""
    return CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "120", "TERMINAL_WIDTH": "120"}).output


def test_no_help_shows_a_type_of_python() -> None:
    """A switch stands alone, and a value is a word that a reader of the sentence beside it knows."""
    shown = {verb: help_of(verb) for verb in VERBS}

    assert [
        verb for verb, text in shown.items() if any(word in text for word in ("<bool>", "<str>", "<int", "<list"))
    ] == []


def test_values_are_words() -> None:
    """The name of the option or the word that its author chose; choices are spelled out, and bounds stay."""
    audit = " ".join(help_of("audit").split())

    assert "--limit LIMIT [1<=x<=10000] Rows" in audit
    assert "--since DAY From" in audit
    assert "--json For machines." in audit
    assert "<playbook|openai>" in help_of("demo")


def test_each_command_has_an_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command that is no mere group shows one, and the command itself takes its words."""
    monkeypatch.chdir(tmp_path)
    for folder in ("articles", "mails", "our-mails"):
        Path(folder).mkdir()
    for file in (
        "answers.yaml",
        "mails/manifest.jsonl",
        "questions.jsonl",
        "sentences.jsonl",
        "tickets.jsonl",
        "intents.jsonl",
    ):
        Path(file).touch()
    leaves = {
        " ".join(words[1:]): command
        for command, words in every_command()
        if not getattr(command, "commands", {}) or getattr(command, "invoke_without_command", False)
    }
    taken = {name: shlex.split(EXAMPLES[name].partition(" < ")[0])[1 + len(name.split()) :] for name in leaves}
    for name, words in taken.items():
        leaves[name].make_context(name, list(words))

    assert set(EXAMPLES) == set(leaves)
    assert all(example.startswith(f"triage {name}") for name, example in EXAMPLES.items())
    assert "Example: triage show 17" in help_of("show")


def test_an_example_is_shown_as_it_is_typed() -> None:
    """No help takes a part of an example for markup: `:secret:` is a picture there, and a word in brackets a colour."""
    shown = {
        name: "".join(help_of(*name.split()).split()) for name, example in EXAMPLES.items() if set(example) & set(":[")
    }

    assert [name for name, text in shown.items() if "".join(EXAMPLES[name].split()) not in text] == []


def test_a_group_offers_no_completion_of_its_own() -> None:
    """Completion is installed for `triage` alone."""
    assert [verb for verb in VERBS if "completion" in help_of(verb)] == []
