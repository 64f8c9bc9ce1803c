"""The commands as a user has them: real processes, what they print, and the exit codes that `triage --help` promises."""

import json
import re
import subprocess

import pytest

from tests.e2e.installation import MAILS, Installation
from triage_sandbox.jira import Fault

NEW = MAILS / "01-barcode-cut-off.eml"
KNOWN = MAILS / "02-white-map-on-tablets.eml"
FIXED = MAILS / "09-queue-alarm-fixed.eml"
CANARY = "canary-3e8f1a"
MEBIBYTE = 1024 * 1024


def told(done: "subprocess.CompletedProcess[bytes]") -> str:
    """All that a command said, on one line of single blanks; a traceback is never among it."""
    said = (done.stdout + done.stderr).decode()
    assert "Traceback" not in said, said
    return " ".join(re.sub("[│╭╮╰╯─]", " ", said).split())


# --- process --------------------------------------------------------------------------------------


def test_good_and_bad_files_side_by_side(installation: Installation) -> None:
    """Each file gets a line: a ticket for the mail; what says neither from whom, nor when, nor its id is refused and not kept."""
    (installation.folder / "empty.eml").write_bytes(b"")
    (installation.folder / "picture.eml").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(2000))
    (installation.folder / "notes.txt").write_bytes(
        b"Shopping: milk\nSubject: bread\n\nThe export crashes.\nFrom: me\n"
    )
    done = installation.triage("process", "empty.eml", str(NEW), "picture.eml", "notes.txt", "--json")
    lines = json.loads(done.stdout)

    assert (done.returncode, done.stderr) == (65, b"")
    assert [(line["mail"], line["case"], line["action"], line["ticket"]) for line in lines] == [
        ("empty.eml", "", "refused", ""),
        (str(NEW), "case-1", "ticketed", "HARB-71"),
        ("picture.eml", "", "refused", ""),
        ("notes.txt", "", "refused", ""),
    ]
    assert [bool(line["why"]) for line in lines] == [True, True, True, True]
    assert installation.created() == ["HARB-71"]


@pytest.mark.parametrize(
    "field", ["From: a@b.example", "DATE: Mon, 16 Nov 2026 09:00:00 +0000", "Message-Id: <1@b.example>"]
)
def test_a_file_with_one_field_of_a_mail_is_taken(installation: Installation, field: str) -> None:
    """One of From, Date and Message-ID is enough, whatever the rest looks like."""
    done = installation.triage("process", "-", "--json", stdin=f"{field}\n\nThe export crashes.\n".encode())

    assert (done.returncode, json.loads(done.stdout)[0]["action"]) == (0, "ticketed")


def test_standard_input_that_is_no_mail(installation: Installation) -> None:
    """A bare text is refused as `triage pipe` does, and no case is left."""
    done = installation.triage("process", "-", stdin=b"Hello, the export crashes.\n")

    assert (done.returncode, "this is no mail" in " ".join(told(done).split())) == (65, True)
    assert "no mail yet" in told(installation.triage("cases"))


def test_a_file_that_cannot_be_taken_stops_before_the_first(installation: Installation) -> None:
    """One that is absent or too large is named with its cure, and none of the others has been taken."""
    (installation.folder / "huge.eml").write_bytes(b"Subject: huge\n\n" + b"a" * (41 * MEBIBYTE))
    absent = installation.triage("process", str(NEW), "absent.eml")
    huge = installation.triage("process", str(NEW), "huge.eml")
    listed = installation.triage("cases")

    assert (absent.returncode, "cannot read absent.eml: No such file" in told(absent)) == (2, True)
    assert (huge.returncode, "huge.eml is larger than 41,943,040 bytes" in told(huge)) == (2, True)
    assert (listed.returncode, "no mail yet" in told(listed)) == (0, True)


