"""`manage.py worker`: a process that sends mails and runs background jobs."""

import signal
from typing import Any

import structlog
from django.core.management.base import BaseCommand

from sailing import database
from sailing.operations.worker import Worker

SHUTDOWN_SIGNALS = {signal.SIGTERM, signal.SIGINT}

logger = structlog.get_logger(__name__)


class Command(BaseCommand):
    help = "Send mails and run background jobs until SIGTERM or SIGINT."

    def handle(self, *args: Any, **options: Any) -> None:
        # Blocked before the threads start, which inherit it, so that no signal interrupts them.
        signal.pthread_sigmask(signal.SIG_BLOCK, SHUTDOWN_SIGNALS)
        database.limit_sessions()
        worker = Worker()
        logger.info("worker_started")
        signal.sigwait(SHUTDOWN_SIGNALS)
        worker.shutdown()
        logger.info("worker_ended")
