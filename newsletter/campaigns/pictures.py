"""The library of pictures for campaigns."""

import os
import re
import secrets
import subprocess
import sys
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import picture_file
from newsletter.campaigns.models import Campaign, Picture
from newsletter.campaigns.picture_file import Status

MAX_FILE_SIZE = 10_000_000
"""Bytes of an uploaded file."""

TIMEOUT_SECONDS = 25.0
"""For a picture, with the wait for others."""

INHERITED_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "TMPDIR", "LANG")
"""Of the process that reads the file, which may be hostile: without the site's secrets."""

MARKUP = re.compile(r"[\\`*_\[\]{}<>~&]")

FILE_TOO_LARGE = _("The file is larger than 10 MB. Make the picture smaller and try again.")
TOOK_TOO_LONG = _("The picture could not be prepared in time. Please try again in a moment.")
DAMAGED = _(
    "The picture is damaged or incomplete. Open it in a picture program, save it as JPEG and try again."
)
REFUSALS: dict[int, Any] = {
    Status.TOO_LARGE: _(
        "The picture has too many pixels: at most 40 million, 20 million if it is transparent, 10 million as"
        " WebP. Make it smaller and try again."
    ),
    Status.OTHER_FORMAT: _(
        "This is not a picture that can be used, whatever its name says. Choose a JPEG, PNG, WebP or GIF;"
        " email programs do not show SVG."
    ),
    Status.ANIMATED: _(
        "The picture is animated. Choose a still one: many email programs show the first frame only."
    ),
}


def encode(file: UploadedFile) -> dict[str, Any]:
    """Return the columns of the picture that is made from a file. Raises ValidationError."""
    if (file.size or 0) > MAX_FILE_SIZE:
        raise ValidationError(FILE_TOO_LARGE)
    try:
        process = subprocess.run(  # noqa: S603 - no part of the command is input
            [sys.executable, "-m", picture_file.__name__],
            cwd=settings.BASE_DIR,
            env={name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ},
            input=file.read(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ValidationError(TOOK_TOO_LONG) from None
    if process.returncode:
        raise ValidationError(REFUSALS.get(process.returncode, DAMAGED))
    head, _newline, content = process.stdout.partition(b"\n")
    extension, width, height = head.decode().split()
    return {
        "name": f"{secrets.token_hex(12)}.{extension}",
        "content": content,
        "width": int(width),
        "height": int(height),
    }


def find_campaigns(picture: Picture) -> list[Campaign]:
    """Return the campaigns that show a picture, the newest first."""
    return list(Campaign.objects.filter(texts__body__contains=picture.name).distinct())


def describe_markdown(picture: Picture) -> dict[str, Any]:
    """Return the parts of the Markdown that shows a picture: its alt texts, and what follows them."""
    texts = {language: picture.get_alt_text(language) for language, _name in settings.LANGUAGES}
    return {
        "alt": {language: MARKUP.sub(r"\\\g<0>", text) for language, text in texts.items()},
        "after": f"](media:{picture.name})",
    }
