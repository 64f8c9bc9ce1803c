"""What the pages say is so: links lead somewhere, commands and settings exist, our own readers accept what is shown."""

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from cli.doctor.project import COSTS
from cli.evaluate.cases.expected import EXPECTED
from docs.scripts import reference
from tests.conftest import ROOT
from tests.house.pages import DOCS, OTHERS, SITE, Block, blocks, headings, links, prose, spans
from triage.config.setting_sources import is_secret
from triage.config.settings import FromFile, read
from triage.config.shapes.routing import MatchShape
from triage.config.triage_yaml import _File, config_of, load_config
from triage.config.variables import variables
from triage.services.setup.answers import read_answers
from webhooks.providers.table import PROVIDERS, providers_of

PAGES = [*SITE, *OTHERS]
BLOCKS = [block for page in [*SITE, ROOT / "README.md"] for block in blocks(page)]
LANGUAGES = {"", "sh", "console", "text", "yaml", "ini", "json", "js", "python", "nginx", "markdown"}
FILES = {"answers.yaml", "triage.yaml", ".env", "NAME.yaml", "prometheus.yml", "adapter.yaml", "triage.example.yaml"}
"""Titles of blocks: our own files, each with its reader below, and those of others."""


def name_of(path: Path) -> str:
    """A readable parameter id."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", [*PAGES, *sorted((DOCS / "decisions").glob("[0-9]*.md"))], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    """Each link between pages names a file that is there, and a heading in it."""
    dead = []
    for link in links(page):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in headings(target)):
            dead.append(link)

    assert dead == []


def test_files_of_the_architecture_exist() -> None:
    """A path in ARCHITECTURE.md leads to a file or folder, from the top or within the room that the sentence is about."""
    roots = [ROOT, *(ROOT / room for room in ("triage", "triage/services", "triage/pipeline", "web", "web/console"))]
    named = re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))

    assert [path for path in named if not any((root / path).exists() for root in roots)] == []


def test_every_page_is_in_the_navigation() -> None:
    """Each page stands once in the navigation of mkdocs.yml, and nothing else does."""
    sections = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    listed = [page for section in sections for pages in section.values() for page in pages]

    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in SITE)


def test_every_decision_is_in_the_index() -> None:
    """The index names each record once, with its number and title."""
    records = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    titles = {record.name: record.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for record in records}
    index = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- (\d{3}) \[(.+)\]\((.+)\)$", index, re.MULTILINE)

    assert sorted((file, f"{number} {title}") for number, title, file in listed) == [
        (name, re.sub(r"^(\d{3})[.:]?\s+", r"\1 ", title)) for name, title in titles.items()
    ]


@pytest.mark.parametrize("page", SITE, ids=name_of)
def test_a_page_ends_where_its_reader_goes_next(page: Path) -> None:
    """The last heading of a page of the site is "Next", with a link; pages of reference end in their tables, the records in their list."""
    last = prose(page).rpartition("\n## ")[2]

    assert page.parent.name in {"reference", "decisions"} or (last.startswith("Next\n") and re.search(r"\]\(", last)), (
        last[:60]
    )


@pytest.mark.parametrize("page", reference.PAGES)
def test_pages_of_reference_are_what_the_code_says(page: str) -> None:
    """Settings, commands and HTTP API stand there as they are; `make docs` writes them anew."""
    assert (DOCS / page).read_text(encoding="utf-8") == reference.written(page), "run: make docs"


@pytest.fixture(scope="module")
def options() -> dict[tuple[str, ...], set[str]]:
    """The options of each command, by its words."""
    everywhere = {"--help", "-h", "--env", "--version", "--install-completion"}
    told: dict[tuple[str, ...], set[str]] = {("triage",): everywhere}
    for command, words in reference.every_command():
        told[words] = everywhere | {
            name for one in command.params for name in (*one.opts, *getattr(one, "secondary_opts", ()))
        }
    return told


RUN = re.compile(r"(?:^\s*(?:\$ )?|\w/|\| |worker |web |-- |=)triage ([^|&;#`)]*)")
"""`triage …` where a shell, a unit or a container would run it."""


def shown(page: Path) -> Iterator[list[str]]:
    """The words of each `triage …` that a page shows, without prompts, brackets and what is piped to it."""
    lines = [line for block in blocks(page) if block.language != "yaml" for line in block.text.splitlines()]
    for text in (*lines, *spans(page)):
        for found in RUN.finditer(text):
            yield ["triage", *re.sub(r"[\[\]…\"']", " ", found[1]).split()]


@pytest.mark.parametrize("page", [*SITE, ROOT / "README.md"], ids=name_of)
def test_commands_and_options_exist(page: Path, options: dict[tuple[str, ...], set[str]]) -> None:
    """Each command that a page shows is one of `triage --help`, and has the options that it is shown with."""
    wrong = []
    for words in shown(page):
        plain = [word for word in words if not word.startswith("-")]
        if "--env" in words:
            plain = [word for word in plain if word != words[words.index("--env") + 1]]
        command = max((tuple(plain[:size]) for size in (1, 2, 3) if tuple(plain[:size]) in options), key=len)
        unknown = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"} - options[command]
        if unknown or (len(command) == 1 and len(plain) > 1 and plain[1].islower()):
            wrong.append(" ".join(words))

    assert wrong == []


FOREIGN = {
    *("INHOUSE_MODEL_KEY", "GEMINI_API_KEY"),
    *("OPENROUTER_API_KEY", "NAME_FILE", "YOUR_API_TOKEN", "OLLAMA_CONTEXT_LENGTH"),
}
"""Names in capitals that are no settings: keys of the providers of models, settings of their servers, stand-ins for any name."""


@pytest.mark.parametrize("page", [*SITE, ROOT / "README.md"], ids=name_of)
def test_settings_exist(page: Path) -> None:
    """Each name in capitals with an underscore that is set as code is a setting, or a secret's file."""
    known = {*variables(), *(f"{name}_FILE" for name, field in variables().items() if is_secret(field)), *FOREIGN}
    code = " ".join([*spans(page), *(block.text for block in blocks(page))])
    named = re.findall(r"(?<![\w.$/-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w-])", code)

    assert sorted(set(named) - known) == []


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_blocks_are_of_known_kinds(block: Block) -> None:
    """A block names a known language; YAML says which file it is of, so that nothing goes unread."""
    assert block.language in LANGUAGES
    assert block.title in FILES or not (block.title or block.language == "yaml"), block.text


