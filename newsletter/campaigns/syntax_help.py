"""The explanation of the markup of campaigns, which stands beside their editor."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class SyntaxHelp:
    """The explanation of one kind of markup. `example` is Markdown."""

    title: str | Promise
    example: str
    text: str | Promise


SYNTAX_HELP = (
    SyntaxHelp(
        _("Headings"),
        "# Fair winds in June\n\n## On the water",
        _("If the text begins with a heading, it is the title of the mail; otherwise the subject is."),
    ),
    SyntaxHelp(
        _("Emphasis"),
        "**bold** *italic*",
        _("Two stars for bold text, one for italics."),
    ),
    SyntaxHelp(
        _("Paragraphs and lists"),
        "- first\n- second\n\n1. one\n2. two",
        _("An empty line starts a new paragraph. Two spaces at the end of a line break it."),
    ),
    SyntaxHelp(
        _("Link"),
        "[Our calendar](https://…)",
        _(
            "Links need a complete address with https. They are counted, without knowing who clicked. An "
            "address with https:// or www. and an email address are links by themselves."
        ),
    ),
    SyntaxHelp(
        _("Button"),
        "[See the boats](https://…){.button}",
        _("A link with this mark, alone in its paragraph, becomes a button."),
    ),
    SyntaxHelp(
        _("Picture"),
        "![A boat at dawn](media:hero-sailors.jpg)\n\n![Our crew](https://…){width=200}",
        _(
            "By its https address, or by its name if it is one of the pictures of this site. The text in "
            "brackets says what it shows, for readers who do not see it. Without a width in pixels it fills "
            "the line."
        ),
    ),
    SyntaxHelp(
        _("Two columns"),
        "::: columns\nLeft\n::: next\nRight\n::: end",
        _("Each mark stands on a line of its own. On a phone the columns stand one below the other."),
    ),
    SyntaxHelp(
        _("Quote and line"),
        "> What a crew said\n\n***",
        _("A quote is indented. Three stars draw a line."),
    ),
    SyntaxHelp(
        _("Fields"),
        "[My settings]({preferences_url})",
        _(
            "{unsubscribe_url}, {preferences_url} and {web_version_url} are addresses of links; each mail "
            "has these three in its footer too. {audience} becomes “sailors” or “companies”."
        ),
    ),
)
