"""Names of variables: typos are told with the name that is meant, old names go on, other programs are left alone."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from pydantic import AliasChoices, SecretStr

from triage.config.declaring import Text, env
from triage.config.setting_names import SettingNames
from triage.config.setting_sources import names_of
from triage.config.settings import Isolated, Settings, load, read
from triage.config.variables import variables
from triage.domain.errors import SettingsInvalid


class Renamed(Settings):
    """Settings of a later release, with two names changed."""

    site: Text = env("SITE_URL", "", "what was called WEB_ADDRESS before", was=("WEB_ADDRESS", "WEB_URL"))
    jira_token: SecretStr = env("JIRA_PERSONAL_TOKEN", SecretStr(""), "was JIRA_TOKEN before", was=("JIRA_TOKEN",))


NAMES = names_of(Settings)
FOREIGN = (  # noqa: SIM905 - a list of this length reads badly
    "PATH HOME HOSTNAME LOGNAME USER USERNAME SHELL TERM LANG LC_ALL PWD OLDPWD SHLVL EDITOR DISPLAY TZ COLUMNS LINES "
    "OPENAI_ORG_ID OPENAI_API_BASE OPENAI_LOG OPENAI_PROJECT_ID ANTHROPIC_BASE_URL ANTHROPIC_LOG ANTHROPIC_AUTH_TOKEN "
    "JIRA_AUTH_TYPE JIRA_CONFIG_FILE JIRA_SERVER JIRA_USERNAME REDIS_HOST REDIS_PORT REDIS_PASSWORD DATABASE_HOST "
    "DATABASE_NAME DATABASE_PASSWORD DATABASE_URL_TEST POSTGRES_PASSWORD PGHOST PGPORT POSTMARK_SERVER_TOKEN "
    "MAILGUN_API_KEY MAILGUN_DOMAIN SENDGRID_API_KEY MANDRILL_API_KEY WEBHOOK_URL LOG_FILE LOG_FORMAT LOG_DIR "
    "HTTP_PROXY HTTPS_PROXY NO_PROXY AWS_REGION KUBERNETES_SERVICE_HOST KUBERNETES_PORT CI TEAM PORTAGE GHOST REPORT "
    "HOSTS PORTS POST COST COMPOSE_FILE UV_CACHE_DIR PYTHONPATH VIRTUAL_ENV"
).split()


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder and an environment without any variable of ours."""
    monkeypatch.chdir(tmp_path)
    for name in NAMES.known:
        monkeypatch.delenv(name, raising=False)


def problems(dotenv: str, kind: type[Settings] = Settings) -> tuple[str, ...]:
    """What is said of this `.env`."""
    Path(".env").write_text(dotenv, encoding="utf-8")
    with pytest.raises(SettingsInvalid) as told:
        load(kind)
    return tuple(map(str, told.value.settings))


def typos(names: Iterable[str]) -> dict[str, str]:
    """A letter left out, doubled, swapped and another one in each name, at a place that moves from name to name; with the name that is meant."""
    placed = [(name, 1 + number % (len(name) - 2)) for number, name in enumerate(sorted(names))]
    return {
        typo: name
        for name, i in placed
        for typo in (
            name[:i] + name[i + 1 :],
            name[:i] + name[i] + name[i:],
            name[:i] + name[i + 1] + name[i] + name[i + 2 :],
            name[:i] + "Q" + name[i + 1 :],
        )
        if typo not in NAMES.known
    }


# --- .env -----------------------------------------------------------------------------------------


