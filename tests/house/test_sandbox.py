"""Rules of the sandbox's distribution: its endpoints are frozen, its folders stay small, its pages are true."""

import re
from collections.abc import Iterator
from itertools import chain, groupby
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from starlette.routing import Route

from tests.conftest import ROOT
from triage_sandbox.jira import jira_app
from triage_sandbox.openai_app import Script, openai_app

SANDBOX = ROOT / "sandbox"
FROZEN = "before the freeze"
"""Stands in the place of a caller where an endpoint is older than this rule."""
OLD = 364
"""Endpoints without a named caller. This number only falls."""
MOST_FILES = 14


def endpoints() -> Iterator[str]:
    """`METHOD path` of everything that the two servers answer; HEAD comes with GET."""
    for app in (jira_app(), openai_app(Script())):
        for route in chain.from_iterable(getattr(each, "routes", [each]) for each in app.routes):
            if isinstance(route, Route | APIRoute) and route.methods:
                yield from (f"{method} {route.path}" for method in route.methods - {"HEAD"})


def table() -> dict[str, str]:
    """`routes.txt`: each endpoint with who calls it."""
    lines = (SANDBOX / "routes.txt").read_text(encoding="utf-8").splitlines()
    split = (line.partition(" | ") for line in lines if line and not line.startswith("#"))
    return {endpoint: caller for endpoint, _, caller in split}


def test_a_new_endpoint_needs_a_caller() -> None:
    """The sandbox grows by need: `routes.txt` lists every endpoint, and a new one says who calls it."""
    answered, known = set(endpoints()), table()

    new = sorted(answered - known.keys())
    assert new == [], f"a new endpoint needs a caller: add {new} to sandbox/routes.txt with who calls each"
    gone = sorted(known.keys() - answered)
    assert gone == [], f"remove {gone} from sandbox/routes.txt: the sandbox no longer answers them"
    nobody = sorted(endpoint for endpoint, caller in known.items() if not caller.strip())
    assert nobody == [], f"a new endpoint needs a caller: say who calls {nobody} in sandbox/routes.txt"
    old = sum(caller == FROZEN for caller in known.values())
    assert old == OLD, f"{old} endpoints are marked '{FROZEN}', {OLD} were: no new one may be marked so"


def test_the_table_of_endpoints_is_sorted() -> None:
    """A diff of `routes.txt` shows only what is new or gone."""
    assert list(table()) == sorted(table(), key=lambda endpoint: endpoint.split()[::-1])


@pytest.mark.parametrize("room", ["triage_sandbox", "tests"])
def test_folders_stay_small(room: str) -> None:
    """A folder holds what one look can take in."""
    modules = sorted((SANDBOX / room).rglob("*.py"), key=lambda path: path.parent)
    sizes = {str(folder): len(list(files)) for folder, files in groupby(modules, key=lambda path: path.parent)}

    assert {folder: size for folder, size in sizes.items() if size > MOST_FILES} == {}


def test_its_changelog_names_its_version() -> None:
    """A user finds the version of the sandbox's pyproject.toml in its changelog."""
    version = re.search(r'^version = "(.+)"', (SANDBOX / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)

    assert version
    assert version.group(1) in (SANDBOX / "CHANGELOG.md").read_text(encoding="utf-8")


def test_its_page_has_a_program_that_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The Python example of the sandbox's README starts a Jira and prints where it is."""
    (program,) = re.findall(r"```python\n(.*?)```", (SANDBOX / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(program, "README.md", "exec"), {})  # noqa: S102 - our own page

    assert re.fullmatch(r"http://127\.0\.0\.1:\d+\n", capsys.readouterr().out)


def test_links_of_its_pages_lead_somewhere() -> None:
    """Every relative link of README.md and CHANGELOG.md names a file."""
    pages = [SANDBOX / "README.md", SANDBOX / "CHANGELOG.md"]
    links = [(page, link) for page in pages for link in re.findall(r"\]\((?!http)([^)#]+)", page.read_text("utf-8"))]

    assert [link for page, link in links if not Path(page.parent / link).exists()] == []
