"""What the demo prints at its end."""

import pytest

from cli.demo.outcomes import DemoCost, DemoLine, print_table


def test_an_unexpected_end_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The table says what was expected beside what came, and counts the mails that ended so."""
    came = DemoLine(mail="01-labels", action="ticketed", ticket="HARB-71", why="A bug.", expected="")
    other = DemoLine(mail="02-spam", action="ticketed", ticket="HARB-72", why="A wish.", expected="ignored")
    spent = DemoCost(seconds=1.25, model_calls=2, input_tokens=3000, jira_calls=2, model="playbook")

    print_table([came, other], spent)

    printed = " ".join(capsys.readouterr().out.split())
    assert "EXPECTED ignored" in printed
    assert "2 mails in 1.2 s, 1 as expected" in printed
    assert "3000 input tokens" in printed
