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
    ],
)
def test_a_run_ends_where_prose_goes_on(text: str, code: list[int]) -> None:
    """From its first line to its last one a run is code, whatever a line of it looks like by itself."""
    assert set(code) == lines_of_runs(text.split("\n"))
