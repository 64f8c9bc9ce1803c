"""Rules of the examples: packages of their own that know what somebody else's package may know, beside the product."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT
from triage.config.triage_yaml import load_config

EXAMPLES = ("cultpass", "pharmacy")
MAY_KNOW = re.compile(r"triage\.(?:agent\.toolbox|domain\.[\w.]+)|pydantic")


def imported(path: Path) -> set[str]:
    """Modules that a file imports."""
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {
        name
        for node in tree
        for name in (
            [one.name for one in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }


def declared(name: str) -> dict[str, dict[str, object]]:
    """The example's `pyproject.toml`."""
    found: dict[str, dict[str, object]] = tomllib.loads(
        (ROOT / "examples" / name / "pyproject.toml").read_text(encoding="utf-8")
    )
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_knows_the_toolbox_and_the_nouns_alone(name: str) -> None:
    """Whoever copies an example copies nothing that only we could write."""
    package = ROOT / "examples" / name / f"triage_{name}"
    ours = {
        module for path in package.rglob("*.py") for module in imported(path) if module.startswith(("triage.", "cli"))
    }

    assert [module for module in sorted(ours) if not MAY_KNOW.fullmatch(module)] == []


def test_nobody_knows_the_examples() -> None:
    """Neither the product nor the sandbox imports one, and no wheel of the product holds one."""
    rooms = [
        path
        for room in ("cli", "triage", "integrations", "prompts", "web", "webhooks", "sandbox")
        for path in (ROOT / room).rglob("*.py")
    ]
    names = ("triage_cultpass", "triage_pharmacy")
    named = [path for path in rooms if any(name in path.read_text(encoding="utf-8") for name in names)]
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"]["build-backend"]

    assert [path for path in named if any(module.startswith(names) for module in imported(path))] == []
    assert not any("example" in module or module.startswith("triage_") for module in wheel["module-name"])


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_a_package_that_can_be_tried(name: str) -> None:
    """Its entry point names its tools, its README tries it in three commands on files that are there, its rules load."""
    folder = ROOT / "examples" / name
    [commands] = re.findall(r"```sh\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    files = re.findall(r"examples/[\w/.]+", commands)
    config = load_config(folder / "triage.yaml")

    assert declared(name)["project"]["entry-points"] == {"triage.tools": {name: f"triage_{name}:TOOLS"}}
    assert (len(commands.strip().splitlines()), [file for file in files if not (ROOT / file).exists()]) == (3, [])
    assert [spec.name for spec in config.profiles] == [name]
