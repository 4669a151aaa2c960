#!/usr/bin/env python3
"""Runs everything that `make test` promises, and closes with `N passed, N failed`.

Two steps run side by side, but no two journeys in a browser, which have the same servers; what waits more
than it works runs beside them. What a step says is shown when it has ended. Takes names of steps to run just
these, and one alone speaks as it runs.
A check that has no tests of its own (a linter, say) counts as one, and so does a step whose program is
missing or dies. What could not run, for want of PostgreSQL or of a browser, is named above the closing
line. Exit status: 0 when nothing failed.
"""

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / ".cache" / "reports"
UNAVAILABLE = 69  # EX_UNAVAILABLE, as our scripts say that something is not to be had


@dataclass
class Step:
    """One command; `report` names the JUnit file it writes, when it does."""

    name: str
    command: list[str]
    report: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    waits: bool = False
    """Whether it leaves the processors idle for most of its time."""

    @property
    def is_in_browser(self) -> bool:
        return "playwright" in self.command


@dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0


def venv(program: str) -> str:
    return str(ROOT / ".venv" / "bin" / program)


def pytest(report: str) -> list[str]:
    return [venv("pytest"), "-q", f"--junitxml={REPORTS / report}"]


def end_to_end(report: str) -> dict[str, str]:
    return {"PLAYWRIGHT_JUNIT_OUTPUT_FILE": str(REPORTS / report)}


WITH_POSTGRES = [str(ROOT / "scripts" / "with-postgres")]
PLAYWRIGHT = ["npx", "--no-install", "playwright", "test", "--reporter=list,junit"]
# The journeys that a database has a say in. Each is walked once: how databases differ, the tests below find.
STORED = ["account-links", "members", "newsletter", "profile", "sign-in", "sign-up"]
STORED_FILES = rf"({'|'.join(STORED)})\.spec"
VITEST_REPORT = f"--outputFile.junit={REPORTS / 'vitest.xml'}"

STEPS = [
    Step("ruff", [venv("ruff"), "check", "."]),
    Step("ruff-format", [venv("ruff"), "format", "--check", "."]),
    Step("mypy", [venv("mypy"), "."]),
    Step("import-rules", [venv("lint-imports")]),
    Step("migrations", [venv("python"), "manage.py", "makemigrations", "--check", "--dry-run"]),
    Step("schema", [venv("python"), "-m", "scripts.check_schema"]),
    Step("typescript", ["npm", "run", "--silent", "typecheck"]),
    Step("front-end-lint", ["npm", "run", "--silent", "lint"]),
    Step("front-end-checks", ["npm", "run", "--silent", "check"]),
    Step(
        "vitest",
        ["npx", "--no-install", "vitest", "run", "--reporter=default", "--reporter=junit", VITEST_REPORT],
        "vitest.xml",
    ),
    Step("pytest-sqlite", pytest("sqlite.xml"), "sqlite.xml"),
    Step("pytest-postgres", WITH_POSTGRES + pytest("postgres.xml"), "postgres.xml"),
    Step(
        "faults",
        [*WITH_POSTGRES, *pytest("faults.xml"), "-rs", "-m", "not long", "tests/faults"],
        "faults.xml",
        waits=True,
    ),
    # Each measurement of `make bench` in one short round: that it works, not how fast anything is.
    Step("bench", [venv("python"), "-m", "benchmarks", "--smoke"]),
    Step(
        "e2e-sqlite", [*PLAYWRIGHT, f"e2e/(?!{STORED_FILES})"], "e2e-sqlite.xml", end_to_end("e2e-sqlite.xml")
    ),
    Step(
        "e2e-postgres",
        [*WITH_POSTGRES, *PLAYWRIGHT, f"e2e/{STORED_FILES}"],
        "e2e-postgres.xml",
        end_to_end("e2e-postgres.xml"),
    ),
]