def test_a_large_mail_is_taken(installation: Installation) -> None:
    """A mail just below the limit becomes a ticket like any other."""
    body = b"From: a@b.example\nSubject: The export crashes\nContent-Type: text/plain\n\nIt crashes.\n"
    (installation.folder / "large.eml").write_bytes(
        body + b"x" * 79 + b"\n" + (b"y" * 79 + b"\n") * (39 * MEBIBYTE // 80)
    )
    done = installation.triage("process", "large.eml", "--json")

    assert (done.returncode, json.loads(done.stdout)[0]["action"]) == (0, "ticketed")


def test_standard_input_and_the_same_mail_again(installation: Installation) -> None:
    """`-` reads a mail from standard input; the same file a second time is the same case and the same ticket."""
    piped = installation.triage("process", "-", stdin=NEW.read_bytes())
    again = installation.triage("process", "-", "--json", stdin=NEW.read_bytes())

    assert (piped.returncode, "ticketed HARB-71" in told(piped).replace("│", " ")) == (0, True)
    assert (again.returncode, json.loads(again.stdout)[0]["case"]) == (0, "case-1")
    assert installation.created() == ["HARB-71"]


def test_a_dry_run_leaves_no_trace(installation: Installation) -> None:
    """It says what would be done and writes neither to Jira nor to the database."""
    (installation.folder / "triage.db").unlink()
    done = installation.triage("process", str(NEW), str(KNOWN), "--dry-run", "--json")

    assert [line["action"] for line in json.loads(done.stdout)] == ["ticketed", "commented"]
    assert (done.returncode, installation.created(), installation.comments("HARB-12")) == (0, [], [])
    assert list(installation.folder.glob("*.db*")) == []


@pytest.mark.parametrize(
    ("more", "code", "hint"),
    [
        ({"JIRA_BASE_URL": ""}, 2, "`triage init` asks for them here"),
        ({"JIRA_BASE_URL": "acme", "MAX_ROUNDS": "99"}, 2, "MAX_ROUNDS: input should be less"),
        ({"DATABASE_URL": f"postgresql://u:{CANARY}@127.0.0.1:9/d"}, 3, "The database cannot be reached"),
        ({"DATABASE_URL": f"postgresql://u:{CANARY}@h:port/d"}, 2, "DATABASE_URL: must be sqlite:///file"),
    ],
    ids=["no-jira", "wrong", "database-away", "database-wrong"],
)
def test_without_settings_nothing_is_taken(
    installation: Installation, more: dict[str, str], code: int, hint: str
) -> None:
    """What is missing or wrong is told in a line with its cure, without a password, and the exit code says who acts."""
    installation.extra = more
    done = installation.triage("process", str(NEW))

    assert (done.returncode, hint in told(done), CANARY in told(done)) == (code, True, False)


def test_a_database_that_is_none(installation: Installation) -> None:
    """A file of something else is told as such and left as it is."""
    junk = installation.folder / "triage.db"
    junk.write_bytes(b"not a database at all\n" * 100)
    done = installation.triage("cases")

    assert (done.returncode, "file is not a database" in told(done)) == (3, True)
    assert junk.read_bytes() == b"not a database at all\n" * 100


def test_while_jira_is_away_the_mail_waits(installation: Installation) -> None:
    """Exit code 3, the mail is kept with the reason, and `triage work` finishes it later."""
    installation.jira.fault(Fault(do="answer", status=503, count=0))
    waiting = installation.triage("process", str(NEW), "--json")
    (line,) = json.loads(waiting.stdout)
    installation.jira.app.faults.clear()
    worked = installation.triage("work", "--until-idle")

    assert (waiting.returncode, line["action"], "Jira does not answer" in line["why"]) == (3, "retrying", True)
    assert (worked.returncode, installation.json("cases")["counts"]) == (0, {"ticketed": 1})


# --- looking and deciding -------------------------------------------------------------------------


def test_a_case_tells_everything(installation: Installation) -> None:
    """`show` has mail, steps, cues, candidates, rounds, effects and cost; --prompt the prompts, --json all of it."""
    installation.triage("process", str(KNOWN))
    text, prompt = told(installation.triage("show", "1")), told(installation.triage("show", "case-1", "--prompt"))
    report = installation.json("show", "1")

    for words in ("case-1 commented HARB-12", "From ", "Steps", "retrieve", "Cues", "Candidates", "Written to Jira"):
        assert words in text
    assert re.search(r"\d+ model calls, \d+ tokens in, \d+ out, 0\.0000 USD; \d+ Jira calls", text)
    assert ("--- system" in text, "--- system You dispatch e-mails" in prompt) == (False, True)
    assert report["case"]["ticket"] == "HARB-12"
    assert [effect["kind"] for effect in report["effects"]] == ["comment"]
    assert {"steps", "runs", "turns", "approvals", "events", "jira_calls"} <= set(report)
    assert installation.triage("show", "1", "--raw").stdout == KNOWN.read_bytes()


def test_a_person_decides_what_was_parked(installation: Installation) -> None:
    """`approve` lists it, does exactly it, and cannot be asked twice; `--reject` leaves it undone."""
    installation.triage("process", str(FIXED))
    waiting = installation.json("cases", "--state", "waiting")["cases"]
    (parked,) = installation.json("approve")
    listed = told(installation.triage("approve"))
    done = installation.triage("approve", str(parked["id"]))
    again = installation.triage("approve", str(parked["id"]), "--reject")

    assert [case["id"] for case in waiting] == ["case-1"]
    asked = json.loads(parked["arguments"])
    assert (parked["tool"], asked["ticket_key"], asked["status"]["name"], asked["status"]["category"]) == (
        "modify_jira_ticket",
        "HARB-45",
        "Done",
        "done",
    )
    assert "would be called done" in listed
    assert (done.returncode, "case-1: updated" in told(done)) == (0, True)
    assert (again.returncode, "Nothing waits for a person under this number" in told(again)) == (2, True)
    assert installation.triage("approve").stdout == b"nothing waits\n"


def test_a_rejected_change_is_left_undone(installation: Installation) -> None:
    """Jira is not touched, and the case says who said no."""
    installation.triage("process", str(FIXED))
    before = len(installation.jira.requests("POST", "transitions"))
    done = installation.triage("approve", "1", "--reject")

    assert (done.returncode, "rejected this" in told(done)) == (0, True)
    assert len(installation.jira.requests("POST", "transitions")) == before


def test_deciding_again_writes_nothing_twice(installation: Installation) -> None:
    """`replay` ends at the ticket that the case has; with --dry-run it only says what it would do."""
    installation.triage("process", str(NEW))
    dry, real = installation.triage("replay", "1", "--dry-run"), installation.triage("replay", "case-1")

    assert (dry.returncode, real.returncode) == (0, 0)
    assert "ticketed: " in told(real)
    assert installation.created() == ["HARB-71"]
    assert installation.json("cases")["counts"] == {"ticketed": 1}


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("show", "99"), "There is no such case: `triage cases` lists them (case=case-99)"),
        (("replay", "nonsense"), "There is no such case: `triage cases` lists them (case=nonsense)"),
        (("cases", "--state", "nonsense"), "nonsense is no state; there are ticketed, commented"),
    ],
    ids=["show", "replay", "cases"],
)
def test_what_does_not_exist(installation: Installation, words: tuple[str, ...], hint: str) -> None:
    """Wrong use is exit code 2 and a line that says what there is."""
    done = installation.triage(*words)

    assert (done.returncode, hint in told(done)) == (2, True)


