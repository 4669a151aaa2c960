"""The background worker of a process: one thread that sends mails, and one that runs jobs."""

from sailing.jobs.runner import JobThread
from sailing.mail.sender import MailThread


class Worker:
    """A running worker, beside a web process or in `manage.py worker`."""

    def __init__(self) -> None:
        """Start the threads."""
        self._threads = (JobThread(), MailThread())

    def stop(self) -> None:
        """Start no further mail, job or step, without waiting for those under way."""
        for thread in self._threads:
            thread.stop()

    def shutdown(self) -> None:
        """Stop, and wait for the mails and the step under way."""
        self.stop()
        for thread in self._threads:
            thread.shutdown()
