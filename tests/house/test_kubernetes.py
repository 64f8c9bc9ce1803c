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
from triage.policy.operations.metrics import FAMILIES

FOLDER = ROOT / "docs" / "kubernetes"
FILES = sorted(FOLDER.rglob("*.yaml"))
LISTS = {path: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FILES if path.name == "kustomization.yaml"}
DOCUMENTS: list[dict[str, Any]] = [
    document for path in FILES if path not in LISTS for document in yaml.safe_load_all(path.read_text(encoding="utf-8"))
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


def container_labels(name: str) -> dict[str, str]:
    """The labels of a deployment's pods."""
    labels: dict[str, str] = DEPLOYMENTS[name]["spec"]["template"]["metadata"]["labels"]
    return labels


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
        ("policy/v1", "PodDisruptionBudget"),
        ("networking.k8s.io/v1", "NetworkPolicy"),
        ("autoscaling/v2", "HorizontalPodAutoscaler"),
    }


def test_every_file_is_listed() -> None:
    """Each file belongs to one list, each list names files and folders that exist, and its patches and images what there is."""
    listed = [(path.parent / name).resolve() for path, one in LISTS.items() for name in one["resources"]]
    folders = {path.parent for path in LISTS}
    images = [image["name"] for one in LISTS.values() for image in one.get("images", ())]

    assert sorted(file for file in listed if file not in folders) == [path for path in FILES if path not in LISTS]
    assert {folder for folder in listed if folder.is_dir()} <= folders
    assert {(one["apiVersion"], one["kind"]) for one in LISTS.values()} == {
        ("kustomize.config.k8s.io/v1beta1", "Kustomization")
    }
    assert set(images) == {container(name)["image"].rpartition(":")[0] for name in DEPLOYMENTS}
    for patch in (patch for one in LISTS.values() for patch in one.get("patches", ())):
        target = of_kind(patch["target"]["kind"])[patch["target"]["name"]]
        for change in yaml.safe_load(patch["patch"]):
            assert change["op"] == "remove"
            assert target[change["path"].split("/")[1]][change["path"].split("/")[2]]


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_drained_one_by_one(name: str) -> None:
    """Each deployment has more than one pod, and a budget that lets one of them go at a time."""
    budget = of_kind("PodDisruptionBudget")[name]["spec"]

    assert budget.pop("selector") == DEPLOYMENTS[name]["spec"]["selector"]
    assert budget in ({"minAvailable": 1}, {"maxUnavailable": 1})
    assert DEPLOYMENTS[name]["spec"]["replicas"] > 1


def test_who_may_talk() -> None:
    """Ports that are open are ports of the pods; whoever is not named is kept out, in and out."""
    policies = [one["spec"] for one in of_kind("NetworkPolicy").values()]
    everybody = {"app.kubernetes.io/name": "triage"}
    opened = {port["port"] for one in policies for rule in one.get("ingress", ()) for port in rule["ports"]}
    reached = {port["port"] for one in policies for rule in one.get("egress", ()) for port in rule["ports"]}

    assert opened == {port["containerPort"] for name in DEPLOYMENTS for port in container(name).get("ports", ())}
    assert reached == {53, 443, 993, 465, 587, 5432, 6379}
    assert {
        kind for one in policies if one["podSelector"]["matchLabels"] == everybody for kind in one["policyTypes"]
    } == {
        "Ingress",
        "Egress",
    }
    assert all(everybody.items() <= container_labels(name).items() for name in DEPLOYMENTS)


def test_workers_follow_the_backlog() -> None:
    """The autoscaler asks for a figure that exists, of a deployment that exists, and the page says how the figure gets there."""
    [scaler] = of_kind("HorizontalPodAutoscaler").values()
    [metric] = scaler["spec"]["metrics"]
    name = metric["external"]["metric"]["name"]

    assert scaler["spec"]["scaleTargetRef"]["name"] == "triage-worker" in DEPLOYMENTS
    assert scaler["spec"]["minReplicas"] == DEPLOYMENTS["triage-worker"]["spec"]["replicas"]
    assert FAMILIES[name].kind == "gauge"
    assert f"seriesQuery: {name}\n" in PAGE
    assert f"as: {name} " in PAGE


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
    assert [path for path in FILES if f"`{path.relative_to(FOLDER)}`" not in PAGE] == []
