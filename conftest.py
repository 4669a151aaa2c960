"""Fixtures that every backend test gets."""

import gc
import json
import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from unittest import mock

import pytest
from django.conf import settings as configured
from django.contrib.contenttypes.models import ContentType
from django.db import connection, connections
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import Settings
from structlog.stdlib import ProcessorFormatter
from time_machine import TimeMachineFixture

from accounts.hashers import Argon2idHasher
from sailing import database
from sailing.mail import sender
from sailing.mail.models import Installation
from sailing.settings import LANGUAGES
from sailing.web.pages import frontend, views
from tests.mail_server import MailServer

database.limit_sessions()  # as in the processes that serve

# No test fails because the machine is slow.
hypothesis_settings.register_profile(
    "tests", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
hypothesis_settings.load_profile("tests")


def pytest_collection_finish() -> None:
    """Spare the garbage collector what has been imported by now: it would look at it again and again."""
    gc.freeze()


class FastHasher(Argon2idHasher):
    """Hashes with 8 KiB of memory instead of 19 MiB: under 1 ms instead of 30 ms."""

    memory_cost = 8


configured.PASSWORD_HASHERS = ["conftest.FastHasher"]


@pytest.fixture(scope="session", autouse=True)
def _fast_flush() -> Iterator[None]:
    """Leave the tables empty after a test with transactions, but for the salt of mailboxes.

    Django would create all permissions and groups again, which takes longer than most tests. pytest-django
    runs tests with transactions last, and `migrate` still creates them.
    """

    def restore(*args: object, **options: object) -> None:
        ContentType.objects.clear_cache()
        Installation.objects.create(salt="salt")

    with mock.patch("django.core.management.commands.flush.emit_post_migrate_signal", side_effect=restore):
        yield


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a manifest and pages like `npm run build`, so that backend tests need no build.

    All tests share them; a test that changes them works on a copy.
    """
    folder = tmp_path_factory.mktemp("built")
    (folder / "static").mkdir()
    part = {"js": ["/static/app/one.0123456789abcdef.js"], "css": ["/static/app/one.0123456789abcdef.css"]}
    entries = [*frontend.list_routes(), frontend.get_not_found_route()]
    names = [name for entry in entries for name in (f"page-{entry.page}", *entry.chunks)]
    for language, _name in LANGUAGES:
        catalogues = {"public"}.union(*(entry.catalogues for entry in entries))
        names += [f"messages-{language}-{name}" for name in catalogues]
        for entry in entries:
            launch = frontend.get_message(language, "launch.year").replace("{year}", "@LAUNCH_YEAR@")
            marks = " ".join(f"@{name}@" for name in views.PRERENDERED_SETTINGS)
            variants = ("", *(f".{path[1:]}" for path in entry.help_paths))
            for variant in variants:
                page = folder / "pages" / language / f"{entry.page}{variant}.html"
                page.parent.mkdir(parents=True, exist_ok=True)
                page.write_text(f"<h1>{entry.page}{variant}</h1><p>{launch}.</p>© {marks}", encoding="utf-8")
    manifest = {
        "entrypoints": dict.fromkeys(("deferHydration", "main", "documents", "pasteMarkdown"), part),
        "chunks": {name: {"js": [f"/static/app/{name}.0123456789abcdef.js"], "css": []} for name in names},
        "fonts": ["/static/app/latin.0123456789abcdef.woff2"],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _bundle(settings: Settings, build: Path) -> Iterator[None]:
    """Let Django serve the pages of `build`, with empty caches."""
    # WhiteNoise lists STATIC_ROOT for each test client: this one is empty.
    settings.BUNDLE_DIR, settings.STATIC_ROOT = build, build / "static"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    frontend.parse_manifest.cache_clear()
    views.render_once.cache_clear()
    yield
    frontend.parse_manifest.cache_clear()
    views.render_once.cache_clear()


@pytest.fixture(autouse=True)
def _independent_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "outage", None)  # of an earlier test
    monkeypatch.setattr(sender, "ROUND_SECONDS", 0.001)  # that jobs and mails leave to other processes
    # Tests move the time of claims too, which PostgreSQL's clock would not follow.
    monkeypatch.setattr(database.Now, "as_postgresql", database.Now.as_sqlite)


@pytest.fixture
def frozen_clock(time_machine: TimeMachineFixture) -> None:
    """Stop the clock at noon, until the test moves it with `time_machine`."""
    time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)


@pytest.fixture
def shared_database(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """Use a database that threads share like processes do.

    PostgreSQL's test database is one. SQLite's in-memory database locks differently from a file, so its
    content moves to a file during the test.
    """
    if connection.vendor != "sqlite":
        yield
        return
    in_memory = connections["default"]
    config = in_memory.settings_dict
    file = tmp_path / "database.sqlite3"
    with in_memory.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(file)])
    name = config["NAME"]
    config["NAME"] = str(file)
    del connections["default"]
    connections["default"].ensure_connection()  # switches the file to WAL before other threads connect
    try:
        yield
    finally:
        connections["default"].close()
        config["NAME"] = name
        connections["default"] = in_memory


@pytest.fixture
def server(settings: Settings) -> Iterator[MailServer]:
    """Start a mail server and let the site send to it."""
    found = MailServer()
    found.open()
    settings.EMAIL_BACKEND = "sailing.mail.transport.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", found.port
    yield found
    found.close()


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Return the formatted log."""
    root = logging.getLogger()
    ours = next(h for h in root.handlers if isinstance(h.formatter, ProcessorFormatter))
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(ours.formatter)
    root.addHandler(handler)
    yield written
    root.removeHandler(handler)
