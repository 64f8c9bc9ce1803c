"""`triage eval mail` on a small manifest: right and wrong readings are counted as they are."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cli.evaluate.mail import evaluated, mail
from triage.domain.errors import SettingsInvalid

MAILS = {
    "reply.eml": b"From: Ada <ada@example.com>\nSubject: Re: x\nMessage-ID: <2@x>\nIn-Reply-To: <1@x>\n\nYes.\n\n> No?\n",
    "first.eml": b"From: Ben <ben@example.com>\nSubject: x\nMessage-ID: <1@x>\n\nNo?\n",
    "other.eml": b"From: Ben <ben@example.com>\nSubject: y\nMessage-ID: <3@x>\nReferences: <4@x>\n\nHello\n",
    "late.eml": b"From: Ben <ben@example.com>\nSubject: y\nMessage-ID: <5@x>\n\nHello\n",
    "bounce.eml": b"From: mailer-daemon@example.com\nSubject: failure notice\n\nunable to deliver\n",
    "person.eml": b"From: no-reply@example.com\nSubject: z\nContent-Type: image/png; name=a.png\n\nx\n",
    "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(50),
}
ROWS: list[dict[str, object]] = [
    {
        "file": "reply.eml",
        "kind": "reply-mail",
        "expect": {"reply": "Yes.", "thread": "a", "message_id": "2@x", "in_reply_to": "1@x"},
    },
    {
        "file": "first.eml",
        "kind": "list-x",
        "expect": {"reply": "Maybe?", "thread": "a", "from_": ["Ben@example.com"], "to": None},
    },
    {
        "file": "other.eml",
        "kind": "list-x",
        "expect": {"thread": "b", "subject": "wrong", "references": ["4@x"], "to": []},
    },
    {"file": "late.eml", "kind": "list-x", "expect": {"thread": "b", "from_email": "ben@example.com"}},
    {"file": "bounce.eml", "kind": "bounce", "signals": ["null-return-path"]},
    {
        "file": "person.eml",
        "kind": "ticket",
        "expect": {"attachments": [{"filename": "a.png"}, {"filename": "message.html"}]},
    },
    {"file": "person.eml", "kind": "mime", "expect": {"attachments": 2}},
    {"file": "person.eml", "kind": "autoreply", "expect": {"attachments": []}},
    {"file": "hook.json", "kind": "bounce-webhook"},
]


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """A folder as those of the shared data."""
    (tmp_path / "files").mkdir()
    for name, raw in MAILS.items():
        (tmp_path / "files" / name).write_bytes(raw)
    path = tmp_path / "manifest.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    app = typer.Typer()
    app.command()(mail)
    answer = CliRunner().invoke(app, list(arguments))
    return answer.exit_code, answer.stdout, answer.stderr


def test_figures_are_those_of_the_manifest(manifest: Path) -> None:
    """Every figure, right and wrong readings alike, under exactly the promised keys."""
    code, out, _ = run(str(manifest), "--json")
    told = json.loads(out)

    assert code == 0
    assert told.pop("median_ms") > 0
    assert told == {
        "messages": 8,
        "raised": 0,
        "text_lost": 0,
        "text_lost_by_part": {"plain": 0, "html": 0, "attached": 0},
        "headers": {"checked": 4, "exact": 3},
        "attachments": {"checked": 2, "exact": 1},
        "reply": {"cases": 2, "exact": 1, "but_quotes": 0, "empty": 0},
        "kind": {"automated": 2, "found": 1, "human": 5, "false_alarms": 1},
        "threads": {"precision": 1.0, "recall": 0.5},
    }


def test_what_the_manifest_cannot_tell_is_null(tmp_path: Path) -> None:
    """Nothing expected, nothing claimed."""
    (tmp_path / "manifest.jsonl").write_text("\n", encoding="utf-8")
    told = json.loads(run(str(tmp_path), "--json")[1])

    assert told == {
        "messages": 0,
        "raised": 0,
        "text_lost": 0,
        "text_lost_by_part": {"plain": 0, "html": 0, "attached": 0},
        "median_ms": None,
        "headers": {"checked": None, "exact": None},
        "attachments": {"checked": None, "exact": None},
        "reply": {"cases": None, "exact": None, "but_quotes": None, "empty": None},
        "kind": {"automated": None, "found": None, "human": None, "false_alarms": None},
        "threads": {"precision": None, "recall": None},
    }


def test_what_is_raised_is_counted_and_fails(manifest: Path) -> None:
    """A file that cannot be read is a figure, not the end, and the exit code tells."""
    with manifest.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"file": "picture.png", "kind": "ticket"}) + "\n")
    code, out, _ = run(str(manifest), "--json")

    assert (code, json.loads(out)["raised"]) == (1, 1)


def test_misses_are_shown_with_expected_and_got(manifest: Path) -> None:
    """`--show` lists each miss on standard error, the figures stay alone on standard output."""
    _, out, err = run(str(manifest.parent), "--show")

    assert "Maybe?" in err
    assert "wrong" in err
    assert "median_ms" in out


INLINE = b"From: a@example.com\nIn-Reply-To: <1@x>\n\nOn 9 Mar 2026, Ben wrote:\n> Up?\n\nYes.\n\n> Since?\n\nNoon.\n"
ACCEPTED = {
    "one of a list": (["No.", "Yes."], MAILS["reply.eml"], (1, 0, 0)),
    "none of a list": (["No.", "Never."], MAILS["reply.eml"], (0, 0, 0)),
    "nothing written, nothing read": ("", MAILS["reply.eml"].replace(b"Yes.", b"On 9 Mar 2026, Ben wrote:"), (1, 0, 0)),
    "nothing written, something read": ("", MAILS["reply.eml"], (0, 0, 0)),
    "something lost": ("Maybe.", MAILS["reply.eml"].replace(b"Yes.", b"On 9 Mar 2026, Ben wrote:"), (0, 0, 1)),
    "questions above the answers": ("Yes.\nNoon.", INLINE, (0, 1, 0)),
    "an answer is missing": ("Yes.\nNoon.\nBye.", INLINE, (0, 0, 0)),
}


@pytest.mark.parametrize(("reply", "raw", "figures"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_reply_is_compared_with_each_accepted_text(
    tmp_path: Path, reply: object, raw: bytes, figures: tuple[int, int, int]
) -> None:
    """A manifest may accept several texts or none at all; quoted questions above answers are counted apart."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "one.eml").write_bytes(raw)
    row = {"file": "one.eml", "kind": "reply", "expect": {"reply": reply}}
    (tmp_path / "manifest.jsonl").write_text(json.dumps(row), encoding="utf-8")
    found = json.loads(run(str(tmp_path), "--json")[1])["reply"]

    assert (found["cases"], (found["exact"], found["but_quotes"], found["empty"])) == (1, figures)


