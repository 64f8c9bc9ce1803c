"""`triage route`: which rule takes a mail, why, and which rules no mail reaches; a service takes changed rules at once."""

import os
from pathlib import Path

import pytest

from tests.e2e.installation import Installation
from tests.e2e.mail.delivery import HOP, STAMP, delivered, letter
from tests.e2e.opened import house
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Trust

RULES = """routing:
  rules:
    - name: partner
      match: {sender_domain: corner-shop.example, unproven: false}
      route: pipeline
    - name: english bugs
      match: {language: en, disposition: [work, question], kind: human, recipient: "@harbourline.example"}
      route: pipeline
      labels: [by-language]
    - name: rest
      match: {all: true}
      route: pipeline
    - name: too late
      match: {subject_contains: disk}
      route: pipeline
"""


def test_a_mail_is_routed_without_any_server(installation: Installation) -> None:
    """Rule, reason and rejected evidence are told by the mail's bytes alone; `--explain` says what each rule finds."""
    (installation.folder / "triage.yaml").write_text(RULES)
    (installation.folder / "proven.eml").write_bytes(letter(top=STAMP + HOP))
    (installation.folder / "unproven.eml").write_bytes(letter(top=HOP))
    alone = {
        "TRIAGE_CONFIG": str(installation.folder / "triage.yaml"),
        "AUTHSERV_ID": "mx.harbourline.example",
        "JIRA_BASE_URL": "http://127.0.0.1:1",
        "DATABASE_URL": "sqlite:////nowhere/triage.db",
    }
    installation.extra = alone
    proven, unproven = installation.json("route", "proven.eml", "unproven.eml")["mails"]
    shown = installation.triage("route", "unproven.eml", "--explain").stdout.decode()

    assert (proven["rule"], proven["because"], proven["trust"]) == ("partner", ["from corner-shop.example"], "verified")
    assert (unproven["rule"], unproven["labels"], unproven["languages"]) == ("english bugs", ["by-language"], ["en"])
    assert "the sender corner-shop.example is unverified" in unproven["passed_over"][0]
    assert [(one["rule"], one["takes"], one["holds"]) for one in unproven["rules"]] == [
        ("partner", False, False),
        ("english bugs", True, True),
        ("rest", False, True),
        ("too late", False, False),
    ]
    assert "unproven.eml: rule english bugs: pipeline jira (to @harbourline.example; kind human;" in shown
    assert "an earlier one does" in shown
    assert "subject_contains 'disk': does not hold" in shown


def test_rules_that_no_mail_reaches(installation: Installation) -> None:
    """`triage route --check` and the doctor name the shadowed rule; sound rules end with 0."""
    path = installation.folder / "triage.yaml"
    path.write_text(RULES)
    checked = installation.triage("route", "--check", TRIAGE_CONFIG=str(path), AUTHSERV_ID="mx.harbourline.example")
    doctor = " ".join(installation.triage("doctor", TRIAGE_CONFIG=str(path)).stdout.decode().split())
    path.write_text(RULES.partition("    - name: too late")[0])
    sound = installation.triage("route", "--check", TRIAGE_CONFIG=str(path), AUTHSERV_ID="mx.harbourline.example")

    told = "too late: no mail reaches it: rest before it takes all of its mails"
    assert (checked.returncode, checked.stdout.decode().strip()) == (1, told)
    assert told in doctor
    assert (sound.returncode, sound.stdout.decode().strip()) == (0, "every rule can be reached and proven")


@pytest.mark.parametrize("words", [("route",), ("route", "missing.eml")])
def test_wrong_use(installation: Installation, words: tuple[str, ...]) -> None:
    """Nothing to route, or a file that is not there, is wrong use."""
    assert installation.triage(*words).returncode == 2


async def test_rules_are_read_again_and_broken_ones_are_not(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A changed file holds for the next mail; a broken one keeps the earlier rules, and health says where it is broken."""
    path = tmp_path / "triage.yaml"

    def write(text: str, second: int) -> None:
        path.write_text(text, encoding="utf-8")
        os.utime(path, (second, second))

    async def rule(number: int) -> str:
        live._looked -= 60  # as if a minute had passed
        mail = letter(
            subject=f"Matter {number}", message_id=f"<{number}@corner-shop.example>", text=f"Broken {number}."
        )
        report = await delivered(opened, mail, f"m{number}", Trust.VERIFIED)
        assert report.case.outcome is not Outcome.QUARANTINED
        assert report.case.route
        return report.case.route.rule

    write(RULES, 1)
    async with house(
        cloud_jira, tmp_path, TRIAGE_CONFIG=str(path), THROTTLE_STORM_PER_HOUR="0", THROTTLE_SENDER_PER_HOUR="0"
    ) as opened:
        live = opened.health.config_trouble.__self__  # type: ignore[attr-defined]  # the live configuration
        seen = [await rule(1)]
        write(RULES.replace("name: partner", "name: renamed"), 2)
        seen.append(await rule(2))
        write(RULES.replace("sender_domain: corner", "sender_domian: corner"), 3)
        seen.append(await rule(3))
        broken = opened.health.config_trouble()
        write(RULES.replace("route: pipeline\n", "route: pipeline\n      project: SHOP\n", 1), 4)
        seen.append(await rule(4))
        new_project = opened.health.config_trouble()
        write(RULES, 5)
        seen.append(await rule(5))
        mended = opened.health.config_trouble()

    assert seen == ["partner", "renamed", "renamed", "renamed", "partner"]
    assert "routing.rules[0].match.sender_domian: unknown key" in broken
    assert "did you mean sender_domain? (line 4, column 15)" in broken
    assert "SHOP: a new project needs a restart" in new_project
    assert mended == ""
