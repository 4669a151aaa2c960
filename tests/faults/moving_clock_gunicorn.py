"""gunicorn settings for a site whose clock can be moved while it runs.

Each worker follows the offset in seconds in the file named by MOVING_CLOCK. Only Python's wall clock moves
(time-machine), not the monotonic clock or the database's.
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
