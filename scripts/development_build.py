"""Settings for the browser test of the development build, which has a directory of its own."""

from sailing.settings import *  # noqa: F403
from sailing.settings import BASE_DIR

BUNDLE_DIR = BASE_DIR / ".cache" / "development"
STATICFILES_DIRS = [BASE_DIR / "static", ("app", BUNDLE_DIR / "app")]
