"""Kinds of files that tickets get, as triage.yaml says."""

import pytest

from triage.config.ticket.attachments import FileKinds
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid


def test_the_section_is_read() -> None:
    """Endings with or without a dot, types, in any case; without the section every file is attached."""
    config = config_of(b"attachments: {never: ['.EXE', '*.js', video/*], only: [pdf]}")

    assert config.file_kinds == FileKinds(never=("exe", "js", "video/*"), only=("pdf",))
    assert config_of(b"").file_kinds == FileKinds()


@pytest.mark.parametrize("kind", ["", "a b", "video/", "tar.gz", "*"])
def test_what_is_no_kind(kind: str) -> None:
    """It is named with the cure."""
    with pytest.raises(SettingsInvalid, match="is no kind of file: write an ending such as exe"):
        config_of(f"attachments: {{never: ['{kind}']}}".encode())


@pytest.mark.parametrize(
    ("never", "only", "name", "kind", "why"),
    [
        (("exe",), (), "invoice.pdf.EXE", "application/pdf", "triage.yaml attaches no exe (attachments.never)"),
        (("exe",), (), "exe.pdf", "application/pdf", ""),
        (("video/*",), (), "clip", "video/mp4", "triage.yaml attaches no video/* (attachments.never)"),
        ((), ("pdf", "image/*"), "a.png", "image/png", ""),
        ((), ("pdf", "image/*"), "a.zip", "application/zip", "its kind is none that triage.yaml attaches (attachments.only)"),
        (("png",), ("image/*",), "a.png", "image/png", "triage.yaml attaches no png (attachments.never)"),
        ((), (), "a.exe", "application/octet-stream", ""),
    ],
)  # fmt: skip
def test_what_is_refused(never: tuple[str, ...], only: tuple[str, ...], name: str, kind: str, why: str) -> None:
    """By the last ending of the name or the declared type; `never` goes before `only`."""
    assert FileKinds(never=never, only=only).refused(name, kind) == why
