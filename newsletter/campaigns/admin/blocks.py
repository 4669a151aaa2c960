"""Blocks: Markdown that is written once and inserted into campaigns."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import markdown
from newsletter.campaigns.admin.preview import preview_block, show_pictures
from newsletter.campaigns.markdown_text import get_first_words, get_title_text
from newsletter.campaigns.models import Block, Campaign
from sailing.admin.lists import StrictListMixin

BEGINNING_LENGTH = 100
BODIES = {f"body_{language}": language for language, _name in settings.LANGUAGES}


class BlockForm(forms.ModelForm):  # type: ignore[type-arg]
    """A block, with a text in at least one language."""

    class Meta:
        model = Block
        fields = ("name", *BODIES)
        widgets = {name: forms.Textarea(attrs={"lang": language}) for name, language in BODIES.items()}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not any(cleaned[name].strip() for name in BODIES):
            self.add_error(next(iter(BODIES)), _("Write the text in at least one language."))
        return cleaned


@admin.register(Block)
class BlockAdmin(StrictListMixin):
    """The blocks that editors insert."""

    form = BlockForm
    parent_model = Campaign
    add_label = _("Add a block")
    intro = _(
        "Texts that you insert into campaigns. Fields such as {first_name|sailor} are filled in when the"
        " campaign is sent."
    )
    empty_text = _(
        "Texts that you use again, such as a greeting or a closing, appear here once you add them."
    )
    list_display = ("name", "beginning", "languages")
    change_list_template = "admin/newsletter/shared_change_list.html"
    change_form_template = "admin/newsletter/shared_change_form.html"
    delete_confirmation_template = "admin/newsletter/campaigns/block_delete.html"
    search_fields = ("name", *BODIES)
    search_help_text = _("Part of a name or a text")
    actions = None

    @show_pictures
    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if kwargs["obj"]:
            # Read again: a form with errors has put its values into `obj`.
            context["previews"] = preview_block(Block.objects.get(pk=kwargs["obj"].pk))
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=_("text"))
    def beginning(self, block: Block) -> str:
        """Return the first words, in the language of the request if the block has it."""
        bodies = [block.get_body(language).strip() for language in (get_language() or "", *BODIES.values())]
        body = markdown.parse(next(filter(None, bodies), ""))
        return get_title_text(body) or get_first_words(body, length=BEGINNING_LENGTH)

    @admin.display(description=_("languages"))
    def languages(self, block: Block) -> str:
        return ", ".join(name for code, name in settings.LANGUAGES if block.get_body(code).strip())


def list_blocks(language: str) -> list[tuple[str, str]]:
    """Return the names of the blocks that have a text in a language, with these texts."""
    found = [(block.name, block.get_body(language).strip()) for block in Block.objects.all()]
    return [(name, body) for name, body in found if body]
