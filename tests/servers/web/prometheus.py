"""A real Prometheus on loopback that scrapes what it is told, and is asked over its own API."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import yaml

from tests.conftest import PATIENCE
from tests.servers import find_server, free_port


@dataclass(frozen=True)
class Prometheus:
    """One that runs."""

    url: str

    def query(self, expression: str) -> list[dict[str, Any]]:
        """The series of an expression now; an expression that it does not understand is an error."""
        answer = httpx2.get(f"{self.url}/api/v1/query", params={"query": expression}, timeout=PATIENCE)
        assert answer.status_code == 200, (expression, answer.text)
        found: list[dict[str, Any]] = answer.json()["data"]["result"]
        return found

    @property
    def answers(self) -> bool:
        """Whether it is ready."""
        try:
            return httpx2.get(f"{self.url}/-/ready", timeout=PATIENCE).status_code == 200
        except httpx2.TransportError:
            return False


@contextmanager
def prometheus(folder: Path, targets: Mapping[str, Mapping[str, Any]]) -> Iterator[Prometheus]:
    """Scrape these targets (address to more of the scrape's settings) each three seconds."""
    binary, port = find_server("prometheus", "prometheus"), free_port()
    jobs = [
        {"job_name": f"triage-{number}", "scrape_interval": "3s", "scrape_timeout": "3s", **more}
        | {"static_configs": [{"targets": [address]}]}
        for number, (address, more) in enumerate(targets.items())
    ]
    file = folder / "prometheus.yml"
    file.write_text(yaml.safe_dump({"scrape_configs": jobs}), encoding="utf-8")
    words = (
        f"--config.file={file}",
        f"--storage.tsdb.path={folder / 'tsdb'}",
        f"--web.listen-address=127.0.0.1:{port}",
    )
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen([binary, *words], stdout=log, stderr=log)
    try:
        yield Prometheus(f"http://127.0.0.1:{port}")
    finally:
        process.kill()
        process.wait()


def lint(text: str) -> str:
    """What `promtool check metrics` has to say; empty if nothing."""
    words = [find_server("promtool", "prometheus"), "check", "metrics"]
    done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.stdout + done.stderr
