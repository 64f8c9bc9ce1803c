"""The documentation as a site: built strictly, opened from a file system in a real browser, without any other host."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.servers.chromium import Browser

LOADED = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed)\b[^>]*?\ssrc=["']?(https?:)?//"""
    r"""|<link\b[^>]*?\shref=["']?(?:https?:)?//|url\(\s*["']?(?:https?:)?//|@import\s+["'](?:https?:)?//"""
)
"""Whatever a browser would fetch from another host by itself; links are for people to follow."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it, elsewhere."""
    folder = tmp_path_factory.mktemp("site")
    command = [str(Path(sys.executable).with_name("mkdocs")), "build", "--quiet", "--strict", "--site-dir", str(folder)]
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_no_page_loads_anything_of_another_host(site: Path) -> None:
    """Neither pages nor style sheets name a script, a style, a font or a picture of another host."""
    pages = [*site.rglob("*.html"), *site.rglob("*.css")]
    foreign = {page.name: LOADED.findall(page.read_text(encoding="utf-8")) for page in pages}

    assert len(pages) > 100
    assert {name: found for name, found in foreign.items() if found} == {}


def test_search_works_from_a_file_system(site: Path, browser: Browser) -> None:
    """Opened as a file, in the dark, the site finds the page of backups by a word of it and complains of nothing."""
    browser.prefer("dark")
    browser.open((site / "index.html").as_uri())
    browser.ask("document.querySelector('[data-md-toggle=search]').click()")
    browser.wait_for("document.querySelector('.md-search-result__meta').innerText == 'Type to start searching'")
    browser.ask(
        "(() => { const field = document.querySelector('[data-md-component=search-query]'); field.focus();"
        " field.value = 'pg_dump'; field.dispatchEvent(new Event('keyup', {bubbles: true})); })()"
    )
    browser.wait_for("document.querySelectorAll('.md-search-result__link').length > 0")

    assert "operations/backup.html" in browser.ask("document.querySelector('.md-search-result__link').href")
    assert browser.log == []
