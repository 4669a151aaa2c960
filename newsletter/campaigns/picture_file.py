"""Make a picture for mails from an uploaded file, in a process of its own with limits.

    python -m newsletter.campaigns.picture_file < SOURCE > RESULT

The result is a line with the extension, the width and the height, and then a file with the pixels of the
source and nothing else: not the place where a photograph was taken, and no hidden script.
"""

import fcntl
import resource
import sys
from contextlib import suppress
from enum import IntEnum
from io import BytesIO
from typing import BinaryIO

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
MAX_PIXELS = 40_000_000
MAX_TRANSPARENT_PIXELS = 20_000_000
MAX_ENCODED_SIZE = 1_000_000
"""Bytes."""

MAX_WIDTH, MAX_HEIGHT = 1200, 2400
"""Twice the width of a mail, for dense screens."""

JPEG_QUALITY = 82
LIMITS = {
    resource.RLIMIT_AS: 320 << 20,  # a WebP, which is decoded at once, has some 16 million pixels in it
    resource.RLIMIT_CPU: 20,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_CORE: 0,
}


class Status(IntEnum):
    TOO_LARGE = 3
    OTHER_FORMAT = 4
    ANIMATED = 5
    DAMAGED = 6


def main() -> None:
    """Encode the picture in the standard input. Exit with the status that tells why there is none."""
    for limit, value in LIMITS.items():
        with suppress(ValueError):  # a lower limit is in force, or macOS has no such limit
            resource.setrlimit(limit, (value, value))
    with open(__file__, "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one picture at a time on this machine, because of the memory
        try:
            result = encode(sys.stdin.buffer)
        except MemoryError:
            sys.exit(Status.TOO_LARGE)
        except Exception:  # noqa: BLE001 - decoders raise nearly anything
            sys.exit(Status.DAMAGED)
    sys.stdout.buffer.write(result)


def encode(source: BinaryIO) -> bytes:
    """Return the result for a file."""
    image = shrink(open_picture(BytesIO(source.read())))
    if image.mode == "RGBA" and image.getchannel("A").getextrema()[0] == 255:
        image = image.convert("RGB")
    while len(content := save(image)) > MAX_ENCODED_SIZE:
        image.thumbnail((image.width * 3 // 4, image.height * 3 // 4))
    extension = "png" if image.mode == "RGBA" else "jpg"
    return f"{extension} {image.width} {image.height}\n".encode() + content


def open_picture(source: BinaryIO) -> Image.Image:
    """Open a file by its content, whatever its name was. Nothing is decoded yet."""
    Image.MAX_IMAGE_PIXELS = None  # the limits are below
    try:
        image = Image.open(source, formats=FORMATS)
    except UnidentifiedImageError:
        sys.exit(Status.OTHER_FORMAT)
    if image.width * image.height > (MAX_TRANSPARENT_PIXELS if image.has_transparency_data else MAX_PIXELS):
        sys.exit(Status.TOO_LARGE)
    # A JPEG of several pictures (MPO) is what phones store beside a photograph, such as its depth.
    if image.format != "MPO" and getattr(image, "is_animated", False):
        sys.exit(Status.ANIMATED)
    return image


def shrink(image: Image.Image) -> Image.Image:
    """Return a picture upright, in RGB or RGBA, of at most MAX_WIDTH and MAX_HEIGHT, without metadata."""
    profile = image.info.get("icc_profile")
    if image.mode.startswith("I"):  # 16 bits
        image = image.point(lambda value: value * (1 / 256)).convert("L")
    if image.has_transparency_data:
        image = image.convert("RGBA")
    elif image.mode not in ("RGB", "CMYK", "L"):
        image = image.convert("RGB")
    image.thumbnail((MAX_HEIGHT, MAX_HEIGHT))  # a JPEG is decoded at a fraction of its size
    ImageOps.exif_transpose(image, in_place=True)
    image.thumbnail((MAX_WIDTH, MAX_HEIGHT))
    image = to_srgb(image, profile)
    image.info = {}
    return image


def to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Return a picture with the colors that mail programs expect. Phones store more of them."""
    mode = "RGBA" if image.mode == "RGBA" else "RGB"
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            srgb = ImageCms.createProfile("sRGB")
            return ImageCms.profileToProfile(image, source, srgb, outputMode=mode) or image
        except (ImageCms.PyCMSError, OSError):  # damaged, or of other colors
            pass
    return image.convert(mode)


def save(image: Image.Image) -> bytes:
    """Encode as PNG if there is transparency, otherwise as JPEG. Every mail program shows these two."""
    file = BytesIO()
    if image.mode == "RGBA":
        image.save(file, "PNG")
    else:
        image.save(file, "JPEG", quality=JPEG_QUALITY, optimize=True)
    return file.getvalue()


if __name__ == "__main__":
    main()
