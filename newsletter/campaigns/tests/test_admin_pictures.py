"""The library of pictures in Django admin, and the dialog of the editor."""

import json
from typing import Any
from unittest import mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from newsletter.campaigns import pictures
from newsletter.campaigns.models import CampaignText, Picture
from newsletter.campaigns.pictures import PictureRefused
from newsletter.campaigns.tests.factories import CampaignTextFactory, PictureFactory
from newsletter.campaigns.tests.pictures import make_file
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.jobs import files
from sailing.jobs.models import JobFile

pytestmark = pytest.mark.django_db

LIST = "/admin/campaigns/picture/"
ADD = f"{LIST}add/"
PICKER = f"{LIST}picker/"
SITE = f"{LIST}site/boat-crew/"
TEXTS = {"alt_text_en": "A boat", "alt_text_cs": "Loď"}
JSON = {"Accept": "application/json"}


def post(client: Client, content: bytes | None = None, *, name: str = "boat.jpg", **values: Any) -> Any:
    file = {} if content is None else {"file": SimpleUploadedFile(name, content)}
    return client.post(ADD, {**TEXTS, **file, **values}, headers=JSON)


def problem(response: Any) -> str:
    assert response.status_code == 400
    return str(json.loads(response.content)["problem"])


def upload(client: Client, content: bytes) -> int:
    """Upload a file in slices; return its number."""
    answer = json.loads(client.post(ADD, {"name": "large.png", "size": len(content)}).content)
    for number, start in enumerate(range(0, len(content), files.CHUNK_BYTES)):
        path, part = f"{answer['slices']}{number}/", content[start : start + files.CHUNK_BYTES]
        assert client.post(path, part, content_type="application/octet-stream").status_code == 204
    return int(answer["upload"])


