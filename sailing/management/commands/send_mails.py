"""`manage.py send_mails`: a process that sends the outbox and deletes expired data."""

import signal
from typing import Any

import structlog
from django.core.management.base import BaseCommand

from sailing import retention
from sailing.email import sender

SHUTDOWN_SIGNALS = {signal.SIGTERM, signal.SIGINT}

logger = structlog.get_logger(__name__)


class Command(BaseCommand):
    """Send mails until a signal; the mail in progress is still sent."""

    help = "Send the mails of the outbox until SIGTERM or SIGINT."

    def handle(self, *args: Any, **options: Any) -> None:
        # Blocked before the threads start, which inherit it, so that no signal interrupts them.
        signal.pthread_sigmask(signal.SIG_BLOCK, SHUTDOWN_SIGNALS)
        outbox_thread = sender.OutboxThread()
        retention_thread = retention.RetentionThread()
        logger.info("outbox_started")
        signal.sigwait(SHUTDOWN_SIGNALS)
        retention_thread.stop()
        outbox_thread.shutdown()
        retention_thread.shutdown()
        logger.info("outbox_ended")
