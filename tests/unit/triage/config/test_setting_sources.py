"""Where settings come from: environment, `.env`, files of secrets; which of them counts."""

from pathlib import Path

import pytest

from triage.config.setting_sources import is_secret, variable
from triage.config.settings import ALONE, Settings, load
from triage.config.variables import variables
from triage.domain.errors import SettingsInvalid

CANARY = "canary-7f3a9c"
SECRETS = tuple(name for name, field in variables().items() if is_secret(field))
PARTNERS = {
    "JIRA_API_TOKEN": {"JIRA_EMAIL": "bot@acme.example"},
    "POSTMARK_PASSWORD": {"POSTMARK_USER": "postmark"},
    "MANDRILL_KEY": {"MANDRILL_URL": "https://acme.example/webhooks/mandrill"},
    "IMAP_PASSWORD": {"IMAP_HOST": "127.0.0.1", "IMAP_USER": "bot"},
    "OIDC_CLIENT_SECRET": {
        "OIDC_ISSUER": "https://login.example.com",
        "OIDC_CLIENT_ID": "triage",
        "PUBLIC_URL": "https://triage.example.com",
    },
    "SMTP_PASSWORD": {"SMTP_HOST": "127.0.0.1", "SMTP_USER": "bot", "MAIL_FROM": "bot@acme.example"},
}
"""What a secret makes no sense without."""

pytestmark = pytest.mark.usefixtures("bare")


def shown(settings: Settings, name: str) -> str:
    """The value of a secret."""
    field = next(key for key, field in Settings.model_fields.items() if variable(field) == name)
    return str(getattr(settings, field).get_secret_value())


@pytest.mark.parametrize("value", ["", " \t"])
def test_empty_is_unset(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """A variable that is there and empty is the same as one that is absent."""
    for name in variables():
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("OPENAI_BASE_URL", value)

    assert load() == Settings.model_construct(**{k: f.default for k, f in Settings.model_fields.items()})


def test_environment_beats_file_beats_dotenv(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A secret is taken from the environment, else from its file, else from `.env`."""
    Path(".env").write_text("TRIAGE_SECRET=from-dotenv\n", encoding="utf-8")
    dotenv = shown(load(), "TRIAGE_SECRET")
    (tmp_path / "secret").write_text("from-file\n", encoding="utf-8")
    monkeypatch.setenv("TRIAGE_SECRET_FILE", str(tmp_path / "secret"))
    file = shown(load(), "TRIAGE_SECRET")
    monkeypatch.setenv("TRIAGE_SECRET", "from-environment")

    assert (dotenv, file, shown(load(), "TRIAGE_SECRET")) == ("from-dotenv", "from-file", "from-environment")


def test_environment_beats_dotenv(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for what is no secret."""
    Path(".env").write_text("MAX_ROUNDS=3\nWORKERS=2\n", encoding="utf-8")
    monkeypatch.setenv("MAX_ROUNDS", "5")
    settings = load()

    assert (settings.max_rounds, settings.workers) == (5, 2)


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("where", ["environment", "dotenv"])
def test_every_secret_may_come_from_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, where: str
) -> None:
    """NAME_FILE gives NAME, without the newline at its end, whether it stands in the environment or in `.env`."""
    value = {"DATABASE_URL": "sqlite:///x.db", "REDIS_URL": "redis://x"}.get(name, "kept in a file")
    (tmp_path / "secret").write_text(f"{value}\r\n", encoding="utf-8")
    for partner, given in PARTNERS.get(name, {}).items():
        monkeypatch.setenv(partner, given)
    if where == "dotenv":
        Path(".env").write_text(f"{name}_FILE={tmp_path / 'secret'}\n", encoding="utf-8")
    else:
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "secret"))

    assert shown(load(), name) == value


def test_an_empty_file_is_no_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A mounted secret that was left empty switches nothing on."""
    (tmp_path / "empty").write_text("\n", encoding="utf-8")
    for name in SECRETS:
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "empty"))

    assert shown(load(), "DATABASE_URL") == "sqlite:///triage.db"
    assert shown(load(), "OPENAI_API_KEY") == ""


@pytest.mark.parametrize("kind", ["absent", "folder", "binary"])
def test_files_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str) -> None:
    """Every secret's file that cannot be read is named with its path, together with all other mistakes."""
    path = tmp_path / "secret"
    if kind == "folder":
        path.mkdir()
    if kind == "binary":
        path.write_bytes(b"\xff\xfe" + CANARY.encode())
    monkeypatch.setenv("OPENAI_API_KEY_FILE", str(path))
    monkeypatch.setenv("TRIAGE_SECRET_FILE", str(path))
    monkeypatch.setenv("MAX_ROUNDS", "0")
    with pytest.raises(SettingsInvalid) as told:
        load()
    problems = told.value.settings

    assert sorted((problem.name, problem.place) for problem in problems) == [
        ("MAX_ROUNDS", "environment"),
        ("OPENAI_API_KEY", ""),
        ("TRIAGE_SECRET", ""),
    ]
    assert [str(path) in problem.text and "_FILE" in problem.text for problem in problems].count(True) == 2
    assert CANARY not in str(told.value)


def test_a_dotenv_that_is_no_text() -> None:
    """An `.env` in another encoding is told with its first wrong line, and its bytes are not shown."""
    Path(".env").write_bytes(b"# ours\nOPENAI_API_KEY=\xff\xfe" + CANARY.encode())
    with pytest.raises(SettingsInvalid) as told:
        load()

    assert str(told.value) == ".env: is not UTF-8 (line 2); save it again in this encoding"


def test_a_dotenv_that_is_a_folder() -> None:
    """A container that mounts an `.env` that is not there gets a folder: that is told, not taken for an empty file."""
    Path(".env").mkdir()
    with pytest.raises(SettingsInvalid, match=r"\.env: cannot be read \(Is a directory\)"):
        load()


def test_a_file_that_counts_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With `--env FILE` neither the environment nor `.env` says anything; a file that is not there is an error."""
    Path(".env").write_text("WORKERS=2\nIMAP_USER=nobody\n", encoding="utf-8")
    monkeypatch.setenv("JIRA_PROJECT_KEY", "ACME")
    monkeypatch.setenv("JIRA_PROJEKT_KEY", "ACME")
    (tmp_path / "demo").write_text("MAX_ROUNDS=3\n", encoding="utf-8")
    token = ALONE.set(tmp_path / "demo")
    try:
        settings = load()
        (tmp_path / "demo").write_text("MAX_ROUND=3\n", encoding="utf-8")
        with pytest.raises(SettingsInvalid, match="did you mean MAX_ROUNDS"):
            load()
        (tmp_path / "demo").unlink()
        with pytest.raises(SettingsInvalid, match="--env: there is no"):
            load()
    finally:
        ALONE.reset(token)

    assert (settings.max_rounds, settings.workers, settings.jira_project_key) == (3, 4, "")
    assert settings.warnings == ()