@pytest.mark.parametrize("block", [one for one in BLOCKS if one.title == "triage.yaml"], ids=str)
def test_our_reader_takes_each_triage_yaml(block: Block) -> None:
    """What a page shows of triage.yaml is accepted as it stands."""
    config_of(block.text.encode())


@pytest.mark.parametrize("block", [one for one in BLOCKS if one.title == "NAME.yaml"], ids=str)
def test_our_reader_takes_each_expectation(block: Block) -> None:
    """What a page shows of an expectation is accepted by `triage eval cases`."""
    assert EXPECTED.validate_python(yaml.safe_load(block.text)).action


def test_every_section_of_triage_yaml_is_shown() -> None:
    """Each section that our reader knows stands in a block of some page."""
    shown = {key for block in BLOCKS if block.title == "triage.yaml" for key in yaml.safe_load(block.text)}

    assert set(_File.model_fields) - shown == set()


def test_each_goal_has_its_test() -> None:
    """The page of attacks numbers forty goals, each once, and names a test that is there for each."""
    page = DOCS / "security" / "attacks.md"
    goals = re.findall(r"^\| (\d+) \|.*`(tests/[^`]+::\w+)` \|$", prose(page), re.MULTILINE)
    named = {text.partition("::") for text in spans(page) if "::" in text}

    assert sorted(int(number) for number, _ in goals) == list(range(1, 41))
    assert [test for file, _, test in named if f"def {test}(" not in (ROOT / file).read_text(encoding="utf-8")] == []


def test_every_permission_is_told() -> None:
    """The page of permissions says of each what does not work without it, as `triage doctor --jira` does."""
    page = (DOCS / "jira" / "permissions.md").read_text(encoding="utf-8")

    assert [cost for cost in COSTS.values() if cost not in page and "which nobody needs" not in cost] == []


def test_the_example_is_the_example() -> None:
    """What the page of the pharmacy shows of mail, triage.yaml and tool stands so in the example."""
    folder, page = ROOT / "examples" / "pharmacy", DOCS / "rules" / "example.md"
    whole = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.suffix in {".py", ".eml"})
    [config] = [config_of(block.text.encode()) for block in blocks(page) if block.title]
    [mail] = [block.text for block in blocks(page) if block.text.startswith("Return-Path")]
    [tool] = [block.text for block in blocks(page) if block.language == "python"]
    theirs = load_config(folder / "triage.yaml")

    assert [line for line in (*mail.splitlines(), *tool.splitlines()) if line not in whole] == []
    assert (config.rules, config.profiles[0].grants) == (theirs.rules, theirs.profiles[0].grants)
    assert set(config.profiles[0].tools) <= set(theirs.profiles[0].tools)


