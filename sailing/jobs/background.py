"""Background threads of a process."""

import threading
from collections.abc import Callable

LONGEST_BACKOFF_SECONDS = 30.0


class Backoff:
    """The pause of a thread's loop: doubled by each further failure, up to `LONGEST_BACKOFF_SECONDS`."""

    def __init__(self, seconds: float) -> None:
        self._first = self._next = self.seconds = seconds

    def record(self, *, failed: bool) -> None:
        """Set the pause after a failure or a success."""
        self.seconds = self._next if failed else self._first
        self._next = min(2 * self.seconds, LONGEST_BACKOFF_SECONDS) if failed else self._first


class BackgroundThread:
    """A daemon thread that runs a loop until the event that `run` gets is set."""

    def __init__(self, name: str, run: Callable[[threading.Event], None], *, join_seconds: float) -> None:
        self._stop = threading.Event()
        self._join_seconds = join_seconds
        self._thread = threading.Thread(target=run, args=(self._stop,), name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread to stop, without waiting for it."""
        self._stop.set()

    def shutdown(self) -> None:
        """Stop the thread and wait up to `join_seconds` for the work in progress."""
        self.stop()
        self._thread.join(self._join_seconds)
