"""`triage eval` has a verb for each kind of data."""

import typer

from cli.evaluate.command import evaluate


def test_verbs() -> None:
    """Mails and assignment can be measured, each under its own name."""
    verbs = typer.main.get_command(evaluate)

    assert set(getattr(verbs, "commands", {})) == {
        "mail",
        "assignment",
        "capacity",
        "cases",
        "duplicates",
        "disposition",
        "cues",
        "classify",
        "intents",
        "knowledge",
        "memory",
    }
