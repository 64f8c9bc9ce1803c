"""Which versions of the project a bug report says to have the fault."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case
from triage.domain.findings import Classification, Cue, Cues, Identity
from triage.domain.mail import Message
from triage.domain.tickets import Project
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.versions import versioned_text, versions_in, versions_of

VERSIONS = ("4.1.0", "4.2.0", "4.2.1", "4.3.0", "2.3", "2026.10", "2026.12", "4.2.26", "Next")
OURS = ("Harbour Tracking", "App")
PROJECT = Project(key="OPS", name="Harbour", issue_types=("Bug",), priorities=(), versions=VERSIONS)
CASE = Case(
    id="case-1",
    source="file",
    received_at=datetime(2026, 11, 20, tzinfo=UTC),
    message=Message(subject=Untrusted("Export crashes"), text=Untrusted("It crashes since 4.2.1.")),
    classification=Classification(cues=Cues(type=Cue(value="bug", evidence=("crashes",)))),
)


@pytest.mark.parametrize(
    ("text", "names", "words"),
    [
        ("The export fails since 4.2.1", ("4.2.1",), "since 4.2.1"),
        ("The export fails since 2.3, always", ("2.3",), "since 2.3"),
        ("In Version 2.3 geht der Export nicht.", ("2.3",), "Version 2.3"),
        ("Seit dem Update auf 4.2.1 stürzt die App ab", ("4.2.1",), "Seit dem Update auf 4.2.1"),
        ("Export crashes in 2026.10", ("2026.10",), "in 2026.10"),
        ("Depuis la 4.2.1 l'export plante", ("4.2.1",), "Depuis la 4.2.1"),
        ("À partir de la version 4.2.1, l'export ne marche plus", ("4.2.1",), "version 4.2.1"),
        ("Desde la versión 2.3 no funciona nada", ("2.3",), "versión 2.3"),
        ("Od wersji 4.2.1 eksport nie działa", ("4.2.1",), "wersji 4.2.1"),
        ("\u0421 версии 4.2.1 экспорт не работает", ("4.2.1",), "версии 4.2.1"),
        ("4.2.1から動作しません", ("4.2.1",), "4.2.1"),
        ("バージョン4.2.1でエラーが発生します", ("4.2.1",), "バージョン4.2.1"),
        ("Harbour 2.3 crashes", ("2.3",), "Harbour 2.3"),
        ("v4.2.1 crashes at start", ("4.2.1",), "v4.2.1"),
        ("The 4.2.1 release crashes on Windows 11", ("4.2.1",), "4.2.1"),
        ("Export broken\nVersion: 4.2.1\nSteps: open it", ("4.2.1",), "Version: 4.2.1"),
        ("Export broken\n| Version | 4.2.1 |", ("4.2.1",), "Version | 4.2.1"),
        ("Export fails in 4.2.0 and 4.2.1", ("4.2.0", "4.2.1"), "in 4.2.0"),
        ("It crashes since 4.2.1 on Windows 11. Again: version 4.2.1.", ("4.2.1",), "since 4.2.1"),
        ("Meeting on 4.2.2026, version 4.2.1 crashes", ("4.2.1",), "version 4.2.1"),
        ("Version 15 of PostgreSQL works, version 4.2.1 of the app does not", ("4.2.1",), "version 4.2.1"),
    ],
)
def test_a_version_that_is_surely_meant(text: str, names: tuple[str, ...], words: str) -> None:
    """With a word for a version, the product's name or `since`, in many languages; the evidence is the mail's words."""
    found = versions_in(text, VERSIONS, OURS)

    assert found.names == names
    assert found.affected[0].evidence == words
    assert found.unsure == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It worked in 4.2.0 but not in 4.2.1", ("4.2.1",)),
        ("In 4.2.0, it worked fine. Since 4.2.1 it crashes.", ("4.2.1",)),
        ("In 4.1.0 lief es noch, in 4.2.1 nicht mehr", ("4.2.1",)),
        ("After updating from 4.2.0 to 4.2.1 the export fails.", ("4.2.1",)),
        ("Broken in 4.2.1, not in 4.1.0", ("4.2.1",)),
        ("Up to version 4.2.0 all was well; with 4.2.1 it crashes", ("4.2.1",)),
        ("The crash does not happen in 4.1.0", ()),
        ("It crashes. Please fix it in 4.3.0", ()),
        ("It crashes. When will it be fixed in version 4.3.0? We run 4.2.1.", ("4.2.1",)),
        ("It crashes; going back to version 4.1.0 helps", ()),
        ("It has not worked since 4.2.1", ("4.2.1",)),
        ("It is broken, not in 4.1.0", ()),
    ],
)
def test_a_version_without_the_fault_is_none(text: str, names: tuple[str, ...]) -> None:
    """One in which it worked, which was left, or in which it will be fixed."""
    assert versions_in(text, VERSIONS, OURS).names == names


@pytest.mark.parametrize(
    "text",
    [
        "Version 9.9 crashes",
        "It crashes, and no version is named",
        "The wait is in 2.3 seconds when it crashes",
        "The printer 10.4.2.1 is down",
        "Error in harbour-4.2.1.jar",
        "It crashes at 4.2.1%",
        "Seit 2.3 stürzt alles ab",
        "Next it crashes",
        "It crashes on 4.2.26",
        "Version 2 crashes",
        "API version 2.3 returns errors",
        "version 2.3 of PostgreSQL crashes",
        '<?xml version="2.3"?> is what crashes',
        "It crashes on iPhone 3.1.3, iPad 4.2.1, iPad 4.2.0",
        "Update surefire to 4.2.1, it crashes",
        "It crashes since 4.2.1-M7 and 4.2.1+",
    ],
)
def test_what_is_no_version_of_ours(text: str) -> None:
    """A version that the project has not, amounts, addresses, files, days, and versions of something else."""
    assert versions_in(text, VERSIONS, OURS).names == ()


@pytest.mark.parametrize(
    ("text", "unsure"),
    [
        ("Crash in Chrome 4.2.1 when I export", ("4.2.1",)),
        ("We use Firefox version 4.2.1. The export crashes", ("4.2.1",)),
        ("[4.2.1] crash at start", ("4.2.1",)),
        ("It crashes in 4.2.1. It is slow with 4.3.0.", ("4.2.1", "4.3.0")),
        ("4.2.1 crashes; in 4.2.1 it worked", ("4.2.1",)),
    ],
)
def test_what_may_be_meant_is_left_to_a_person(text: str, unsure: tuple[str, ...]) -> None:
    """It is named as not sure, and no ticket gets it."""
    found = versions_in(text, VERSIONS, OURS)

    assert found.names == ()
    assert tuple(each.name for each in found.unsure) == unsure


def test_products_with_versions_of_their_own() -> None:
    """The mail has to say which one; another product's number is none."""
    both = ("Mobile 4.2", "Web 4.2")

    assert versions_in("mobile version 4.2 crashes", both).names == ("Mobile 4.2",)
    assert [each.name for each in versions_in("version 4.2 crashes", both).unsure] == list(both)
    assert versions_in("version 4.2 crashes", (*both, "4.2")).names == ("4.2",)
    assert versions_in("the web version 4.2 crashes", ("Mobile 4.2", "Web 5")).names == ()


def test_without_names_of_ours() -> None:
    """A project without versions costs nothing; without product names a number needs another word."""
    assert versions_in("Version 4.2.1 crashes", ()).names == ()
    assert versions_in("Harbour 2.3 crashes", VERSIONS).names == ()


def test_only_a_bug_report_has_affected_versions() -> None:
    """A wish for 4.2.1 is about no fault of it."""
    wish = replace(CASE, classification=Classification(cues=Cues(type=Cue(value="feature", evidence=()))))

    assert versions_of(CASE, PROJECT).names == ("4.2.1",)
    assert versions_of(wish, PROJECT).names == ()
    assert versions_of(CASE, replace(PROJECT, versions=())).names == ()


def test_the_subject_of_an_old_thread_is_not_read() -> None:
    """A mail about a new matter below it says nothing of that version."""
    apart = replace(CASE, identity=Identity(new_topic="OPS-1"))

    assert versioned_text(apart) == "\nIt crashes since 4.2.1."
    assert versioned_text(CASE) == "Export crashes\nIt crashes since 4.2.1."
