"""What is made from an uploaded file, and which files are refused."""

import fcntl
import struct
import subprocess
import sys
import zlib
from typing import Any

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from newsletter.campaigns import picture_file
from newsletter.campaigns.picture_file import MAX_ENCODED_SIZE, MAX_PIXELS, Refused, Status, encode
from newsletter.campaigns.pictures import REFUSALS
from newsletter.campaigns.tests.pictures import GREEN, make_file, read, save

SCRIPT = b"<script>alert(1)</script>"


def make_png_header(width: int, height: int) -> bytes:
    """Return a small PNG that claims to be this large."""
    chunks = [
        b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0),
        b"IDAT" + zlib.compress(b""),
        b"IEND",
    ]
    parts = [
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def refuse(source: bytes) -> Status:
    with pytest.raises(Refused) as refusal:
        encode(source)
    return Status(refusal.value.args[0])


class TestPicture:
    @pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "GIF"])
    def test_each_format_becomes_a_jpeg(self, file_format: str) -> None:
        encoded = encode(make_file(file_format))
        assert encoded.extension == "jpg"
        image = read(encoded.content)
        assert (image.format, image.mode, image.size) == ("JPEG", "RGB", (640, 480))
        assert image.getpixel((9, 9)) == pytest.approx(GREEN, abs=3)

    @pytest.mark.parametrize(
        ("size", "result"),
        [((3000, 2000), (1200, 800)), ((300, 6000), (120, 2400)), ((200, 100), (200, 100)), ((1, 1), (1, 1))],
    )
    def test_picture_is_made_as_large_as_a_mail_needs(
        self, size: tuple[int, int], result: tuple[int, int]
    ) -> None:
        for file_format in ("JPEG", "PNG"):
            encoded = encode(make_file(file_format, size=size))
            assert read(encoded.content).size == (encoded.width, encoded.height) == result

    def test_thumbnail_is_small(self) -> None:
        encoded = encode(save(Image.effect_noise((1200, 900), 100), "JPEG"))
        assert read(encoded.thumbnail).size == (360, 270)
        assert len(encoded.thumbnail) < 60_000

    @pytest.mark.parametrize("mode", ["RGB", "RGBA"])
    def test_picture_that_does_not_compress_becomes_small_enough(self, mode: str) -> None:
        noise = Image.effect_noise((1200, 2400), 200)
        picture = Image.merge(mode, [noise.rotate(180 * (index % 2)) for index in range(len(mode))])
        encoded = encode(save(picture, "PNG", compress_level=1))
        assert len(encoded.content) <= MAX_ENCODED_SIZE
        assert read(encoded.content).size == (encoded.width, encoded.height)

    def test_transparency_is_kept_as_png(self) -> None:
        encoded = encode(make_file("PNG", mode="RGBA", color=(*GREEN, 100)))
        assert encoded.extension == "png"
        assert read(encoded.content).getpixel((9, 9)) == (*GREEN, 100)

    def test_transparent_color_of_a_palette_is_kept(self) -> None:
        picture = Image.new("P", (20, 20))
        encoded = encode(save(picture, "GIF", transparency=0))
        assert read(encoded.content).getchannel("A").getextrema() == (0, 0)

    def test_opaque_alpha_channel_is_dropped(self) -> None:
        assert encode(make_file("PNG", mode="RGBA", color=(*GREEN, 255))).extension == "jpg"

    @pytest.mark.parametrize("file_format", ["JPEG", "PNG"])
    def test_parts_of_a_large_picture_stay_where_they_are(self, file_format: str) -> None:
        picture = Image.new("RGB", (5000, 4000), GREEN)
        picture.paste((255, 0, 0), (0, 3000, 5000, 4000))
        image = read(encode(save(picture, file_format)).content)
        assert image.size == (1200, 960)
        assert image.getpixel((600, 700)) == pytest.approx(GREEN, abs=5)
        assert image.getpixel((600, 740)) == pytest.approx((255, 0, 0), abs=5)

    def test_photograph_is_turned_upright(self) -> None:
        exif = Image.Exif()
        exif[0x0112] = 6  # the camera was held upright, and its left is the top
        picture = Image.new("RGB", (400, 200), GREEN)
        picture.paste((255, 0, 0), (0, 0, 200, 200))
        image = read(encode(save(picture, "JPEG", exif=exif)).content)
        assert image.size == (200, 400)
        assert image.getpixel((100, 50)) == pytest.approx((255, 0, 0), abs=5)

    def test_place_and_other_metadata_are_removed(self) -> None:
        exif = Image.Exif()
        exif[0x010F] = "Camera of Jana"
        exif.get_ifd(0x8825)[1] = "N"  # GPSLatitudeRef
        exif.get_ifd(0x8825)[2] = (50.0, 5.0, 16.0)
        source = save(Image.new("RGB", (40, 30)), "JPEG", exif=exif, comment=b"secret", xmp=b"<x>secret</x>")
        assert read(source).getexif().get_ifd(0x8825)
        encoded = encode(source)
        for content in (encoded.content, encoded.thumbnail):
            image = read(content)
            assert not image.getexif()
            assert not {"exif", "comment", "xmp", "icc_profile"} & image.info.keys()
            assert b"Jana" not in content
            assert b"secret" not in content

    def test_texts_of_a_png_are_removed(self) -> None:
        texts = PngImagePlugin.PngInfo()
        texts.add_text("Author", "Jana", zip=True)
        encoded = encode(save(Image.new("RGBA", (9, 9)), "PNG", pnginfo=texts, dpi=(300, 300)))
        assert set(read(encoded.content).info) == set()

    @pytest.mark.parametrize("file_format", ["JPEG", "PNG", "GIF"])
    def test_nothing_behind_the_picture_is_kept(self, file_format: str) -> None:
        source = make_file(file_format) + SCRIPT + b"PK\x03\x04"
        assert SCRIPT not in encode(source).content

    def test_print_colors_become_screen_colors(self) -> None:
        encoded = encode(make_file("JPEG", mode="CMYK", color=(255, 0, 255, 0)))
        assert read(encoded.content).getpixel((9, 9)) == pytest.approx((0, 255, 0), abs=5)

    def test_sixteen_bits_keep_their_brightness(self) -> None:
        wide = Image.new("I;16", (64, 64), 32_768)
        encoded = encode(save(wide, "PNG"))
        assert read(encoded.content).getpixel((9, 9)) == pytest.approx((128, 128, 128), abs=2)

    def test_colors_of_a_profile_are_converted(self) -> None:
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        exchanged = (
            profile.replace(b"rXYZ", b"....", 1).replace(b"gXYZ", b"rXYZ", 1).replace(b"....", b"gXYZ", 1)
        )
        for file_format in ("JPEG", "PNG"):
            encoded = encode(make_file(file_format, icc_profile=exchanged))
            assert read(encoded.content).getpixel((9, 9)) == pytest.approx((128, 0, 0), abs=3)

    def test_damaged_profile_is_ignored(self) -> None:
        encoded = encode(make_file(icc_profile=b"damaged"))
        assert read(encoded.content).getpixel((9, 9)) == pytest.approx(GREEN, abs=3)

    def test_photograph_of_a_phone_with_a_second_picture_is_used(self) -> None:
        source = save(
            Image.new("RGB", (40, 30), GREEN),
            "MPO",
            save_all=True,
            append_images=[Image.new("RGB", (20, 15))],
        )
        assert read(source).n_frames == 2  # type: ignore[attr-defined]
        assert encode(source).width == 40