def count(step: Step, status: int) -> Tally:
    """What a finished step adds up to; a runner that died without a report is one failure."""
    if status == UNAVAILABLE:
        return Tally(skipped=1)
    report = REPORTS / step.report
    if not step.report or not report.exists():
        return Tally(passed=int(status == 0), failed=int(status != 0))
    tally = Tally()
    try:
        cases = ET.parse(report).findall(".//testcase")
    except ET.ParseError:  # the runner died while it wrote
        return Tally(failed=1)
    for case in cases:
        outcomes = {child.tag for child in case}
        if outcomes & {"failure", "error"}:
            tally.failed += 1
        elif "skipped" in outcomes:
            tally.skipped += 1
        else:
            tally.passed += 1
    if status and not tally.failed:
        tally.failed = 1
    return tally


def run(step: Step, environment: dict[str, str], *, speaks: bool) -> Tally:
    """Run one step; it `speaks` as it runs, or is shown whole when it ends."""
    if step.report:
        (REPORTS / step.report).unlink(missing_ok=True)
    begun = time.monotonic()
    with tempfile.TemporaryFile() as log:
        status = status_of(step, environment, None if speaks else log)
        log.seek(0)
        said = log.read().decode(errors="replace")
    tally = count(step, status)
    print(
        f"\n=== {step.name}\n{said}"
        f"--- {step.name}: {tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped"
        f" ({time.monotonic() - begun:.0f} s)",
        flush=True,
    )
    return tally


def status_of(step: Step, environment: dict[str, str], log: IO[bytes] | None) -> int:
    """Run a step's command. Takes where it writes to, None for the terminal; returns its exit status."""
    try:
        return subprocess.run(
            step.command,
            cwd=ROOT,
            env=environment | step.environment,
            stdout=log,
            stderr=log and subprocess.STDOUT,
            check=False,
        ).returncode
    except OSError as error:
        print(f"{step.command[0]} cannot be run: {error.strerror}")
        return 1


def run_lane(steps: Iterable[Step], environment: dict[str, str], *, speaks: bool) -> dict[str, Tally]:
    """Run steps one after another; those that need a browser count as skipped when there is none."""
    return {
        step.name: Tally(skipped=1)
        if step.is_in_browser and not environment["CHROMIUM"]
        else run(step, environment, speaks=speaks)
        for step in steps
    }


def taken_from(steps: deque[Step]) -> Iterator[Step]:
    """The steps that nobody else has taken until each is asked for."""
    while steps:
        with suppress(IndexError):  # somebody else took the last one just now
            yield steps.popleft()


def browser(*options: str) -> str | None:
    command = [str(ROOT / "scripts" / "chromium"), *options]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else None


def main(wanted: list[str]) -> int:
    unknown = set(wanted) - {step.name for step in STEPS}
    if unknown:
        print(f"No such step: {', '.join(sorted(unknown))}. There are: {', '.join(s.name for s in STEPS)}")
        return 2
    REPORTS.mkdir(parents=True, exist_ok=True)
    steps = [step for step in STEPS if not wanted or step.name in wanted]
    environment = dict(os.environ)
    if any(step.is_in_browser for step in steps):
        environment |= {"CHROMIUM": browser() or "", "CHROMIUM_SHELL": browser("--shell") or ""}
    journeys = [step for step in steps if step.is_in_browser]
    waiting = [step for step in steps if step.waits]
    others = deque(step for step in steps if step not in journeys + waiting)
    lanes = [chain(journeys, taken_from(others)), taken_from(others), iter(waiting)]
    with ThreadPoolExecutor(len(lanes)) as pool:
        runs = [pool.submit(run_lane, lane, environment, speaks=len(steps) == 1) for lane in lanes]
        try:
            tallies = {name: tally for lane in runs for name, tally in lane.result().items()}
        except KeyboardInterrupt:  # a lane would go on with its next step
            os._exit(130)
    notes: list[str] = []
    total = Tally()
    for step in steps:
        tally = tallies[step.name]
        if tally.failed:
            notes.append(f"FAILED   {step.name}: {tally.failed}")
        if tally.skipped:
            notes.append(f"SKIPPED  {step.name}: {tally.skipped} (its output above says why)")
        total.passed += tally.passed
        total.failed += tally.failed
        total.skipped += tally.skipped
    print("", *notes, sep="\n")
    print(f"{total.passed} passed, {total.failed} failed", flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