def test_a_typo_in_dotenv_names_the_setting() -> None:
    """Whichever setting is misspelt, the line is refused and the setting named."""
    meant = typos(NAMES.known)
    told = {typo: [problem.text for problem in NAMES.unknown(f"{typo}=1\n", ".env")] for typo in meant}

    assert {
        typo: found
        for typo, found in told.items()
        if len(found) != 1 or not found[0].endswith(f"did you mean {meant[typo]}?")
    } == {}


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("JIRA_SERVER", "JIRA_BASE_URL"),
        ("JIRA_USERNAME", "JIRA_EMAIL"),
        ("JIRA_API_KEY", "JIRA_API_TOKEN"),
        ("IMAP_SERVER", "IMAP_HOST"),
        ("SMTP_LOGIN", "SMTP_USER"),
        ("IMAP_PASS", "IMAP_PASSWORD"),
        ("OPENAI_TOKEN", "OPENAI_API_KEY"),
        ("REDIS_HOST", "REDIS_URL"),
    ],
)
def test_the_name_that_another_program_uses_leads_to_ours(name: str, ours: str) -> None:
    """A server is a host or a URL, a login a user or an address, a key a token."""
    assert [problem.text for problem in NAMES.unknown(f"{name}=1\n", ".env")] == [f"unknown; did you mean {ours}?"]


def test_all_at_once_with_their_lines() -> None:
    """Unknown names, lines that say nothing and wrong values come in one message, each with its place and its cure."""
    told = problems(
        "# ours\nJIRA_TOKN=x\nexport jira_url=https://x\n\nOPENAI KEY\nWORKERS\nMAX_ROUNDS=88\nFROBNICATE=\n"
        "IMAP_USER_FILE=/run/secrets/user\nCOMPOSE_PROJECT_NAME=triage\n"
    )

    assert told == (
        "JIRA_TOKN (.env, line 2): unknown; did you mean JIRA_TOKEN?",
        "JIRA_URL (.env, line 3): unknown; did you mean JIRA_BASE_URL?",
        ".env (line 5): is not NAME=value; correct it, or put a # in front",
        "WORKERS (.env, line 6): has no =; write WORKERS=value, or take the line out",
        "FROBNICATE (.env, line 8): unknown; no setting is like it: take it out (`triage doctor --settings` lists all)",
        "IMAP_USER_FILE (.env, line 9): unknown; only secrets come from files: set IMAP_USER itself",
        "MAX_ROUNDS (.env, line 7): should be less than or equal to 50 (rounds of the tool loop at most)",
    )


def test_a_variable_is_set_once() -> None:
    """Two lines that set the same variable are refused, since nobody can say which is meant; an empty one sets nothing."""
    told = problems("PORT=8001\nWORKERS=\n\nport=8002\nWORKERS=2\n")

    assert told == ("PORT (.env, line 4): is set in line 1, too; keep one of them",)


def test_a_wrong_value_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what needs another variable; the environment counts before the file."""
    monkeypatch.setenv("PORT", "many")
    told = problems("PORT=8001\nJIRA_BASE_URL=acme.example\nJIRA_PROJECT_KEY=OPS\nPOSTMARK_PASSWORD=x\n")

    assert [problem.partition(":")[0] for problem in told] == [
        "PORT (environment)",
        "JIRA_BASE_URL (.env, line 2)",
        "POSTMARK_PASSWORD (.env, line 4)",
    ]


def test_values_are_not_repeated() -> None:
    """A secret behind a misspelt name, or on a line of its own, is not shown."""
    assert "canary" not in str(problems("JIRA_TOKN=canary\ncanary canary\nWEBHOOK_SECRT='canary'\n"))


def test_a_file_that_is_named_exists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A configuration or a team that is named and not there is an error; the default may be absent."""
    assert load().triage_config == Path("triage.yaml")
    told = problems("TRIAGE_CONFIG=triage.yaml\nTEAM_FILE=team.yaml\n")
    assert [problem.partition(";")[0] for problem in told] == [
        f"TRIAGE_CONFIG (.env, line 1): there is no {tmp_path / 'triage.yaml'}",
        f"TEAM_FILE (.env, line 2): there is no {tmp_path / 'team.yaml'}",
    ]
    for name in ("triage.yaml", "team.yaml"):
        Path(name).touch()

    assert load().team_file == "team.yaml"


