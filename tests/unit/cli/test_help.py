"""What the help of a command shows beside its options."""

from typer.testing import CliRunner

from cli.__main__ import VERBS, app


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
