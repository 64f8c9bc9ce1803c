"""How long reading takes: real mails beside other parsers, and one mail of 25 MB in a process of its own."""

import email
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from email import policy
from pathlib import Path

import mailparser
import pytest

from integrations.mime.message import message_of
from integrations.mime.tree import starts_with_fields
from tests.conftest import ROOT

# `ru_maxrss` would count what the parent held when it forked, which exec does not take away: 300 MB behind other benches.
LARGE = """
import base64, json, os, re, time
from integrations.mime.message import message_of
head = b"From: a@b.example\\nContent-Type: multipart/mixed; boundary=x\\n\\n--x\\n\\nhello\\n--x\\nContent-Type: application/pdf\\n"
raw = head + b"Content-Transfer-Encoding: base64\\n\\n" + base64.encodebytes(os.urandom(18_500_000)) + b"--x--\\n"
began = time.process_time()
message = message_of(raw)
took = time.process_time() - began
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
print(json.dumps({"bytes": len(raw), "seconds": took, "megabytes": peak, "attachment": message.attachments[0].size}))
"""


def stdlib(raw: bytes) -> object:
    """The six headers and the body by the standard library's modern policy."""
    message = email.message_from_bytes(raw, policy=policy.default)
    body = message.get_body(("plain", "html"))
    return [message[name] for name in ("from", "to", "cc", "subject", "date", "message-id")], body and body.get_payload(
        decode=True
    )


READERS: dict[str, Callable[[bytes], object]] = {
    "message_of": message_of,
    "mail-parser, whole": mailparser.parse_from_bytes,
    "stdlib, policy.default": stdlib,
    "stdlib, compat32 tree only": email.message_from_bytes,
}


def times_of(read: Callable[[bytes], object], mails: list[bytes]) -> tuple[list[float], int]:
    """CPU milliseconds of each mail, and how many raised."""
    times, raised = [], 0
    for raw in mails:
        began = time.process_time()
        try:
            read(raw)
        except Exception:  # noqa: BLE001 - other parsers raise what they like; it is counted
            raised += 1
        times.append(1000 * (time.process_time() - began))
    return times, raised


@pytest.mark.bench
def test_real_mails(shared_data: Path) -> None:
    """The median of ordinary mails is at most 3 ms of CPU, text, HTML, reply and attachments included."""
    files = sorted(path for path in shared_data.glob("mail-*/files/*") if path.parent.parent.name != "mail-replies")
    mails = [raw for raw in (path.read_bytes() for path in files) if starts_with_fields(raw)]
    message_of(mails[0])
    table = {name: times_of(read, mails) for name, read in READERS.items()}

    print(f"\n{len(mails)} real mails, median {statistics.median(map(len, mails)) / 1000:.1f} kB, CPU ms per mail")
    print(f"{'reader':<28}{'median':>8}{'p95':>8}{'max':>9}{'raised':>8}")
    for name, (times, raised) in table.items():
        ranked = sorted(times)
        print(
            f"{name:<28}{statistics.median(times):8.2f}{ranked[int(len(ranked) * 0.95)]:8.2f}{ranked[-1]:9.1f}{raised:8}"
        )

    assert statistics.median(table["message_of"][0]) <= 3
    assert table["message_of"][1] == 0


@pytest.mark.bench
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of one process alone")
def test_large_mail() -> None:
    """25 MB are read within 1.5 s and 200 MB, the interpreter included."""
    answer = subprocess.run([sys.executable, "-c", LARGE], cwd=ROOT, capture_output=True, check=True, timeout=60)
    told = json.loads(answer.stdout)
    print(
        f"\n{told['bytes'] / 1e6:.0f} MB: {told['seconds']:.2f} s CPU, peak {told['megabytes']:.0f} MB with the mail itself"
    )

    assert told["attachment"] == 18_500_000
    assert told["seconds"] <= 1.5
    assert told["megabytes"] <= 200
