"""gunicorn's settings for a site whose clock can be moved while it runs.

Production's, and in each worker a thread that sets the clock off by the seconds in the file that
MOVING_CLOCK names. Python's clock moves (time-machine), as the system's does when somebody sets it; the
monotonic clock goes on, as it does then too, and so does the database's, which is another machine's.
"""

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from runpy import run_path
from typing import Any

import time_machine

_PRODUCTION = run_path(str(Path(__file__).resolve().parents[2] / "gunicorn.conf.py"))
globals().update(_PRODUCTION)


def post_worker_init(worker: Any) -> None:
    _PRODUCTION["post_worker_init"](worker)
    threading.Thread(target=_follow, args=(Path(os.environ["MOVING_CLOCK"]),), daemon=True).start()


def _follow(file: Path) -> None:
    now = 0
    traveller: Any = None
    while True:
        wanted = int(file.read_text() or now)
        if wanted != now:
            if traveller:
                traveller.stop()
            traveller = time_machine.travel(datetime.now(UTC) + timedelta(seconds=wanted), tick=True)
            traveller.start()
            now = wanted
        time.sleep(0.05)