# --- the environment ------------------------------------------------------------------------------


def test_other_programs_are_left_alone() -> None:
    """What is commonly set for others says nothing about us."""
    assert list(NAMES.near_misses(FOREIGN, ())) == []


def test_a_typo_in_the_environment_is_warned_of() -> None:
    """A letter that is wrong is noticed in the environment, too."""
    names = typos(name for name in NAMES.known if len(name) > 5)
    told = {problem.name for problem in NAMES.near_misses(names, ())}

    assert set(names) - told == set()


def test_near_misses_warn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A near miss is told on standard error and kept for the doctor; the settings hold."""
    monkeypatch.setenv("JIRA_PROJEKT_KEY", "OPS")
    monkeypatch.setenv("OPENAI_KEY", "x")
    settings = load()
    said = capsys.readouterr().err

    assert said.splitlines() == [f"triage: {warning}" for warning in settings.warnings]
    assert tuple(map(str, settings.warnings)) == (
        "JIRA_PROJEKT_KEY (environment): means nothing to Triage; did you mean JIRA_PROJECT_KEY?",
        "OPENAI_KEY (environment): means nothing to Triage; did you mean OPENAI_API_KEY?",
    )


def test_a_setting_that_is_set_needs_no_guess() -> None:
    """JIRA_URL beside JIRA_BASE_URL is another program's; a misspelt word beside the right one is still told."""
    names = SettingNames(settings=frozenset({"JIRA_BASE_URL", "OPENAI_API_KEY"}))

    assert list(names.near_misses(["jira_url"], ["JIRA_BASE_URL"])) == []
    assert len(list(names.near_misses(["JIRA_URL"], ()))) == 1
    assert len(list(names.near_misses(["OPENAI_API_KYE"], ["OPENAI_API_KEY"]))) == 1


# --- names that were changed ----------------------------------------------------------------------


def test_an_old_name_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A renamed setting is read under its old names, from wherever it stands, with a warning; so is a secret's file."""
    (tmp_path / "token").write_text("secret\n", encoding="utf-8")
    Path(".env").write_text(f"web_url=https://old.example\nJIRA_TOKEN_FILE={tmp_path / 'token'}\n", encoding="utf-8")
    settings = read(Renamed)

    assert isinstance(settings, Renamed)
    assert (settings.site, settings.jira_token.get_secret_value()) == ("https://old.example", "secret")
    assert tuple(map(str, settings.warnings)) == (
        "JIRA_TOKEN_FILE (.env): is called JIRA_PERSONAL_TOKEN_FILE now; rename it",
        "WEB_URL (.env): is called SITE_URL now; rename it",
    )
    assert load(Isolated, JIRA_TOKEN="x").warnings == ()


def test_the_place_counts_before_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment wins over `.env` under an old name, too; in one place the new name wins."""
    Path(".env").write_text("SITE_URL=https://dotenv.example\n", encoding="utf-8")
    monkeypatch.setenv("WEB_ADDRESS", "https://environment.example")
    by_place = read(Renamed)
    monkeypatch.setenv("SITE_URL", "https://new.example")
    by_name = read(Renamed)

    assert isinstance(by_place, Renamed)
    assert isinstance(by_name, Renamed)
    assert (by_place.site, by_name.site) == ("https://environment.example", "https://new.example")
    assert "it is ignored, since SITE_URL is set, too" in by_name.warnings[0].text


def test_no_name_means_two_settings() -> None:
    """An old name is no name of today, and belongs to one setting."""
    aliases = [field.validation_alias for field in Renamed.model_fields.values()]
    names = [name for alias in aliases if isinstance(alias, AliasChoices) for name in alias.choices]

    assert set(map(str, names)) >= {*variables(), "WEB_URL", "JIRA_PERSONAL_TOKEN"}
    assert len(names) == len(set(names))
