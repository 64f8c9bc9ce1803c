"""The texts of letters, shipped and of the user's own."""

from pathlib import Path

import pytest

from triage.config.letters.texts import SHIPPED, letter_texts
from triage.domain.errors import SettingsInvalid


def own(tmp_path: Path, **files: str) -> str:
    """A folder with these files."""
    for name, text in files.items():
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    return str(tmp_path)


def test_ten_languages_come_with_triage() -> None:
    """There is a file for each of the ten languages, and each has every text."""
    texts = letter_texts()

    assert sorted(texts.templates) == ["cs", "de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt"]
    blocks = {code: sorted(templates[-1].blocks) for code, templates in texts.templates.items()}
    assert all(names == blocks["en"] for names in blocks.values())
    assert len(list(SHIPPED.glob("*.md"))) == 10


def test_an_unknown_language_falls_back() -> None:
    """Without texts in the sender's language the default one is taken, then English."""
    texts = letter_texts()

    assert [texts.language("fr"), texts.language("xx", "de"), texts.language("xx", "yy")] == ["fr", "de", "en"]


def test_one_text_can_be_replaced(tmp_path: Path) -> None:
    """A block in a file of the user's replaces the shipped one; all others stay."""
    texts = letter_texts(own(tmp_path, en="{% block receipt %}We have it: {{ ticket }}.{% endblock %}"))

    assert texts.text("en", "receipt", {"ticket": "HARB-1"}) == "We have it: HARB-1."
    assert texts.text("en", "closing", {}) == "Kind regards"


def test_a_language_can_be_added(tmp_path: Path) -> None:
    """A file with every text is a new language."""
    danish = (SHIPPED / "en.md").read_text("utf-8").replace("Hello", "Hej")

    assert letter_texts(own(tmp_path, da=danish)).text("da", "greeting", {"name": "Ada"}) == "Hej Ada,"


def test_every_fault_is_told_at_start(tmp_path: Path) -> None:
    """Unknown texts, unknown variables, missing texts of a new language, broken templates and an empty folder are all reported."""
    folder = own(
        tmp_path,
        en="{% block recipt %}x{% endblock %}{% block receipt %}{{ tickt }}{% endblock %}",
        de="{% block receipt %}",
        sv="{% block greeting %}Hej{% endblock %}",
    )
    (tmp_path / "none").mkdir()

    with pytest.raises(SettingsInvalid) as caught:
        letter_texts(folder)
    with pytest.raises(SettingsInvalid, match="there is no LANGUAGE"):
        letter_texts(str(tmp_path / "none"))

    told = "\n".join(caught.value.problems)
    assert "there is no text 'recipt'" in told
    assert "'tickt' is undefined" in told
    assert "de.md" in told
    assert "sv.md: {% block receipt %} is missing" in told


def test_an_unknown_text_is_an_error() -> None:
    """Asking for a text that does not exist is a mistake of ours."""
    with pytest.raises(LookupError):
        letter_texts().text("en", "nothing", {})
