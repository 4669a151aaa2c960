"""The library of pictures for campaigns."""

import hashlib
import json
import re
import subprocess
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import picture_file
from newsletter.campaigns.models import Campaign, Picture
from newsletter.campaigns.picture_file import LOCK_SECONDS, Encoded, Status
from sailing import limited_process

MAX_FILE_SIZE = 10_000_000
"""Bytes of an uploaded file."""

ENCODING_SECONDS = 20.0
"""Without the wait for another picture."""
HASH_DIGITS = 24
"""Of a name: 96 bits."""

MARKUP = re.compile(r"[\\`*_\[\]{}<>~&]")

FILE_TOO_LARGE = _("The file is larger than 10 MB. Make the picture smaller and try again.")
DAMAGED = _(
    "The picture is damaged or incomplete, or too large to be read. Open it in a picture program, save it as"
    " JPEG and try again."
)
REFUSALS: dict[int, str | Promise] = {
    Status.TOO_LARGE: _(
        "The picture has too many pixels: at most 40 million, or 10 million as WebP. Make it smaller and try"
        " again."
    ),
    Status.OTHER_FORMAT: _(
        "This is not a picture that can be used, whatever its name says. Choose a JPEG, PNG, WebP or GIF;"
        " email programs do not show SVG."
    ),
    Status.ANIMATED: _(
        "The picture is animated. Choose a still one: many email programs show the first frame only."
    ),
    Status.BUSY: _("Another picture is being prepared right now. Please try again in a moment."),
}


SITE_PICTURES = {
    "hero-sailors": _("Three white-sailed racing yachts heeling on a bright blue morning"),
    "course-racing": _("Three racing yachts with colorful gennakers near an orange mark"),
    "boat-crew": _("Five people in the cockpit of a white yacht, sailing along a green island coast"),
    "boat-sailboat-7": _("Sailing yacht heeling under full sail at golden dawn, low sun beside the sails"),
    "boat-catamaran-1": _("White sailing catamaran under sail in turquoise water"),
    "boat-catamaran-2": _("Catamaran at anchor in a mountain bay on a pastel evening, cabin lights on"),
    "boat-sailboat-2": _("Classic navy-blue wooden yacht with cream sails at sunset"),
    "boat-sailboat-4": _("Small white sailboat on a calm lake between wooded hills"),
    "boat-sailboat-6": _("Yacht with reefed sails heeling under dark storm clouds"),
    "course-basics": _("Three training dinghies with white, yellow and blue sails on a calm bay"),
    "course-navigation": _("Brass compass and dividers on a nautical chart, sea at sunrise behind"),
    "course-docking": _("Yacht moored to a wooden dock, line made fast on a cleat, coiled rope in front"),
    "course-anchor": _("White yacht lying to her anchor chain in a turquoise bay below green mountains"),
    "course-night": _("Yacht sailing by moonlight, her cabin and navigation lights on"),
    "hero-companies": _("Charter yachts moored at a dock at blue hour, cabin lights mirrored in still water"),
    "boat-motoryacht-1": _("White flybridge motor yacht under way in morning light"),
    "cargo-ship": _("Blue cargo ship with containers and two cranes under way at sunrise"),
}
"""The pictures of the site that campaigns may show, with their alt texts.

The site has them as WebP and AVIF, which Outlook on Windows does not show.
"""


class PictureRefused(Exception):
    """The picture cannot be added or deleted. The message tells the admin why."""

    def __init__(self, message: str | Promise) -> None:
        super().__init__(message)
        self.message = message


def add_picture(*, content: bytes, file_name: str, alt_texts: Mapping[str, str]) -> Picture:
    """Store the picture that is made from a file, or return the one that is the same.

    `alt_texts`: what it shows, by language. Raises PictureRefused.
    """
    if len(content) > MAX_FILE_SIZE:
        raise PictureRefused(FILE_TOO_LARGE)
    encoded = _encode(content)
    picture, is_new = Picture.objects.get_or_create(
        name=f"{hashlib.sha256(encoded.content).hexdigest()[:HASH_DIGITS]}.{encoded.extension}",
        defaults={
            "file_name": file_name[-255:],
            "content": encoded.content,
            "thumbnail": encoded.thumbnail,
            "width": encoded.width,
            "height": encoded.height,
            **_get_columns(alt_texts),
        },
    )
    if not is_new:  # it has been added before; what was said now counts
        columns = {name: text for name, text in _get_columns(alt_texts).items() if text}
        Picture.objects.filter(pk=picture.pk).update(**columns)
        picture.refresh_from_db()
    return picture


def add_site_picture(name: str) -> Picture:
    """Store a picture of the site as JPEG, with its alt texts. Raises KeyError for an unknown name."""
    alt_text = SITE_PICTURES[name]
    alt_texts = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            alt_texts[language] = str(alt_text)
    return Picture.objects.filter(file_name=name).first() or add_picture(
        content=Path(
            str(finders.find(f"media/{name}.webp") or finders.find(f"media/{name}.jpg"))
        ).read_bytes(),
        file_name=name,
        alt_texts=alt_texts,
    )


def delete_picture(*, picture: Picture) -> None:
    """Delete a picture that no campaign shows. Raises PictureRefused."""
    require_unused(picture)
    picture.delete()


def require_unused(picture: Picture) -> None:
    """Raise PictureRefused if a campaign shows a picture. Sent mails load it for ever."""
    if campaigns := find_campaigns(picture):
        message = ngettext(
            "The picture cannot be deleted, because a campaign shows it: %(names)s.",
            "The picture cannot be deleted, because campaigns show it: %(names)s.",
            len(campaigns),
        )
        names = ", ".join(gettext("“%(name)s”") % {"name": each.name} for each in campaigns)
        raise PictureRefused(message % {"names": names})


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


def _get_columns(alt_texts: Mapping[str, str]) -> dict[str, str]:
    return {f"alt_text_{language}": text for language, text in alt_texts.items()}


def _encode(content: bytes) -> Encoded:
    """Return what is made from a file. Raises PictureRefused."""
    with limited_process.start(
        picture_file.__name__, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            result, _errors = process.communicate(content, LOCK_SECONDS + ENCODING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise PictureRefused(DAMAGED) from None
    if process.returncode != Status.DONE:
        raise PictureRefused(REFUSALS.get(process.returncode, DAMAGED))
    values = json.loads(result)
    for name in ("content", "thumbnail"):
        values[name] = b64decode(values[name])
    return Encoded(**values)
