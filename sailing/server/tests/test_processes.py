"""The processes of the Procfile: which of them does the background work, and how it stops."""

import runpy
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest
from django.db import connection
from pytest_django import Settings

from sailing.jobs.models import Job, JobState
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.outbox import enqueue
from sailing.mail.sender import DRAIN_SECONDS, JOIN_SECONDS
from tests.processes import ROOT, running, wait_for, wait_until

WORKER = (sys.executable, "manage.py", "worker")


def database_url() -> str:
    """Return the URL of the test database."""
    config = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{config['NAME']}"
    host = connection.get_connection_params()["host"]
    return f"postgres://{config['USER']}@/{config['NAME']}?host={host}"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_worker_sends_mails_purges_expired_data_and_stops_on_a_signal(tmp_path: Path) -> None:
    changes = {"DATABASE_URL": database_url(), "EMAIL_URL": f"filemail:///{tmp_path / 'mails'}"}
    with running(*WORKER, **changes) as worker:
        wait_for(worker, "worker_started")
        context = {"unsubscribe_url": "x"}
        enqueue("newsletter/already_subscribed", to="a@example.org", language="en", context=context)
        wait_until(lambda: OutboxEmail.objects.get().state == MailState.SENT, "the mail is sent")
        wait_until(Job.objects.filter(state=JobState.DONE).exists, "retention has run")
        worker.send_signal(signal.SIGTERM)
        wait_for(worker, "worker_ended")
        assert worker.wait(30) == 0
    (mail,) = (tmp_path / "mails").iterdir()
    assert "To: a@example.org" in mail.read_text(encoding="utf-8")


@pytest.mark.parametrize("is_embedded", [True, False])
def test_web_process_watches_the_queues_and_does_the_background_work_if_it_is_embedded(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, is_embedded: bool
) -> None:
    settings.EMBEDDED_WORKER = is_embedded
    monitor, *work = threads = [mock.Mock(), mock.Mock(), mock.Mock()]
    for name, thread in zip(("BackgroundThread", "JobThread", "MailThread"), threads, strict=True):
        monkeypatch.setattr(f"sailing.operations.worker.{name}", thread)
    configuration = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    web_process = SimpleNamespace()
    configuration["post_worker_init"](web_process)
    configuration["worker_exit"](None, web_process)
    for thread in threads:
        assert thread.return_value.shutdown.called is (is_embedded or thread is monitor)
    assert all(thread.called is is_embedded for thread in work)


def test_worker_that_waits_for_its_mails_is_not_killed() -> None:
    """What it has not recorded would be sent again."""
    configuration = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    assert configuration["timeout"] > configuration["graceful_timeout"] > JOIN_SECONDS > DRAIN_SECONDS