class TestAdding:
    def test_page_adds_a_picture(self, admin_client: Client) -> None:
        assert "multipart/form-data" in admin_client.get(ADD).content.decode()
        file = SimpleUploadedFile("boat.jpg", make_file())
        page = admin_client.post(ADD, {**TEXTS, "file": file}, follow=True)
        assert [str(message) for message in page.context["messages"]] == ["The picture is in the library."]
        picture = Picture.objects.get()
        assert (picture.file_name, picture.alt_text_cs) == ("boat.jpg", "Loď")

    def test_dialog_gets_the_markdown_of_the_picture(self, admin_client: Client) -> None:
        answer = json.loads(post(admin_client, make_file()).content)
        name = Picture.objects.get().name
        assert answer == {"alt": {"en": "A boat", "cs": "Loď"}, "after": f"](media:{name})"}

    def test_large_picture_comes_in_slices(self, admin_client: Client) -> None:
        content = make_file("PNG", size=(1200, 900), compress_level=0)
        assert len(content) > 3_000_000  # more than a request may have
        assert post(admin_client, upload=upload(admin_client, content)).status_code == 200
        assert Picture.objects.get().file_name == "large.png"
        assert not JobFile.objects.exists()

    @pytest.mark.parametrize(
        ("size", "reason"), [(10_000_001, "larger than 10 MB"), (0, "The file is empty.")]
    )
    def test_file_of_a_wrong_size_is_not_uploaded(self, admin_client: Client, size: int, reason: str) -> None:
        assert reason in problem(admin_client.post(ADD, {"name": "a.jpg", "size": size}))

    def test_incomplete_or_foreign_upload_is_refused(self, admin_client: Client) -> None:
        other = staff_client("add_picture")
        foreign = upload(other, make_file())
        announced = admin_client.post(ADD, {"name": "a.jpg", "size": 5})
        for number in (foreign, json.loads(announced.content)["upload"]):
            assert "choose it again" in problem(post(admin_client, upload=number))
        assert not Picture.objects.exists()

    def test_refusal_is_said_at_the_file_in_the_language_of_the_admin(self, admin_client: Client) -> None:
        svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
        assert "email programs do not show SVG" in problem(post(admin_client, svg))
        admin_client.cookies["django_language"] = "cs"
        page = admin_client.post(ADD, {**TEXTS, "file": SimpleUploadedFile("boat.jpg", svg)})
        assert "SVG poštovní programy nezobrazují" in page.content.decode()

    @pytest.mark.parametrize("content", [None, b"x" * 2_700_000], ids=["none", "large-without-script"])
    def test_file_that_did_not_arrive_is_asked_for(self, admin_client: Client, content: bytes | None) -> None:
        assert "Choose a picture of at most 2.5 MB" in problem(post(admin_client, content))

    def test_picture_needs_words(self, admin_client: Client) -> None:
        silent = post(admin_client, make_file(), alt_text_en=" ", alt_text_cs="")
        assert problem(silent).startswith("Describe the picture")
        assert "control characters" in problem(post(admin_client, make_file(), alt_text_en="a\u202eb"))

    def test_upload_waits_for_the_words_and_for_another_picture(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        number = upload(admin_client, make_file())
        problem(post(admin_client, upload=number, alt_text_en="", alt_text_cs=""))
        with monkeypatch.context() as context:
            context.setattr(pictures, "_encode", mock.Mock(side_effect=PictureRefused("Busy")))
            assert problem(post(admin_client, upload=number)) == "Busy"
        assert post(admin_client, upload=number).status_code == 200


class TestDialog:
    def test_library_and_pictures_of_the_site_are_shown(self, admin_client: Client) -> None:
        picture = PictureFactory(alt_text_cs="Malá [loď]")
        page = admin_client.get(PICKER).content.decode()
        assert f'data-after="](media:{picture.name})"' in page
        assert r'data-alt-cs="Malá \[loď\]"' in page
        assert f"/newsletter/pictures/small/{picture.name}" in page
        assert f'data-add="{SITE}"' in page

    def test_picture_of_the_site_moves_to_the_library(self, admin_client: Client) -> None:
        assert admin_client.get(SITE).status_code == 404
        assert admin_client.post(f"{LIST}site/favicon/").status_code == 404
        answer = json.loads(admin_client.post(SITE).content)
        assert answer["alt"]["cs"].startswith("Pět lidí")
        assert answer["after"] == f"](media:{Picture.objects.get().name})"
        assert f'data-add="{SITE}"' not in admin_client.get(PICKER).content.decode()


class TestLibrary:
    def test_list_and_page_show_the_picture(self, admin_client: Client) -> None:
        picture = PictureFactory()
        campaign = CampaignTextFactory(body=f"![A boat](media:{picture.name})").campaign
        assert f"small/{picture.name}" in admin_client.get(f"{LIST}?q=boat").content.decode()
        page = admin_client.get(f"{LIST}{picture.pk}/change/").content.decode()
        assert f'src="/newsletter/pictures/{picture.name}"' in page
        assert f'/admin/campaigns/campaign/{campaign.pk}/change/">Spring regatta</a>' in page

    def test_words_are_changed(self, admin_client: Client) -> None:
        picture = PictureFactory()
        path = f"{LIST}{picture.pk}/change/"
        assert admin_client.post(path, {**TEXTS, "alt_text_en": "Our  boat "}).status_code == 302
        picture.refresh_from_db()
        assert (picture.alt_text_en, picture.alt_text_cs) == ("Our  boat", "Loď")
        assert bytes(picture.content) == b"large"

    def test_picture_is_deleted_once_nothing_shows_it(self, admin_client: Client) -> None:
        picture = PictureFactory()
        CampaignTextFactory(campaign__state="sent", body=f"![A boat](media:{picture.name})")
        for send in (admin_client.get, admin_client.post):
            page = send(f"{LIST}{picture.pk}/delete/", {"post": "yes"}, follow=True)
            assert "because a campaign shows it: “Spring regatta”" in page.content.decode()
        assert Picture.objects.exists()
        CampaignText.objects.all().delete()
        assert admin_client.post(f"{LIST}{picture.pk}/delete/", {"post": "yes"}).status_code == 302
        assert not Picture.objects.exists()


@pytest.mark.parametrize("admin", ["Editors", "Viewers", "staff"])
def test_pages_need_their_permissions(admin: str) -> None:
    client = staff_client() if admin == "staff" else group_client(admin)
    path = f"{LIST}{PictureFactory().pk}"
    read = [client.get(page) for page in (LIST, PICKER, f"{path}/change/")]
    slice_page, delete = f"{LIST}slices/1/0/", f"{path}/delete/"
    write = [client.get(page) for page in (ADD, SITE, delete)]
    write += [client.post(page) for page in (ADD, slice_page, f"{path}/change/")]
    assert {page.status_code == 403 for page in read} == {admin == "staff"}
    assert {page.status_code == 403 for page in write} == {admin != "Editors"}
    assert (b"data-add" in client.get(PICKER).content) is (admin == "Editors")


def test_visitors_are_asked_to_sign_in(client: Client) -> None:
    for path in (LIST, ADD, PICKER, SITE):
        assert client.get(path).headers["Location"].startswith("/admin/login/")
