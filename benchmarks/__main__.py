"""Runs the measurements, each in a process of its own, and says which bars were missed.

    .venv/bin/python -m benchmarks [--smoke] [--only page,me]

Exit status: 1 when a bar was missed or a measurement failed, 69 when nothing else is wrong than that some
could not run, for want of PostgreSQL or of a browser. They are named.
"""

import argparse
import subprocess
import sys

from benchmarks import pairs
from benchmarks.servers import PROGRAMS, ROOT

PYTHON = [str(PROGRAMS / "python"), "-m"]
WITH_POSTGRES = [str(ROOT / "scripts" / "with-postgres")]
UNAVAILABLE = 69  # EX_UNAVAILABLE, as our scripts say that something is not to be had

MEASUREMENTS = {
    "page": [*PYTHON, "benchmarks.page"],
    "me": [*WITH_POSTGRES, *PYTHON, "benchmarks.me"],
    "subscribe": [*WITH_POSTGRES, *PYTHON, "benchmarks.subscribe"],
    "sign-in": [*WITH_POSTGRES, *PYTHON, "benchmarks.sign_in"],
    "static-file": [*PYTHON, "benchmarks.static_file"],
    "javascript": ["node", "frontend/tools/bench/weigh-alone.js"],
    "first-load": [*PYTHON, "benchmarks.first_load"],
    "growth": [*WITH_POSTGRES, *PYTHON, "benchmarks.growth"],
    "make-run": [*PYTHON, "benchmarks.make_run"],
}


def names(given: str) -> list[str]:
    wanted = given.replace(",", " ").split()
    if unknown := set(wanted) - set(MEASUREMENTS):
        raise argparse.ArgumentTypeError(
            f"no such measurement: {', '.join(sorted(unknown))}. There are: {', '.join(MEASUREMENTS)}"
        )
    return wanted


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the site against its peers.")
    parser.add_argument("--smoke", action="store_true", help="one short round each, no bars")
    parser.add_argument("--only", type=names, default=[], help="names of measurements")
    given = parser.parse_args()
    print(pairs.machine(), flush=True)
    notes = []
    for name in given.only or MEASUREMENTS:
        print(f"\n=== {name}", flush=True)
        command = MEASUREMENTS[name] + (["--smoke"] if given.smoke else [])
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        if status == UNAVAILABLE:
            notes.append(f"SKIPPED  {name} (its output above says why)")
        elif status:
            notes.append(f"{'FAILED' if given.smoke else 'MISSED or failed'}  {name}")
    print("", *(notes or ["Every bar was kept." if not given.smoke else "Every measurement ran."]), sep="\n")
    if any(not note.startswith("SKIPPED") for note in notes):
        return 1
    return UNAVAILABLE if notes else 0


if __name__ == "__main__":
    sys.exit(main())
