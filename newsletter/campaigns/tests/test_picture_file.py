"""What is made from an uploaded file, and which files are refused."""

import struct
import subprocess
import sys
import zlib
from typing import Any

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from newsletter.campaigns.picture_file import MAX_ENCODED_SIZE, Status
from newsletter.campaigns.tests.pictures import GREEN, make_file, read, save

RED = (255, 0, 0)
SCRIPT = b"<script>alert(1)</script>"


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
    image = read(content)
    assert head.decode() == f"{'png' if image.format == 'PNG' else 'jpg'} {image.width} {image.height}"
    assert not {"exif", "comment", "xmp", "icc_profile", "Author", "dpi"} & image.info.keys() - {"jfif"}
    for secret in (SCRIPT, b"Jana", b"secret"):
        assert secret not in content
    return image


def make_noise(mode: str, size: tuple[int, int]) -> Image.Image:
    noise = Image.effect_noise(size, 200)
    return Image.merge(mode, [noise.rotate(180 * (index % 2)) for index in range(len(mode))])


def make_header(width: int, height: int, *, has_alpha: bool = False) -> bytes:
    """Return a small PNG that claims to be this large."""
    file = make_file(
        "PNG", size=(1, 1), mode="RGBA" if has_alpha else "RGB", color=(0, 0, 0, 9)[: 3 + has_alpha]
    )
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


def exchange_colors() -> bytes:
    """Return a profile in which red is green."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    red_is_green = profile.replace(b"rXYZ", b"....", 1).replace(b"gXYZ", b"rXYZ", 1)
    return red_is_green.replace(b"....", b"gXYZ", 1)


def make_texts() -> PngImagePlugin.PngInfo:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Author", "Jana", zip=True)
    return texts


PHONE: dict[str, Any] = {"save_all": True, "append_images": [Image.new("RGB", (20, 15))]}


@pytest.mark.parametrize(
    ("source", "mode", "size", "color"),
    [
        *[(make_file(each) + SCRIPT, "RGB", (640, 480), GREEN) for each in ("JPEG", "PNG", "WEBP", "GIF")],
        (make_file(size=(3000, 2000)), "RGB", (1200, 800), GREEN),
        (make_file(size=(300, 6000)), "RGB", (120, 2400), GREEN),
        (make_file(size=(1, 1)), "RGB", (1, 1), GREEN),
        (make_photograph(), "RGB", (1200, 2400), RED),
        (make_file("PNG", mode="RGBA", color=(*GREEN, 100)), "RGBA", (640, 480), (*GREEN, 100)),
        (make_file("PNG", mode="RGBA", color=(*GREEN, 255)), "RGB", (640, 480), GREEN),
        (save(Image.new("P", (20, 20)), "GIF", transparency=0), "RGBA", (20, 20), (0, 0, 0, 0)),
        (make_file("PNG", mode="LA", color=(9, 99), pnginfo=make_texts()), "RGBA", (640, 480), (9, 9, 9, 99)),
        (make_file("PNG", mode="1", color=1, size=(4000, 30)), "RGB", (1200, 9), (255, 255, 255)),
        (make_file("JPEG", mode="CMYK", color=(255, 0, 255, 0)), "RGB", (640, 480), (0, 255, 0)),
        (save(Image.new("I;16", (64, 64), 32_768), "PNG"), "RGB", (64, 64), (128, 128, 128)),
        (make_file("JPEG", icc_profile=exchange_colors()), "RGB", (640, 480), (128, 0, 0)),
        (make_file("PNG", icc_profile=exchange_colors(), dpi=(300, 300)), "RGB", (640, 480), (128, 0, 0)),
        (make_file("JPEG", icc_profile=b"damaged"), "RGB", (640, 480), GREEN),
        (make_file("MPO", **PHONE), "RGB", (640, 480), GREEN),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_picture_for_mails_has_the_pixels_of_the_file_alone(
    source: bytes, mode: str, size: tuple[int, int], color: tuple[int, ...]
) -> None:
    image = encode(source)
    assert (image.mode, image.size) == (mode, size)
    assert image.getpixel((0, 0)) == pytest.approx(color, abs=5)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_picture_that_does_not_compress_stays_below_the_limit(mode: str) -> None:
    assert encode(save(make_noise(mode, (1200, 2400)), "PNG", compress_level=1)).height > 400


@pytest.mark.parametrize(
    ("source", "status"),
    [
        (b"", Status.OTHER_FORMAT),
        (SCRIPT, Status.OTHER_FORMAT),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", Status.OTHER_FORMAT),
        (make_file("BMP"), Status.OTHER_FORMAT),
        (make_file("TIFF"), Status.OTHER_FORMAT),
        *[
            (save(make_noise("RGB", (300, 300)), each)[:5000], Status.DAMAGED)
            for each in ("JPEG", "PNG", "WEBP", "GIF")
        ],
        (make_header(10_000, 4_001), Status.TOO_LARGE),
        (make_header(10_000, 2_001, has_alpha=True), Status.TOO_LARGE),
        (make_header(2**31 - 1, 2**31 - 1), Status.TOO_LARGE),
        *[
            (make_file(each, save_all=True, append_images=[Image.new("RGB", (640, 480))]), Status.ANIMATED)
            for each in ("GIF", "PNG", "WEBP")
        ],
    ],
)
def test_other_file_is_refused(source: bytes, status: Status) -> None:
    result = run(source)
    assert (result.returncode, result.stdout) == (status, b"")


@pytest.mark.parametrize(
    ("file_format", "mode", "size"),
    [
        ("PNG", "RGB", (8_000, 5_000)),
        ("PNG", "P", (8_000, 5_000)),
        ("JPEG", "CMYK", (8_000, 5_000)),
        ("PNG", "RGBA", (5_000, 4_000)),
        ("WEBP", "RGB", (4_000, 2_500)),
    ],
)
def test_largest_picture_fits_into_the_memory(file_format: str, mode: str, size: tuple[int, int]) -> None:
    color = 9 if mode == "P" else (0, 128, 0, 100)[: len(mode)]
    assert run(make_file(file_format, mode=mode, size=size, color=color)).returncode == 0


def test_picture_that_needs_too_much_memory_is_refused() -> None:
    source = make_file("PNG", size=(4_000, 4_000))
    assert run(source, "picture_file.MAX_MEMORY = 100 * 1024 * 1024").returncode == Status.TOO_LARGE


def test_picture_that_takes_too_long_is_ended() -> None:
    endless = "def encode(source):\n    while True: pass\npicture_file.encode = encode"
    assert run(b"", f"picture_file.MAX_CPU_SECONDS = 1\n{endless}").returncode < 0
