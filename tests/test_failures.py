"""The last errors, for the operator: what our code logs as one is counted at its place."""

import logging
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.db import OperationalError, transaction
from django.test import Client
from django.utils import timezone
from time_machine import TimeMachineFixture

from sailing import failures
from sailing.models import Failure

logger = structlog.get_logger(__name__)


class Lines(logging.Handler):
    """Keeps log lines as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(record)


@pytest.fixture
def lines() -> Iterator[list[logging.LogRecord]]:
    handler = Lines()
    logging.getLogger().addHandler(handler)
    yield handler.kept
    logging.getLogger().removeHandler(handler)


def fail(name: str) -> None:
    raise ValueError(f"{name} is no number")


class TestWhatIsKept:
    def test_of_an_error_its_kind_its_place_and_its_request(self, lines: list[logging.LogRecord]) -> None:
        with structlog.contextvars.bound_contextvars(request_id="0a1b-2c"):
            try:
                fail("jana@example.org")
            except ValueError:
                logger.exception("resolver_failed", email="jana@example.org")
        seen = failures.seen(lines[-1])
        line = fail.__code__.co_firstlineno + 1
        assert (seen.event, seen.kind, seen.request_id) == ("resolver_failed", "ValueError", "0a1b-2c")
        assert seen.place == f"tests/test_failures.py:{line} fail"
        assert "jana" not in repr(seen)

    def test_also_of_an_error_that_is_handed_on(self, lines: list[logging.LogRecord]) -> None:
        logger.error("database_failed", exc_info=OperationalError("away"))
        assert failures.seen(lines[-1]).kind == "OperationalError"

    def test_a_place_is_ours_when_a_library_failed_for_us(self, lines: list[logging.LogRecord]) -> None:
        try:
            Path("/nowhere/at/all").read_text(encoding="utf-8")
        except OSError:
            logger.exception("resolver_failed")
        assert failures.seen(lines[-1]).place.startswith("tests/test_failures.py:")

    def test_of_a_line_without_an_error_the_line_that_logged_it(self, lines: list[logging.LogRecord]) -> None:
        logger.error("bundle_missing")
        seen = failures.seen(lines[-1])
        assert (seen.event, seen.kind) == ("bundle_missing", "")
        assert seen.place.startswith("tests/test_failures.py:")

    def test_of_a_sentence_with_values_in_it_only_who_said_it(self, lines: list[logging.LogRecord]) -> None:
        logging.getLogger("some.library").error("Cannot send to %s: jana@example.org", "petr@example.org")
        logger.error("Cannot send to jana@example.org")
        assert [failures.seen(line).event for line in lines] == ["some.library", "tests.test_failures"]

    def test_no_request_id_that_is_none(self, lines: list[logging.LogRecord]) -> None:
        logger.error("resolver_failed", request_id="jana@example.org")
        assert failures.seen(lines[-1]).request_id == ""


def seen(event: str = "resolver_failed", *, place: str = "a.py:1 f", request_id: str = "") -> failures.Seen:
    return failures.Seen(event, "ValueError", place, request_id, timezone.now())


@pytest.mark.django_db
class TestCounting:
    def test_the_same_at_the_same_place_is_counted_and_not_listed_again(
        self, time_machine: TimeMachineFixture
    ) -> None:
        time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)
        failures.record(seen(request_id="one"))
        time_machine.shift(timedelta(hours=1))
        failures.record(seen(request_id="two"))
        failures.record(seen(place="b.py:1 f"))
        failure = Failure.objects.get(place="a.py:1 f")
        assert (failure.times, failure.request_id) == (2, "two")
        assert failure.last_at - failure.first_at == timedelta(hours=1)
        assert Failure.objects.count() == 2

    def test_those_quiet_for_longest_go_when_there_are_too_many(
        self, time_machine: TimeMachineFixture
    ) -> None:
        time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)
        for number in range(failures.MOST + 3):
            failures.record(seen(place=f"a.py:{number} f"))
            time_machine.shift(timedelta(seconds=1))
        kept = Failure.objects.order_by("last_at")
        assert kept.count() == failures.MOST
        assert kept[0].place == "a.py:3 f"

    def test_what_has_not_happened_for_a_month_is_forgotten(self, time_machine: TimeMachineFixture) -> None:
        time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)
        failures.record(seen())
        time_machine.shift(failures.KEPT)
        failures.record(seen(place="b.py:1 f"))
        time_machine.shift(timedelta(seconds=1))
        assert not failures.purge_expired()
        assert [failure.place for failure in Failure.objects.all()] == ["b.py:1 f"]


class TestRecorder:
    """What a process does beside its work."""

    @pytest.fixture
    def recorded(self, monkeypatch: pytest.MonkeyPatch) -> list[failures.Seen]:
        found: list[failures.Seen] = []
        monkeypatch.setattr(failures, "record", found.append)
        return found

    def test_it_records_errors_of_every_logger_and_nothing_less(self, recorded: list[failures.Seen]) -> None:
        recorder = failures.Recorder()
        logger.error("resolver_failed")
        logger.warning("mail_not_sent")
        logging.getLogger("gunicorn.error").error("Error handling request")
        recorder.end()
        logger.error("too_late")
        assert [error.event for error in recorded] == ["resolver_failed", "gunicorn.error"]

    def test_what_clients_do_wrong_is_no_failure_of_ours(self, recorded: list[failures.Seen]) -> None:
        recorder = failures.Recorder()
        assert Client(headers={"Host": "evil.example"}).get("/").status_code == 400
        recorder.end()
        assert recorded == []

    def test_it_waits_for_a_database_that_is_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tries: list[failures.Seen] = []
        done = threading.Event()

        def record(error: failures.Seen) -> None:
            tries.append(error)
            if len(tries) < 3:
                raise OperationalError
            done.set()

        monkeypatch.setattr(failures, "record", record)
        monkeypatch.setattr(failures, "RETRY_SECONDS", 0)
        recorder = failures.Recorder()
        logger.error("database_failed")
        assert done.wait(10)
        recorder.end()
        assert [error.event for error in tries] == ["database_failed"] * 3

    def test_a_flood_waits_for_no_one_and_takes_no_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        stuck = threading.Event()
        monkeypatch.setattr(failures, "record", lambda _error: stuck.wait(10))
        recorder = failures.Recorder()
        for _ in range(failures.MOST_WAITING * 2):
            logger.error("resolver_failed")
        assert recorder._waiting.qsize() <= failures.MOST_WAITING
        stuck.set()
        recorder.end()

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.usefixtures("shared_database")
    def test_what_is_recorded_stays_when_the_transaction_that_failed_does_not(self) -> None:
        recorder = failures.Recorder()
        with suppress(ValueError), transaction.atomic():
            Failure.objects.create(event="rolled_back", first_at=timezone.now(), last_at=timezone.now())
            try:
                fail("jana")
            except ValueError:
                logger.exception("resolver_failed")
                raise
        recorder.end()
        assert [failure.event for failure in Failure.objects.all()] == ["resolver_failed"]


def test_places_are_told_from_the_root_of_the_project() -> None:
    own: Any = settings.BASE_DIR / "newsletter" / "services.py"
    library = "/app/.heroku/python/lib/python3.11/site-packages/post_office/mail.py"
    assert failures._line(str(own), 12, "subscribe") == "newsletter/services.py:12 subscribe"
    assert failures._line(library, 5, "send") == "post_office/mail.py:5 send"
