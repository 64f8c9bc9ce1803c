"""Metrics as Prometheus reads them: who may, what stands there, and that the dashboard asks for what there is."""

import json
import re
import time

import httpx2
from prometheus_client.parser import text_string_to_metric_families

from tests.conftest import ROOT
from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import Running, running, until
from tests.servers.web.prometheus import lint, prometheus
from triage.policy.operations.metrics import FAMILIES, MetricKind

DASHBOARD = json.loads((ROOT / "docs" / "grafana" / "triage.json").read_text(encoding="utf-8"))
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", ())]
FOREIGN = {"process_resident_memory_bytes", "process_cpu_seconds_total"}
ENDINGS = {
    MetricKind.COUNTER: ("_total",),
    MetricKind.GAUGE: ("",),
    MetricKind.HISTOGRAM: ("_bucket", "_count", "_sum"),
}
SERIES = {name + ending for name, family in FAMILIES.items() for ending in ENDINGS[family.kind]}


def alone(serving: Running) -> str:
    """The address of METRICS_ADDRESS."""
    return str(until(lambda: re.search(r"metrics on (http://\S+)/metrics", serving.said), serving).group(1))


def test_the_dashboard_asks_for_what_there_is() -> None:
    """Every query names metrics that exist, by labels that they have; every metric of ours is looked at."""
    asked = {name for query in QUERIES for name in re.findall(r"\b(?:triage|process)_\w+", query)}

    assert asked - FOREIGN <= SERIES
    families = {re.sub(r"_(bucket|count|sum|total)$", "", name) for name in asked - FOREIGN}
    assert families == set(FAMILIES)
    for query in QUERIES:
        names = {re.sub(r"_(bucket|count|sum|total)$", "", name) for name in re.findall(r"\btriage_\w+", query)}
        known = {"le"}.union(*(FAMILIES[name].labels for name in names))
        for labels in re.findall(r"by \(([\w, ]+)\)", query):
            assert set(labels.split(", ")) <= known, query


def test_scraped(installation: Installation) -> None:
    """A real Prometheus reads a token's port and the address without one; all of the dashboard's queries are answered."""
    token = installation.json("token", "create", "prometheus")["token"]
    with running(installation, "serve", "--no-watch", PORT="0", METRICS_ADDRESS="127.0.0.1:0") as serving:
        inside, public = alone(serving), serving.url
        before = httpx2.get(f"{inside}/metrics")
        installation.triage("process", str(MAILS / "01-barcode-cut-off.eml"))
        time.sleep(2.5)  # rows are counted once they are settled
        text = httpx2.get(f"{inside}/metrics").text
        refused = [
            httpx2.get(f"{public}/metrics"),
            httpx2.get(f"{public}/metrics", headers={"authorization": "Bearer triage_no"}),
            httpx2.post(f"{inside}/metrics"),
            httpx2.get(f"{inside}/health/live"),
            httpx2.get(f"{inside}/metrics/"),
        ]
        bearer = {"authorization": {"credentials": token}}
        with prometheus(
            installation.folder, {inside.removeprefix("http://"): {}, public.removeprefix("http://"): bearer}
        ) as reader:
            until(lambda: reader.answers and len(reader.query("triage_cases{state='ticketed'} == 1")) == 2)
            for query in QUERIES:
                reader.query(query.replace("$job", ".*"))

    assert before.status_code == 200
    assert [one.status_code for one in refused] == [401, 401, 405, 404, 404]
    assert 'realm="triage"' in refused[0].headers["www-authenticate"]
    assert lint(text) == ""
    found = {family.name: family for family in text_string_to_metric_families(text)}
    ours = {name for name, family in found.items() if name.startswith("triage_")}
    assert ours == set(FAMILIES)
    steps = {one.labels["step"] for one in found["triage_step_duration_seconds"].samples}
    assert {"read", "classify", "dispatch"} <= steps
    assert "ada@" not in text
    assert not re.search(r"[\w.]+@[\w.]+", text), "an address"


def test_off(installation: Installation) -> None:
    """Without a token and without an address nobody is answered, on the public port or on another."""
    with running(installation, "serve", "--no-work", PORT="0") as serving:
        answer = httpx2.get(f"{serving.url}/metrics")

    assert answer.status_code == 404
    assert "metrics on" not in serving.said
