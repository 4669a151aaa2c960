"""Wake the worker of this process, if it has one."""

import threading

from django.db import transaction

woken = threading.Event()


def wake_after_commit() -> None:
    """Wake the worker after the transaction, so that it sees what the transaction stores."""
    transaction.on_commit(woken.set)