ODD: list[dict[str, object]] = [
    {"from_": [None]},
    {"from_": None},
    {"from_": "ben@example.com"},
    {"from_": {"a": 1}},
    {"to": [None, 1]},
    {"subject": ["x"]},
    {"from_email": 5},
    {"message_id": ["1@x"]},
    {"references": None},
    {"references": "4@x"},
    {"attachments": [None, "x", {}]},
    {"attachments": "two"},
    {"attachments": True},
    {"reply": None},
    {"reply": ["Yes."]},
    {"thread": ["a"]},
    {"thread": {"a": 1}},
]


@pytest.mark.parametrize("expect", ODD, ids=str)
def test_odd_expectations_are_survived(manifest: Path, expect: dict[str, object]) -> None:
    """Whatever a manifest expects, the command says how many mails it has read; text alone where a list should be counts."""
    rows = [
        {"file": "first.eml", "kind": "ticket", "signals": None, "expect": expect},
        {"file": "late.eml", "kind": None},
    ]
    manifest.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    code, out, _ = run(str(manifest), "--json")

    assert (code, json.loads(out)["messages"], json.loads(out)["raised"]) == (0, 2, 0)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 2: is no JSON"),
        ("[1]", "line 2: is no object"),
        ("{}", "line 2: names no file"),
        ('{"file": 7}', "line 2: names no file"),
        ('{"file": "absent.eml"}', "line 2: names absent.eml, which is not in"),
        ('{"file": "first.eml", "expect": [1]}', "line 2: `expect` is no object"),
        ("\udcff", "line 2: is no JSON"),
    ],
)
def test_a_manifest_that_is_none_names_the_line(manifest: Path, line: str, told: str) -> None:
    """And what is wrong with it; `main` makes exit code 2 of this error."""
    manifest.write_bytes(b'{"file": "first.eml"}\n' + line.encode("utf-8", "surrogateescape") + b"\n")

    with pytest.raises(SettingsInvalid, match=told):
        evaluated(manifest)


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    """It is named."""
    with pytest.raises(SettingsInvalid, match=r"manifest\.jsonl cannot be read"):
        evaluated(tmp_path / "manifest.jsonl")
