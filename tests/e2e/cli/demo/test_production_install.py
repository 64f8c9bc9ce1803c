"""The wheel of `triage` is the whole product and nothing of the sandbox, and says how to get the sandbox."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.e2e.installation import MAILS
from tests.servers.sandbox import RunningJira

UV = Path(sys.executable).with_name("uv")
CURE = "triage: The sandbox is not installed: run `make setup` in a checkout, elsewhere install the package `triage-sandbox`\n"


def wheel_of(package: str, folder: Path) -> zipfile.ZipFile:
    """A wheel made by the backend that is part of uv: nothing is fetched."""
    command = [str(UV), "build", "--wheel", "--offline", "--package", package, "--out-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel of `triage`."""
    folder = tmp_path_factory.mktemp("installed")
    with wheel_of("triage", folder) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`triage` from that wheel. `-S` reads no .pth file, so this checkout and the sandbox are not on the path."""
    path = os.pathsep.join([str(site), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    environment = {"PATH": os.environ["PATH"], "HOME": str(site), "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-S", "-m", "cli", *words],
        cwd=site.parent, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip


@pytest.fixture(scope="module")
def fresh(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`bin` of a new environment with the wheel in it, as pipx makes one; other packages are those of the tests."""
    folder = tmp_path_factory.mktemp("fresh")
    [wheel] = installed.parent.glob("*.whl")
    target = ["--python", str(folder / "bin" / "python")]
    for words in (
        ["venv", "--offline", str(folder)],
        ["pip", "install", "--offline", "--no-deps", *target, str(wheel)],
    ):
        subprocess.run([str(UV), *words], check=True, capture_output=True, cwd=folder, timeout=PATIENCE)
    [site] = folder.glob("lib/python*/site-packages")
    # Named last, so that the wheel comes first; a .pth file of that folder, which leads to this checkout, is not read.
    (site / "packages.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder / "bin"


def test_the_wheel_carries_no_sandbox(installed: Path) -> None:
    """No file of the sandbox is in the wheel but the commands that start it, and no dependency of the wheel brings it."""
    (metadata,) = installed.glob("triage-*.dist-info/METADATA")
    needed = message_from_bytes(metadata.read_bytes()).get_all("Requires-Dist") or []
    packed = {path.relative_to(installed).parts[0] for path in installed.rglob("*") if path.is_file()}

    assert packed - {metadata.parent.name} == {"cli", "triage", "integrations", "prompts", "web", "webhooks"}
    assert list(installed.rglob("*sandbox*")) == [installed / "cli" / "demo" / "sandbox.py"]
    assert needed
    assert [name for name in needed if "sandbox" in name] == []


def test_the_image_installs_without_the_sandbox(tmp_path: Path) -> None:
    """The lock file is enough for what the Dockerfile installs, in a folder without `sandbox/`, and names no sandbox."""
    for name in ("pyproject.toml", "uv.lock", "README.md", "LICENSE"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    command = [str(UV), "export", "--frozen", "--offline", "--no-dev", "--all-extras", "--no-hashes"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE)

    assert told.returncode == 0, told.stderr
    assert "uvicorn==" in told.stdout
    assert "sandbox" not in told.stdout


def test_the_wheel_of_the_sandbox_carries_its_data(tmp_path: Path) -> None:
    """Every tracked file of `triage_sandbox` is in its wheel: mails, tables and templates, too; its tests are not."""
    tracked = subprocess.run(
        ["git", "ls-files", "triage_sandbox"], cwd=ROOT / "sandbox", capture_output=True, text=True, check=False
    )
    if tracked.returncode:
        pytest.skip("this is no git checkout: nobody knows which files belong to the sandbox")
    with wheel_of("triage-sandbox", tmp_path) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name and not name.endswith("/")}

    assert packed == set(tracked.stdout.split())


@pytest.mark.parametrize("words", [["demo", "--once"], ["sandbox", "jira"], ["sandbox", "model"]])
def test_without_the_sandbox_a_command_says_how_to_get_it(installed: Path, words: list[str]) -> None:
    """One line on standard error and exit code 2, no traceback."""
    done = run(installed, *words)

    assert (done.returncode, done.stdout, done.stderr) == (2, "", CURE)


def test_without_the_sandbox_the_rest_works(installed: Path, tmp_path: Path) -> None:
    """Help, also of the sandbox's own commands, and a command of the product that reads a mail."""
    mail = tmp_path / "mail.eml"
    mail.write_bytes(b"From: ann@example.com\r\nSubject: The printer is on fire\r\n\r\nPlease help.\r\n")

    assert "--deployment" in run(installed, "sandbox", "jira", "--help").stdout
    assert "The printer is on fire" in run(installed, "parse", str(mail)).stdout


@pytest.mark.heavy
def test_a_tool_install_works_in_an_empty_folder(fresh: Path, tmp_path: Path, cloud_jira: RunningJira) -> None:
    """In an empty folder the wheel alone makes its tables, turns a mail into a ticket, lists it and makes a backup."""

    def triage(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LC_ALL": "C.UTF-8", **more}
        return subprocess.run(
            [str(fresh / "triage"), *words],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip

    asked = "import cli, prompts, triage; print(cli.__file__, prompts.HERE, triage.__file__)"
    where = subprocess.run([fresh / "python", "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True)
    (tmp_path / "mail.eml").write_bytes((MAILS / "01-barcode-cut-off.eml").read_bytes())
    bare = triage("doctor")
    doctor, made = (triage(*words, **cloud_jira.settings) for words in (["doctor"], ["process", "mail.eml"]))
    idle, listed = triage("work", "--until-idle", **cloud_jira.settings), triage("cases", "--json")
    copied, agents = triage("backup", "copy.db"), triage("agents")

    assert [path for path in where.stdout.split() if not path.startswith(str(fresh.parent))] == []
    assert (
        bare.returncode,
        "`triage init` asks for them here" in bare.stdout,
        "✓ database: sqlite, 0 cases" in bare.stdout,
    ) == (
        1,
        True,
        True,
    )
    assert ("✗" in doctor.stdout, "✓ reading" in doctor.stdout) == (False, True), doctor.stdout
    assert [done.returncode for done in (made, idle, listed, copied, agents)] == [0, 0, 0, 0, 0], made.stderr
    assert "ticketed" in listed.stdout
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    assert "jira" in agents.stdout


def test_the_wheel_holds_every_file_of_its_rooms(installed: Path) -> None:
    """Each tracked file of the product is in the wheel: prompts, words, weights, templates and migrations, too."""
    rooms = ["cli", "triage", "integrations", "prompts", "web", "webhooks"]
    tracked = subprocess.run(["git", "ls-files", *rooms], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("this is no git checkout: nobody knows which files belong to the product")

    assert [name for name in tracked.stdout.split() if not (installed / name).is_file()] == []
