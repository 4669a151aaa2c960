"""The library of pictures: its rules, its address, and what campaigns make of a picture."""

import pytest
from django.conf import settings
from django.test import Client

from newsletter.campaigns import pictures
from newsletter.campaigns.markdown import build_media_url
from newsletter.campaigns.models import Picture
from newsletter.campaigns.pictures import PictureRefused, add_picture, add_site_picture
from newsletter.campaigns.tests.factories import PictureFactory
from newsletter.campaigns.tests.pictures import make_file, read
from newsletter.campaigns.tests.rendered import rendered
from newsletter.campaigns.tests.test_checks import of_body

pytestmark = pytest.mark.django_db


def add(content: bytes = b"", **alt_texts: str) -> Picture:
    return add_picture(content=content or make_file(), file_name="boat.jpg", alt_texts=alt_texts)


class TestAdding:
    def test_same_picture_is_stored_once(self) -> None:
        first = add(en="A boat")
        second = add(en="", cs="Loď")
        assert first == second == Picture.objects.get()
        assert (second.alt_text_en, second.alt_text_cs) == ("A boat", "Loď")

    def test_refusal_says_why(self) -> None:
        with pytest.raises(PictureRefused, match="damaged or incomplete"):
            add(make_file("PNG")[:200])
        with pytest.raises(PictureRefused, match="larger than 10 MB"):
            add(b"x" * 10_000_001)
        assert not Picture.objects.exists()

    def test_process_that_takes_too_long_is_ended(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pictures, "ENCODING_SECONDS", 0.0)
        monkeypatch.setattr(pictures, "LOCK_SECONDS", 0.0)
        with pytest.raises(PictureRefused, match="too large to be read"):
            add()

    def test_picture_of_the_site_is_added_once_as_jpeg_with_its_texts(self) -> None:
        picture = add_site_picture("boat-crew")
        assert read(bytes(picture.content)).format == "JPEG"
        assert picture.alt_text_en.startswith("Five people")
        assert picture.alt_text_cs.startswith("Pět lidí")
        Picture.objects.update(alt_text_en="Our crew")
        assert add_site_picture("boat-crew").alt_text_en == "Our crew"
        assert Picture.objects.count() == 1

    def test_each_picture_of_the_site_exists(self) -> None:
        for name in pictures.SITE_PICTURES:
            assert list((settings.BASE_DIR / "static/media").glob(f"{name}-480.avif"))
            assert list((settings.BASE_DIR / "static/media").glob(f"{name}.[wj]*"))


class TestAddress:
    def test_picture_is_shown_to_other_origins_and_kept_for_ever(self, client: Client) -> None:
        picture = PictureFactory()
        response = client.get(f"/newsletter/pictures/{picture.name}")
        assert response.content == b"large"
        assert response.headers["Content-Type"] == "image/jpeg"
        assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        assert not response.cookies
        assert client.post(f"/newsletter/pictures/{picture.name}").status_code == 405

    def test_thumbnail_and_png_have_their_address_and_type(self, client: Client) -> None:
        picture = PictureFactory(name=f"{'0' * 24}.png")
        response = client.get(f"/newsletter/pictures/small/{picture.name}")
        assert (response.headers["Content-Type"], response.content) == ("image/png", b"small")

    def test_unknown_picture_is_not_found(self, client: Client) -> None:
        for name in (f"{'f' * 24}.jpg", "a.jpg", "../admin", f"{'0' * 24}.svg"):
            assert client.get(f"/newsletter/pictures/{name}").status_code == 404


class TestCampaign:
    def test_mail_loads_the_picture_from_the_site(self) -> None:
        name = f"{'0' * 24}.png"
        assert build_media_url(name) == f"{settings.SITE_URL}/newsletter/pictures/{name}"
        assert f'src="{build_media_url(name)}"' in rendered(f"![A boat](media:{name})").html
        assert build_media_url("og.jpg").startswith(f"{settings.SITE_URL}/static/media/")

    def test_checks_name_a_picture_that_was_deleted(self) -> None:
        assert of_body(f"![A boat](media:{PictureFactory().name})") == []
        missing = f"media:{'f' * 24}.jpg"
        assert of_body(f"![A boat]({missing})") == [f"error: Line 1: This site has no picture {missing}."]

    @pytest.mark.parametrize("alt_text", ["A *boat* [1]", "{name} \\ `a` <b> & ~", "__init__"])
    def test_markdown_shows_the_picture_with_its_text(self, alt_text: str) -> None:
        markdown = pictures.describe_markdown(PictureFactory(alt_text_en=alt_text))
        body = f"![{markdown['alt']['en']}{markdown['after']}"
        assert of_body(body) == []
        assert f"\n{alt_text}\n" in rendered(body).text
