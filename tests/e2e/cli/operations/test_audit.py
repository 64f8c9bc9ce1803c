"""`triage audit` and the monthly cap as a user has them, with a model behind real HTTP."""

import sqlite3

import httpx2
import pytest

from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running

PRICES = {"OPENAI_PRICE_INPUT": "1", "OPENAI_PRICE_OUTPUT": "2"}


def paid(installation: Installation, usd: float) -> None:
    """Let each answer so far have cost this much; the sandbox's model counts no tokens."""
    with sqlite3.connect(installation.folder / "triage.db") as connection:
        connection.execute("UPDATE llm_calls SET cost_usd = ?", (usd,))
    connection.close()


def test_the_cap_ends_in_the_playbook(with_model: Installation) -> None:
    """Once models have cost as much as they may, rules decide and mark the ticket for review; the audit shows the cost."""
    with_model.extra |= PRICES
    first = with_model.json("process", str(MAILS / "01-barcode-cut-off.eml"))
    asked = len(with_model.asked)
    paid(with_model, 0.02)
    audit = with_model.json("audit")
    with_model.extra |= {"MAX_COST_PER_MONTH": "0.02"}
    second = with_model.triage("process", str(MAILS / "12-card-payment-html-only.eml"), "--json", LOG_LEVEL="INFO")
    report = with_model.json("show", "2")
    with running(with_model, "serve", "--no-work", PORT="0", LOG_LEVEL="INFO") as serving:
        ready = httpx2.get(f"{serving.url}/health/ready").json()

    assert first[0]["action"] == "ticketed"
    assert asked > 0
    assert sum(one["cost_usd"] for one in audit["spending"]) == pytest.approx(0.02 * asked)
    assert {one["case"] for one in audit["runs"]} == {"case-1"}
    assert len(with_model.asked) == asked, "the model was asked although its budget is used up"
    assert "budget-used-up" in report["case"]["flags"]
    assert report["case"]["outcome"] == "ticketed"
    assert b"are the cap" in second.stderr, second.stderr
    assert ready["models"]["budget_used_up"] is True
    assert ready["ready"] is True


def test_the_table(installation: Installation) -> None:
    """Without a model there is nothing to pay; wrong days are refused."""
    installation.triage("process", str(MAILS / "01-barcode-cut-off.eml"))
    told = installation.triage("audit", "--case", "1").stdout.decode()

    assert "no model was asked" in told
    assert ("USD in all" in told, "\nWhat was done" in told) == (False, True)
    assert "case-1/1" in told
    assert "jira.calls" in told
    assert installation.triage("audit", "--since", "yesterday").returncode == 2
    assert installation.json("audit", "--since", "2000-01-01", "--until", "2000-01-02")["runs"] == []


def test_a_cap_needs_prices(installation: Installation) -> None:
    """A cap that could count nothing is refused at start, with the cure."""
    done = installation.triage("cases", MAX_COST_PER_MONTH="5")

    assert done.returncode == 2
    assert b"OPENAI_PRICE_INPUT" in done.stderr
