"""Logs, traces and programs are told from prose."""

import pytest

from triage.policy.ticket.text.code_lines import is_code, joined, language_of, shortened


@pytest.mark.parametrize(
    "line",
    [
        "2026-11-24 10:00:01 ERROR crane - stuck",
        '{"rule":"all_lost","site":"yard",',
        "[10:00:01] something",
        "Nov 24 10:00:01 host crane[7]: stuck",
        "ERROR: no room",
        "E/Crane (  123): stuck",
        "    at example.yard.Import.run(Import.java:42)",
        "   at Yard.Import.Run(String name) in C:\\yard\\Import.cs:line 7",
        "   bei Yard.Import.Step.Run(String name) in C:\\yard\\Step.cs:Zeile 7",
        "   \u00e0 Yard.Import.Step.Run(String name)",
        "bei System.Linq.Enumerable.First[TSource](IEnumerable`1 source)",
        "  thrown in /srv/yard/price.php on line 12",
        "\u2502 Error: Unsupported argument",
        "0x0001a2c4 in Queue::push (this=0x0) at queue.cpp:58",
        "Program received signal SIGSEGV, Segmentation fault.",
        "(gdb) bt",
        'err="parsing YAML file: line 9"',
        "PS C:\\yard> .\\turn.ps1",
        "Seq Scan on lift l  (cost=0.00..918273.10 rows=41820331 width=24)",
        '  File "/srv/crane.py", line 7, in turn',
        "Traceback (most recent call last):",
        "Caused by: java.io.IOException: full",
        "java.lang.IllegalStateException: no berth",
        "Uncaught TypeError: x is undefined",
        "$ systemctl restart crane",
        "curl -X POST https://yard.example/berths",
        "SELECT name FROM cranes WHERE berth = 7",
        "GET /berths/7 HTTP/1.1",
        "POST /berths 504 60001ms",
        "[   12.331] EDAC MC0: 1 UE memory read error",
        "DETAIL:  Process 7 waits for ShareLock on transaction 12",
        "Error from server (Forbidden): berths is forbidden",
        '  "berth": 7,',
        "<berth id='7'/>",
        "int turn = crane.turn(7);",
        "}",
        "a=b;" * 60,
        "address = crane.where; // it is null here",
        " src/crane.py | 26 ++++++--",
        "/etc/cron.daily/rotate:",
        "error: cannot turn",
        "run-parts: /etc/cron.daily/rotate exited with return code 1",
        "nightly.sh: FAILED after 3 attempts",
        "FAILED tests/test_crane.py::test_turn - AssertionError",
        "1 failed, 840 passed in 92.11s",
        "tests/test_crane.py::test_turn PASSED",
        "E   crane.Error: cannot turn",
        "===== 1 failed in 92.11s =====",
        "Build step 'Execute shell' marked build as failure",
    ],
)
def test_code_is_code(line: str) -> None:
    """By its signs, whatever its language."""
    assert is_code(line)


@pytest.mark.parametrize(
    "line",
    [
        "The crane is stuck since 10:00:01 today.",
        "Error messages are hard to read",
        "We turn it; it stops;",
        "At noon (12:00) it works",
        "git is what we use for this.",
        "Please get /berths if you can.",
        "POST /berths returns 504 after a minute",
        "a long line of words " * 20,
        "起重机从昨天起就不能转动了" * 20,
    ],
)
def test_prose_is_prose(line: str) -> None:
    """A sentence with a time, a semicolon or a program's name stays a sentence."""
    assert not is_code(line)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('Traceback (most recent call last):\n  File "a.py", line 7', "python"),
        ("    at example.A.b(A.java:4)", "java"),
        ("   at Yard.Run(String a) in Yard.cs:line 7", "csharp"),
        ("TypeError: x\n    at o.render (map.js:1:20)", "javascript"),
        ("PHP Fatal error: x in a.php on line 7", "php"),
        ("\tfrom a.rb:7:in `b'", "ruby"),
        ("goroutine 1 [running]:\n\t/srv/a.go:7", "go"),
        ("SELECT a FROM b", "sql"),
        ("SELECT a,\n  b\nFROM c;", "sql"),
        ("#0  push (a=1) at queue.cpp:58", "cpp"),
        ("PS C:\\yard> .\\turn.ps1\nAt C:\\yard\\turn.ps1:1 char:1", "powershell"),
        ("cranes:\n  - name: red", "yaml"),
        ("thread 'main' panicked at src/a.rs:7:1:\nbroken", "rust"),
        ("   bei Yard.Import.Run(String a) in Yard.cs:Zeile 7", "csharp"),
        ('{\n  "a": 1,\n  "b": 2\n}', "json"),
        ("<a>\n<b/>\n</a>", "xml"),
        ("$ ls -l", "bash"),
        ("diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b", "diff"),
        ("2026-11-24 10:00:01 nothing", ""),
    ],
)
def test_languages(text: str, language: str) -> None:
    """The language that most lines are of; a log has none."""
    assert language_of(text.split("\n")) == language


def test_long_logs_are_cut_around_the_first_error() -> None:
    """Lines before and behind are left out, and say so; long lines are cut."""
    log = [f"INFO {n}" for n in range(100)]
    log[50] = "ERROR here"

    assert shortened(log[:3], 10, 100) == tuple(log[:3])
    assert shortened(log, 4, 100) == ("[…]", "INFO 49", "ERROR here", "INFO 51", "INFO 52", "[…]")
    assert shortened(["INFO"] * 5, 4, 100) == ("INFO",) * 4 + ("[…]",)
    assert shortened(["x" * 20], 4, 10) == ("xxxxxxxxxx […]",)


def test_short_gaps_between_code_are_code() -> None:
    """A blank line or one line of words between two lines of code belongs to them; two lines of words do not."""
    yes, no = True, False

    assert joined([yes, no, yes, no, no, yes], [no] * 6) == [yes, yes, yes, no, no, yes]
    assert joined([yes, no, yes], [no, yes, no]) == [yes, yes, yes]
    assert joined([yes, no, no, yes], [no, yes, no, no]) == [yes, no, no, yes]
    assert joined([no], [no]) == [no]
