"""The house keeps its own rules: what is written down about it is checked against it."""

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.database import migrated
from triage.config.setting_sources import is_secret
from triage.config.variables import variables

EXAMPLES = ("examples/cultpass/triage_cultpass", "examples/pharmacy/triage_pharmacy")
ROOMS = ("cli", "triage", "integrations", "prompts", "web", "webhooks", "sandbox/triage_sandbox", *EXAMPLES)
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
LONGEST = 400
TESTS = sorted(
    path
    for room in ("tests", "sandbox/tests", "examples/cultpass/tests", "examples/pharmacy/tests")
    for path in (ROOT / room).rglob("*.py")
)


# One test looks at all files: a test for each of 1,500 files took more time for pytest than for the look.
def name_of(path: Path) -> str:
    """A file as a developer names it."""
    return str(path.relative_to(ROOT))


def naming(files: Iterable[Path], pattern: str) -> list[str]:
    """The files in whose text the pattern is found."""
    look = re.compile(pattern, re.MULTILINE)
    return [name_of(path) for path in files if look.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", ["docs/reference/settings.md", ".env.example"])
def test_every_variable_is_documented(page: str) -> None:
    """A setting that neither the page of settings nor .env.example mentions does not exist for an admin."""
    text = (ROOT / page).read_text(encoding="utf-8")

    assert [name for name in variables() if not re.search(rf"\b{name}\b", text)] == []


def test_no_variable_is_invented() -> None:
    """What .env.example offers is read by somebody."""
    offered = re.findall(r"^#?\s?([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    known = set(variables()) | {f"{name}_FILE" for name, field in variables().items() if is_secret(field)}

    assert set(offered) - known == set()


PORTS = sorted((ROOT / "triage" / "domain" / "ports").rglob("*.py"))


def test_ports_are_small() -> None:
    """A port has at most nine members, each with a docstring, and its own says who calls it: its adapters repeat none of it."""
    ports = [
        node
        for path in PORTS
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
    ]
    members = {
        port.name: [member for member in port.body if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef)]
        for port in ports
    }

    assert {name: len(found) for name, found in members.items() if len(found) > 9} == {}
    assert [(name, one.name) for name, found in members.items() for one in found if not ast.get_docstring(one)] == []
    assert [
        port.name for port in ports if not re.search(r"[cC]alled (by|where|at)", ast.get_docstring(port) or "")
    ] == []


def test_no_module_is_long() -> None:
    """A module of the product has at most 400 lines."""
    sizes = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}

    assert {name: lines for name, lines in sizes.items() if lines > LONGEST} == {}


def test_nobody_patches_our_own_modules() -> None:
    """The server is faked at the wire; our own code runs as it is."""
    others = [path for path in TESTS if path != Path(__file__)]

    assert naming(others, r"\bpatch\((?!\")|mock\.patch|monkeypatch\.setattr\(") == []


def test_the_environment_is_read_in_one_place() -> None:
    """Variables reach us by `triage/config/settings.py` alone, which hands SSL_CERT_FILE on to OpenSSL."""
    assert naming(SOURCES, r"\bos\.(?:environ|getenv)\b|\bimport environ\b") == ["triage/config/settings.py"]


def test_texts_are_shortened_in_one_way() -> None:
    """What is cut ends with `…` and is as long as allowed: `truncated` alone does it."""
    assert naming(SOURCES, r"\[:[^\]]+\][^\n…,]*…\"") == []


def test_no_work_is_left_for_later() -> None:
    """No TODO and no stub is called done."""
    assert naming(SOURCES, r"\b(TODO|FIXME|XXX|NotImplementedError)\b") == []


def test_a_word_list_is_compiled_when_it_is_needed() -> None:
    """No module compiles a word list while it is imported, which takes milliseconds each: `lazy_pattern` and `words_in` wait."""
    lists = {"one_of", "any_of", "alternatives"}
    compiled = [
        f"{name_of(path)}:{call.lineno}"
        for path in SOURCES
        if name_of(path).startswith("triage/")
        for statement in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for call in ast.walk(statement)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "re.compile"
        if any(isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in lists for node in ast.walk(call))
    ]

    assert compiled == []


IMPURE = {"os", "time", "random", "secrets", "loguru", "logging", "asyncio", "triage.config.settings"}


def test_policy_is_pure() -> None:
    """A verdict awaits nothing, reads no clock, draws no lot, logs nothing and knows no settings."""
    policies = sorted((ROOT / "triage" / "policy").rglob("*.py"))

    assert {name_of(path): found for path in policies if (found := impure(path))} == {}


