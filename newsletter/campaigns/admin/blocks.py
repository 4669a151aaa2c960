"""Blocks: Markdown that is written once and inserted into campaigns."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.models import Block
from sailing.admin.lists import StrictListMixin

BODIES = tuple(f"body_{language}" for language, _name in settings.LANGUAGES)


class BlockForm(forms.ModelForm):  # type: ignore[type-arg]
    """A block, with a text in at least one language."""

    class Meta:
        model = Block
        fields = ("name", *BODIES)
        help_texts = {BODIES[0]: _("Markdown, as in a campaign. Fields are filled in there.")}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not any(cleaned[name].strip() for name in BODIES):
            self.add_error(BODIES[0], _("Write the text in at least one language."))
        return cleaned


@admin.register(Block)
class BlockAdmin(StrictListMixin):
    """The blocks that editors insert."""

    form = BlockForm
    list_display = ("name",)
    search_fields = ("name", *BODIES)
    show_full_result_count = False
    actions = None


def list_blocks(language: str) -> list[tuple[str, str]]:
    """Return the names of the blocks that have a text in a language, with these texts."""
    found = [(block.name, block.get_body(language).strip()) for block in Block.objects.all()]
    return [(name, body) for name, body in found if body]
