"""Sandbox Jiras of one's own: with chosen traits, over TLS, under a context path."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.servers.official.watch import watched
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira import jira_app
from triage_sandbox.server import Served


@contextmanager
def running(*, tls: Path | None = None, **traits: Any) -> Iterator[RunningJira]:
    """A sandbox for one test; with `tls` it speaks HTTPS only."""
    app = jira_app(**traits)
    config: dict[str, Any] = {} if tls is None else {"ssl_certfile": str(tls)}
    with Served(watched(app), **config) as served:
        yield RunningJira(served, app)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a certificate for this machine, which signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    file.write_bytes(
        signed.public_bytes(encoding) + key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain)
    )
    return file
