"""The library of pictures, and the dialog of the editor in which one is chosen."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import pictures
from newsletter.campaigns.admin.pages import TEMPLATES
from newsletter.campaigns.markdown import build_media_url
from newsletter.campaigns.models import Campaign, Picture
from newsletter.campaigns.pictures import MAX_FILE_SIZE, SITE_PICTURES, PictureRefused, describe_markdown
from sailing.admin.lists import StrictListMixin
from sailing.admin.uploads import announce, store_slice
from sailing.input_limits import clean_line
from sailing.jobs import files
from sailing.jobs.models import JobFile

ALT_TEXTS = tuple(f"alt_text_{language}" for language, _name in settings.LANGUAGES)

PICKER_LENGTH = 60
"""Pictures of the library that the dialog shows, the newest first."""


class PictureForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a picture shows, in at least one language."""

    class Meta:
        model = Picture
        fields = ALT_TEXTS
        help_texts = {ALT_TEXTS[0]: _("Read aloud, and shown while pictures are blocked.")}

    def clean(self) -> dict[str, Any]:
        for name in ALT_TEXTS:
            try:
                self.cleaned_data[name] = clean_line(
                    self.cleaned_data.get(name, ""), limit=Picture.ALT_TEXT_LENGTH
                )
            except ValidationError as error:
                self.add_error(name, error)
        if not self.errors and not any(self.cleaned_data[name] for name in ALT_TEXTS):
            self.add_error(
                ALT_TEXTS[0],
                _("Describe the picture in at least one language: not every reader sees it."),
            )
        return self.cleaned_data


class NewPictureForm(PictureForm):
    """A file, or the number of one that was uploaded in slices. `picture`: what was made from it."""

    picture: Picture
    file = forms.FileField(
        label=_("Picture"),
        required=False,  # if it was uploaded in slices
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp,image/gif"}),
    )
    upload = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, user_id: int, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self._user_id = user_id

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.errors:
            try:
                self.picture = self._add_picture()
            except PictureRefused as refusal:
                self.add_error("file", str(refusal))
        return self.cleaned_data

    def _add_picture(self) -> Picture:
        file_name, content = self._read_file()
        alt_texts = {
            language: self.cleaned_data[f"alt_text_{language}"] for language, _name in settings.LANGUAGES
        }
        picture = pictures.add_picture(content=content, file_name=file_name, alt_texts=alt_texts)
        self._find_uploads().delete()  # not before: while another picture is prepared, the admin tries again
        return picture

    def _find_uploads(self) -> QuerySet[JobFile]:
        """Return the file that was uploaded in slices, if it was."""
        key = self.cleaned_data["upload"]
        return JobFile.objects.filter(pk=key, created_by_id=self._user_id, job=None)

    def _read_file(self) -> tuple[str, bytes]:
        """Return the name and the content of the file."""
        if file := self.cleaned_data["file"]:
            return str(file.name), file.read()
        if not self.cleaned_data["upload"]:
            # FILE_UPLOAD_HANDLERS drops larger files.
            raise PictureRefused(_("Choose a picture of at most 2.5 MB. Larger ones need JavaScript."))
        upload = self._find_uploads().first()
        if upload is None or upload.size > MAX_FILE_SIZE or not files.is_complete(upload):
            raise PictureRefused(_("The file did not arrive completely. Please choose it again."))
        return upload.name, b"".join(files.read_chunks(upload))


class SlicedPictureForm(forms.Form):
    """The name and the size of a picture that is uploaded in slices next."""

    name = forms.CharField(max_length=1000)
    size = forms.IntegerField(
        min_value=1,
        max_value=MAX_FILE_SIZE,
        error_messages={
            "min_value": _("The file is empty."),
            "max_value": pictures.FILE_TOO_LARGE,
        },
    )