def test_a_lost_database_makes_no_second_ticket(installation: Installation) -> None:
    """With TRIAGE_SECRET kept, the mails of a lost database that come again find the tickets they made."""
    installation.extra = {"TRIAGE_SECRET": "kept elsewhere, 32 bytes at least"}
    installation.triage("process", str(NEW))
    for path in installation.folder.glob("triage.db*"):
        path.unlink()
    done = installation.triage("process", str(KNOWN), str(NEW), "--json")
    line = json.loads(done.stdout)[1]

    assert (line["case"], line["action"], line["ticket"]) == ("case-2", "ticketed", "HARB-71")
    assert "was made from this mail before" in line["why"]
    assert (installation.created(), installation.comments("HARB-71")) == (["HARB-71"], [])


# --- doctor ---------------------------------------------------------------------------------------


def test_the_doctor_finds_all_well(with_model: Installation) -> None:
    """With everything set each part is looked at for real and said to be fine."""
    with_model.extra = {"WEBHOOK_SECRET": "whsec_" + "QUJD" * 8}
    done = with_model.triage("doctor", "--json")
    found = {finding["what"]: finding["state"] for finding in json.loads(done.stdout)}

    assert (done.returncode, set(found.values())) == (0, {"ok"})
    assert {"settings", "database", "jira", "search", "model", "queue", "webhooks"} <= set(found)


