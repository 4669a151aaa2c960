"""The processes of the Procfile: who sends the mails, and how the sender ends."""

import runpy
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from post_office.models import STATUS, Email
from pytest_django import Settings

from sailing.email.outbox import enqueue
from sailing.models import RetentionRun
from tests.processes import ROOT, running, wait_for

SEND_MAILS = (sys.executable, "manage.py", "send_mails")


class Part:
    """Stands for what runs beside a worker."""

    def __init__(self) -> None:
        self.ended = False

    def stop(self) -> None:
        """Told to stop; nothing has ended yet."""

    def shutdown(self) -> None:
        self.ended = True

    end = shutdown


def database_url() -> str:
    """The address of the database that this test uses."""
    config = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{config['NAME']}"
    return f"postgres://{config['USER']}@/{config['NAME']}?host={config['OPTIONS']['host']}"


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for something that another process brings about."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_worker_sends_mails_deletes_expired_data_and_ends_when_told(
    tmp_path: Path, told: signal.Signals
) -> None:
    changes = {"DATABASE_URL": database_url(), "EMAIL_URL": f"filemail:///{tmp_path / 'mails'}"}
    with running(*SEND_MAILS, **changes) as worker:
        wait_for(worker, "outbox_started")
        enqueue(
            "newsletter/already_aboard", to="a@example.org", language="en", context={"unsubscribe_url": "x"}
        )
        until(lambda: Email.objects.get().status == STATUS.sent)
        until(RetentionRun.objects.exists)
        worker.send_signal(told)
        wait_for(worker, "outbox_ended")
        assert worker.wait(10) == 0
    (mail,) = (tmp_path / "mails").iterdir()
    assert "To: a@example.org" in mail.read_text(encoding="utf-8")


@pytest.mark.parametrize("has_thread", [True, False])
def test_web_process_sends_mails_and_deletes_expired_data_unless_a_worker_does(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, has_thread: bool
) -> None:
    settings.OUTBOX_THREAD = has_thread
    monkeypatch.setattr("sailing.email.sender.OutboxThread", Part)
    monkeypatch.setattr("sailing.privacy.retention.SideThread", Part)
    monkeypatch.setattr("sailing.failures.Recorder", Part)
    configuration = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    worker: Any = SimpleNamespace()
    configuration["post_worker_init"](worker)
    assert len(worker.background_threads) == 2 * has_thread
    configuration["worker_exit"](None, worker)
    assert all(part.ended for part in (worker.recorder, *worker.background_threads))
