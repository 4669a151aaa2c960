"""The library of pictures: what is made from a file, its pages in Django admin, its address, its Markdown."""

import json
import struct
import subprocess
import sys
import zlib
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image, ImageCms

from newsletter.campaigns import pictures
from newsletter.campaigns.models import Picture
from newsletter.campaigns.picture_file import MAX_ENCODED_SIZE, Status
from newsletter.campaigns.tests.factories import CampaignTextFactory, PictureFactory
from newsletter.campaigns.tests.test_rendering import of_body, rendered

pytestmark = pytest.mark.django_db

GREEN, RED = (0, 128, 0), (255, 0, 0)
SCRIPT = b"<script>alert(1)</script>"
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def save(image: Image.Image, file_format: str, **options: Any) -> bytes:
    file = BytesIO()
    image.save(file, file_format, **options)
    return file.getvalue()


def make_file(
    file_format: str = "JPEG", *, size: Any = (640, 480), mode: str = "RGB", color: Any = GREEN, **more: Any
) -> bytes:
    return save(Image.new(mode, size, color), file_format, **more)


def run(source: bytes, setup: str = "") -> Any:
    """Run the process as the site does, with a changed limit if there is one."""
    program = f"from newsletter.campaigns import picture_file\n{setup}\npicture_file.main()"
    return subprocess.run([sys.executable, "-c", program], input=source, capture_output=True, check=False)


def encode(source: bytes) -> Image.Image:
    """Return the picture that is made from a file."""
    result = run(source)
    assert result.returncode == 0
    head, _newline, content = result.stdout.partition(b"\n")
    assert len(content) <= MAX_ENCODED_SIZE
    image = Image.open(BytesIO(content))
    image.load()
    assert head.decode() == f"{'png' if image.format == 'PNG' else 'jpg'} {image.width} {image.height}"
    assert not {"exif", "comment", "xmp", "icc_profile", "dpi"} & image.info.keys() - {"jfif"}
    assert not any(secret in content for secret in (SCRIPT, b"Jana", b"secret"))
    return image


def make_noise(size: tuple[int, int]) -> Image.Image:
    return Image.merge("RGB", [Image.effect_noise(size, 200)] * 3)


def make_header(width: int, height: int, *, has_alpha: bool = False) -> bytes:
    mode, color = ("RGBA", (0, 0, 0, 9)) if has_alpha else ("RGB", (0, 0, 0))
    file = make_file("PNG", size=(1, 1), mode=mode, color=color)
    header = b"IHDR" + struct.pack(">II", width, height) + file[24:29]
    return file[:12] + header + struct.pack(">I", zlib.crc32(header)) + file[33:]


