"""The storage of static files, which WhiteNoise's middleware serves."""

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage


class BundleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hash and compress the files of Django's apps and `static/`; webpack has hashed its own."""

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        if name.startswith("app/"):
            return name
        return str(super().hashed_name(name, content, filename))
