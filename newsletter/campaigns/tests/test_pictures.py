"""The library of pictures: its address, its pages in Django admin, and what campaigns make of a picture."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from newsletter.campaigns import pictures
from newsletter.campaigns.models import CampaignText, Picture
from newsletter.campaigns.tests.factories import CampaignTextFactory, PictureFactory
from newsletter.campaigns.tests.pictures import make_file, read
from newsletter.campaigns.tests.rendered import rendered
from newsletter.campaigns.tests.test_checks import of_body

pytestmark = pytest.mark.django_db

LIST = "/admin/campaigns/picture/"
ADD = f"{LIST}add/"
PICKER = f"{LIST}picker/"
TEXTS = {"alt_text_en": "A boat", "alt_text_cs": "Loď"}


def post(client: Client, content: bytes | None, path: str = PICKER, **values: str) -> Any:
    file = {} if content is None else {"file": SimpleUploadedFile("boat.jpg", content)}
    return client.post(path, {**TEXTS, **file, **values})


class TestAdding:
    def test_page_adds_a_picture(self, admin_client: Client) -> None:
        assert "multipart/form-data" in admin_client.get(ADD).content.decode()
        assert post(admin_client, make_file("PNG"), ADD).headers["Location"] == LIST
        picture = Picture.objects.get()
        assert (picture.alt_text_en, picture.alt_text_cs) == ("A boat", "Loď")
        assert read(bytes(picture.content)).size == (picture.width, picture.height) == (640, 480)

    def test_dialog_gets_the_markdown_of_the_picture(self, admin_client: Client) -> None:
        answer = json.loads(post(admin_client, make_file()).content)
        name = Picture.objects.get().name
        assert answer == {"alt": {"en": "A boat", "cs": "Loď"}, "after": f"](media:{name})"}

    def test_picture_of_almost_ten_megabytes_comes_in_one_request(self, admin_client: Client) -> None:
        content = make_file("PNG", size=(1800, 1800), compress_level=0)
        assert 9_000_000 < len(content) < 10_000_000
        assert post(admin_client, content).status_code == 200

    @pytest.mark.parametrize(
        ("content", "values", "problem"),
        [
            (None, {}, "This field is required."),
            (b"", {}, "The submitted file is empty."),
            (b"x" * 10_000_001, {}, "larger than 10 MB"),
            (make_file("PNG")[:200], {}, "damaged or incomplete"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", {}, "email programs do not show SVG"),
            (make_file(), {"alt_text_en": " ", "alt_text_cs": ""}, "Describe the picture"),
        ],
        ids=["none", "empty", "large", "damaged", "svg", "wordless"],
    )
    def test_refusal_says_why(
        self, admin_client: Client, content: bytes | None, values: dict[str, str], problem: str
    ) -> None:
        response = post(admin_client, content, **values)
        assert response.status_code == 400
        assert problem in json.loads(response.content)["problem"]
        assert problem in post(admin_client, content, ADD, **values).content.decode()
        assert not Picture.objects.exists()

    def test_process_that_takes_too_long_is_ended(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pictures, "TIMEOUT_SECONDS", 0.0)
        assert "try again in a moment" in post(admin_client, make_file(), ADD).content.decode()


class TestLibrary:
    def test_dialog_list_and_page_show_the_picture(self, admin_client: Client) -> None:
        picture = PictureFactory(alt_text_cs="Malá [loď]")
        campaign = CampaignTextFactory(body=f"![A boat](media:{picture.name})").campaign
        picker = admin_client.get(PICKER).content.decode()
        assert f'data-after="](media:{picture.name})"' in picker
        assert r'data-alt-cs="Malá \[loď\]"' in picker
        change = admin_client.get(f"{LIST}{picture.pk}/change/").content.decode()
        for page in (picker, change, admin_client.get(f"{LIST}?q=boat").content.decode()):
            assert f'src="/newsletter/pictures/{picture.name}"' in page
        assert f'/admin/campaigns/campaign/{campaign.pk}/change/">Spring regatta</a>' in change

    def test_words_are_changed(self, admin_client: Client) -> None:
        picture = PictureFactory()
        path = f"{LIST}{picture.pk}/change/"
        assert admin_client.post(path, {**TEXTS, "alt_text_en": "Our boat "}).status_code == 302
        picture.refresh_from_db()
        assert (picture.alt_text_en, picture.alt_text_cs) == ("Our boat", "Loď")
        assert bytes(picture.content) == b"picture"

    def test_picture_is_deleted_once_nothing_shows_it(self, admin_client: Client) -> None:
        picture = PictureFactory()
        CampaignTextFactory(campaign__state="sent", body=f"![A boat](media:{picture.name})")
        path = f"{LIST}{picture.pk}/delete/"
        assert path not in admin_client.get(f"{LIST}{picture.pk}/change/").content.decode()
        assert admin_client.post(path, {"post": "yes"}).status_code == 403
        CampaignText.objects.all().delete()
        assert path in admin_client.get(f"{LIST}{picture.pk}/change/").content.decode()
        assert admin_client.post(path, {"post": "yes"}).status_code == 302
        assert not Picture.objects.exists()


class TestAddress:
    @pytest.mark.parametrize(("extension", "content_type"), [("jpg", "image/jpeg"), ("png", "image/png")])
    def test_picture_is_shown_to_other_origins_and_kept_for_ever(
        self, client: Client, extension: str, content_type: str
    ) -> None:
        picture = PictureFactory(name=f"{'0' * 24}.{extension}")
        path = f"/newsletter/pictures/{picture.name}"
        response = client.get(path)
        assert response.content == b"picture"
        assert response.headers["Content-Type"] == content_type
        assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        assert not response.cookies
        assert client.post(path).status_code == 405

    def test_unknown_picture_is_not_found(self, client: Client) -> None:
        for name in (f"{'f' * 24}.jpg", "a.jpg", "../admin", f"{'0' * 24}.svg"):
            assert client.get(f"/newsletter/pictures/{name}").status_code == 404


class TestCampaign:
    @pytest.mark.parametrize("alt_text", ["A *boat* [1]", "{name} \\ `a` <b> & ~", "__init__"])
    def test_markdown_shows_the_picture_with_its_text(self, alt_text: str) -> None:
        markdown = pictures.describe_markdown(PictureFactory(alt_text_en=alt_text))
        body = f"![{markdown['alt']['en']}{markdown['after']}"
        assert of_body(body) == []
        assert f"\n{alt_text}\n" in rendered(body).text
