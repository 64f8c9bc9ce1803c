"""Reply and history of bodies as mail programs of many languages write them."""

import pytest

from integrations.mime.reply.split import answers_inside, answers_marked, split
from tests.unit.integrations.mime.reply.reply_languages import FORWARDS
from tests.unit.integrations.mime.reply.reply_matrix import Reply, replies
from tests.unit.integrations.mime.reply.reply_variants import BELOW

# ruff: noqa: RUF001 - the letters and dashes of other alphabets are the point

MATRIX = dict(replies())
WORDS = "The export is still empty.\n\nIt was fine last week."

ATTRIBUTIONS = {
    "gmail": "On Mon, 9 Mar 2026 at 17:02, Ada Byron <ada@example.com> wrote:",
    "gmail, wrapped": "On Mon, Mar 9, 2026 at 5:02 PM A Very Long Department Name <\nada.with.a.long.name@mail.example.com> wrote:",
    "gmail, verb alone": "On Mon, Mar 9, 2026 at 5:02 PM Ada <ada@example.com>\nwrote:",
    "gmail, old": "2026-03-09 17:02 GMT+01:00 Ada Byron <ada@example.com>:",
    "apple": "On 9 Mar 2026, at 17:02, Ada Byron <ada@example.com> wrote:",
    "zoho": "---- On Mon, 09 Mar 2026 17:02:11 +0100 Ada Byron <ada@example.com> wrote ----",
    "no date": "Ada Byron <ada@example.com> wrote:",
    "no colon": "On Mon, 9 Mar 2026 17:02:43 +0100 Ada Byron <ada@example.com> wrote",
    "german": "Am Mo., 9. März 2026 um 17:02 Uhr schrieb Ada Byron <ada@example.com>:",
    "german, mobile": "Am 09.03.2026 17:02 schrieb Ada Byron <ada@example.com>:",
    "german, thunderbird": "Am 09.03.26 um 17:02 schrieb Ada Byron:",
    "french": "Le lun. 9 mars 2026 à 17:02, Ada Byron <ada@example.com> a écrit :",
    "french, wrapped": "Le lun. 9 mars 2026 à 17:02, Ada Byron <ada@example.com>\na écrit :",
    "spanish": "El lun, 9 mar 2026 a las 17:02, Ada Byron (<ada@example.com>) escribió:",
    "portuguese": "Em seg., 9 de mar. de 2026 às 17:02, Ada Byron <ada@example.com> escreveu:",
    "italian": "Il giorno lun 9 mar 2026 alle ore 17:02 Ada Byron <ada@example.com> ha scritto:",
    "dutch": "Op ma 9 mrt 2026 om 17:02 schreef Ada Byron <ada@example.com>:",
    "dutch, apple": "Op 9 mrt. 2026 om 17:02 heeft Ada Byron <ada@example.com> het volgende geschreven:",
    "danish": "Den man. 9. mar. 2026 kl. 17.02 skrev Ada Byron <ada@example.com>:",
    "swedish": "Den mån 9 mars 2026 kl 17:02 skrev Ada Byron <ada@example.com>:",
    "norwegian": "man. 9. mars 2026 kl. 17:02 skrev Ada Byron <ada@example.com>:",
    "finnish": "ma 9. maalisk. 2026 klo 17.02 Ada Byron <ada@example.com> kirjoitti:",
    "polish": "pon., 9 mar 2026 o 17:02 Ada Byron <ada@example.com> napisał(a):",
    "polish, thunderbird": "W dniu 9.03.2026 o 17:02, Ada Byron pisze:",
    "czech": "po 9. 3. 2026 v 17:02 odesílatel Ada Byron <ada@example.com> napsal:",
    "slovak": "po 9. 3. 2026 o 17:02 Ada Byron <ada@example.com> napísal(a):",
    "hungarian": "Ada Byron <ada@example.com> ezt írta (időpont: 2026. márc. 9., H, 17:02):",
    "romanian": "În lun., 9 mar. 2026 la 17:02, Ada Byron <ada@example.com> a scris:",
    "turkish": "Ada Byron <ada@example.com>, 9 Mar 2026 Pzt, 17:02 tarihinde şunu yazdı:",
    "russian": "пн, 9 мар. 2026 г. в 17:02, Ada Byron <ada@example.com>:",
    "russian, mail.ru": "Понедельник, 9 марта 2026, 17:02 +03:00 от Ada Byron <ada@example.com>:",
    "ukrainian": "пн, 9 бер. 2026 р. о 17:02 Ada Byron <ada@example.com> пише:",
    "greek": "Στις Δευ 9 Μαρ 2026 στις 17:02 ο χρήστης Ada Byron <ada@example.com> έγραψε:",
    "chinese": "在 2026年3月9日，下午5:02，Ada Byron <ada@example.com> 写道：",
    "japanese": "2026年3月9日(月) 17:02 Ada Byron <ada@example.com>:",
    "korean": "2026년 3월 9일 (월) 오후 5:02, Ada Byron <ada@example.com>님이 작성:",
}

