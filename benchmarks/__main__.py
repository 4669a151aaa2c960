"""Run the benchmarks and report the bars that were missed.

    scripts/with-postgres .venv/bin/python -m benchmarks [--smoke] [--only "page me"]

Exit status: 1 if a bar was missed or a benchmark failed, else 69 (EX_UNAVAILABLE) if there is no browser.
"""

import argparse
import os
import platform
import sys
import traceback
from collections.abc import Callable

import django

import tests.environment  # noqa: F401 - before Django reads its settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")
django.setup()

from benchmarks import first_load, growth, imports, load, requests, sending  # noqa: E402
from benchmarks.report import Report  # noqa: E402
from benchmarks.servers import LOG  # noqa: E402
from tests.processes import manage  # noqa: E402

BENCHMARKS: dict[str, Callable[[Report], None]] = {
    "page": requests.measure_page,
    "me": requests.measure_me,
    "subscribe": requests.measure_subscribe,
    "sign-in": requests.measure_sign_in,
    "corpus": requests.measure_corpus,
    "enumeration": requests.measure_enumeration,
    "first-load": first_load.measure,
    "growth": growth.measure,
    "imports": imports.measure,
    "outbox": sending.measure_outbox,
    "campaign": sending.measure_campaign,
    "load": load.measure,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the site with its peers.")
    parser.add_argument("--smoke", action="store_true", help="one short round each, without bars")
    parser.add_argument("--only", type=str.split, help=f"some of: {' '.join(BENCHMARKS)}")
    given = parser.parse_args()
    names = given.only or list(BENCHMARKS)
    if unknown := set(names) - set(BENCHMARKS):
        parser.error(f"no such benchmark: {', '.join(unknown)}. There are: {', '.join(BENCHMARKS)}")
    print(f"{os.cpu_count()} cores at load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}")
    LOG.parent.mkdir(exist_ok=True)
    LOG.unlink(missing_ok=True)
    manage("migrate", "--noinput")
    wrong, skipped = [], []
    for name in names:
        print(f"\n=== {name}", flush=True)
        report = Report(is_smoke=given.smoke)
        try:
            BENCHMARKS[name](report)
            if not report.is_met and not given.smoke:
                wrong.append(f"MISSED   {name}")
        except first_load.NoBrowser:
            skipped.append(f"SKIPPED  {name}: there is no Chromium")
        except Exception:  # noqa: BLE001 - the others still run
            traceback.print_exc()
            wrong.append(f"FAILED   {name}")
    print(
        "", *(wrong + skipped or ["Every benchmark ran." if given.smoke else "Every bar was met."]), sep="\n"
    )
    return 1 if wrong else os.EX_UNAVAILABLE if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
