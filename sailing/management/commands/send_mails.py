"""`manage.py send_mails`: the sender of the outbox, and the deletion of expired data, as a process."""

import signal
from typing import Any

import structlog
from django.core.management.base import BaseCommand

from sailing import failures
from sailing.email import sender
from sailing.privacy import retention

ENDS = {signal.SIGTERM, signal.SIGINT}

logger = structlog.get_logger(__name__)


class Command(BaseCommand):
    """Sends mails until it is told to end; the mail that is under way then goes out first."""

    help = "Send what comes into the outbox, until SIGTERM or SIGINT."

    def handle(self, *args: Any, **options: Any) -> None:
        # Waited for, not handled: a handler would run in the middle of whatever the thread of the signal
        # is doing. The threads, which begin after this, are never interrupted.
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
        recorder = failures.Recorder()
        mails = sender.OutboxThread()
        purger = retention.SideThread()
        logger.info("outbox_started")
        signal.sigwait(ENDS)
        purger.stop()
        mails.shutdown()
        purger.shutdown()
        recorder.end()
        logger.info("outbox_ended")