HEADER_BLOCKS = {
    "outlook": "From: Ada Byron <ada@example.com>\nSent: Monday, March 9, 2026 5:02 PM\nTo: Ben <ben@acme.example>\nSubject: RE: Export",
    "outlook, bold": "*From:* Ada Byron [mailto:ada@example.com]\n*Sent:* Monday, March 9, 2026 5:02 PM\n*To:* Ben\n*Subject:* RE: Export",
    "outlook, ruled": "________________________________\nFrom: Ada Byron <ada@example.com>\nSent: Monday, March 9, 2026\nTo: Ben\nSubject: Export",
    "outlook, folded": "From: Ada Byron\n<ada.with.a.long.name@example.com>\nSent: Monday, March 9, 2026 5:02 PM\nTo: Ben\nSubject: Export",
    "hotmail": "Date: Mon, 9 Mar 2026 17:02:11 +0100\nSubject: Export\nFrom: ada@example.com\nTo: ben@acme.example",
    "german": "-----Ursprüngliche Nachricht-----\nVon: Ada Byron <ada@example.com>\nGesendet: Montag, 9. März 2026 17:02\nAn: Ben\nBetreff: Export",
    "german, no marker": "Von: Ada Byron <ada@example.com>\nGesendet: Montag, 9. März 2026 17:02\nAn: Ben <ben@acme.example>\nBetreff: AW: Export",
    "french": "De : Ada Byron <ada@example.com>\nEnvoyé : lundi 9 mars 2026 17:02\nÀ : Ben\nObjet : Export",
    "spanish": "De: Ada Byron <ada@example.com>\nEnviado el: lunes, 9 de marzo de 2026 17:02\nPara: Ben\nAsunto: Export",
    "portuguese": "De: Ada Byron <ada@example.com>\nEnviada em: segunda-feira, 9 de março de 2026 17:02\nPara: Ben\nAssunto: Export",
    "italian": "Da: Ada Byron <ada@example.com>\nInviato: lunedì 9 marzo 2026 17:02\nA: Ben\nOggetto: Export",
    "dutch": "Van: Ada Byron <ada@example.com>\nVerzonden: maandag 9 maart 2026 17:02\nAan: Ben\nOnderwerp: Export",
    "danish": "Fra: Ada Byron <ada@example.com>\nSendt: 9. marts 2026 17:02\nTil: Ben\nEmne: Export",
    "swedish": "Från: Ada Byron <ada@example.com>\nSkickat: den 9 mars 2026 17:02\nTill: Ben\nÄmne: Export",
    "polish": "Od: Ada Byron <ada@example.com>\nWysłano: poniedziałek, 9 marca 2026 17:02\nDo: Ben\nTemat: Export",
    "czech": "Od: Ada Byron <ada@example.com>\nOdesláno: pondělí 9. března 2026 17:02\nKomu: Ben\nPředmět: Export",
    "russian": "От: Ada Byron <ada@example.com>\nОтправлено: 9 марта 2026 г. 17:02\nКому: Ben\nТема: Export",
    "help desk": "##- Please type your reply above this line -##",
    "chinese": "发件人: Ada Byron <ada@example.com>\n发送时间: 2026年3月9日 17:02\n收件人: Ben\n主题: Export",
    "japanese": "差出人: Ada Byron <ada@example.com>\n送信日時: 2026年3月9日 17:02\n宛先: Ben\n件名: Export",
}


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())
@pytest.mark.parametrize("quote", ["> What did you do?\n> Ada", "What did you do?\nAda"], ids=["marked", "unmarked"])
def test_attribution_begins_the_history(attribution: str, quote: str) -> None:
    """What stands above `On … wrote:` is the reply, what stands below is not, quote marks or none."""
    parts = split(f"{WORDS}\n\n{attribution}\n\n{quote}\n")

    assert parts.reply == WORDS
    assert parts.quoted.startswith(attribution.splitlines()[0])


