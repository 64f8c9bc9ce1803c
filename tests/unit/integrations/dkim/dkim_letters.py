"""Signs mails by hand after RFC 6376, so that every tag can be bent and the library's verifier is not asked about itself."""

import hashlib
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

DOMAIN, SELECTOR = "corner-shop.example", "s1"
NAME = f"{SELECTOR}._domainkey.{DOMAIN}"
DIGESTS = {"sha256": SHA256(), "sha1": SHA1()}  # noqa: S303 - a test asks whether it is refused


@dataclass(frozen=True)
class Key:
    """An RSA key."""

    private: rsa.RSAPrivateKey
    public: bytes
    """DER."""

    def record(self, **more: str) -> bytes:
        """As it stands in DNS."""
        tags = {"v": "DKIM1", "k": "rsa", "p": b64encode(self.public).decode()} | more
        return "; ".join(f"{name}={value}" for name, value in tags.items() if value != "-").encode()

    def sign(self, data: bytes, digest: str = "sha256") -> bytes:
        """RSASSA-PKCS1-v1_5."""
        return self.private.sign(data, PKCS1v15(), DIGESTS[digest])


@cache
def made() -> Key:
    """A key of 2048 bits, the same one always."""
    private = rsa.generate_private_key(65537, 2048)
    return Key(private, private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))


@cache
def short() -> Key:
    """A key of 768 bits, such as nobody should use since 2013."""
    modulus = int(
        "a13e15c9be78f640d70f5046850e65b70d2087620446e3ed05e777104b29703f25d62c9be42a0696b4b63e2c71a86fe65baf849dd6"
        "33178cffdc547e5bb8a01cb8c6928c12651a687432e5602b394e7b2e20decd9386453bed5130efa7f29d63",
        16,
    )
    private = int(
        "67e46bff8085ca0d7f4473b1ec7b995837d214c937fe414ff074f287821662279e0680d9b54acad2020046d1362e94623030050d8f"
        "40c95f568b120ef128ad3115f44972bcfa1883dcfe1f2e785a457aff1588a55904bf68f6b720a7124ca6b9",
        16,
    )
    p, q = rsa.rsa_recover_prime_factors(modulus, 65537, private)
    parts = (rsa.rsa_crt_dmp1(private, p), rsa.rsa_crt_dmq1(private, q), rsa.rsa_crt_iqmp(p, q))
    key = rsa.RSAPrivateNumbers(p, q, private, *parts, rsa.RSAPublicNumbers(65537, modulus)).private_key()
    head = bytes.fromhex("307c300d06092a864886f70d0101010500036b0030680261")
    return Key(key, head + modulus.to_bytes(97) + bytes.fromhex("0203010001"))


def letter(*fields: str, sender: str = f"Dora <dora@{DOMAIN}>", text: str = "It is \t broken.  \r\n\r\n") -> bytes:
    """A mail with lines as they go over the wire."""
    head = (*fields, f"From: {sender}", "Subject:  A \t question", "Date: Fri, 20 Nov 2026 08:00:00 +0000")
    return "\r\n".join((*head, "", text)).encode()


def signed(
    raw: bytes,
    key: Key,
    *,
    domain: str = DOMAIN,
    selector: str = SELECTOR,
    canon: str = "relaxed/relaxed",
    names: tuple[str, ...] = ("from", "subject", "date"),
    digest: str = "sha256",
    **more: str,
) -> bytes:
    """The mail with a signature on top; further tags as they are given."""
    head, _, body = raw.partition(b"\r\n\r\n")
    way, _, body_way = canon.partition("/")
    covered = _relaxed_body(body) if body_way == "relaxed" else _bare_end(body)
    covered = covered[: int(more.get("l", len(covered)))]
    hashed = b64encode(hashlib.new(digest, covered).digest()).decode()
    tags = {"v": "1", "a": f"rsa-{digest}", "c": canon, "d": domain, "s": selector, "h": ":".join(names)} | more
    value = "; ".join(f"{name}={text}" for name, text in (*tags.items(), ("bh", hashed), ("b", "")))
    fields = dict(reversed([(line.partition(":")[0].lower(), line) for line in head.decode().split("\r\n")]))
    chosen = [fields[name] for name in names if name in fields]
    lines = [_relaxed(line) if way == "relaxed" else line for line in (*chosen, f"DKIM-Signature: {value}")]
    signature = b64encode(key.sign("\r\n".join(lines).encode(), digest)).decode()
    return f"DKIM-Signature: {value}{signature}\r\n".encode() + raw


def _relaxed(line: str) -> str:
    name, _, value = line.partition(":")
    blanks = re.compile(r"[ \t]+")
    return f"{name.strip().lower()}:{blanks.sub(' ', value).strip()}"


def _relaxed_body(body: bytes) -> bytes:
    lines = [re.sub(rb"[ \t]+", b" ", line).rstrip(b" ") for line in body.split(b"\r\n")]
    text = _bare_end(b"\r\n".join(lines))
    return b"" if text == b"\r\n" else text


def _bare_end(body: bytes) -> bytes:
    while body.endswith(b"\r\n"):
        body = body[:-2]
    return body + b"\r\n"