@pytest.mark.parametrize(
    ("more", "hints"),
    [
        ({"JIRA_API_TOKEN": CANARY}, ["jira: Jira does not accept our account: check JIRA_EMAIL and JIRA_API_TOKEN"]),
        ({"JIRA_PROJECT_KEY": "NOPE"}, ["jira: no project NOPE for our account: check JIRA_PROJECT_KEY"]),
        (
            {
                "JIRA_BASE_URL": "http://127.0.0.1:9",
                "REDIS_URL": f"redis://:{CANARY}@127.0.0.1:9/0",
                "WEBHOOK_SECRET": "canary",
                "TRIAGE_CONFIG": "broken.yaml",
            },
            [
                "broken.yaml: is not YAML",
                "jira: Jira does not answer",
                "queue: Redis does not answer: check REDIS_URL",
                "webhooks: WEBHOOK_SECRET: 6 bytes are too few",
            ],
        ),
        ({"TRIAGE_CONFIG": "nobody.yaml"}, ["routing.rules, x: there is no profile nobody"]),
    ],
    ids=["token", "project", "nearly-all", "profile"],
)
def test_the_doctor_names_what_is_ill(installation: Installation, more: dict[str, str], hints: list[str]) -> None:
    """Exit code 1, and a line each says which variable or place to mend; the other parts are looked at all the same."""
    (installation.folder / "broken.yaml").write_text("routing: [\n", encoding="utf-8")
    rule = "routing: {rules: [{name: x, match: {all: true}, route: agent, profile: nobody}]}"
    (installation.folder / "nobody.yaml").write_text(rule, encoding="utf-8")
    installation.extra = more
    done = installation.triage("doctor")
    said = told(done)

    assert (done.returncode, [hint for hint in hints if hint not in said]) == (1, [])
    assert ("✓ database: sqlite, 0 cases" in said, CANARY in said) == (True, False)


def test_the_doctor_reads_typos_to_machines_too(installation: Installation) -> None:
    """Settings that cannot be loaded are findings like all others, one each, and exit code 2."""
    typos = "JIRA_TOKN=x\nIMAP_HSOT=imap.example.com\nENABLE_SPRINT=true\nMAX_ROUNDS=0\n"
    (installation.folder / ".env").write_text(typos, encoding="utf-8")
    done, seen = installation.triage("doctor", "--json", JIRA_PROJET_KEY="x"), installation.triage("doctor")
    found = [(finding["what"], finding["state"]) for finding in json.loads(done.stdout)]

    assert (done.returncode, done.stderr, seen.returncode) == (2, b"", 2)
    assert found == [
        ("JIRA_TOKN", "fail"),
        ("IMAP_HSOT", "fail"),
        ("ENABLE_SPRINT", "fail"),
        ("MAX_ROUNDS", "fail"),
        ("JIRA_PROJET_KEY", "warn"),
    ]
    assert "✗ IMAP_HSOT: unknown, in .env, line 2; did you mean IMAP_HOST?" in told(seen)


# --- secrets --------------------------------------------------------------------------------------