@pytest.mark.parametrize("block", HEADER_BLOCKS.values(), ids=HEADER_BLOCKS.keys())
def test_header_block_begins_the_history(block: str) -> None:
    """From, Sent, To and Subject above an older mail end the reply, in every language we know them in."""
    parts = split(f"{WORDS}\n\n{block}\n\nWhat did you do?\n")

    assert parts.reply == WORDS
    assert parts.quoted.endswith("What did you do?")


@pytest.mark.parametrize(
    "text",
    [
        "On Monday at 10:15 the daemon wrote:\n\n  ERROR 17 in module a\n\nWhat does that mean?",
        "Error:\n\n2024-01-05 10:00:01 user bob@example.com wrote:\n  data\n2024-01-05 10:00:02 ok\n\nPlease help",
        "On your remote host you can run:\n\n  telnet 127.0.0.1 52698\n\nThis should connect.",
        "The settings are\nFrom: our database\nand nothing else.",
        "Steps:\n- open the page\n- press the button\n-- and wait\n\nThanks,\nAda",
        "Thanks for the fix.\nTake it live, please.\n\nBest\nAda",
        "It was sent from my iPhone app to all users.",
        "Result:\n\n----\n\nThe line above is a heading of ours.\n\n====\n\nSo is this.",
        "```\n> not a quote\nOn Mon, 9 Mar 2026 Ada <ada@example.com> wrote:\n-- \n```\nThat is our template.",
        "Please read https://example.com/on-monday-ada-wrote: it is good.",
        "> Email with only a quote.",
        "Short",
    ],
)
def test_what_only_looks_like_history_stays(text: str) -> None:
    """Logs, lists, code and plain sentences are the reply."""
    assert (split(text).reply, split(text).quoted) == (text, "")


def test_answer_below_the_quote_is_the_reply() -> None:
    """Bottom posting: the quote above goes, the words below are new."""
    parts = split(
        "On 9 Mar 2026, at 17:02, Ben <ben@example.com> wrote:\n\n> Does it work?\n> Ben\n\nYes, since noon.\n"
    )

    assert parts.reply == "Yes, since noon."
    assert "Does it work?" in parts.quoted


def test_answers_between_quotes_keep_them() -> None:
    """Inline answers make no sense without the questions."""
    text = "> Which version?\n\n4.2\n\n> Which browser?\n\nAll of them"

    assert split(f"On 9 Mar 2026, at 17:02, Ben wrote:\n{text}").reply == text


def test_quote_that_the_text_leads_up_to_stays() -> None:
    """A quote behind a colon belongs to the text; one at the end without a word about it is history."""
    assert split("The log says:\n\n> disk full").reply == "The log says:\n\n> disk full"
    assert split("I agree.\n\n> Shall we?").reply == "I agree."


def test_lazily_wrapped_quote_is_one_quote() -> None:
    """Programs that wrap quoted lines without a mark do not make the second half ours."""
    quote = f"> {'a long line of quoted words ' * 3}\ngoes on here without a mark\n> and ends."

    assert split(f"Yes.\n\nOn 9 Mar 2026, at 17:02, Ben wrote:\n\n{quote}").reply == "Yes."


