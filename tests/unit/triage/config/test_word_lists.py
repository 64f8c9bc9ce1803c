"""Word lists: what a file may say, how its mistakes are told, and that one more file is one more language."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from triage.config.word_lists import FOLDER, SECTIONS, WordLists, kept_lists, read_lists, word_lists
from triage.domain.errors import SettingsInvalid

ROOT = FOLDER.parents[1]
KLINGON = """
language = "Klingon"

[priority]
highest = '''
pavjaj, qoH … ghoS
pav*
'''

[reply]
closing_patterns = ['qapla(?: batlh)?']
"""
PATTERN = (
    "no regular expression (missing ), unterminated subpattern at position 0):"
    " put \\ before a sign of . ? * + ( ) [ ] that means itself"
)
PHRASE = (
    "write letters, digits and ', one blank between words (e mail, not e-mail), … between words, * behind 3 letters"
)


def folder_with(tmp_path: Path, **files: str) -> Path:
    """The lists that come with Triage, with these languages beside or instead of them."""
    folder = tmp_path / "words"
    shutil.copytree(FOLDER, folder)
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return folder


def told(tmp_path: Path, text: str, name: str = "tlh") -> tuple[str, ...]:
    """What is wrong with a language of this text."""
    with pytest.raises(SettingsInvalid) as caught:
        read_lists(folder_with(tmp_path, **{name: text}))
    return caught.value.problems


def test_one_more_file_is_one_more_language(tmp_path: Path) -> None:
    """A file with a language adds its entries to the lists, and nothing else has to be changed."""
    lists = read_lists(folder_with(tmp_path, tlh=KLINGON))

    assert lists.languages == tuple(sorted((*word_lists().languages, "tlh")))
    assert set(lists["priority.highest"]) - set(word_lists()["priority.highest"]) == {"pavjaj", "qoH … ghoS", "pav*"}
    assert re.fullmatch(lists.alternatives("reply.closing_patterns"), "qapla batlh")


def run_with(tmp_path: Path, text: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """A Python process with a Triage that has one more file in `triage/words/`."""
    for package in ("cli", "triage", "integrations"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "triage" / "words" / "tlh.toml").write_text(text)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_triage_speaks_the_language_of_a_new_file(tmp_path: Path) -> None:
    """A Triage with one more file in `triage/words/` finds that language's words in a mail."""
    program = (
        "from integrations.mime.reply.quote_patterns import CLOSING\n"
        "from triage.domain.mail import Message\n"
        "from triage.domain.untrusted import Untrusted\n"
        "from triage.policy.text.cues import cues_of\n"
        "print(cues_of(Message(text=Untrusted('Pavghach'))).priority.value)\n"
        "print(cues_of(Message(text=Untrusted('Pavghach'))).priority.evidence[0])\n"
        "print(bool(CLOSING.fullmatch('Qapla,')))\n"
    )

    said = run_with(tmp_path, KLINGON, "-c", program)

    assert said.stdout.split() == ["Highest", "Pavghach", "True"]


@pytest.mark.parametrize("command", [("doctor",), ("parse", "mail.eml")])
def test_a_start_with_a_broken_list_says_which(tmp_path: Path, command: tuple[str, ...]) -> None:
    """A command that needs the lists ends with code 2, as with wrong settings, and names file and list."""
    (tmp_path / "mail.eml").write_text("From: a@example.com\n\nHello\n")

    said = run_with(tmp_path, KLINGON.replace("highest", "hihgest"), "-m", "cli", *command)

    assert said.returncode == 2
    assert "words/tlh.toml, priority.hihgest: there is no such list" in said.stdout + said.stderr