def impure(path: Path) -> set[str]:
    """What of a module is no pure decision: modules that it imports, and `async`."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imported = {
        name.split(".")[0] if not name.startswith("triage.") else name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
    }
    return (imported & IMPURE) | {"async" for node in nodes if isinstance(node, ast.Await | ast.AsyncFunctionDef)}


def test_a_variable_is_named_for_what_it_holds() -> None:
    """No local variable or parameter is called `told` or `said`, which name how a value came and not what it is."""
    named = [
        f"{name_of(path)}:{node.lineno}"
        for path in SOURCES
        if re.search(r"\b(told|said)\b", text := path.read_text(encoding="utf-8"))
        for scope in ast.walk(ast.parse(text))
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(scope)
        if (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in {"told", "said"})
        or (isinstance(node, ast.arg) and node.arg in {"told", "said"})
    ]

    assert named == []


def test_one_noun_is_one_class() -> None:
    """A class that other modules may import has a name of its own, so that a name says which one is meant."""
    rooms = ("cli", "triage", "integrations", "prompts", "web", "webhooks")
    names = Counter(
        node.name
        for path in SOURCES
        if path.relative_to(ROOT).parts[0] in rooms
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )

    assert {name: count for name, count in names.items() if count > 1} == {}


def test_a_folder_can_be_overlooked() -> None:
    """No folder of the product, the sandbox or the tests has more than fourteen files beside its `__init__.py`.

    Revisions of the database and pairs of mail and expectation are lists, which grow.
    """
    files = [path for path in (*SOURCES, *TESTS) if path.name != "__init__.py"]
    folders = Counter(path.parent for path in files if not {"versions", "corpus"} & set(path.parts))

    assert {name_of(folder): count for folder, count in folders.items() if count > 14} == {}


def test_help_loads_nothing_heavy() -> None:
    """`triage --help` is quick because a command imports what it needs only when it runs."""
    look = "import sys, cli.__main__; print(*{m.split('.')[0] for m in sys.modules})"
    told = subprocess.run(
        [sys.executable, "-c", look], check=True, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE
    )

    assert (
        set(told.stdout.split()) & {"openai", "jira", "sqlalchemy", "fastapi", "pydantic", "lxml", "arq", "numpy"}
        == set()
    )


HEAVY = {
    *("arq", "redis", "jira", "requests", "openai", "anthropic", "fastapi", "starlette", "uvicorn", "httpx2", "lxml"),
    *("jinja2", "alembic", "imapclient", "mailparser", "mailparser_reply", "markdown_it", "asyncpg", "dkim", "dns"),
    *("numpy", "rapidfuzz", "aiosqlite", "cryptography", "integrations.jira", "integrations.mime", "integrations.imap"),
    *(
        "integrations.parser_process",
        "integrations.models",
        "triage.agent",
        "triage.pipeline",
        "triage.services.cases",
        "triage.services.intake",
        "triage.services.mailbox_sync",
        "sqlalchemy.orm",
        "sqlalchemy.dialects.postgresql",
    ),
}
"""What a listing has no use for."""


def test_a_listing_loads_no_adapter_but_the_database(tmp_path: Path) -> None:
    """Whoever looks at cases waits for neither queues, Jira, models nor mail to be loaded: counted, not clocked."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DATABASE_URL": f"sqlite:///{tmp_path / 'triage.db'}"}
    look = (
        "import sys\nfrom cli.__main__ import app\n"
        "for words in sys.argv[1:]:\n"
        "    try:\n        app(words.split())\n"
        "    except (Exception, SystemExit):\n        pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    migrated(tmp_path / "triage.db")  # making the tables takes alembic
    told = subprocess.run(
        [sys.executable, "-c", look, "cases", "cases --held", "cases --json", "approve", "show 1"],
        check=True, capture_output=True, text=True, cwd=tmp_path, env=env, timeout=PATIENCE,
    )  # fmt: skip
    loaded = set(told.stderr.split())

    assert {"integrations.sql.report", "triage.config.settings"} <= loaded
    assert {name for name in HEAVY if name in loaded} == set()


def test_the_demo_needs_no_development_tools() -> None:
    """`make demo` and `make setup` install what Triage runs on, compiled; every other verb adds the developers' group."""
    verbs = dict(re.findall(r"^([a-z]+): (\S*).*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    setup = (ROOT / "tests" / "setup.sh").read_text(encoding="utf-8")
    running = {verb for verb, needed in verbs.items() if needed == ".venv/.ready"}

    assert running == {"demo", "setup"}
    assert {needed for verb, needed in verbs.items() if verb not in {*running, "help"}} == {".venv/.dev"}
    assert "python) python_side --no-dev --group sandbox ;;" in setup
    assert setup.count("--compile-bytecode") == setup.count("compileall") == 1


def test_the_changelog_names_the_version() -> None:
    """A user finds the version of pyproject.toml in the changelog."""
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)

    assert version
    assert version.group(1) in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_one_module_speaks_to_terminals() -> None:
    """Whatever is printed passes `console.py`, which lets nothing unseen through."""
    others = [path for path in sorted((ROOT / "cli").rglob("*.py")) if path.name != "console.py"]

    assert naming(others, r"(?<![.\w])(?:print|Console)\(|sys\.stdout\.(?:buffer\.)?write") == []


DOORS = [
    path
    for room in ("cli", "web", "webhooks")
    for path in sorted((ROOT / room).rglob("*.py"))
    if "wiring" not in path.parts
]
JIRA_CHECKS = {ROOT / "cli" / "doctor" / f"{name}.py" for name in ("forms", "jira", "project")}
"""`triage doctor --jira` judges forms and workflows in Jira's own nouns, which only its adapter has."""


def test_a_door_asks_services() -> None:
    """No command and no web page touches a store or a tracker, and `cli/wiring` alone chooses adapters."""
    adapters = r"^\s*(?:from|import) integrations\b"

    assert naming(DOORS, r"triage\.domain\.ports\b|\.store\.") == []
    assert naming(set(DOORS) - JIRA_CHECKS, adapters) == []
    assert naming(JIRA_CHECKS, adapters + r"(?!\.jira\.)") == []


def test_a_verb_loads_no_other_verb() -> None:
    """The modules of other commands are not imported before one runs."""
    look = (
        "import sys\nfrom cli.__main__ import app\n"
        "try:\n    app(['cases', '--help'])\nexcept SystemExit:\n    pass\n"
        "print(*(m for m in sys.modules if m.startswith('cli.')), file=sys.stderr)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", look], check=True, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE
    )

    ours = {"cli.__main__", "cli.help", "cli.examples", "cli.console", "cli.verb", "cli.cases", "cli.cases.cases"}
    assert set(shown.stderr.split()) == ours
