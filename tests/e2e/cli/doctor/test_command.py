"""`triage doctor`: a look at each part, for real."""

import json

import pytest

from cli.doctor.findings import many
from tests.e2e.installation import Installation, told
from tests.servers.web.oidc import provider
from triage.config.variables import variables

CANARY = "canary-3e8f1a"


def test_the_doctor_finds_all_well(with_model: Installation) -> None:
    """With everything set each part is looked at for real and said to be fine."""
    with_model.extra = {"WEBHOOK_SECRET": "whsec_" + "QUJD" * 8}
    done = with_model.triage("doctor", "--json")
    found = {finding["what"]: finding["state"] for finding in json.loads(done.stdout)}

    assert (done.returncode, set(found.values())) == (0, {"ok"})
    assert {"settings", "database", "jira", "search", "model", "queue", "webhooks"} <= set(found)


def test_the_list_of_settings(installation: Installation) -> None:
    """Every setting is listed with its default and its use, without the documentation and even where settings are wrong; no value is shown."""
    installation.extra = {"MAX_ROUNDS": "many", "JIRA_API_TOKEN": CANARY}
    lines = {one["setting"]: one for one in installation.json("doctor", "--settings")}
    shown = told(installation.triage("doctor", "--settings"))

    assert set(lines) == set(variables())
    assert (lines["MAX_ROUNDS"]["default"], lines["JIRA_API_TOKEN"]["file"]) == ("10", "JIRA_API_TOKEN_FILE")
    assert ("JIRA_BASE_URL" in shown, CANARY in shown) == (True, False)


def test_an_address_in_the_team_that_means_nobody(installation: Installation) -> None:
    """It is named without smart assignment, too, since people in copy are known by it."""
    config = installation.folder / "team.yaml"
    config.write_text("team: [{person: Nobody Here, address: nobody@example.com}]\n", encoding="utf-8")
    installation.extra = {"TRIAGE_CONFIG": str(config)}
    found = {
        finding["what"]: finding["state"] for finding in json.loads(installation.triage("doctor", "--json").stdout)
    }

    assert found["team, Nobody Here"] == "warn"
    assert "assignment" not in found


def test_one_is_one() -> None:
    """The doctor counts as people do."""
    assert [many(number, "case") for number in (0, 1, 12_000)] == ["0 cases", "1 case", "12,000 cases"]


@pytest.mark.parametrize(
    ("more", "hints"),
    [
        ({"JIRA_API_TOKEN": CANARY}, ["jira: Jira does not accept our account: check JIRA_EMAIL and JIRA_API_TOKEN"]),
        ({"JIRA_PROJECT_KEY": "NOPE"}, ["jira: no project NOPE for our account: check JIRA_PROJECT_KEY"]),
        (
            {
                "JIRA_BASE_URL": "http://127.0.0.1:9",
                "REDIS_URL": f"redis://:{CANARY}@127.0.0.1:9/0",
                "WEBHOOK_SECRET": "canary",
                "TRIAGE_CONFIG": "broken.yaml",
            },
            [
                "broken.yaml: is not YAML",
                "jira: Jira does not answer",
                "queue: Redis does not answer us: check REDIS_URL (Error 111 connecting to 127.0.0.1:9",
                "webhooks: WEBHOOK_SECRET: 6 bytes are too few",
            ],
        ),
        ({"MIN_FREE_BYTES": str(10**17)}, ["room: no mail is taken", "make room on the database's disk"]),
        ({"TRIAGE_CONFIG": "nobody.yaml"}, ["routing.rules, x: there is no profile nobody"]),
    ],
    ids=["token", "project", "nearly-all", "room", "profile"],
)
def test_the_doctor_names_what_is_ill(installation: Installation, more: dict[str, str], hints: list[str]) -> None:
    """Exit code 1, and a line each says which variable or place to mend; the other parts are looked at all the same."""
    (installation.folder / "broken.yaml").write_text("routing: [\n", encoding="utf-8")
    rule = "routing: {rules: [{name: x, match: {all: true}, route: agent, profile: nobody}]}"
    (installation.folder / "nobody.yaml").write_text(rule, encoding="utf-8")
    installation.extra = more
    done = installation.triage("doctor")
    said = told(done)

    assert (done.returncode, [hint for hint in hints if hint not in said]) == (1, [])
    assert said.count("broken.yaml: is not YAML") <= 1, "one file is told once"
    assert ("✓ database: sqlite, 0 cases" in said, CANARY in said) == (True, False)


def test_the_doctor_names_approvers_whom_jira_hides(installation: Installation) -> None:
    """Jira shows addresses of few people; whoever else is named by one is told, since no comment of his would count."""
    shown, hidden = "nadia.ferreira@harbourline.example", "oskar.lindqvist@harbourline.example"
    (installation.folder / "ours.yaml").write_text(f"approvals: {{approvers: {{people: [{shown}, {hidden}]}}}}")
    said = told(installation.triage("doctor", TRIAGE_CONFIG="ours.yaml", ENABLE_JIRA_APPROVALS="true"))
    without = told(installation.triage("doctor", TRIAGE_CONFIG="ours.yaml"))

    assert f"approvers: Jira shows nobody as {hidden}" in said
    assert (f"nobody as {shown}" in said, "approvers:" in without) == (False, False)


def test_the_doctor_asks_the_identity_provider(installation: Installation) -> None:
    """Before anybody stands at a closed door: the provider answers under its name, and where it sends people back is told."""
    installation.extra = {
        "OIDC_CLIENT_ID": "triage",
        "PUBLIC_URL": "http://127.0.0.1:8080",
        "OIDC_ROLES": "admin=@a.example",
    }
    with provider() as at:
        well = told(installation.triage("doctor", OIDC_ISSUER=at.issuer))
        ill = installation.triage("doctor", OIDC_ISSUER=f"{at.issuer}/elsewhere")

    assert f"✓ sign-in: {at.issuer} answers; it sends people back to http://127.0.0.1:8080/oidc/callback" in well
    assert (ill.returncode, "copy OIDC_ISSUER from `issuer` in its metadata" in told(ill)) == (1, True)


def test_the_doctor_reads_typos_to_machines_too(installation: Installation) -> None:
    """Settings that cannot be loaded are findings like all others, one each, and exit code 2."""
    typos = "JIRA_TOKN=x\nIMAP_HSOT=imap.example.com\nENABLE_SPRINT=true\nMAX_ROUNDS=0\n"
    (installation.folder / ".env").write_text(typos, encoding="utf-8")
    done, seen = installation.triage("doctor", "--json", JIRA_PROJET_KEY="x"), installation.triage("doctor")
    found = [(finding["what"], finding["state"]) for finding in json.loads(done.stdout)]

    assert (done.returncode, done.stderr, seen.returncode) == (2, b"", 2)
    assert found == [
        ("JIRA_TOKN", "fail"),
        ("IMAP_HSOT", "fail"),
        ("ENABLE_SPRINT", "fail"),
        ("MAX_ROUNDS", "fail"),
        ("JIRA_PROJET_KEY", "warn"),
    ]
    assert "✗ IMAP_HSOT: .env, line 2: unknown; did you mean IMAP_HOST?" in told(seen)
