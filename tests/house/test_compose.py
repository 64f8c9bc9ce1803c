"""compose.yaml and Dockerfile say nothing that the rest of the house does not know; no daemon is needed to see that."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from tests.conftest import ROOT
from triage.config.setting_sources import is_secret
from triage.config.variables import variables

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_services() -> None:
    """A team gets a door, a watcher, a worker, a database and a Redis."""
    assert set(SERVICES) == {"web", "watcher", "worker", "database", "redis"}
    assert set(OURS) == {"web", "watcher", "worker"}


def test_what_may_be_several() -> None:
    """Whoever works and whoever watches is there twice, so that one takes over from the other; the door has one port."""
    assert {name: service.get("deploy", {}).get("replicas", 1) for name, service in OURS.items()} == {
        "web": 1,
        "worker": 2,
        "watcher": 2,
    }


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_locked_up(name: str) -> None:
    """Health is asked, the root file system is read-only, there are no capabilities and no root."""
    service = SERVICES[name]

    assert service["healthcheck"]["test"][0] == "CMD"
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service.get("user") not in {"root", "0", 0}
    assert "user" in service or re.search(r"^USER (?!root)\w+$", DOCKERFILE, re.MULTILINE)


@pytest.mark.parametrize("name", OURS)
def test_variables_exist(name: str) -> None:
    """Each variable is one of ours, or a secret's file."""
    files = {f"{variable}_FILE" for variable, field in variables().items() if is_secret(field)}

    assert set(OURS[name]["environment"]) - set(variables()) - files == set()


OWN = {"DATABASE_URL", "REDIS_URL", "HOST", "PORT", "HEARTBEAT_FILE", "TICKET_INDEX_DIR", "MEMORY_DIR"}
"""What the containers know better than an `.env` that is this machine's, too."""
MOUNTED = {"TRIAGE_CONFIG": "triage.yaml", "TEAM_FILE": "team.yaml"}
"""Files of this machine, and how they are called inside."""


def filled(text: str, given: dict[str, str]) -> str:
    """`${NAME:-default}`, `${NAME:+instead}` and `${NAME:?why}` as Docker Compose reads them."""

    def value(found: re.Match[str]) -> str:
        name, sign, word = found.groups()
        return (word if given.get(name) else "") if sign == ":+" else given.get(name) or (word if sign == ":-" else "")

    return re.sub(r"\$\{(\w+)(:[-+?])([^}]*)\}", value, text)


@pytest.mark.parametrize("name", ["web", "worker", "watcher"])
def test_every_setting_reaches_every_container(name: str) -> None:
    """Whatever stands in `.env` arrives under its name, but for what the containers know better; files are mounted."""
    service, given = OURS[name], {variable: f"value of {variable}" for variable in variables()}
    inside = (given if {"path": ".env", "required": False} in service["env_file"] else {}) | {
        key: filled(value, given) for key, value in service["environment"].items()
    }
    mounts = {mount["target"].rpartition("/")[2]: filled(mount["source"], given) for mount in service["volumes"]}

    assert {key for key, value in given.items() if inside.get(key) != value} == OWN | set(MOUNTED)
    assert {key: inside[key] for key in MOUNTED} == MOUNTED
    assert {key: mounts[file] for key, file in MOUNTED.items()} == {key: given[key] for key in MOUNTED}


def test_what_is_not_named_is_not_mounted() -> None:
    """Without TEAM_FILE there is none inside; a file that is named and absent is an error, never an empty folder."""
    for service in OURS.values():
        files = [mount for mount in service["volumes"] if mount["target"].endswith(".yaml")]

        assert filled(service["environment"]["TEAM_FILE"], {}) == ""
        assert [filled(mount["source"], {}) for mount in files] == ["./triage.yaml", "/dev/null"]
        assert [mount["bind"]["create_host_path"] for mount in files] == [False, False]


@pytest.mark.parametrize("setting", ["TICKET_INDEX_DIR", "MEMORY_DIR"])
def test_what_is_written_has_a_volume(setting: str) -> None:
    """In containers that are read-only, each folder that we write to is a volume, and the image gives it to our user."""
    for service in OURS.values():
        volumes = {mount["target"] for mount in service["volumes"] if mount["type"] == "volume"}

        assert service["environment"][setting] in volumes
        assert service["environment"][setting] in DOCKERFILE.partition("RUN mkdir -m 700")[2].splitlines()[0].split()


@pytest.mark.parametrize("name", SERVICES)
def test_no_plain_secrets(name: str) -> None:
    """A secret comes from a file, or is an address without a password in it."""
    given = SERVICES[name].get("environment", {})
    secret = {variable for variable, field in variables().items() if is_secret(field)}
    plain = {key: value for key, value in given.items() if key in secret or re.search("(PASSWORD|TOKEN|SECRET)$", key)}

    told = {key for key, value in plain.items() if value and (not urlsplit(value).hostname or urlsplit(value).password)}

    assert told == set()
    assert "secrets/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", SERVICES)
def test_secret_files_are_mounted(name: str) -> None:
    """Each file that a variable names is a secret of its service, and each secret is explained above."""
    service = SERVICES[name]
    values = service.get("environment", {}).values()
    named = {value.removeprefix("/run/secrets/") for value in values if value.startswith("/run/secrets/")}
    top = (ROOT / "compose.yaml").read_text(encoding="utf-8").partition("\nname:")[0]

    assert named == set(service.get("secrets", ()))
    assert named <= set(COMPOSE["secrets"])
    assert all(f"secrets/{secret}" in top for secret in named)


@pytest.mark.parametrize("name", [name for name in SERVICES if name not in OURS])
def test_tags_are_pinned(name: str) -> None:
    """Other people's images are pinned to a major version and cannot be reached from outside."""
    assert re.search(r":\d+(-\w+)?$", SERVICES[name]["image"])
    assert SERVICES[name]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert "ports" not in SERVICES[name]


def test_ports_stay_on_this_machine() -> None:
    """Whoever wants to be reached from elsewhere puts TLS in front."""
    assert [port for service in SERVICES.values() for port in service.get("ports", ())] == [
        "127.0.0.1:${PORT:-8080}:8080"
    ]


def test_redis_keeps_its_file() -> None:
    """Without the append-only file a killed Redis forgets what it acknowledged."""
    command = SERVICES["redis"]["command"]

    assert command[command.index("--appendonly") + 1] == "yes"


def test_image_has_every_room() -> None:
    """What is installed in the image is what pyproject.toml calls the modules, and nothing else is sent to the build."""
    rooms = set(re.findall(r"^COPY (\w+) \1$", DOCKERFILE, re.MULTILINE))
    let_in = set(re.findall(r"^!(\w+)/$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE))

    assert rooms == let_in == {"cli", "triage", "integrations", "prompts", "web", "webhooks"}


def test_one_version_of_uv() -> None:
    """The image is built with the tool that `make setup` uses, from the lock file."""
    ours = re.search(r"^UV_VERSION=(.+)$", (ROOT / "tests" / "setup.sh").read_text(encoding="utf-8"), re.MULTILINE)

    assert ours
    assert f"uv=={ours.group(1)}" in DOCKERFILE
    assert DOCKERFILE.count("uv sync --frozen --no-dev --all-extras") == 2