def test_no_secret_leaves_its_place(with_model: Installation) -> None:
    """After runs that log everything, no secret stands in an output, a log, the database or what the model was sent."""
    secrets = {
        "OPENAI_API_KEY": f"{CANARY}-model",
        "WEBHOOK_SECRET": f"{CANARY}-webhook-0123456789",
        "POSTMARK_USER": "postmark",
        "POSTMARK_PASSWORD": f"{CANARY}-postmark-0123456789",
        "TRIAGE_SECRET": f"{CANARY}-marks",
    }
    with_model.extra = {**secrets, "LOG_LEVEL": "DEBUG"}
    runs = [
        with_model.triage("process", str(NEW), str(FIXED)),
        with_model.triage("doctor"),
        with_model.triage("show", "1", "--prompt"),
        with_model.triage("process", str(KNOWN), JIRA_API_TOKEN=f"{CANARY}-wrong"),
        with_model.triage("cases", MAX_ROUNDS="0"),
    ]
    written = b"".join(path.read_bytes() for path in with_model.folder.iterdir() if path.is_file())
    sent = "".join(json.dumps(asked.body) for asked in with_model.asked)

    assert [run.returncode for run in runs] == [1, 0, 0, 3, 2]
    assert [run.args for run in runs if CANARY in (run.stdout + run.stderr).decode()] == []
    assert (CANARY.encode() in written, with_model.jira.token.encode() in written, len(written) > 10_000) == (
        False,
        False,
        True,
    )
    assert (CANARY in sent, len(sent) > 1000) == (False, True)


def test_help_needs_no_settings(installation: Installation) -> None:
    """A command explains itself where nothing is set right, and `triage --help` tells the exit codes."""
    installation.extra = {"JIRA_BASE_URL": "nonsense", "MAX_ROUNDS": "nonsense"}
    said, serve = told(installation.triage("--help")), installation.triage("serve", "--help")

    assert "0 done; 1 something needs a person; 2 wrong use or settings; 3 Jira, model or database" in said
    assert (serve.returncode, "Usage" in told(serve)) == (0, True)


def test_who_may_do_what_can_be_read(installation: Installation) -> None:
    """`triage agents` names each tool and deed whole at 80 columns; its JSON has the right of each kind of sender."""
    told = installation.triage("agents", COLUMNS="80").stdout.decode()
    closing = [line for line in installation.json("agents") if line["deed"] == "move to a status that is done"]

    assert max(map(len, told.splitlines())) <= 80
    assert {"Agent jira", "modify_jira_ticket"} <= {
        line.rstrip(" │").split(" │")[0].strip() for line in told.splitlines()
    }
    assert [line["rights"] for line in closing] == [
        {"verified participant": "a person", "verified stranger": "a person", "unverified": "a person", "failed": "no"}
    ]


# --- correct --------------------------------------------------------------------------------------


def test_a_mail_that_was_put_aside_becomes_a_ticket(installation: Installation) -> None:
    """`triage correct --ignore`, then `--ticket`: each is carried out at once and says where the case ended."""
    (installation.folder / "offer.eml").write_bytes(
        b"From: Sam <sam@offers.example>\nTo: support@harbourline.example\nSubject: Rank first\nMessage-ID: <1@offers.example>\n"
        b"Date: Fri, 20 Nov 2026 09:00:00 +0000\n\nWe offer SEO packages and guest posts at a discount. Buy backlinks now.\n"
    )
    installation.triage("process", "offer.eml")
    aside = installation.triage("correct", "1", "--ignore", "--json")
    made = installation.triage("correct", "case-1", "--ticket", "--json")
    ends = [json.loads(done.stdout) for done in (aside, made)]

    assert [end["action"] for end in ends] == ["ignored", "ticketed"]
    assert [end["settled"] for end in ends] == [True, True]
    assert installation.created() == [ends[1]["ticket"]]


def test_a_correction_says_one_thing(installation: Installation) -> None:
    """None, two, an unknown disposition, what is no ticket's key, and a case that is not there are refused."""
    for arguments, why in (
        ((), "give one of --ticket, --ignore, --disposition and --duplicate-of"),
        (("--ticket", "--ignore"), "give one of --ticket, --ignore, --disposition and --duplicate-of"),
        (("--disposition", "nonsense"), "nonsense is no disposition; there are work,"),
        (("--duplicate-of", "12"), "12 is no ticket's key; write it like HARB-12"),
        (("--ticket",), "case-999"),
    ):
        done = installation.triage("correct", "999", *arguments)

        assert done.returncode != 0
        assert why in told(done)