@pytest.mark.parametrize(
    "marker",
    [
        "---------- Forwarded message ---------\nFrom: Ben <ben@example.com>\nDate: 9 Mar 2026\nSubject: x\nTo: Ada",
        "-------- Weitergeleitete Nachricht --------\nBetreff: x\nDatum: 9 Mar 2026\nVon: Ben <ben@example.com>",
        "Begin forwarded message:\n\nFrom: Ben <ben@example.com>\nSubject: x",
        "---------- Mensaje reenviado ----------\nDe: Ben <ben@example.com>",
        "----- Message transféré -----\nDe : Ben <ben@example.com>",
    ],
)
def test_forward_is_kept_apart_and_known_as_one(marker: str) -> None:
    """The word of introduction is the reply, what is passed on is kept whole."""
    parts = split(f"Please have a look.\n\n{marker}\n\nThe thing is broken.")

    assert (parts.reply, parts.forward) == ("Please have a look.", True)
    assert parts.quoted.endswith("The thing is broken.")


@pytest.mark.parametrize("line", FORWARDS)
def test_forward_of_any_language_is_known_by_its_line(line: str) -> None:
    """Apple Mail, Yahoo and Thunderbird name a forward in the words of their language."""
    parts = split(f"{WORDS}\n\n{line}\n\nThe thing is broken.")

    assert (parts.reply, parts.forward) == (WORDS, True)


def test_forward_in_quote_marks_is_known() -> None:
    """Some programs quote what they pass on."""
    parts = split("FYI\n\n> Begin forwarded message:\n> \n> From: Ben <ben@example.com>\n> Subject: x\n> \n> broken")

    assert (parts.reply, parts.forward) == ("FYI", True)


def test_words_around_a_forward_in_quote_marks_stay() -> None:
    """Who goes on below what he forwards in quote marks asks about it; the quote is history."""
    quote = "> Begin forwarded message:\n> \n> From: Ben <ben@example.com>\n> Subject: x\n> \n> broken"
    parts = split(f"See this.\n\n{quote}\n\nIs it ours?")

    assert (parts.reply.split(), parts.quoted, parts.forward) == (["See", "this.", "Is", "it", "ours?"], quote, True)
    between = split(f"See this.\n\n{quote}\n\nIs it ours?\n\n> and cold\n\nIs that, too?")
    assert "> broken" in between.reply


def test_forward_without_a_word_speaks_for_itself() -> None:
    """Where the sender adds nothing, the forwarded mail is what he says."""
    text = "---------- Forwarded message ---------\nFrom: Ben <ben@example.com>\nSubject: x\n\nbroken"
    parts = split(text)

    assert (parts.reply, parts.quoted, parts.forward) == (text, text, True)


def test_markup_tells_where_the_history_begins() -> None:
    """A mark of HTML cuts where no words would: down to the quote, or to the end."""
    quoted = split("Fine.\nsomebody said it in klingon\n> old\nNew below.", frozenset({1}))
    bare = split("Fine.\nold words without a sign", frozenset({1}))

    assert quoted.reply == "Fine.\n> old\nNew below."
    assert (bare.reply, bare.quoted) == ("Fine.", "old words without a sign")


def test_marks_on_other_signs_change_nothing() -> None:
    """A mark at a line that speaks for itself, or behind the end, is no news."""
    text = "Fine.\n\nOn 9 Mar 2026, at 17:02, Ben wrote:\n> old"

    assert split(text, frozenset({2, 99})) == split(text)


def test_day_without_a_year_is_a_date() -> None:
    """A month's name beside a number and a named writer open the history, also without quote marks below."""
    parts = split(f"{WORDS}\n\nAm 9. März schrieb Karl Maier:\n\nold words")

    assert parts.reply == WORDS


def test_leads_are_no_attributions() -> None:
    """Line after line with a colon at its end stays text."""
    text = "\n\n".join(f"Case {n}:" for n in range(40))

    assert split(text).reply == text


def test_history_alone_is_no_reply() -> None:
    """An answer with nothing but attributed quotes says nothing; without an attribution the quote is what it says."""
    quoted = "> On 9 Mar 2026, at 17:02, Ben <ben@example.com> wrote:\n>\n> Does it work?"

    assert (split(quoted).reply, split(quoted).quoted) == ("", quoted)
    assert split("> Does it work?").reply == "> Does it work?"
    below = "> Does it work?\n10:15: Ben wrote:"
    assert split(below).reply == below


