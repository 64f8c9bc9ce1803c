"""Tells log lines, stack traces and source code from prose, and names their language."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from triage.policy.text.sentences import UNSPACED

READ: Final = 400
"""Characters of a line that are looked at."""
LONG: Final = 200
"""Characters; a longer line without many blanks is minified code or data."""
_SIGNS: Final = re.compile(
    r"""
      \W{0,2}\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d|\s+[\[A-Z])       # 2026-11-22 10:15:00, 2026-11-22 10:15 ERROR
    | \s*\[?\d{1,2}[/.-](?:\d{1,2}|[A-Z][a-z]{2})[/.-]\d{4}[ :T]\d\d:\d\d:\d\d
    | \s*\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]?\s+\S
    | [A-Z][a-z]{2}\s+\d{1,2}\s\d\d:\d\d:\d\d\s
    | \s*[\[(<|]?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|SEVERE|CRITICAL|ERR!?)[\])>|]?(?:\s*[:|\-\]]|\s+\[|\s+[a-z][\w.]*[.:(\[])
    | \s*[VDIWEF]/[\w.]+\s*\(\s*\d+\):
    | \s+at\s\S+(?:\s\[?as\s\w+\]?)?\s?\(.*\)?$ | \s*at\s[\w$.<>/`\[\],]+(?:\(.*\)|\s\(.*)\s*(?:in\s.*)?$ | \s*at\s\S+:\d+:\d+\)?$
    | \s*(?:bei|\xe0|en|em|na|w|v|o|in|vid|ved|hos|\u0432|\u5834\u6240|\uc704\uce58:)\s(?:[A-Za-z_]\w*\.){2}[\w.`<>\[\],|$]*\(.*\)(?:\s.*)?$  # .NET of other languages
    | \s*[\u2502\u2575\u2577\u2570\u256d](?:\s|$) | \s*0x[0-9a-f]{4,16}\s(?:in\s)?\w | Program\s(?:received\ssignal|terminated\swith)\b | \(gdb\)\s | PS\s[A-Z]:\\[^>]*>
    | \s*(?:level|err|error|msg|ts|caller|time)=[\w"]
    | \s*thrown\sin\s\S+\son\sline\s\d+ | \s*(?:->\s+)?[A-Z]\w+(?:\s\S+){1,6}\s+\(cost=\d
    | \s*File\s"[^"]+",\sline\s\d+ | Traceback\s\(most\srecent | \s*\.\.\.\s\d+\s(?:more|common)
    | \s*(?:Caused\sby|Exception\sin\sthread|Suppressed|Unhandled\sexception)\b.*[:.]
    | \s*(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Exception|Error|Fault|Warning)(?::\s|$)
    | \s*Uncaught\s[\w(]
    | (?:error|warning|fatal|notice):\s\S | /[\w.@+-]+(?:/[\w.@+-]+)+:(?:\s|$) | [a-z][\w.-]{1,30}(?:\[\d+\])?:\s(?:/\w\S*/\S|\[\w+\]\s)
    | [a-z][\w-]*\.(?:sh|py|pl|rb|php|js|exe|bat|ps1):\s | [a-z]\w{1,20}\serror:\s
    | \S+\.\w+::\S+\s+(?:PASSED|FAILED|ERROR|SKIPPED|XFAIL) | E\s{2,}\S | ={5,}\s.*\s={5,}$ | FAILED\s\S+::\S | \d+\s(?:failed|passed)\b.*\bin\s[\d.]+s | Build\sstep\s' | Finished:\s[A-Z]+$ | \[\.{3}truncated\s
    | \s*\#\d+\s+(?:0x|\S+\s?\(|/) | goroutine\s\d+ | panic:\s | \s*from\s\S+:\d+:in\s | PHP\s(?:Fatal|Warning|Notice)
    | \s*(?:\$|>>>|C:\\[^>]*>|\w+@[\w-]+:[^$\#]*[$\#])\s\S
    | \s*(?:curl|sudo|npm|pip3?|git|docker|kubectl|systemctl|apt(?:-get)?|yum|mvn|gradle|ssh|chmod|wget)\s+(?:-|\w+[\s-]|https?:)(?![^.!?]*[.!?]$)
    | \s*(?:SELECT\s.+\sFROM|INSERT\sINTO|UPDATE\s\S+\sSET|DELETE\sFROM|CREATE\sTABLE|ALTER\sTABLE)\s
    | \s*(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\s(?:/|https?:)\S*(?:\s+(?:HTTP/|[\d\W]).*)?\s*$ | \s*HTTP/\d
    | \s*\[\s*\d+\.\d{3,6}\]\s\S | Error\sfrom\sserver\s\( | (?:DETAIL|HINT|CONTEXT|STATEMENT|LOG|QUERY):\s\s\S
    | \s*[{}\[\]()]{1,4}[;,]?$ | \s*[{\[]{0,3}\s*"[^"]{1,80}"\s*:\s*(?:["{\[\d-]|true|false|null) | \s*</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>.*
    | \s*\S+\s+\|\s+\d+\s[+-]+$ | \s*\d+\sfiles?\schanged,\s\d | \s*\w[\w.\[\]]*\s=\s[^;=]+;
    | .*(?:[=)\]}"'\w];|[=()>\w\s]\{|\})\s*$  # ends as a statement does
    | \s*(?:def|class|function|public|private|protected|import|const|let|var|return|elif|else\s*:|\#include|using|namespace|package|func)\s[^.!?]*[=(){};:<]\s*$
    """,
    re.VERBOSE,
)
_STATEMENT: Final = re.compile(r"[=(){}\[\]<>]|^\s+\S")
_ENDS: Final = re.compile(r"[;{}]\s*$")
_LANGUAGES: Final[Sequence[tuple[str, re.Pattern[str]]]] = (
    ("diff", re.compile(r"^diff --git |^@@ -\d|^[+-]{3} \S")),
    ("json", re.compile(r'^\s*"[^"]{1,80}"\s*:\s*|^\s*\{\s*"')),
    ("python", re.compile(r'Traceback \(most recent|File "[^"]+", line \d+|^\s*(?:def|elif)\s.*:$|>>> ')),
    ("java", re.compile(r"at [\w$.<>]+\([\w$]+\.(?:java|kt|scala):\d+\)|\bjavax?\.\w+\.|Exception in thread|\(Native Method\)")),
    ("csharp", re.compile(r"\.cs:\w+ \d+|\bSystem\.\w+(?:\.\w+)*Exception|^\s*at [\w.`\[\],]+\([^)]*\)(?: in .*)?$")),
    ("javascript", re.compile(r"\.[jt]sx?:\d+(?::\d+)?|(?:Reference|Type|Syntax|Range)Error\b|=>\s*[{(]|\bconsole\.\w+\(|^\s*(?:const|let|var)\s")),
    ("php", re.compile(r"PHP (?:Fatal|Warning|Notice)|\.php(?: on line |[:(])\d+|<\?php")),
    ("rust", re.compile(r"^thread '.*' panicked at|\.rs:\d+|^\s*\d+: (?:core|std|rust_\w+)\b")),
    ("cpp", re.compile(r"\.(?:cpp|cc|cxx|hpp|c|h):\d+")),
    ("powershell", re.compile(r"^PS [A-Z]:\\|^At .+:\d+ char:\d+|^\s*\+ (?:CategoryInfo|FullyQualifiedErrorId)")),
    ("ruby", re.compile(r"\.rb:\d+:in ")),
    ("go", re.compile(r"^goroutine \d+|^panic: |\.go:\d+")),
    ("sql", re.compile(
        r"^\s*(?:SELECT|FROM|WHERE|(?:LEFT |INNER )?JOIN|GROUP BY|ORDER BY|INSERT INTO|UPDATE \S+ SET|DELETE FROM|(?:CREATE|ALTER) TABLE)\b"
    )),
    ("yaml", re.compile(r"^\s*- [a-z][\w.-]*:(?:\s|$)|^\s+[a-z][\w.-]*:\s*$")),
    ("xml", re.compile(r"^\s*</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>|^\s*<\?xml")),
    ("bash", re.compile(r"^\s*\$ |^\s*(?:curl|sudo|npm|pip3?|git|docker|kubectl|systemctl)\s")),
)  # fmt: skip
_WORST: Final = re.compile(
    r"ERROR|FATAL|SEVERE|CRITICAL|Exception|Traceback|panic|\bError\b|Caused by|error:", re.IGNORECASE
)


def is_code(line: str) -> bool:
    """Tell whether a line is of a log, a trace or a program rather than prose."""
    text = line[:READ]
    if len(line) > LONG and line.count(" ") * 12 < len(line) and not UNSPACED.search(text):
        return True
    if not _SIGNS.match(text):
        return False
    return bool(_STATEMENT.search(text)) if _ENDS.search(text) else True


def language_of(lines: Sequence[str]) -> str:
    """Return the language that most lines are of, as code blocks name it; empty for logs."""
    starts = [line[:READ] for line in lines[:READ]]
    counts = {name: sum(bool(pattern.search(line)) for line in starts) for name, pattern in _LANGUAGES}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else ""


def shortened(lines: Sequence[str], most: int, longest: int) -> tuple[str, ...]:
    """Return at most `most` lines around the first error, each cut at `longest`, with `[…]` where lines are left out."""
    cut = [line if len(line) <= longest else f"{line[:longest]} […]" for line in lines]
    if len(cut) <= most:
        return tuple(cut)
    first = next((at for at, line in enumerate(lines) if _WORST.search(line[:READ])), 0)
    start = max(0, min(first - most // 4, len(cut) - most))
    shown = cut[start : start + most]
    return (*(["[…]"] if start else []), *shown, *(["[…]"] if start + most < len(cut) else []))


def joined(flags: Sequence[bool], blank: Sequence[bool]) -> list[bool]:
    """Return the flags, with short gaps between two lines of code filled: a line or two of a log that look like prose."""
    filled = list(flags)
    code = [at for at, flag in enumerate(flags) if flag]
    for one, other in pairwise(code):
        between = range(one + 1, other)
        prose = sum(not blank[at] for at in between)
        if prose <= (1 if len(between) == prose else 0):
            for at in between:
                filled[at] = True
    return filled
