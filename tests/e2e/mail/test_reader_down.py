"""An installation that lacks a package of the mail parser: whoever starts or asks is told which, before a mail comes."""

import json
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.e2e.installation import Installation
from tests.servers import free_port

WHY = "not ready: ended with code 1: ModuleNotFoundError: No module named 'mailparser'"


@pytest.fixture
def bare(installation: Installation) -> Installation:
    """An installation whose Python finds no `mailparser`."""
    package = installation.folder / "shadow" / "mailparser"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'mailparser'\")\n")
    installation.extra["PYTHONPATH"] = f"{package.parent}:{ROOT}"
    return installation


def command(*words: str) -> list[str]:
    """A `triage` of its own: the tests' launcher has imported everything already."""
    return [sys.executable, "-m", "cli", *words]


def test_the_doctor_names_the_package(bare: Installation) -> None:
    """`triage doctor` starts a reader, and says why none can be started."""
    done = subprocess.run(
        command("doctor", "--json"), env=bare.environment(), cwd=bare.folder, capture_output=True, check=False
    )
    (found,) = [finding for finding in json.loads(done.stdout) if finding["what"] == "reading"]

    assert (done.returncode, found["state"]) == (1, "fail")
    assert found["text"].endswith(WHY)


@pytest.mark.parametrize("word", ["work", "serve"])
def test_a_service_says_so_at_its_start(bare: Installation, word: str) -> None:
    """The log has an error line with the reason at once, and no mail has to come for it."""
    environment = bare.environment(PORT=str(free_port()))
    with subprocess.Popen(
        command(word), env=environment, cwd=bare.folder, stderr=subprocess.PIPE, text=True
    ) as service:
        try:
            said = next((line for line in service.stderr or () if "reader.down" in line), "it ended")
        finally:
            service.terminate()

    assert "ERROR" in said
    assert WHY in said
