"""Our signatures are those of Amazon's own examples."""

from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest

from integrations.objects.s3 import S3Account, signed

ACCOUNT = S3Account(
    key_id="AKIAIOSFODNN7EXAMPLE",
    secret="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region="us-east-1",
)
NOW = datetime(2013, 5, 24, tzinfo=UTC)
PUT = {"Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"}


@pytest.mark.parametrize(
    ("method", "path", "headers", "content", "signature"),
    [
        (
            "GET",
            "/test.txt",
            {"Range": "bytes=0-9"},
            b"",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        ),
        (
            "PUT",
            "/test%24file.text",
            PUT,
            b"Welcome to Amazon S3.",
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
        ),
        ("GET", "/?lifecycle=", {}, b"", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        (
            "GET",
            "/?max-keys=2&prefix=J",
            {},
            b"",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        ),
    ],
)
def test_examples(method: str, path: str, headers: dict[str, str], content: bytes, signature: str) -> None:
    """Of "Signature Calculations for the Authorization Header" in the reference of S3's API."""
    url = urlsplit(f"https://examplebucket.s3.amazonaws.com{path}")
    made = signed(method, url, headers, content, ACCOUNT, NOW)["authorization"]

    assert made.startswith("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,")
    assert made.endswith(f",Signature={signature}")


def test_the_secret_is_not_shown() -> None:
    """Neither in a log of the account nor in what is sent."""
    sent = signed("PUT", urlsplit("https://s3.example/b/k"), {}, b"", ACCOUNT, NOW)

    assert ACCOUNT.secret not in repr(ACCOUNT)
    assert ACCOUNT.secret not in str(sent)
