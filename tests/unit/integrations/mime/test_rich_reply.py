"""The markup of a reply is that of the mail's HTML, where the HTML says the same."""

from email.message import EmailMessage

from integrations.mime.message import message_of
from triage.domain.mail import Message

TEXT = "The crane list is empty since noon.\n\nCrane | State\n7 | empty\n\nPlease look at it today.\n"
HTML = (
    "<p>The <b>crane list</b> is empty since noon.</p>"
    "<table><tr><th>Crane</th><th>State</th></tr><tr><td>7</td><td>empty</td></tr></table><p>Please look at it today.</p>"
)


def read(html: str, text: str = "", **headers: str) -> Message:
    """A mail with this HTML, beside this text if there is one."""
    mail = EmailMessage()
    for name, value in {"From": "ada@x.example", "Subject": "Cranes", **headers}.items():
        mail[name] = value
    if text:
        mail.set_content(text)
        mail.add_alternative(html, subtype="html")
    else:
        mail.set_content(html, subtype="html")
    return message_of(mail.as_bytes())


def kinds(mail: Message) -> set[str]:
    """Kinds of lines and marks."""
    return {line.kind for line in mail.rich} | {mark.kind for line in mail.rich for mark in line.marks}


def test_html_alone_and_beside_text() -> None:
    """In both the reply has its table and its bold words."""
    assert kinds(read(HTML)) == kinds(read(HTML, TEXT)) == {"", "head", "row", "strong"}


def test_html_that_says_something_else_is_left() -> None:
    """What people read in plain text is not replaced by other words; nor is text without markup."""
    assert read("<p><b>Buy</b> ropes, anchors and lamps here at once, all of them cheap</p>", TEXT).rich == ()
    assert read("<p>The crane list is empty.</p>").rich == ()


def test_only_the_reply_counts() -> None:
    """Markup in quoted history is none of the reply; a forward has all of it."""
    history = "<div class='gmail_quote'>On Monday Bob wrote:<blockquote type='cite'><b>Old</b> words of Bob</blockquote></div>"
    answer = read(f"<p>It is empty again.</p>{history}", **{"In-Reply-To": "<a@x.example>"})
    forward = read(
        "<p>Look.</p><p>---------- Forwarded message ---------<br>From: Bob &lt;bob@x.example&gt;<br>Date: today<br>"
        "Subject: cranes</p><p>The <b>list</b> is empty.</p>",
        Subject="Fwd: cranes",
    )

    assert answer.rich == ()
    assert "forward" in forward.flags
    assert kinds(forward) == {"", "strong"}
