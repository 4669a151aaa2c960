"""The library of pictures, and the dialog of the editor in which one is chosen."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import pictures
from newsletter.campaigns.admin.pages import TEMPLATES
from newsletter.campaigns.markdown import build_media_url
from newsletter.campaigns.models import Picture
from sailing.admin.pages import SailingModelAdmin

ALT_TEXTS = tuple(f"alt_text_{language}" for language, _name in settings.LANGUAGES)

PICKER_LENGTH = 60
"""Pictures of the library that the dialog shows, the newest first."""


class NewPictureForm(forms.ModelForm):  # type: ignore[type-arg]
    """A file, and what it shows."""

    file = forms.FileField(
        label=_("Picture"),
        help_text=_(
            "A picture of up to 10 MB and 40 megapixels: JPEG, PNG, WebP or GIF. We resize it and remove its"
            " location and other hidden data. Anyone with its address can see it."
        ),
        widget=forms.FileInput(
            attrs={
                "accept": "image/jpeg,image/png,image/webp,image/gif",
                "data-max-size": pictures.MAX_FILE_SIZE,
                "data-too-large": pictures.FILE_TOO_LARGE,
            }
        ),
    )
    field_order = ("file", *ALT_TEXTS)

    class Meta:
        model = Picture
        fields = ALT_TEXTS

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        for name, value in pictures.encode(file).items():
            setattr(self.instance, name, value)
        return file


@admin.register(Picture)
class PictureAdmin(SailingModelAdmin):
    """The library of pictures."""

    fields = ("preview", *ALT_TEXTS, "address", "created_at", "campaigns")
    readonly_fields = ("preview", "address", "created_at", "campaigns")
    add_label = _("Add a picture")
    empty_text = _(
        "Pictures that you add here or while writing a campaign appear here, ready for every campaign."
    )
    list_display = ("preview", "__str__", "created_at")
    list_display_links = ("preview", "__str__")
    change_form_template = "admin/newsletter/shared_change_form.html"
    search_fields = ALT_TEXTS
    search_help_text = _("Description")

    def get_urls(self) -> list[Any]:
        return [self.route("picker/", self.picker_view, "picker"), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Picture]:
        return super().get_queryset(request).defer("content")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is None:
            kwargs["form"] = NewPictureForm
        return super().get_form(request, obj, change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields if obj else NewPictureForm.field_order

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Forbid deleting a picture that a campaign shows: sent mails load it for ever."""
        is_unused = obj is None or not pictures.find_campaigns(obj)
        return is_unused and super().has_delete_permission(request, obj)

    @admin.display(description=_("picture"))
    def preview(self, picture: Picture) -> str:
        return format_html(
            '<img class="picture-preview" src="{}" alt="{}" width="{}" height="{}" loading="lazy">',
            reverse("newsletter:campaigns:picture", args=[picture.name]),
            picture,
            picture.width,
            picture.height,
        )

    @admin.display(description=_("public address"))
    def address(self, picture: Picture) -> str:
        return format_html('<code class="picture-url">{}</code>', build_media_url(picture.name))

    @admin.display(description=_("used in"))
    def campaigns(self, picture: Picture) -> str:
        rows = [
            (reverse("admin:campaigns_campaign_change", args=[campaign.pk]), campaign)
            for campaign in pictures.find_campaigns(picture)
        ]
        if not rows:
            return gettext("Not used yet")
        reason = gettext("It cannot be deleted: emails that were sent load it whenever they are opened.")
        links = format_html_join(", ", '<a href="{}">{}</a>', rows)
        return format_html('{}<p class="help">{}</p>', links, reason)

    def picker_view(self, request: HttpRequest) -> HttpResponse:
        """Return the contents of the editor's dialog, or add a picture and return its Markdown."""
        may_add = self.has_add_permission(request)
        if not (may_add if request.method == "POST" else self.has_view_permission(request)):
            raise PermissionDenied
        if request.method == "POST":
            form = NewPictureForm(request.POST, request.FILES)
            if not form.is_valid():
                problems = [str(message) for field in form.errors.values() for message in field]
                return JsonResponse({"problem": " ".join(problems)}, status=400)
            picture = form.save()
            self.log_addition(request, picture, [{"added": {}}])
            return JsonResponse(pictures.describe_markdown(picture))
        library = self.get_queryset(request)[:PICKER_LENGTH]
        context = {
            "form": NewPictureForm(auto_id="picture_%s", label_suffix="") if may_add else None,
            "library": [(picture, pictures.describe_markdown(picture)) for picture in library],
        }
        return TemplateResponse(request, f"{TEMPLATES}/picture_picker.html", context)
