"""Sources of articles are named in triage.yaml; mistakes name their cure."""

from pathlib import Path

import pytest

from triage.config.knowledge.sources import KnowledgeSource
from triage.config.triage_yaml import config_of, load_config
from triage.domain.errors import SettingsInvalid


def test_sources_are_read(tmp_path: Path) -> None:
    """Each kind has the key of its place; a folder beside the file is found from everywhere."""
    (tmp_path / "help").mkdir()
    (tmp_path / "secret").write_text("token\n", encoding="utf-8")
    file = tmp_path / "triage.yaml"
    file.write_text(
        f"""
knowledge:
  minutes: 0.5
  sources:
    - {{name: help, folder: help, link: "https://help.example/{{name}}", edit: true, tags: [public]}}
    - {{name: book, git: gone/book, pull: true, account: acme}}
    - {{name: wiki, confluence: "https://acme.example/wiki/", space: HELP, user: ada, password_file: {tmp_path}/secret}}
    - {{name: centre, help_centre: export.json, locale: en-us}}
    - {{name: solved, tickets: HARB, days: 30}}
""",
        encoding="utf-8",
    )

    told = load_config(file).knowledge

    assert told.minutes == 0.5
    assert told.sources[0] == KnowledgeSource(
        name="help", folder=str(tmp_path / "help"),
        link="https://help.example/{name}", edit=True, tags=("public",),
    )  # fmt: skip
    assert [(one.kind.value, one.place) for one in told.sources[1:]] == [
        ("git", "gone/book"),
        ("confluence", "https://acme.example/wiki"),
        ("help_centre", "export.json"),
        ("tickets", "HARB"),
    ]
    assert [one.password() for one in told.sources] == ["", "", "token", "", ""]
    assert [one.account for one in told.sources] == ["", "acme", "", "", ""]


@pytest.mark.parametrize(
    ("source", "cure"),
    [
        ("{name: a}", "give one of folder, git, confluence, help_centre, tickets"),
        ("{name: a, folder: b, git: c}", "give one of"),
        ("{name: A b, folder: b}", "name"),
        ("{name: a, folder: b, space: C}", "space: not for `folder`"),
        ("{name: a, confluence: 'https://a.example'}", "`confluence` needs space"),
        ("{name: a, confluence: 'http://a.example', space: C}", "no https:// address"),
        ("{name: a, help_centre: 'http://a.example'}", "no https:// address"),
        ("{name: a, folder: b, link: 'https://a.example'}", "names no {path} or {name}"),
        ("{name: a, folder: b, link: 'javascript:{name}'}", "is no https:// address"),
        ("{name: a, folder: b}, {name: a, folder: c}", "more than one source is called a"),
        ("{name: a, floder: b}", "did you mean folder?"),
    ],
)
def test_mistakes_name_their_cure(source: str, cure: str) -> None:
    """Nothing that is misspelt or sent in clear is taken."""
    with pytest.raises(SettingsInvalid) as told:
        config_of(f"knowledge: {{sources: [{source}]}}".encode())

    assert cure in str(told.value)