@admin.register(Picture)
class PictureAdmin(StrictListMixin):
    """The library of pictures."""

    form = PictureForm
    fieldsets = [
        (None, {"fields": ("preview", *ALT_TEXTS)}),
        (None, {"fields": ("address", "file_name", "size", "created_at", "campaigns")}),
    ]
    readonly_fields = ("preview", "address", "file_name", "size", "created_at", "campaigns")
    parent_model = Campaign
    add_label = _("Add a picture")
    empty_text = _(
        "Pictures that you add here or while writing a campaign appear here, ready for every campaign."
    )
    list_display = ("small_picture", "description", "size", "created_at")
    list_display_links = ("small_picture", "description")
    change_list_template = "admin/newsletter/shared_change_list.html"
    change_form_template = "admin/newsletter/shared_change_form.html"
    search_fields = (*ALT_TEXTS, "file_name")
    search_help_text = _("Part of a description or of a file name")
    actions = None

    def get_urls(self) -> list[Any]:
        return [
            self.route("picker/", self.picker_view, "picker"),
            self.route("site/<slug:name>/", self.site_view, "site"),
            self.route("slices/<int:file_id>/<int:number>/", self.slice_view, "slice"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Picture]:
        return super().get_queryset(request).defer("content", "thumbnail")

    # The list and the page of a picture

    @admin.display(description=_("picture"))
    def small_picture(self, picture: Picture) -> str:
        url = reverse("newsletter:campaigns:thumbnail", args=[picture.name])
        return format_html('<img class="picture-thumbnail" src="{}" alt="{}" loading="lazy">', url, picture)

    @admin.display(description=_("description"))
    def description(self, picture: Picture) -> str:
        return str(picture)

    @admin.display(description=_("picture"))
    def preview(self, picture: Picture) -> str:
        url = reverse("newsletter:campaigns:picture", args=[picture.name])
        return format_html(
            '<img class="picture-preview" src="{}" alt="{}" width="{}" height="{}">',
            url,
            picture,
            picture.width,
            picture.height,
        )

    @admin.display(description=_("public address"))
    def address(self, picture: Picture) -> str:
        return format_html('<code class="picture-url">{}</code>', build_media_url(picture.name))

    @admin.display(description=_("size"))
    def size(self, picture: Picture) -> str:
        return f"{picture.width} × {picture.height} px"

    @admin.display(description=_("used in"))
    def campaigns(self, picture: Picture) -> str:
        rows = [
            (reverse("admin:campaigns_campaign_change", args=[campaign.pk]), campaign)
            for campaign in pictures.find_campaigns(picture)
        ]
        return format_html_join(", ", '<a href="{}">{}</a>', rows) or gettext("Not used yet")

    # Adding

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Add a picture, from the page or from the dialog of the editor, which wants JSON."""
        self._require(request, self.has_add_permission)
        if "size" in request.POST:
            return announce(
                request, SlicedPictureForm(request.POST), slice_url="admin:campaigns_picture_slice"
            )
        is_dialog = request.headers.get("Accept") == "application/json"
        form = NewPictureForm(request.POST or None, request.FILES or None, user_id=request.user.pk or 0)
        if request.method == "POST" and form.is_valid():
            self.log_addition(request, form.picture, [{"added": {}}])
            if is_dialog:
                return JsonResponse(describe_markdown(form.picture))
            messages.success(request, gettext("The picture is in the library."))
            return self.redirect("changelist")
        if is_dialog:
            problems = [str(message) for field in form.errors.values() for message in field]
            return JsonResponse({"problem": " ".join(problems)}, status=400)
        return self.show_page(
            request,
            f"{TEMPLATES}/picture_add.html",
            title=self.add_label,
            parent=self.get_parent(request),
            form=form,
        )

    def slice_view(self, request: HttpRequest, file_id: int, number: int) -> HttpResponse:
        """Store one slice of a file."""
        self._require(request, self.has_add_permission)
        return store_slice(request, file_id, number)

    # The dialog of the editor

    def picker_view(self, request: HttpRequest) -> HttpResponse:
        """Return the contents of the dialog."""
        self._require(request, self.has_view_permission)
        library = self.get_queryset(request)[:PICKER_LENGTH]
        used = set(Picture.objects.filter(file_name__in=SITE_PICTURES).values_list("file_name", flat=True))
        context = {
            "form": NewPictureForm(user_id=0, auto_id="picture_%s"),
            "may_add": self.has_add_permission(request),
            "library": [(picture, describe_markdown(picture)) for picture in library],
            "site_pictures": {name: alt_text for name, alt_text in SITE_PICTURES.items() if name not in used},
        }
        return TemplateResponse(request, f"{TEMPLATES}/picture_picker.html", context)

    def site_view(self, request: HttpRequest, name: str) -> HttpResponse:
        """Add a picture of the site to the library by POST, and return what shows it."""
        self._require(request, self.has_add_permission)
        if request.method != "POST" or name not in SITE_PICTURES:
            raise Http404
        picture = pictures.add_site_picture(name)
        self.log_addition(request, picture, [{"added": {}}])
        return JsonResponse(describe_markdown(picture))

    # Deleting

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        picture = self.get_object(request, object_id)
        try:
            if picture:
                pictures.require_unused(picture)
            return super().delete_view(request, object_id, extra_context)
        except PictureRefused as refusal:
            messages.error(request, str(refusal))
            return self.redirect("change", object_id)

    def delete_model(self, request: HttpRequest, obj: Picture) -> None:
        pictures.delete_picture(picture=obj)

    def _require(self, request: HttpRequest, has_permission: Any) -> None:
        if not has_permission(request):
            raise PermissionDenied
