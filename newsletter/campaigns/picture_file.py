"""Make a picture for mails from an uploaded file, as a process of its own with limits.

    python -m newsletter.campaigns.picture_file < SOURCE > RESULT

The result is JSON with the fields of `Encoded`. It has the pixels of the source and nothing else of it: no
place where a photograph was taken, and no script behind it. The exit status tells why there is none.
"""

import fcntl
import json
import sys
from base64 import b64encode
from dataclasses import asdict, dataclass
from enum import IntEnum
from io import BytesIO
from math import ceil, sqrt
from time import monotonic, sleep
from typing import IO

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from sailing.limited_process import limit_resources

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
MAX_PIXELS = 40_000_000
MAX_ENCODED_SIZE = 1_000_000
"""Bytes."""

SIZE = (1200, 2400)
"""Width and height at most, in pixels: twice the width of a mail, for dense screens."""

THUMBNAIL_SIZE = (360, 270)
JPEG_QUALITY = 82

MAX_MEMORY = 320 * 1024 * 1024
"""Bytes of address space. Enough for a JPEG or a PNG of MAX_PIXELS, and for a WebP of 16 megapixels."""

MAX_CPU_SECONDS = 20
LOCK_SECONDS = 8.0
LOCK_PAUSE_SECONDS = 0.05
STRIP_HEIGHT = 128


class Status(IntEnum):
    DONE = 0
    TOO_LARGE = 3
    OTHER_FORMAT = 4
    ANIMATED = 5
    DAMAGED = 6
    BUSY = 7


class Refused(Exception):
    """The file is not used. Its argument is the status."""


@dataclass
class Encoded:
    """A picture, and a small copy of it. `extension` is that of both, `width` and `height` are pixels."""

    content: bytes
    thumbnail: bytes
    extension: str
    width: int
    height: int


def main() -> Status:
    """Encode the picture in the standard input; return the exit status."""
    limit_resources(memory=MAX_MEMORY, cpu_seconds=MAX_CPU_SECONDS, file_size=0)
    with open(__file__, "rb") as file:
        try:
            wait_for_lock(file)
            encoded = encode(sys.stdin.buffer.read())
        except Refused as refusal:
            return Status(refusal.args[0])
        except MemoryError:
            return Status.TOO_LARGE
        except Exception:  # noqa: BLE001 - decoders raise nearly anything
            return Status.DAMAGED
    json.dump(asdict(encoded), sys.stdout, default=lambda value: b64encode(value).decode())
    return Status.DONE


def wait_for_lock(file: IO[bytes]) -> None:
    """Wait until no other picture is encoded on this machine. Raises Refused after LOCK_SECONDS."""
    ends_at = monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if monotonic() >= ends_at:
                raise Refused(Status.BUSY) from None
            sleep(LOCK_PAUSE_SECONDS)


def encode(source: bytes) -> Encoded:
    """Return a picture of at most SIZE and MAX_ENCODED_SIZE. Raises Refused, or nearly anything."""
    image = shrink(open_picture(source))
    if image.mode == "RGBA" and image.getchannel("A").getextrema()[0] == 255:
        image = image.convert("RGB")
    content = save(image)
    while len(content) > MAX_ENCODED_SIZE:
        scale = 0.95 * sqrt(MAX_ENCODED_SIZE / len(content))
        image = image.resize((ceil(scale * image.width), ceil(scale * image.height)))
        content = save(image)
    thumbnail = image.copy()
    thumbnail.thumbnail(THUMBNAIL_SIZE)
    extension = "png" if image.mode == "RGBA" else "jpg"
    return Encoded(content, save(thumbnail), extension, image.width, image.height)


def open_picture(source: bytes) -> Image.Image:
    """Open a file by its content, whatever its name was. Nothing is decoded yet."""
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    try:
        image = Image.open(BytesIO(source), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Refused(Status.TOO_LARGE) from None
    except UnidentifiedImageError:
        raise Refused(Status.OTHER_FORMAT) from None
    if image.width * image.height > MAX_PIXELS:
        raise Refused(Status.TOO_LARGE)
    # A JPEG of several pictures (MPO) is what phones store beside a photograph, such as its depth.
    if image.format != "MPO" and getattr(image, "is_animated", False):
        raise Refused(Status.ANIMATED)
    return image


def shrink(image: Image.Image) -> Image.Image:
    """Decode a picture; return it upright, in RGB or RGBA, of at most SIZE, and without metadata."""
    scale = min(1, SIZE[0] / image.width, SIZE[1] / image.height)
    # At twice the size at least. A JPEG is decoded like this, which takes less memory.
    image.draft("RGB", (ceil(2 * scale * image.width), ceil(2 * scale * image.height)))
    image.load()
    info = dict(image.info)
    mode = "RGBA" if image.has_transparency_data else "CMYK" if image.mode == "CMYK" else "RGB"
    factor = max(1, image.width // (2 * SIZE[0]), image.height // (2 * SIZE[1]))
    small = Image.new(mode, (ceil(image.width / factor), ceil(image.height / factor)))
    # In strips: a whole copy in another mode would need as much memory again.
    for top in range(0, image.height, STRIP_HEIGHT * factor):
        bottom = min(image.height, top + STRIP_HEIGHT * factor)
        strip = image.crop((0, top, image.width, bottom))
        if strip.mode.startswith("I"):  # 16 bits
            strip = strip.point(lambda value: value * (1 / 256)).convert("L")
        small.paste(strip.convert(mode).reduce(factor), (0, top // factor))
    small = to_srgb(small, info.get("icc_profile"))
    small.info = {"exif": info["exif"]} if "exif" in info else {}
    small = ImageOps.exif_transpose(small)
    small.thumbnail(SIZE, Image.Resampling.LANCZOS)
    small.info = {}
    return small


def to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Return a picture with the colors that mail programs expect. Phones store more of them."""
    mode = "RGBA" if image.mode == "RGBA" else "RGB"
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            srgb = ImageCms.createProfile("sRGB")
            converted = ImageCms.profileToProfile(image, source, srgb, outputMode=mode)
            return converted or image
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
    sys.exit(main())
