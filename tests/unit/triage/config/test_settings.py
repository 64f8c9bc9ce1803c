"""Settings: where values come from, that every mistake is told at once with its cure, and that secrets stay secret."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.unit.triage.config.test_setting_sources import CANARY, PARTNERS, SECRETS
from triage.config.settings import Isolated, load
from triage.config.variables import variables
from triage.domain.errors import SettingsInvalid

pytestmark = pytest.mark.usefixtures("bare")


def refused(**given: str) -> tuple[str, ...]:
    """What is said of these values."""
    with pytest.raises(SettingsInvalid) as told:
        load(Isolated, **given)
    return tuple(map(str, told.value.settings))


# --- what is wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("JIRA_PROJECT_KEY", "ops", "has another form than it needs (key of the project"),
        ("JIRA_TIMEOUT", "0", "greater than 0"),
        ("OPENAI_MAX_TOKENS", "many", "valid integer"),
        ("OPENAI_PREFETCH", "perhaps", "valid boolean"),
        ("MAX_ROUNDS", "51", "less than or equal to 50"),
        ("MAY_BE_DUPLICATE_FROM", "1.5", "less than or equal to 1"),
        ("WORKERS", "0", "greater than or equal to 1"),
        ("PORT", "65536", "65535"),
        ("LOG_LEVEL", "loud", "'DEBUG', 'INFO'"),
        ("DATABASE_URL", "mysql://x", "sqlite:///file or postgresql://"),
        ("DATABASE_URL", "triage.db", "sqlite:///file or postgresql://"),
        ("DATABASE_URL", "postgresql://u:p@h:port/d", "sqlite:///file or postgresql://"),
        ("DATABASE_URL", "postgresql://u:p[@h/d", "%5B"),
        ("REDIS_URL", "localhost:6379", "redis://"),
        ("REDIS_URL", "redis://localhost:abc/0", "redis://"),
        ("REDIS_URL", "redis://", "redis://"),
        ("JIRA_BASE_URL", "acme.example", "https://"),
        ("JIRA_BASE_URL", "https://", "name of the site"),
        ("JIRA_BASE_URL", "ftp://acme.example", "https://"),
        ("OPENAI_BASE_URL", "api.example/v1", "https://"),
    ],
)
def test_a_bad_value_names_variable_and_cure(name: str, value: str, hint: str) -> None:
    """A value that cannot be is told by the variable's name and what would be right."""
    problems = refused(**{"JIRA_PROJECT_KEY": "OPS", name: value})

    assert [hint in problem for problem in problems if problem.startswith(f"{name}: ")] == [True]


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"JIRA_BASE_URL": "https://acme.example"}, "JIRA_PROJECT_KEY"),
        ({"JIRA_API_TOKEN": CANARY}, "JIRA_EMAIL"),
        ({"JIRA_API_TOKEN": CANARY, "JIRA_EMAIL": "a@b.example", "JIRA_TOKEN": CANARY}, "JIRA_TOKEN"),
        ({"POSTMARK_USER": "postmark"}, "POSTMARK_PASSWORD"),
        ({"POSTMARK_PASSWORD": CANARY}, "POSTMARK_PASSWORD"),
        ({"ANTHROPIC_MODEL": "a-model"}, "ANTHROPIC_API_KEY"),
        ({"SMTP_USER": "bot"}, "SMTP_HOST"),
        ({"SMTP_HOST": "smtp.acme.example"}, "MAIL_FROM"),
        ({"SMTP_HOST": "smtp.acme.example", "MAIL_FROM": "bot"}, "MAIL_FROM"),
        (
            {"SMTP_HOST": "smtp.acme.example", "MAIL_FROM": "Harbour <bot@acme.example>", "SMTP_USER": "bot"},
            "SMTP_PASSWORD",
        ),
        (
            {"SMTP_HOST": "smtp.acme.example", "MAIL_FROM": "Harbour <bot@acme.example>", "SMTP_PASSWORD": "x"},
            "SMTP_USER",
        ),
        ({"SMTP_HOST": "smtp.acme.example", "MAIL_FROM": "Harbour <bot@acme.example>", "SMTP_TLS": "none"}, "SMTP_TLS"),
        (
            {
                "SMTP_HOST": "smtp.acme.example",
                "MAIL_FROM": "Harbour <bot@acme.example>",
                "SMTP_USER": "bot",
                "SMTP_TOKEN_COMMAND": "print '",
            },
            "SMTP_TOKEN_COMMAND",
        ),
    ],
)
def test_half_of_a_pair(given: dict[str, str], missing: str) -> None:
    """What makes no sense alone is told by what is missing, without showing what is there."""
    problems = refused(**given)

    assert [problem.partition(":")[0] for problem in problems] == [missing]
    assert CANARY not in str(problems)