def make_photograph() -> bytes:
    """Return a photograph of an upright camera, whose left is the top, with all that it hides."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Camera of Jana"
    exif.get_ifd(0x8825)[2] = (50.0, 5.0, 16.0)  # GPSLatitude
    picture = Image.new("RGB", (4000, 2000), GREEN)
    picture.paste(RED, (0, 0, 2000, 2000))
    return save(picture, "JPEG", exif=exif, comment=b"secret", xmp=b"<x>secret</x>")


@pytest.mark.parametrize(
    ("source", "mode", "size", "color"),
    [
        *[(make_file(each) + SCRIPT, "RGB", (640, 480), GREEN) for each in ("JPEG", "PNG", "WEBP", "GIF")],
        (make_file(size=(300, 6000)), "RGB", (120, 2400), GREEN),
        (make_photograph(), "RGB", (1200, 2400), RED),
        (make_file("PNG", mode="RGBA", color=(*GREEN, 100)), "RGBA", (640, 480), (*GREEN, 100)),
        (make_file("PNG", mode="RGBA", color=(*GREEN, 255)), "RGB", (640, 480), GREEN),
        (save(Image.new("P", (20, 20)), "GIF", transparency=0), "RGBA", (20, 20), (0, 0, 0, 0)),
        (make_file("PNG", mode="1", color=1, size=(4000, 30)), "RGB", (1200, 9), (255, 255, 255)),
        (make_file("JPEG", mode="CMYK", color=(255, 0, 255, 0)), "RGB", (640, 480), (0, 255, 0)),
        (save(Image.new("I;16", (64, 64), 32_768), "PNG"), "RGB", (64, 64), (128, 128, 128)),
        (make_file("JPEG", icc_profile=b"damaged"), "RGB", (640, 480), GREEN),
        (make_file("JPEG", icc_profile=SRGB), "RGB", (640, 480), GREEN),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_picture_has_the_pixels_alone(source: bytes, mode: str, size: Any, color: Any) -> None:
    image = encode(source)
    assert (image.mode, image.size) == (mode, size)
    assert image.getpixel((0, 0)) == pytest.approx(color, abs=5)


@pytest.mark.parametrize(
    ("source", "status"),
    [
        (b"", Status.OTHER_FORMAT),
        (SCRIPT, Status.OTHER_FORMAT),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", Status.OTHER_FORMAT),
        (make_file("TIFF"), Status.OTHER_FORMAT),
        *[(save(make_noise((300, 300)), each)[:5000], Status.DAMAGED) for each in ("JPEG", "PNG", "WEBP")],
        (make_header(10_000, 4_001), Status.TOO_LARGE),
        (make_header(10_000, 2_001, has_alpha=True), Status.TOO_LARGE),
        *[
            (make_file(each, save_all=True, append_images=[Image.new("RGB", (640, 480))]), Status.ANIMATED)
            for each in ("GIF", "PNG", "WEBP")
        ],
    ],
)
def test_other_file_is_refused(source: bytes, status: Status) -> None:
    result = run(source)
    assert (result.returncode, result.stdout) == (status, b"")


def test_picture_that_needs_too_much_memory_or_time_is_refused_but_not_the_largest() -> None:
    assert encode(save(make_noise((1200, 2400)), "PNG", compress_level=1)).height > 400
    assert run(make_file("PNG", mode="P", size=(8_000, 5_000), color=9)).returncode == 0
    memory, time = (f"picture_file.LIMITS[picture_file.resource.RLIMIT_{name}]" for name in ("AS", "CPU"))
    source = make_file("PNG", size=(4_000, 4_000))
    assert run(source, f"{memory} = 100 * 1024 * 1024").returncode == Status.TOO_LARGE
    endless = "def encode(source):\n    while True: pass\npicture_file.encode = encode"
    assert run(b"", f"{time} = 1\n{endless}").returncode < 0


LIST = "/admin/campaigns/picture/"
ADD = f"{LIST}add/"
PICKER = f"{LIST}picker/"
TEXTS = {"alt_text_en": "A boat", "alt_text_cs": "Loď"}


def post(client: Client, content: bytes | None, path: str = PICKER, **values: str) -> Any:
    file = {"file": SimpleUploadedFile("boat.jpg", content)} if content else {}
    return client.post(path, {**TEXTS, **file, **values})


class TestAdding:
    def test_page_adds_a_picture_and_the_dialog_gets_its_markdown(self, admin_client: Client) -> None:
        assert "multipart/form-data" in admin_client.get(ADD).content.decode()
        assert post(admin_client, make_file("PNG"), ADD).headers["Location"] == LIST
        picture = Picture.objects.get()
        assert (picture.alt_text_en, picture.alt_text_cs) == ("A boat", "Loď")
        assert Image.open(BytesIO(picture.content)).size == (picture.width, picture.height) == (640, 480)
        answer = json.loads(post(admin_client, make_file()).content)
        name = Picture.objects.latest("pk").name
        assert answer == {"alt": {"en": "A boat", "cs": "Loď"}, "after": f"](media:{name})"}

    def test_refusal_says_why(self, admin_client: Client) -> None:
        for content, values, problem in (
            (None, {}, "This field is required."),
            (b"x" * 10_000_001, {}, "larger than 10 MB"),
            (make_file("PNG")[:200], {}, "damaged or incomplete"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", {}, "email programs do not show SVG"),
            (make_file(), {"alt_text_en": " ", "alt_text_cs": ""}, "Describe the picture"),
        ):
            response = post(admin_client, content, **values)
            assert response.status_code == 400
            assert problem in json.loads(response.content)["problem"]
            assert problem in post(admin_client, content, ADD, **values).content.decode()
        assert not Picture.objects.exists()

    def test_slow_process_is_ended(self, admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pictures, "TIMEOUT_SECONDS", 0.0)
        assert "try again in a moment" in post(admin_client, make_file(), ADD).content.decode()


def test_picture_is_shown_and_deleted_once_no_text_has_it(admin_client: Client) -> None:
    picture = PictureFactory(alt_text_cs="Malá [loď]")
    text = CampaignTextFactory(body=f"![A boat](media:{picture.name})", campaign__state="sent")
    path, deletion = f"{LIST}{picture.pk}/change/", f"{LIST}{picture.pk}/delete/"
    picker, change = (admin_client.get(each).content.decode() for each in (PICKER, path))
    assert f'data-after="](media:{picture.name})"' in picker
    assert r'data-alt-cs="Malá \[loď\]"' in picker
    for page in (picker, change, admin_client.get(f"{LIST}?q=boat").content.decode()):
        assert f'src="/newsletter/pictures/{picture.name}"' in page
    assert f'/admin/campaigns/campaign/{text.campaign.pk}/change/">Spring regatta</a>' in change
    assert deletion not in change
    assert admin_client.post(deletion, {"post": "yes"}).status_code == 403
    text.delete()
    change = admin_client.get(path).content.decode()
    assert deletion in change
    assert "Not used yet" in change
    assert admin_client.post(deletion, {"post": "yes"}).status_code == 302


@pytest.mark.parametrize(("extension", "content_type"), [("jpg", "image/jpeg"), ("png", "image/png")])
def test_picture_is_for_other_origins_and_kept(client: Client, extension: str, content_type: str) -> None:
    picture = PictureFactory(name=f"{'0' * 24}.{extension}")
    response = client.get(f"/newsletter/pictures/{picture.name}")
    assert (response.content, response.headers["Content-Type"]) == (b"picture", content_type)
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert not response.cookies


@pytest.mark.parametrize("alt_text", ["A *boat* [1]", "{name} \\ `a` <b> & ~", "__init__"])
def test_markdown_shows_the_picture_with_its_text(alt_text: str) -> None:
    markdown = pictures.describe_markdown(PictureFactory(alt_text_en=alt_text))
    body = f"![{markdown['alt']['en']}{markdown['after']}"
    assert of_body(body) == []
    assert f"\n{alt_text}\n" in rendered(body).text
