"""Which technologies a text names, by all their names."""

import pytest

from tests.unit.triage.policy.text.test_cues import mail
from triage.policy.text.cues import cues_of


def test_technologies_by_all_their_names() -> None:
    """Aliases, versions, signs and slashes are understood; each technology is named once, with its words."""
    text = "Postgres 16 (PostgreSQL) on k8s, C#, C++ and .NET; node.js, Java/Kotlin, React Native. Go 1.22. ORA-00942. Windows"

    found = {cue.value: cue.evidence for cue in cues_of(mail(reply=text)).technologies}

    assert found == {
        "PostgreSQL": ("Postgres", "PostgreSQL"),
        "Kubernetes": ("k8s",),
        "C#": ("C#",),
        "C++": ("C++",),
        ".NET": (".NET",),
        "Node.js": ("node.js",),
        "Java": ("Java",),
        "Kotlin": ("Kotlin",),
        "React Native": ("React Native",),
        "Go": ("Go 1.22",),
        "Oracle": ("ORA-00942",),
        "Windows": ("Windows",),
    }


@pytest.mark.parametrize(
    "text",
    [
        "the digital edge of express delivery",
        "let it go on and react swiftly, in a word",
        "two windows and a spring",
        "Done. React to it, the market reacts, Go ahead, it will go 3 times",
        "パスワードとワードロープ",
        "https://python.example/docker php@example.com",
        "x" * 100,
    ],
)
def test_plain_words_are_no_technology(text: str) -> None:
    """`digital` is not git, `go` is not Go, and an address is nothing."""
    assert cues_of(mail(reply=text)).technologies == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Z Firefoxu se tiskne dvakrát, v GitHubu ne.", ["Firefox", "GitHub"]),
        ("Deploy w Dockerze nie wstaje.", ["Docker"]),
        ("Slack'te bildirim yok, Oracle'da da.", ["Slack", "Oracle"]),
        ("AWSの認証キーを更新しました。", ["AWS"]),
        ("サファリで開くと真っ白です。", ["Safari"]),
        ("微信登录失败 安卓手机上都不行", ["WeChat", "Android"]),
        (
            "Our React frontend and the Vue one, Kotlin/React, Go 1.22, Vault's log",
            ["React", "Vue.js", "Kotlin", "Go", "HashiCorp Vault"],
        ),
        ("Stripe refuses cards since MariaDB was moved; OIDC is fine.", ["Stripe", "MariaDB", "OpenID Connect"]),
        ("A stripe on the screen, some slack in the plan, an excellent redistribution.", []),
    ],
)
def test_names_in_other_grammars(text: str, names: list[str]) -> None:
    """A capitalised name may have the ending of a case, or stand beside letters that need no spaces; a plain word is none."""
    assert [cue.value for cue in cues_of(mail(reply=text)).technologies] == names
