"""Our own check of signatures through the whole house: real DNS, real keys, a real child."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.e2e.installation import Installation
from tests.e2e.mail.delivery import EDGE, HOP, delivered
from tests.e2e.opened import house
from tests.servers.dns import SERVFAIL, RunningDns
from tests.servers.sandbox import RunningJira
from tests.unit.integrations.dkim.dkim_letters import DOMAIN, NAME, letter, made, signed
from triage.config.settings import Isolated, load
from triage.domain.errors import SettingsInvalid
from triage.domain.mail import Trust

KEY = made()
GOOD = signed(letter("Message-ID: <1@corner-shop.example>"), KEY)
BOSS = b"From: Boss <boss@corner-shop.example>\r\n"
STAMPED = f"Authentication-Results: mx.harbourline.example; dmarc=fail\r\n{HOP.strip()}\r\n".encode()


@pytest.fixture
def dkim(name_server: RunningDns) -> dict[str, str]:
    """Settings that switch the check on; the shop's key is in DNS."""
    name_server.records[NAME] = [KEY.record()]
    return {"ENABLE_DKIM_CHECK": "true", "DKIM_NAMESERVER": name_server.address, **EDGE}


@pytest.mark.parametrize(
    ("raw", "trust", "because"),
    [
        (GOOD, Trust.WEAK, f"dkim=pass for {DOMAIN}, checked here"),
        (GOOD.replace(b"broken", b"fine"), Trust.UNVERIFIED, "dkim=fail for corner-shop.example: the text was changed"),
        (signed(letter(), KEY, l="4"), Trust.UNVERIFIED, "it covers a part of the text only"),
        (signed(letter(), KEY, names=("subject",)), Trust.UNVERIFIED, "it does not cover the sender"),
        (signed(letter(sender="dora@else.example"), KEY), Trust.UNVERIFIED, "no proof of our servers"),
        (letter(), Trust.UNVERIFIED, "no proof of our servers"),
        (BOSS + GOOD, Trust.UNVERIFIED, "many-from"),
        (BOSS.replace(b"From:", b"From :") + b"X: y\r\n" * 1001 + GOOD, Trust.UNVERIFIED, "no proof of our servers"),
        (STAMPED + GOOD, Trust.FAILED, "dmarc=fail"),
    ],
    ids=["good", "changed", "part", "no-from", "other-domain", "unsigned", "two-senders", "hidden-sender", "stamped"],
)
async def test_trust(
    tmp_path: Path, cloud_jira: RunningJira, dkim: dict[str, str], raw: bytes, trust: Trust, because: str
) -> None:
    """A sound signature of the sender's domain is a weak proof; where a server of ours has spoken it is not asked for."""
    async with house(cloud_jira, tmp_path, dry_run=True, **dkim) as opened:
        report = await delivered(opened, raw, "x.eml")

    told = "; ".join(report.case.identity.trust_because)
    assert (report.case.identity.trust, because in told) == (trust, True), told


async def test_dns_in_trouble(
    tmp_path: Path, cloud_jira: RunningJira, dkim: dict[str, str], name_server: RunningDns
) -> None:
    """A silent DNS proves nothing and accuses nobody: the mail goes its way."""
    name_server.faults[NAME] = SERVFAIL
    async with house(cloud_jira, tmp_path, dry_run=False, **dkim) as opened:
        report = await delivered(opened, GOOD, "x.eml")

    assert (report.case.identity.trust, bool(report.case.ticket)) == (Trust.UNVERIFIED, True)
    assert "dkim=none for corner-shop.example: DNS does not say its key" in report.case.identity.trust_because[0]


async def test_off(tmp_path: Path, cloud_jira: RunningJira, dkim: dict[str, str], name_server: RunningDns) -> None:
    """Who has not asked for it sends no query."""
    async with house(cloud_jira, tmp_path, dry_run=True, **{**dkim, "ENABLE_DKIM_CHECK": "false"}) as opened:
        report = await delivered(opened, GOOD, "x.eml")

    assert (report.case.identity.trust, name_server.asked) == (Trust.UNVERIFIED, [])


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("server", ["dns.example.com", "::1", "127.0.0.1:x", "127.0.0.1:99999", "[::1"])
def test_nameserver(server: str) -> None:
    """What is no address is refused at start, with what it should be."""
    with pytest.raises(SettingsInvalid, match="DKIM_NAMESERVER: must be an IP address"):
        load(Isolated, DKIM_NAMESERVER=server)


def test_doctor(installation: Installation, dkim: dict[str, str], name_server: RunningDns) -> None:
    """The doctor asks DNS, and says when it does not answer."""
    installation.extra = dkim
    sound = installation.triage("doctor").stdout.decode()
    name_server.faults["ready._domainkey.example.com"] = SERVFAIL
    ill = installation.triage("doctor").stdout.decode()

    assert "✓ signatures: are checked, DNS answers" in sound
    assert "✗ signatures: DNS does not answer" in ill


WITHOUT = """
import sys
sys.modules["dkim"] = None
from cli.__main__ import main

for words in (["doctor"], ["process", "-"]):
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as e:
        print(f"ended with {e.code}")
"""
"""Two commands without the extra; one after the other, since a start takes two seconds of processor time."""


def test_missing_extra(installation: Installation, dkim: dict[str, str]) -> None:
    """Where the check is on and its extra is not installed, one line of each command says what to install."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        check=False,
        capture_output=True,
        input=GOOD,
        cwd=installation.folder,
        env=installation.environment(**dkim) | {"PYTHONPATH": str(ROOT)},
        timeout=PATIENCE,
    )
    told = (done.stdout + done.stderr).decode()

    assert told.count("ENABLE_DKIM_CHECK: the extra `dkim` is not installed; install Triage with it") == 2, told
    assert [line for line in told.splitlines() if line.startswith("ended with")] == ["ended with 1", "ended with 2"]
    assert "Traceback" not in told