def test_every_condition_of_a_rule_is_told() -> None:
    """The page of rules names each condition."""
    assert set(MatchShape.model_fields) - set(spans(DOCS / "rules" / "routing.md")) - {"unproven"} == set()


@pytest.mark.parametrize("block", [one for one in BLOCKS if one.title == "answers.yaml"], ids=str)
def test_our_reader_takes_each_file_of_answers(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page shows of answers to `triage init` is accepted, where the secrets that it names are there."""
    for name in re.findall(r"env: (\w+)", block.text):
        monkeypatch.setenv(name, "secret")
    file, secret = tmp_path / "answers.yaml", tmp_path / "secret"
    secret.write_text("secret\n", encoding="utf-8")
    file.write_text(re.sub(r"file: [^}]+", f"file: {secret}", block.text), encoding="utf-8")

    assert read_answers(file).jira.token.text() == "secret"


JIRA = "JIRA_BASE_URL=https://harbour.example\nJIRA_PROJECT_KEY=HARB\nJIRA_TOKEN=secret\n"


@pytest.mark.parametrize("block", [one for one in BLOCKS if one.title == ".env"], ids=str)
def test_our_reader_takes_each_env(block: Block, tmp_path: Path) -> None:
    """What a page shows of .env is accepted, beside a Jira where it shows none; so are its webhooks' keys."""
    file = tmp_path / ".env"
    file.write_text(block.text if "JIRA_BASE_URL" in block.text else JIRA + block.text, encoding="utf-8")
    settings = read(FromFile, _env_file=file)

    assert settings.warnings == ()
    assert isinstance(providers_of(settings), tuple)


@pytest.mark.parametrize("block", [one for one in BLOCKS if one.language == "sh"], ids=str)
def test_shell_lines_are_whole(block: Block) -> None:
    """A shell would find the end of each quotation."""
    assert shlex.split(block.text, comments=True)


@pytest.mark.parametrize("provider", [provider.name for provider in PROVIDERS])
def test_every_provider_has_a_page(provider: str) -> None:
    """Each provider of webhooks is told how to be connected, with its address and its settings."""
    needs = next(one.needs for one in PROVIDERS if one.name == provider)
    pages = [page.read_text(encoding="utf-8") for page in (DOCS / "mail").glob("*.md")]

    assert any(f"/webhooks/{provider}" in page and all(need in page for need in needs) for page in pages)


def test_every_extra_is_documented() -> None:
    """The page of installation says of each extra what it brings and what needs it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (DOCS / "start" / "install.md").read_text(encoding="utf-8")
    rows = {row[0]: row[1] for row in re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page, re.MULTILINE)}
    brought = {
        name: {re.split(r"\W*[>=\[]", one)[0] for one in of} for name, of in project["optional-dependencies"].items()
    }

    assert {name: set(words.strip().split(", ")) for name, words in rows.items()} == brought


def test_revisions_that_cut_the_way_back_are_told() -> None:
    """A revision that takes away what the previous version reads stands on the page that says how to roll back."""
    page = (DOCS / "operations" / "upgrade.md").read_text(encoding="utf-8")
    versions = (ROOT / "integrations" / "sql" / "migrations" / "versions").glob("r*.py")
    upgrades = {
        path.name[1:5]: ast.unparse(step)
        for path in versions
        for step in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(step, ast.FunctionDef) and step.name == "upgrade"
    }
    cuts = {number for number, text in upgrades.items() if re.search(r"drop_(table|column)|DROP TABLE|rename", text)}

    assert len(upgrades) > 25
    assert {number for number in cuts if number not in page} == set()


CONVERSATIONS = {
    "serve",
    "pipe",
    "chat",
    "mailbox login",
    "sandbox jira",
    "sandbox model",
    "mcp mail",
    "mcp memory",
    "mcp tickets",
}
"""Commands that run until they are stopped, talk with a person, or print what a mail server reads."""


def test_machines_read_every_command() -> None:
    """Each command that ends with a result has `--json`, whatever it does."""
    alone = [
        " ".join(words[1:])
        for command, words in reference.every_command()
        if not getattr(command, "commands", None) and not any("--json" in one.opts for one in command.params)
    ]

    assert sorted(CONVERSATIONS) == sorted(alone)
