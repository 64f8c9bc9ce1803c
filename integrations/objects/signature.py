"""AWS Signature Version 4, by which S3 knows who asks: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from typing import Final
from urllib.parse import SplitResult

ALGORITHM: Final = "AWS4-HMAC-SHA256"


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Account:
    """Whose requests they are, and in which region."""

    key_id: str
    secret: str = field(repr=False)
    region: str


def signed(
    method: str, url: SplitResult, headers: Mapping[str, str], content: bytes, account: S3Account, now: datetime
) -> dict[str, str]:
    """Return all headers to send: the given ones, which are signed too, and those of the signature.

    The path must be in the form in which it is sent; a query's parts are in order and have a `=` each.
    """
    moment, hashed = f"{now:%Y%m%dT%H%M%SZ}", hashlib.sha256(content).hexdigest()
    every = {name.lower(): value.strip() for name, value in headers.items()}
    every |= {"host": url.netloc.rpartition("@")[2], "x-amz-content-sha256": hashed, "x-amz-date": moment}
    names = ";".join(sorted(every))
    lines = "".join(f"{name}:{every[name]}\n" for name in sorted(every))
    request = "\n".join((method, url.path or "/", url.query, lines, names, hashed))
    scope = f"{now:%Y%m%d}/{account.region}/s3/aws4_request"
    text = "\n".join((ALGORITHM, moment, scope, hashlib.sha256(request.encode()).hexdigest()))
    key = reduce(_mac, scope.split("/"), f"AWS4{account.secret}".encode())
    proof = f"{ALGORITHM} Credential={account.key_id}/{scope},SignedHeaders={names},Signature={_mac(key, text).hex()}"
    return {**every, "authorization": proof}


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