@pytest.mark.parametrize("reply", MATRIX.values(), ids=MATRIX.keys())
def test_reply_of_the_matrix_is_exact(reply: Reply) -> None:
    """Thirteen languages by the usual programs: what stands in the reply is what was written now, no more and no less."""
    assert split(reply.body).reply == reply.own


@pytest.mark.parametrize("own", ["Yes, please do", "It is known.\n\nMail me at ida@belts.example, please."])
@pytest.mark.parametrize("below", [below for name, below in BELOW.items() if name != "yahoo, on a telephone"])
def test_last_line_right_above_other_programs_stays(below: str, own: str) -> None:
    """Without a blank line between them the author's last line is no part of the attribution."""
    assert split(f"{own}\n{below.lstrip()}\n").reply == own


@pytest.mark.parametrize(
    "own", ["It started at 9:30.\n\nThe pressure is still low.", "Yes, thanks"], ids=["long", "short"]
)
@pytest.mark.parametrize("below", BELOW.values(), ids=BELOW.keys())
def test_reply_above_other_programs_is_exact(below: str, own: str) -> None:
    """The same for programs beside the matrix, each in the language that it is met in."""
    assert split(f"{own}\n\n{below}\n").reply == own


@pytest.mark.parametrize(
    "below",
    [
        "2013/10/2 Ada Byron <ada@example.com>\n\n> Hello",
        "2016-03-03 17:21 GMT+01:00 Ada Byron\n\n> Hello",
        '>>>>> "AB" == Ada Byron <ada@example.com> writes:\n\n    AB> Hello',
        "On 9 Mar 2026, Ada Byron wrote:\n\n> See the page\n>\n (https://example.com/page) >\n> soon.",
        "On 9 Mar 2026, Ada Byron wrote:\n\n> See https://example.com/a\nb_c=1)\n> soon.",
        "grace@example.com\n \nFrom: Ada Byron\nDate: 2026-03-09 17:02\nTo: grace@example.com\nSubject: Export\nHello",
    ],
    ids=["gmail of 2013", "gmail of 2016", "emacs", "link without a mark", "end of a link", "foxmail"],
)
def test_history_of_old_programs_is_known(below: str) -> None:
    """Shapes that Gmail, Emacs and Foxmail write, and links that break a quote, are no words of the author."""
    assert split(f"{WORDS}\n\n{below}").reply == WORDS


def test_quote_above_a_closing_formula_goes() -> None:
    """Below the quote there is only the formula and the name: nothing answers the quote, which goes."""
    below = "On 9 Mar 2026, Ada Byron <ada@example.com> wrote:\n\n> Is it full?\n\nBest regards\nGrace"
    assert split(f"{WORDS}\n\n{below}").reply.replace("\n\n\n", "\n\n") == f"{WORDS}\n\nBest regards\nGrace"


@pytest.mark.parametrize("shown", ["> npm install\n> npm run build", ">>> import pump\nImportError: pump"])
def test_shown_lines_below_an_answer_leave_the_quote_above_it(shown: str) -> None:
    """What the answer announces with a colon is no second question: the quote above goes, the shown lines stay."""
    above = "On 9 Mar 2026, Ada Byron <ada@example.com> wrote:\n> Does it run?\n\n"

    assert split(f"{above}These fail:\n\n{shown}").reply == f"These fail:\n\n{shown}"


@pytest.mark.parametrize("text", ["Regards, Grace", "Yes.\n\nBest regards\nGrace"])
def test_closing_formula_without_a_quote_stays_as_it_is(text: str) -> None:
    """Where nothing is quoted a formula at the end changes nothing."""
    assert split(text).reply == text


BLOCKS = {
    "outlook": "From: Ada Byron <ada@example.com>\nSent: Monday, March 9, 2026 5:02 PM\nTo: Ben\nSubject: Pump",
    "french": "De : Ada Byron\nEnvoyé : lundi 9 mars 2026 17:02\nÀ : Ben\nObjet : Pompe",
    "a separator": "-----Ursprüngliche Nachricht-----\nVon: Ada Byron <ada@example.com>\nBetreff: Pumpe",
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS.keys())
def test_answers_below_a_header_with_marked_lines_stay(block: str) -> None:
    """Where the older mail has quote marks below its header, what has none is the author's, as below an attribution."""
    answers = "> Which one?\n\nThe second.\n\n> When?\n\nMonday."

    assert split(f"See below.\n\n{block}\n\n{answers}\n\n> Ada").reply.split() == f"See below.\n\n{answers}".split()
    assert split(f"{block}\n\n> Which one?\n\nThe second.").reply == "The second."
    assert split(f"Fine.\n\n{block}\n\n> Which one?\n> Ada").reply == "Fine."
    assert split(f"Fine.\n\n{block}\n\nWhich one?\n\n> The last one?\n\nNo.").reply == "Fine."