class TestRefusal:
    @pytest.mark.parametrize(
        "source",
        [
            b"",
            b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
            b"<!DOCTYPE html><title>picture.jpg</title>",
            b"%PDF-1.7\n",
            b"PK\x03\x04" + b"\0" * 99,
            b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
            make_file("BMP"),
            make_file("TIFF"),
        ],
        ids=["empty", "svg", "html", "pdf", "zip", "eps", "bmp", "tiff"],
    )
    def test_other_format_is_refused(self, source: bytes) -> None:
        assert refuse(source) is Status.OTHER_FORMAT

    @pytest.mark.parametrize("size", [(20_000, 10_000), (10_000, 4_001), (2**31 - 1, 2**31 - 1)])
    def test_too_many_pixels_are_refused_before_they_are_decoded(self, size: tuple[int, int]) -> None:
        assert size[0] * size[1] > MAX_PIXELS
        assert refuse(make_png_header(*size)) is Status.TOO_LARGE

    @pytest.mark.parametrize("file_format", ["GIF", "PNG", "WEBP"])
    def test_animation_is_refused(self, file_format: str) -> None:
        frames = [Image.new("RGB", (9, 9), color) for color in ("red", "blue")]
        assert (
            refuse(save(frames[0], file_format, save_all=True, append_images=frames[1:])) is Status.ANIMATED
        )


def run(source: bytes, patch: str = "") -> Any:
    """Encode a file as the site does, with a changed limit if there is one."""
    program = (
        f"import sys; from newsletter.campaigns import picture_file\n{patch}\nsys.exit(picture_file.main())"
    )
    return subprocess.run([sys.executable, "-c", program], input=source, capture_output=True, check=False)


class TestProcess:
    @pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "GIF"])
    def test_incomplete_file_is_damaged(self, file_format: str) -> None:
        source = save(Image.effect_noise((300, 300), 100), file_format)
        assert run(source[: len(source) // 2]).returncode == Status.DAMAGED

    def test_refusal_is_the_exit_status(self) -> None:
        assert run(b"<svg/>").returncode == Status.OTHER_FORMAT
        assert run(make_png_header(10_000, 4_001)).returncode == Status.TOO_LARGE

    def test_largest_png_takes_no_more_memory_than_a_small_server_has(self) -> None:
        source = make_file("PNG", size=(8_000, 5_000), mode="RGBA", color=(*GREEN, 100), compress_level=1)
        assert run(source).returncode == Status.DONE

    def test_picture_that_needs_too_much_memory_is_refused(self) -> None:
        source = make_file("PNG", size=(4_000, 4_000))
        limit = "picture_file.MAX_MEMORY = 100 * 1024 * 1024"
        assert run(source, limit).returncode == Status.TOO_LARGE

    def test_picture_that_takes_too_long_is_ended(self) -> None:
        endless = "def encode(source):\n    while True: pass\npicture_file.encode = encode"
        assert run(b"", f"picture_file.MAX_CPU_SECONDS = 1\n{endless}").returncode < 0

    def test_picture_waits_for_another_one_and_then_for_a_new_try(self) -> None:
        with open(picture_file.__file__, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            assert run(make_file(), "picture_file.LOCK_SECONDS = 0.1").returncode == Status.BUSY
        assert run(make_file()).returncode == Status.DONE
        assert "try again" in str(REFUSALS[Status.BUSY])
