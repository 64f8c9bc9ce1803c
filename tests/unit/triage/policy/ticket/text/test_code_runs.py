"""Lines that only their neighbours show to be code."""

import pytest

from triage.policy.ticket.text.code_runs import lines_of_runs

TRACEBACK = """It stopped:
Traceback (most recent call last):
  File "/srv/yard.py", line 7, in <module>
    main()
  File "/srv/yard.py", line 4, in main
  File "/srv/crane.py", line 9, in turn
    crane.turn(
        degrees)
psycopg.errors.NumericValueOutOfRange: integer out of range
The crane has turned too often."""
PANIC = """It restarts.
thread 'poller' panicked at src/poll.rs:77:41:
called `Option::unwrap()` on a `None` value
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

All cranes stand."""
STATEMENT = """The slow one:
SELECT c.name, sum(l.weight)
FROM crane c JOIN lift l ON l.crane = c.id
  AND l.day > now() - interval '2 years'
GROUP BY 1;
It takes a minute."""
OPEN = """select name, berth
FROM crane
WHERE name IS NULL
finds nothing"""
PROSE = """Select the crane first,
from the list on the left,
update it, and press Save;
then it is gone."""
COMPLAINT = r"""The copy fails:
Copy-Item : The process cannot access the file.
At C:\scripts\copy.ps1:14 char:1
+ Copy-Item D:\crane.mdf
    + CategoryInfo          : NotSpecified: (:) [Copy-Item], IOException
Since Monday."""
EXCHANGE = """It answers 403:
* Connected to yard.example
> GET /cranes HTTP/1.1
> Host: yard.example
< HTTP/1.1 403 Forbidden
Why?"""
SETTINGS = """The new file:
cranes:
  - name: red
    berths:
      - 7
is refused: why?""".replace("      - 7", "      first: 7")
DIFF = """diff --git a/x b/x
@@ -1 +1 @@
-a
+b
That is all."""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (TRACEBACK, range(1, 9)),
        ("Traceback (most recent call last):\nIt says no more.", [0]),
        (PANIC, [1, 2, 3]),
        (STATEMENT, [1, 2, 3, 4]),
        (OPEN, [0, 1, 2]),
        (PROSE, []),
        (DIFF, [0, 1, 2, 3]),
        (COMPLAINT, [1, 2, 3, 4]),
        (EXCHANGE, [1, 2, 3, 4]),
        (SETTINGS, [1, 2, 3, 4]),
        ("name: red\nberth: 7\nsince: Monday", []),
        ("crane;day;turns\nred;1;12.4\nred;2;12,9\nThat is all.", [0, 1, 2]),
        ("crane,day,turns\nred,1,12\nred,2,13", [0, 1, 2]),
        (
            "0412   III     61.250,00    5.034,00\n0413   III     61.251,00    5.034,00\n0988   VI      13.940,00    1.811,00",
            [],
        ),
        ("It turns, stops, and hums,\nturns, stops, and hums,\nturns, stops, and hums.", []),
    ],
)
def test_a_run_ends_where_prose_goes_on(text: str, code: list[int]) -> None:
    """From its first line to its last one a run is code, whatever a line of it looks like by itself."""
    assert set(code) == lines_of_runs(text.split("\n"))
