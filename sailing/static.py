"""Static files with a hash in their names, so that browsers may keep them as long as HTTP knows."""

from typing import Any

from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise, for which a file with a hash in its name is good for a year (RFC 9111 section 4.2.1)."""

    FOREVER = 365 * 24 * 3600  # seconds


class BundleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashes and compresses what Django's apps and `static/` bring; webpack's files have their hash."""

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        if name.startswith("app/"):
            return name
        return str(super().hashed_name(name, content, filename))