def test_every_fault_is_told_at_once(tmp_path: Path) -> None:
    """One start names every fault of every file, with the file, the list and what to do about it."""
    problems = told(
        tmp_path,
        """
        language = 7
        stray = "word"
        [priority]
        hihgest = 'urgent'
        high = 'soon, e-mail, , soon, ab*, … later, hurry …, rush  on'
        low = []
        exceptions = ''
        [negation]
        words = 'not at'
        [letter]
        regards = 'che*ers'
        [reply]
        months = 'ma*y'
        closing_patterns = ['(bye', 'bye', 'bye']
        footer_patterns = 'bye'
        """,
    )

    assert [problem.partition(": ")[::2] for problem in problems if "tlh.toml" in problem] == [
        ("words/tlh.toml", 'the first line must name the language: language = "Dutch"'),
        ("words/tlh.toml, stray", "stands in front of the first section: put it below a line such as [reply]"),
        (
            "words/tlh.toml, priority.hihgest",
            f"there is no such list: did you mean priority.highest? {SECTIONS} has all",
        ),
        ("words/tlh.toml, priority.high", "'soon' stands twice: delete one"),
        *(
            ("words/tlh.toml, priority.high", problem)
            for problem in (
                f"'e-mail': {PHRASE}",
                "an empty entry: delete one of two commas",
                f"'ab*': {PHRASE}",
                f"'… later': {PHRASE}",
                f"'hurry …': {PHRASE}",
                f"'rush  on': {PHRASE}",
            )
        ),
        ("words/tlh.toml, priority.low", "write words between ''' and ''', with commas between them"),
        ("words/tlh.toml, priority.exceptions", "an empty list: add entries or delete it"),
        ("words/tlh.toml, negation.words", "'not at': write one word, without blanks, * and …"),
        ("words/tlh.toml, letter.regards", "'che*ers': write it without * and …"),
        ("words/tlh.toml, reply.months", "'ma*y': write * at the end alone, and no …"),
        ("words/tlh.toml, reply.closing_patterns", "'bye' stands twice: delete one"),
        ("words/tlh.toml, reply.closing_patterns", f"'(bye': {PATTERN}"),
        (
            "words/tlh.toml, reply.footer_patterns",
            "write patterns one per line between [ and ], each in '…' with a comma behind it",
        ),
    ]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("tlh", "language = 'Klingon'\n[reply]\nwrote = '''\njatlh", "words/tlh.toml: Expected \"'''\""),
        ("tlh", "language = 'Klingon'\nlanguage = 'Dutch'", "words/tlh.toml: Cannot overwrite a value"),
        (
            "klingon",
            "language = 'Klingon'",
            "words/klingon.toml: name the file by the code of its language, such as nl.toml",
        ),
        (
            "tlh",
            "language = 'Klingon'\n[zzz]\nqqq = 'DaH'",
            "words/tlh.toml, zzz.qqq: there is no such list: sections",
        ),
    ],
)
def test_a_broken_file_is_told_by_its_name(tmp_path: Path, name: str, text: str, problem: str) -> None:
    """What TOML cannot read, and what has no place, is told with the file's name."""
    (only,) = told(tmp_path, text, name)

    assert only.startswith(problem)


def test_a_file_in_another_encoding_is_told(tmp_path: Path) -> None:
    """A file saved as Latin-1 is named, not read wrongly."""
    folder = folder_with(tmp_path)
    (folder / "de.toml").write_bytes("language = 'Französisch'".encode("latin-1"))

    with pytest.raises(SettingsInvalid, match=r"words/de\.toml: is not UTF-8 \(line 1\)"):
        read_lists(folder)


def test_technologies_are_checked(tmp_path: Path) -> None:
    """A name that two technologies share and one of too many words are told; capitals, `…` in front and `#` behind are read."""
    text = '[names]\nJava = "java"\nJavaScript = "js, java, a b c d e, … Java Script, Script #, c#"'

    problems = told(tmp_path, text, "technologies")

    assert problems == (
        "words/technologies.toml, JavaScript: 'java' is a name of Java, too: delete one",
        "words/technologies.toml, JavaScript: 'a b c d e': write one to 4 words, `… ` in front or ` #` behind",
    )


def test_alternatives_take_the_longest_entry() -> None:
    """Of entries that begin alike the longest one is tried first; `*` takes every ending, other signs mean themselves."""
    lists = WordLists((), {"a.b": ("mail", "mail.ru", "tele*")}, frozenset(), word_lists().technologies)

    found = re.findall(lists.alternatives("a.b"), "mail.ru mailxru telephone")

    assert found == ["mail.ru", "mail", "telephone"]


def test_no_list_is_idle() -> None:
    """Some rule asks for each list that `sections.toml` names; a rule that asks for another one does not start."""
    sources = [path.read_text() for room in ("triage/policy", "integrations") for path in (ROOT / room).rglob("*.py")]
    named = {name for text in sources for name in re.findall(r"""['"]([a-z]+\.[a-z_]+)['"]""", text)}
    families = {f"header.{role}" for role in ("from", "date", "to", "subject", "other")}
    families |= {"secret.passwords", "secret.tokens"}
    words = {word for text in sources for word in re.findall(r"""['"]([a-z_]+)['"]""", text)}
    families |= {
        f"{topic}.{word}"
        for topic in ("date", "due", "heading", "field", "secret", "memory", "unwanted")
        for word in words
    }

    assert set(word_lists().lists) <= named | families


def test_lists_are_kept_until_a_file_changes(tmp_path: Path) -> None:
    """Kept lists are the lists that were read; a changed file, or a kept file that is damaged, is read anew."""
    folder = tmp_path / "words"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    read = kept_lists(folder, write=True)
    [kept] = (folder / "__pycache__").iterdir()
    again = kept_lists(folder)
    (folder / "tlh.toml").write_text('language = "Klingon"\n[negation]\nwords = "Qo"\n', encoding="utf-8")
    changed = kept_lists(folder, write=True)
    kept.write_bytes(b"\x00 no lists")

    assert read == again == read_lists(FOLDER)
    assert ("tlh" in changed.languages, "tlh" in again.languages) == (True, False)
    assert kept_lists(folder) == changed


def test_lists_are_read_where_nothing_can_be_kept(tmp_path: Path) -> None:
    """A folder that nobody may write to, or where bytecode is not wanted, is read every time."""
    folder = tmp_path / "words"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "__pycache__").write_bytes(b"in the way")

    assert kept_lists(folder, write=True) == kept_lists(folder) == read_lists(FOLDER)
