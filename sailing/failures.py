"""The last errors, for the operator's page: what failed, where in the code, how often, and when last.

Every process records its own in the database, where all of them are seen together. Of each error that is
logged only names out of our own code are kept (`sailing.models.Failure`).
"""

import logging
import queue
import re
import threading
import traceback
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import F
from django.utils import timezone

from sailing.models import Failure
from sailing.monitoring.logging import event_of
from sailing.privacy.retention import delete_batch

MOST = 200
"""Places that are kept; with more of them, those that have been quiet for longest go."""
KEPT = timedelta(days=30)

MOST_WAITING = 100
"""Errors of one process that wait for the database; more than that are in the log alone."""
RETRY_SECONDS = 5.0
LAST_SECONDS = 2.0
"""How long a process that ends waits for what is still to be recorded."""

LOGGERS = ("", "gunicorn.error")
NOT_OURS = "django.security"
"""Where Django logs what clients do wrong: a refused host is no failure of the site."""

_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")


@dataclass(frozen=True)
class Seen:
    """One error, as much of it as is kept."""

    event: str
    kind: str
    place: str
    request_id: str
    at: datetime


def seen(record: logging.LogRecord) -> Seen:
    """What is kept of a log line. The place is the innermost line of our own code."""
    values: dict[str, Any] = record.msg if isinstance(record.msg, dict) else {}
    request_id = str(values.get("request_id", ""))
    error = record.exc_info[1] if record.exc_info else None
    return Seen(
        event=event_of(record),
        kind=type(error).__name__[:100] if error else "",
        place=(_place_of(error) or _line(record.pathname, record.lineno, record.funcName))[:200],
        request_id=request_id if _REQUEST_ID.fullmatch(request_id) else "",
        at=timezone.now(),
    )


def _place_of(error: BaseException | None) -> str:
    frames = traceback.extract_tb(error.__traceback__) if error else []
    own = [frame for frame in frames if _is_ours(Path(frame.filename))]
    return next((_line(frame.filename, frame.lineno, frame.name) for frame in reversed(own or frames)), "")


def _is_ours(path: Path) -> bool:
    return path.is_relative_to(settings.BASE_DIR) and "site-packages" not in path.parts


def _line(filename: str, number: int | None, function: str | None) -> str:
    path = Path(filename)
    if _is_ours(path):
        shown = path.relative_to(settings.BASE_DIR)
    else:  # a library's: its own name is enough
        shown = Path(filename.rpartition("site-packages/")[2].removeprefix("/"))
    return f"{shown}:{number} {function}"


def record(error: Seen) -> None:
    """Count an error at its place. Raises what the database raises."""
    with transaction.atomic():
        failure, is_new = Failure.objects.get_or_create(
            event=error.event,
            kind=error.kind,
            place=error.place,
            defaults={"first_at": error.at, "last_at": error.at},
        )
        Failure.objects.filter(pk=failure.pk).update(
            times=F("times") + 1, last_at=error.at, request_id=error.request_id
        )
        if is_new:
            quiet = Failure.objects.order_by("-last_at", "-pk").values_list("pk", flat=True)[MOST:]
            Failure.objects.filter(pk__in=list(quiet)).delete()


def purge_expired() -> bool:
    """Delete a batch of failures that have not happened for a month; return whether more are left."""
    return delete_batch(Failure.objects.filter(last_at__lt=timezone.now() - KEPT))


class Recorder(logging.Handler):
    """Records what this process logs as an error, from a thread of its own.

    Whoever logs neither waits for the database nor takes part in its transactions, one of which may
    just have failed.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._waiting: queue.Queue[Seen | None] = queue.Queue(MOST_WAITING)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="failures", daemon=True)
        self._thread.start()
        for name in LOGGERS:
            logging.getLogger(name).addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith(NOT_OURS):
            with suppress(queue.Full):
                self._waiting.put_nowait(seen(record))

    def end(self) -> None:
        """Take nothing more in, and record what waits, if the database takes it at once."""
        for name in LOGGERS:
            logging.getLogger(name).removeHandler(self)
        self._stop.set()
        with suppress(queue.Full):
            self._waiting.put_nowait(None)
        self._thread.join(LAST_SECONDS)

    def _run(self) -> None:
        while error := self._waiting.get():
            while not _recorded(error) and not self._stop.wait(RETRY_SECONDS):
                pass  # the database is away


def _recorded(error: Seen) -> bool:
    try:
        record(error)
    except (DatabaseError, InterfaceError):
        return False
    finally:
        connection.close()  # errors are rare; a connection held for them would be one less for visitors
    return True
