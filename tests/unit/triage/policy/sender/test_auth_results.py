"""What servers write about a mail is read to the letter, and junk says nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.policy.sender.auth_results import LONGEST, Result, results_of

PIECES = st.sampled_from(
    [
        *'";()=\\ \t@./',
        "dkim",
        "pass",
        "dmarc=pass",
        "header.from",
        "mx.example",
        " 1",
        "a",
        "=",
        "ü",
        "\N{NO-BREAK SPACE}",
    ]
)


@pytest.mark.parametrize(
    ("field", "server", "results"),
    [
        ("mx.example; none", "mx.example", ()),
        ("mx.example", "mx.example", ()),
        ("MX.example 1; spf=pass", "mx.example", (("spf", "pass", {}),)),
        (
            "mx.example;\n dmarc=pass (p=NONE sp=NONE) header.from=a.example",
            "mx.example",
            (("dmarc", "pass", {"header.from": "a.example"}),),
        ),
        (
            "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=a.example; dkim=none header.d=none;compauth=pass reason=100",
            "",
            (
                ("spf", "pass", {"smtp.mailfrom": "a.example"}),
                ("dkim", "none", {"header.d": "none"}),
                ("compauth", "pass", {"reason": "100"}),
            ),
        ),
        (
            'mx.example; dkim/1 = PASS reason="good; \\"really\\"" header.b=ab=cd=',
            "mx.example",
            (("dkim", "pass", {"reason": 'good; "really"', "header.b": "ab=cd="}),),
        ),
        (
            'mx.example; spf=pass smtp.mailfrom="x; dmarc=pass header.from=bank.example"@evil.example',
            "mx.example",
            (("spf", "pass", {"smtp.mailfrom": "x; dmarc=pass header.from=bank.example@evil.example"}),),
        ),
        ("mx.example; spf=fail (x; dmarc=pass (nested \\) ) )", "mx.example", (("spf", "fail", {}),)),
        (
            "mx.example; dmarc=pass header.from=a header.from=b",
            "mx.example",
            (("dmarc", "pass", {"header.from": "a"}),),
        ),
        ("mx.example; spf=pass and more", "mx.example", ()),
    ],
)
def test_fields(field: str, server: str, results: tuple[tuple[str, str, dict[str, str]], ...]) -> None:
    """Server, methods and properties come out; quotes and comments keep what is inside them."""
    found = results_of(field)

    assert found
    assert server == found.server
    assert tuple(Result(method=m, value=v, properties=p) for m, v, p in results) == found.results


@pytest.mark.parametrize(
    "field", ["", " ; spf=pass", 'mx; spf="pass', "mx; spf=pass (", "a b c; spf=pass", "x" * (LONGEST + 1)]
)
def test_junk(field: str) -> None:
    """A field that does not end what it begins, names no server or is endless says nothing."""
    assert results_of(field) is None


def test_domain() -> None:
    """A property's domain is read from an address as well as from a domain."""
    result = Result(
        method="dkim", value="pass", properties={"header.i": "@Mail.A.example.", "smtp.mailfrom": "<x@b.example>"}
    )

    assert tuple(map(result.domain, ("header.i", "smtp.mailfrom", "header.d"))) == ("mail.a.example", "b.example", "")


@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=200))
def test_never_raises(field: str) -> None:
    """Whatever stands there, reading it ends without an error, and every word of it stood there."""
    found = results_of(field)

    assert found is None or all(result.method in field.lower() for result in found.results)
