"""The manifests of docs/kubernetes say nothing that product and compose.yaml do not know; no cluster is needed to see that."""

from typing import Any

import pytest
import yaml

from cli.__main__ import VERBS
from docs.scripts.reference import every_command
from tests.conftest import ROOT
from triage.config.setting_sources import is_secret
from triage.config.triage_yaml import config_of
from triage.config.variables import variables

FOLDER = ROOT / "docs" / "kubernetes"
DOCUMENTS: list[dict[str, Any]] = [
    document
    for path in sorted(FOLDER.glob("*.yaml"))
    for document in yaml.safe_load_all(path.read_text(encoding="utf-8"))
]
PAGE = (ROOT / "docs" / "operations" / "kubernetes.md").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]


def of_kind(kind: str) -> dict[str, dict[str, Any]]:
    """Documents of a kind by name."""
    return {each["metadata"]["name"]: each for each in DOCUMENTS if each["kind"] == kind}


DEPLOYMENTS = of_kind("Deployment")
SETTINGS: dict[str, str] = of_kind("ConfigMap")["triage"]["data"]


def pod(name: str) -> dict[str, Any]:
    """The pod of a deployment."""
    spec: dict[str, Any] = DEPLOYMENTS[name]["spec"]["template"]["spec"]
    return spec


def container(name: str) -> dict[str, Any]:
    """The only container of a deployment."""
    [only] = pod(name)["containers"]
    found: dict[str, Any] = only
    return found


def test_the_kinds_are_those_of_compose() -> None:
    """The three services of ours are deployments here, and every document has its schema's first words."""
    assert {f"triage-{name}" for name, service in COMPOSE.items() if "build" in service} == set(DEPLOYMENTS)
    assert {(one["apiVersion"], one["kind"]) for one in DOCUMENTS} == {
        ("v1", "ConfigMap"),
        ("v1", "Service"),
        ("apps/v1", "Deployment"),
    }


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_pods_are_locked_up(name: str) -> None:
    """No root, no writable root file system, no capabilities, no token of the cluster."""
    inside, around = container(name)["securityContext"], pod(name)["securityContext"]

    assert (around["runAsNonRoot"], around["runAsUser"]) == (True, 10001)
    assert "--uid 10001" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert (inside["readOnlyRootFilesystem"], inside["allowPrivilegeEscalation"]) == (True, False)
    assert inside["capabilities"] == {"drop": ["ALL"]}
    assert pod(name)["automountServiceAccountToken"] is False


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_selectors_find_their_pods(name: str) -> None:
    """A deployment selects the pods that it makes, and the service those of the web."""
    labels = DEPLOYMENTS[name]["spec"]["template"]["metadata"]["labels"]

    assert DEPLOYMENTS[name]["spec"]["selector"]["matchLabels"] == labels
    assert (of_kind("Service")["triage"]["spec"]["selector"] == labels) == (name == "triage-web")


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_commands_and_probes_exist(name: str) -> None:
    """A pod runs a command that compose runs, too, with options that exist, and is asked by one or by its health."""
    words, service = container(name)["args"], COMPOSE[name.removeprefix("triage-")]
    options = {words: {option for one in command.params for option in one.opts} for command, words in every_command()}
    asked = [container(name)[probe] for probe in ("readinessProbe", "livenessProbe") if probe in container(name)]

    assert words[0] == service["command"][0] in VERBS
    assert set(words[1:]) <= options["triage", words[0]]
    assert asked
    for probe in asked:
        if "exec" in probe:
            assert probe["exec"]["command"] == service["healthcheck"]["test"][1:]
        else:
            assert probe["httpGet"]["path"] in {"/health/live", "/health/ready"}
            assert probe["httpGet"]["port"] in {port["name"] for port in container(name)["ports"]}


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_what_is_mounted_is_there(name: str) -> None:
    """Each mount has its volume, and each volume is used; secrets and triage.yaml lie where the settings say."""
    mounts = {mount["name"]: mount["mountPath"] for mount in container(name)["volumeMounts"]}
    files = [value for key, value in SETTINGS.items() if key.endswith("_FILE") and key != "HEARTBEAT_FILE"]

    assert set(mounts) == {volume["name"] for volume in pod(name)["volumes"]}
    assert [file for file in files if not file.startswith(mounts["secrets"] + "/")] == []
    assert mounts["index"] == SETTINGS["TICKET_INDEX_DIR"]
    assert mounts["config"] == "/var/lib/triage/triage.yaml"
    assert SETTINGS["HEARTBEAT_FILE"].startswith(mounts["tmp"] + "/")


def test_settings_exist() -> None:
    """Each setting is one of ours, or a secret's file; the page makes each file; no secret stands in a ConfigMap."""
    secret = {variable for variable, field in variables().items() if is_secret(field)}
    files = {key: value for key, value in SETTINGS.items() if key.removesuffix("_FILE") in secret}

    assert set(SETTINGS) - set(variables()) == set(files)
    assert all(f"--from-literal={value.rpartition('/')[2]}=" in PAGE for value in files.values())
    assert config_of(of_kind("ConfigMap")["triage-config"]["data"]["triage.yaml"].encode()).rules


def test_the_page_names_every_manifest() -> None:
    """The page of Kubernetes tells what each file makes."""
    assert [path.name for path in FOLDER.glob("*.yaml") if f"`{path.name}`" not in PAGE] == []
