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
from newsletter.campaigns.picture_file import MAX_PIXELS, Refused, Status, encode
from newsletter.campaigns.pictures import REFUSALS
from newsletter.campaigns.tests.pictures import GREEN, make_file, read, save

SCRIPT = b"<script>alert(1)</script>"


def make_png_header(width: int, height: int) -> bytes:
    """Return a small PNG that claims to be this large."""
    file = make_file("PNG", size=(1, 1))
    header = b"IHDR" + struct.pack(">II", width, height) + file[24:29]
    return file[:12] + header + struct.pack(">I", zlib.crc32(header)) + file[33:]


def refuse(source: bytes) -> Status:
    with pytest.raises(Refused) as refusal:
        encode(source)
    return Status(refusal.value.args[0])


class TestPicture:
    @pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "GIF"])
    def test_each_format_becomes_a_jpeg_of_its_pixels_alone(self, file_format: str) -> None:
        encoded = encode(make_file(file_format) + SCRIPT)
        assert encoded.extension == "jpg"
        assert SCRIPT not in encoded.content
        image = read(encoded.content)
        assert (image.format, image.mode, image.size) == ("JPEG", "RGB", (640, 480))
        assert image.getpixel((9, 9)) == pytest.approx(GREEN, abs=3)

    @pytest.mark.parametrize(
        ("size", "result"),
        [((3000, 2000), (1200, 800)), ((300, 6000), (120, 2400)), ((200, 100), (200, 100)), ((1, 1), (1, 1))],
    )
    def test_large_picture_is_scaled_down(self, size: tuple[int, int], result: tuple[int, int]) -> None:
        encoded = encode(make_file(size=size))
        assert read(encoded.content).size == (encoded.width, encoded.height) == result
        width, height = read(encoded.thumbnail).size
        assert (width <= 360, height <= 270) == (True, True)

    @pytest.mark.parametrize("mode", ["RGB", "RGBA"])
    def test_picture_that_does_not_compress_stays_below_the_limit(
        self, mode: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(picture_file, "MAX_ENCODED_SIZE", 20_000)
        noise = Image.effect_noise((200, 300), 200)
        picture = Image.merge(mode, [noise.rotate(180 * (index % 2)) for index in range(len(mode))])
        encoded = encode(save(picture, "PNG", compress_level=1))
        assert len(encoded.content) <= 20_000
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
    def test_scaling_keeps_the_composition(self, file_format: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(picture_file, "SIZE", (120, 240))
        picture = Image.new("RGB", (500, 400), GREEN)
        picture.paste((255, 0, 0), (0, 300, 500, 400))
        image = read(encode(save(picture, file_format)).content)
        assert image.size == (120, 96)
        assert image.getpixel((60, 68)) == pytest.approx(GREEN, abs=5)
        assert image.getpixel((60, 76)) == pytest.approx((255, 0, 0), abs=5)

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

    def test_print_colors_become_screen_colors(self) -> None:
        encoded = encode(make_file("JPEG", mode="CMYK", color=(255, 0, 255, 0)))
        assert read(encoded.content).getpixel((9, 9)) == pytest.approx((0, 255, 0), abs=5)

    def test_sixteen_bits_keep_their_brightness(self) -> None:
        wide = Image.new("I;16", (64, 64), 32_768)
        encoded = encode(save(wide, "PNG"))
        assert read(encoded.content).getpixel((9, 9)) == pytest.approx((128, 128, 128), abs=2)

    def test_colors_of_a_profile_are_converted(self) -> None:
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        red_is_green = profile.replace(b"rXYZ", b"....", 1).replace(b"gXYZ", b"rXYZ", 1)
        exchanged = red_is_green.replace(b"....", b"gXYZ", 1)
        for file_format in ("JPEG", "PNG"):
            encoded = encode(make_file(file_format, icc_profile=exchanged))
            assert read(encoded.content).getpixel((9, 9)) == pytest.approx((128, 0, 0), abs=3)

    def test_damaged_profile_is_ignored(self) -> None:
        encoded = encode(make_file(icc_profile=b"damaged"))
        assert read(encoded.content).getpixel((9, 9)) == pytest.approx(GREEN, abs=3)

    def test_photograph_of_a_phone_with_a_second_picture_is_used(self) -> None:
        picture, second = Image.new("RGB", (40, 30), GREEN), Image.new("RGB", (20, 15))
        source = save(picture, "MPO", save_all=True, append_images=[second])
        assert read(source).n_frames == 2  # type: ignore[attr-defined]
        assert encode(source).width == 40


class TestRefusal:
    def test_other_format_is_refused(self) -> None:
        postscript = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"
        for source in (b"", SCRIPT, postscript, make_file("BMP"), make_file("TIFF")):
            assert refuse(source) is Status.OTHER_FORMAT

    @pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "GIF"])
    def test_incomplete_file_is_not_decoded(self, file_format: str) -> None:
        source = save(Image.effect_noise((300, 300), 100), file_format)
        with pytest.raises(OSError, match=r"truncated|incomplete|decod|broken|read"):
            encode(source[: len(source) // 2])

    @pytest.mark.parametrize("size", [(20_000, 10_000), (10_000, 4_001), (2**31 - 1, 2**31 - 1)])
    def test_too_many_pixels_are_refused_before_they_are_decoded(self, size: tuple[int, int]) -> None:
        assert size[0] * size[1] > MAX_PIXELS
        assert refuse(make_png_header(*size)) is Status.TOO_LARGE

    @pytest.mark.parametrize("file_format", ["GIF", "PNG", "WEBP"])
    def test_animation_is_refused(self, file_format: str) -> None:
        frames = [Image.new("RGB", (9, 9), color) for color in ("red", "blue")]
        source = save(frames[0], file_format, save_all=True, append_images=frames[1:])
        assert refuse(source) is Status.ANIMATED


def run(source: bytes, patch: str = "") -> Any:
    """Encode a file as the site does, with a changed limit if there is one."""
    program = (
        f"import sys; from newsletter.campaigns import picture_file\n{patch}\nsys.exit(picture_file.main())"
    )
    return subprocess.run([sys.executable, "-c", program], input=source, capture_output=True, check=False)


class TestProcess:
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
        assert "try again" in str(REFUSALS[Status.BUSY])
