"""Settings of an empty Django project with WhiteNoise, which serves the site's collected files."""

from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
SECRET_KEY = "only for this measurement, of an empty project"
ALLOWED_HOSTS = ["127.0.0.1"]
DEBUG = False

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "benchmarks.empty_site"
urlpatterns: list[object] = []
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"


BIND, PORT, WEB_CONCURRENCY, TRUSTED_PROXY_COUNT, EMBEDDED_WORKER = "127.0.0.1", 8000, 2, 0, False
"""Settings that gunicorn.conf.py reads."""