def test_words_below_a_forwarded_mail_stay() -> None:
    """Who writes below what he forwards with marks has written it; the forwarded lines are history."""
    block = "Begin forwarded message:\n\nFrom: Ada <ada@example.com>\nSubject: Meter\n\n> Is it remote?\n> Ada"
    parts = split(f"My view is below.\n\n{block}\n\nIt is, I checked.\n\nBen")

    assert (parts.reply.split("\n\n"), parts.forward) == (["My view is below.", "It is, I checked.", "Ben"], True)
    assert parts.quoted.endswith("> Is it remote?\n> Ada")


def test_attribution_below_the_quote_goes_with_it() -> None:
    """Some people write `On Monday Ada wrote.` below what they quote."""
    text = "> Which one?\n\nThe second.\n\n> Ada\n\nIl 09/03/2026 17:02, Ada Byron ha scritto."

    assert split(text).reply == "> Which one?\n\nThe second."
    assert split("The second.\n\n> Ada told me.\n\nOn Monday I wrote.").reply.endswith("On Monday I wrote.")


HEADER = "From: News <news@shop.example>\nTo: ada@example.com\nDate: Mon, 9 Mar 2026 17:02:11 +0000\nSubject: Prices"


@pytest.mark.parametrize(
    "lead", ["These are the headers, without Received:", "Die Kopfzeilen:", "Voici les en-têtes :", "ヘッダーです："]
)
@pytest.mark.parametrize("first", [True, False])
def test_header_that_the_author_shows_stays(lead: str, *, first: bool) -> None:
    """Who announces the header of a mail shows it; what stands below goes on."""
    text = f"{lead}\n\n{HEADER}\n\nDKIM fails. Why?"

    assert split(text, first=first).reply == text


@pytest.mark.parametrize(
    "below",
    [
        "Ada Byron/Sales/Example wrote on 09.03.2026 17:02:11:\n\nIs it full?",
        "Ada Byron/Sales/Example schrieb am 09.03.2026 17:02:11:\n\nIst er voll?",
        "Message du : 09/03/2026 17:02\nDe : Ada <ada@example.com>\nA : ben@example.com\nCopie à :\nObjet : Pompe\n\nPleine ?",
    ],
    ids=["notes", "notes, german", "sfr"],
)
def test_further_signs_of_history_are_known(below: str) -> None:
    """HCL Notes names the date behind the verb; French web mails begin the header with `Message du`."""
    assert split(f"{WORDS}\n\n{below}").reply == WORDS


@pytest.mark.parametrize(
    "line",
    ["Responda por encima de esta línea", "Reageer boven deze regel", "请在此行上方回复", "이 줄 위에 답장하세요"],
)
def test_line_above_which_one_shall_answer_begins_the_history(line: str) -> None:
    """Help desks ask for the answer above a line in many languages."""
    assert split(f"{WORDS}\n\n--- {line} ---\n\nAda:\nold").reply == WORDS


@pytest.mark.parametrize(
    "text",
    [
        'On Monday, 9 March, Ada wrote:\n"ship it"\nand I did.',
        "Route is From: Kiel To: Lyon as agreed.\nDate: 9 March.",
        "My file:\n\n[mail]\nfrom: ada@example.com\nto: ben@example.com\nsubject: test\n\nWrong?",
        "---\nfrom: ada@example.com\nto: ben@example.com\ndate: 2026-03-09 17:02\nsubject: test\n---\n\nIs that right?",
    ],
    ids=["prose", "fields above the block", "settings", "yaml"],
)
@pytest.mark.parametrize("below", [ATTRIBUTIONS["gmail"] + "\n\n> old", HEADER_BLOCKS["outlook"] + "\n\nold"])
def test_signs_in_the_author_s_text_leave_the_cut_to_the_program_s(text: str, below: str) -> None:
    """Prose, fields and settings above the history that the program wrote are the author's."""
    assert split(f"{text}\n\n{below}").reply == text


