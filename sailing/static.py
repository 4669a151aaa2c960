"""Static files with a hash in their names, so that browsers may keep them for ever."""

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage


class BundleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashes and compresses what Django's apps and `static/` bring; webpack's files have their hash."""

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        if name.startswith("app/"):
            return name
        return str(super().hashed_name(name, content, filename))
