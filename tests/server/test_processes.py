"""The processes of the Procfile: which of them sends mails, and how the sender stops."""

import runpy
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from sailing.email.outbox import enqueue
from sailing.models import MailState, OutboxEmail, RetentionRun
from tests.processes import ROOT, running, wait_for, wait_until

SEND_MAILS = (sys.executable, "manage.py", "send_mails")


class StubThread:
    """A background thread that records its shutdown."""

    def __init__(self) -> None:
        self.is_shut_down = False

    def stop(self) -> None:
        """Do nothing."""

    def shutdown(self) -> None:
        self.is_shut_down = True


def database_url() -> str:
    """Return the URL of the test database."""
    config = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{config['NAME']}"
    return f"postgres://{config['USER']}@/{config['NAME']}?host={config['OPTIONS']['host']}"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_worker_sends_mails_purges_expired_data_and_stops_on_a_signal(
    tmp_path: Path, signal_number: signal.Signals
) -> None:
    changes = {"DATABASE_URL": database_url(), "EMAIL_URL": f"filemail:///{tmp_path / 'mails'}"}
    with running(*SEND_MAILS, **changes) as worker:
        wait_for(worker, "outbox_started")
        enqueue(
            "newsletter/already_aboard", to="a@example.org", language="en", context={"unsubscribe_url": "x"}
        )
        wait_until(lambda: OutboxEmail.objects.get().state == MailState.SENT, "the mail is sent")
        wait_until(RetentionRun.objects.exists, "retention has run")
        worker.send_signal(signal_number)
        wait_for(worker, "outbox_ended")
        assert worker.wait(10) == 0
    (mail,) = (tmp_path / "mails").iterdir()
    assert "To: a@example.org" in mail.read_text(encoding="utf-8")


@pytest.mark.parametrize("has_thread", [True, False])
def test_web_process_runs_background_threads_unless_a_worker_does(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, has_thread: bool
) -> None:
    settings.OUTBOX_THREAD = has_thread
    monkeypatch.setattr("sailing.email.sender.OutboxThread", StubThread)
    monkeypatch.setattr("sailing.retention.RetentionThread", StubThread)
    configuration = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    worker: Any = SimpleNamespace()
    configuration["post_worker_init"](worker)
    assert len(worker.background_threads) == 2 * has_thread
    configuration["worker_exit"](None, worker)
    assert all(part.is_shut_down for part in worker.background_threads)
