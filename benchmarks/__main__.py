"""Run the benchmarks and report the bars that were missed.

    scripts/with-postgres .venv/bin/python -m benchmarks [--smoke] [--only "page me"]

Exit status: 1 if a bar was missed or a benchmark failed, else 69 if there is no browser.
"""

# ruff: noqa: I001 - Django is set up before models are imported

import argparse
import os
import platform
import sys
import traceback
from collections.abc import Callable

import benchmarks.django_setup  # noqa: F401

from benchmarks import (
    campaign,
    enumeration,
    first_load,
    growth,
    imports,
    load,
    outbox,
    requests,
)
from benchmarks.servers import prepare_database

UNAVAILABLE = 69
"""EX_UNAVAILABLE, which our scripts exit with when a program is missing."""

BENCHMARKS: dict[str, Callable[[bool], list[bool]]] = {
    "page": requests.measure_page,
    "me": requests.measure_me,
    "subscribe": requests.measure_subscribe,
    "sign-in": requests.measure_sign_in,
    "enumeration": enumeration.measure,
    "first-load": first_load.measure,
    "growth": growth.measure,
    "imports": imports.measure,
    "outbox": outbox.measure,
    "campaign": campaign.measure,
    "load": load.measure,
}
"""Each takes whether this is a smoke run, and returns for each bar whether it was met."""


def parse_names(given: str) -> list[str]:
    wanted = given.replace(",", " ").split()
    if unknown := set(wanted) - set(BENCHMARKS):
        raise argparse.ArgumentTypeError(
            f"no such benchmark: {', '.join(sorted(unknown))}. There are: {', '.join(BENCHMARKS)}"
        )
    return wanted


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the site with its peers.")
    parser.add_argument("--smoke", action="store_true", help="one short round each, without bars")
    parser.add_argument("--only", type=parse_names, default=[], help="names of benchmarks")
    given = parser.parse_args()
    print(
        f"{os.cpu_count()} cores at load {os.getloadavg()[0]:.1f}, {platform.system()},"
        f" Python {platform.python_version()}"
    )
    prepare_database(os.environ["DATABASE_URL"])
    wrong, skipped = [], []
    for name in given.only or BENCHMARKS:
        print(f"\n=== {name}", flush=True)
        try:
            if not all(BENCHMARKS[name](given.smoke)) and not given.smoke:
                wrong.append(f"MISSED   {name}")
        except first_load.NoBrowser:
            skipped.append(f"SKIPPED  {name}: there is no Chromium")
        except Exception:  # noqa: BLE001 - the others still run
            traceback.print_exc()
            wrong.append(f"FAILED   {name}")
    print(
        "", *(wrong + skipped or ["Every benchmark ran." if given.smoke else "Every bar was met."]), sep="\n"
    )
    return 1 if wrong else UNAVAILABLE if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
