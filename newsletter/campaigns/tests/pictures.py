"""Files of pictures for tests, made by Pillow."""

from io import BytesIO
from typing import Any

from PIL import Image

GREEN = (0, 128, 0)


def make_file(
    file_format: str = "JPEG",
    *,
    size: tuple[int, int] = (640, 480),
    mode: str = "RGB",
    color: Any = GREEN,
    **options: Any,
) -> bytes:
    """Return the file of a picture of one color."""
    return save(Image.new(mode, size, color), file_format, **options)


def save(image: Image.Image, file_format: str, **options: Any) -> bytes:
    file = BytesIO()
    image.save(file, file_format, **options)
    return file.getvalue()


def read(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image
