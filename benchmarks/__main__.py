"""Run the benchmarks, each in its own process, and report the bars that were missed.

    .venv/bin/python -m benchmarks [--smoke] [--only page,me]

Exit status: 1 if a bar was missed or a benchmark failed, 69 if some could not run because PostgreSQL or a
browser is missing, and nothing else is wrong.
"""

import argparse
import subprocess
import sys

from benchmarks import comparison
from tests.processes import PYTHON_PROGRAMS, ROOT

PYTHON = [str(PYTHON_PROGRAMS / "python"), "-m"]
WITH_POSTGRES = [str(ROOT / "scripts" / "with-postgres")]
UNAVAILABLE = 69
"""EX_UNAVAILABLE, which our scripts exit with when a program is missing."""

BENCHMARKS = {
    "page": [*PYTHON, "benchmarks.page"],
    "me": [*WITH_POSTGRES, *PYTHON, "benchmarks.me"],
    "subscribe": [*WITH_POSTGRES, *PYTHON, "benchmarks.subscribe"],
    "sign-in": [*WITH_POSTGRES, *PYTHON, "benchmarks.sign_in"],
    "static-file": [*PYTHON, "benchmarks.static_file"],
    "first-load": [*PYTHON, "benchmarks.first_load"],
    "growth": [*WITH_POSTGRES, *PYTHON, "benchmarks.growth"],
    "imports": [*WITH_POSTGRES, *PYTHON, "benchmarks.imports"],
    "make-run": [*PYTHON, "benchmarks.make_run"],
}


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
    print(comparison.describe_machine(), flush=True)
    notes = []
    for name in given.only or BENCHMARKS:
        print(f"\n=== {name}", flush=True)
        command = BENCHMARKS[name] + (["--smoke"] if given.smoke else [])
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        if status == UNAVAILABLE:
            notes.append(f"SKIPPED  {name} (its output above says why)")
        elif status:
            notes.append(f"{'FAILED' if given.smoke else 'MISSED or failed'}  {name}")
    print("", *(notes or ["Every bar was met." if not given.smoke else "Every benchmark ran."]), sep="\n")
    if any(not note.startswith("SKIPPED") for note in notes):
        return 1
    return UNAVAILABLE if notes else 0


if __name__ == "__main__":
    sys.exit(main())