def test_all_mistakes_at_once() -> None:
    """Wrong values, half pairs and files that cannot be read come in one message, each on a line of its own."""
    problems = refused(MAX_ROUNDS="99", LOG_LEVEL="loud", POSTMARK_USER="x", DATABASE_URL="mysql://x")

    assert {problem.partition(":")[0] for problem in problems} == {
        "MAX_ROUNDS",
        "LOG_LEVEL",
        "POSTMARK_PASSWORD",
        "DATABASE_URL",
    }
    assert str(SettingsInvalid(problems)).count("\n") == 3


def test_a_wrong_value_is_not_also_missing() -> None:
    """A value that was refused does not come back as one that is not set."""
    problems = refused(JIRA_BASE_URL="https://acme.example", JIRA_PROJECT_KEY="lower case")

    assert [problem.partition(":")[0] for problem in problems] == ["JIRA_PROJECT_KEY"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("DATABASE_URL", "sqlite:////var/lib/triage/triage.db"),
        ("DATABASE_URL", "postgresql:///triage?host=/run/postgresql"),
        ("DATABASE_URL", "postgresql://u:p%40ss@h:5432/d?sslmode=require"),
        ("REDIS_URL", "redis://:secret@h:6379/2"),
        ("REDIS_URL", "unix:///run/redis.sock"),
        ("OPENAI_BASE_URL", "http://127.0.0.1:11434/v1"),
    ],
)
def test_good_addresses(name: str, value: str) -> None:
    """Every shape of URL that the adapters can use is taken."""
    load(Isolated, **{name: value})


# --- where values come from -----------------------------------------------------------------------


def test_nothing_set() -> None:
    """Everything has a default; without Jira the settings load, and say that Jira is not ready."""
    settings = load()

    assert (settings.jira_ready, settings.max_rounds, settings.openai_max_tokens) == (False, 10, 4000)
    assert settings.database_url.get_secret_value() == "sqlite:///triage.db"


def test_the_example_loads_as_it_is(tmp_path: Path) -> None:
    """`.env.example` copied to `.env` and left alone gives the defaults and asks for nothing."""
    shutil.copy(ROOT / ".env.example", ".env")
    settings = load()

    assert (settings.jira_ready, settings.jira_project_key) == (False, "OPS")


def test_the_example_shows_the_defaults(tmp_path: Path) -> None:
    """What `.env.example` offers after a # is what holds without it: to switch a line on changes nothing."""
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    offered = dict(line.removeprefix("# ").split("=", 1) for line in lines if line.startswith("# ") and "=" in line)
    shapes = re.compile(r"your-|example|^whsec_|^993$|^587$|^arn:")  # what it may look like, where there is no default
    known = {
        name: value for name, value in offered.items() if value and name in variables() and not shapes.search(value)
    }

    Path("triage.yaml").touch()  # a file that is named must be there

    assert load(Isolated, **known) == load(Isolated)


# --- secrets --------------------------------------------------------------------------------------


def test_secrets_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret stands in the text of the settings, in none of the ways that text is made."""
    given = dict.fromkeys(SECRETS, CANARY) | {"DATABASE_URL": f"postgresql://u:{CANARY}@h/d"}
    given |= {"REDIS_URL": f"redis://:{CANARY}@h/0", "JIRA_TOKEN": ""}
    partners = {name: value for pairs in PARTNERS.values() for name, value in pairs.items()}
    settings = load(Isolated, **given, **partners)
    told = (repr(settings), str(settings), f"{settings}", settings.model_dump_json(), str(settings.model_dump()))

    assert [text for text in told if CANARY in text] == []


def test_errors_show_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value of a wrong shape is not repeated: somebody may have put a secret into the wrong variable."""
    given = dict.fromkeys(("MAX_ROUNDS", "PORT", "LOG_LEVEL", "JIRA_PROJECT_KEY", "JIRA_BASE_URL"), CANARY)
    problems = refused(**given, DATABASE_URL=CANARY, REDIS_URL=CANARY)

    assert len(problems) == 7
    assert CANARY not in str(problems)


# --- the table of the page of settings ------------------------------------------------------------


def test_certificates_named_in_the_file_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSSL, which reads the environment alone, trusts what `.env` names; a file that is not there is an error."""
    monkeypatch.setenv("SSL_CERT_FILE", "")
    ca = tmp_path / "ca.pem"
    ca.write_text("")
    Path(".env").write_text(f"SSL_CERT_FILE={ca}\n")

    assert load().ssl_cert_file == os.environ["SSL_CERT_FILE"] == str(ca)
    assert "SSL_CERT_FILE: there is no /nowhere/ca.pem" in refused(SSL_CERT_FILE="/nowhere/ca.pem")[0]