def test_wide_quote_marks_are_marks() -> None:
    """People in Japan type them by hand."""
    lead = "2026年3月9日(月) 17:02 Ada <ada@example.com>:"

    assert split(f"{lead}\n\n＞締切は20日ですか\n＞早川\n\n22日までです。").reply == "22日までです。"


QUOTE = "On 9 Mar 2026, at 17:02, Ben <ben@example.com> wrote:\n\n> old"
INSIDE_HEADER = "From: Ada Byron <ada@example.com>\nSent: Monday, March 9, 2026 5:02 PM\nTo: Grace\nSubject: Crane"


@pytest.mark.parametrize(
    "said",
    [
        *("See my answers below in red.", "Antworten in blau.", "Mes réponses en rouge.", "See inline, please."),
        *("My answers below in capitals.", "My replies are under each question.", "Antworten unter den Fragen."),
        *("Mis respuestas en mayúsculas.", "Le risposte sono sotto ogni domanda.", "Antwoorden onder elke vraag."),
        *(
            "As respostas por baixo de cada pergunta.",
            "Odpowiedzi pod pytaniami.",
            "Odpovědi pod otázkami.",
            "Svaren med versaler.",
        ),
    ],
)
def test_answers_that_only_a_colour_tells_stay_with_what_they_answer(said: str) -> None:
    """An answer that points into the quoted mail keeps all of it: nothing but a colour tells the author's words there."""
    text = f"{said}\n\nFrom: Ada Byron <ada@example.com>\nSent: Monday, March 9, 2026 5:02 PM\nTo: Grace\nSubject: Crane\n\nIs it red?\nYes."
    assert answers_inside(said)
    assert split(text).reply == text


@pytest.mark.parametrize(
    ("pointer", "words"),
    [
        ("답변은 아래 빨간색으로 적었습니다.", "표지는 파란색으로 해 주세요."),
        ("回答は下に赤字で記入しました。", "今月は赤字でした。"),
        ("我的回复用红字标在下面。", "标题请改成红字。"),
        ("Pirossal írtam alá a válaszokat.", "Legyen a borító pirossal nyomva."),
    ],
)
def test_a_colour_by_itself_points_to_no_answers(pointer: str, words: str) -> None:
    """Only a sentence about answers points into the quoted mail; a cover may be blue, and a month in the red."""
    assert answers_inside(pointer)
    assert split(f"{words}\n\n{QUOTE}").reply == words


@pytest.mark.parametrize("mark", ["***", "==>", "-->", "[GH]", "GH:", "//", "→"])
def test_answers_with_a_mark_below_the_questions_stay(mark: str) -> None:
    """Whoever puts the same mark before each answer needs no word that says so, in any language."""
    text = f"Vastaukseni alla.\n\n{INSIDE_HEADER}\n\nMiten?\n{mark} Hyvin\nMilloin?\n\n{mark} Huomenna\n\nAda"

    assert split(text).reply == text
    assert split(text.replace(f"\n{mark} Huomenna\n", "\n")).reply == "Vastaukseni alla."


@pytest.mark.parametrize(
    "older",
    [
        "Which one?\n- the red one\n- the blue one\nWhen?\n- today",
        "Which one?\n1. the red one\nWhen?\n2. today",
        "It is here\n*** the red one\n*** the blue one",
        "Which one?\n*** the red one\nWhen?\n==> today",
    ],
)
def test_lists_in_the_older_mail_are_no_answers(older: str) -> None:
    """Bullets, numbers, marks without questions and marks that differ are the older mail's own."""
    assert not answers_marked(older.splitlines())
    assert split(f"Thanks.\n\n{INSIDE_HEADER}\n\n{older}").reply == "Thanks."


def test_long_texts_point_to_no_answers() -> None:
    """A sentence about answers that stand below is short."""
    assert not answers_inside("See my answers in red. " * 50)
