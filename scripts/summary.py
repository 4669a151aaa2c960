#!/usr/bin/env python3
"""Add up the results that scripts/record stored for the given checks, and end with `N passed, N failed`.

A check counts the tests of its JUnit report, or one. Exit status 69: it could not run. Exits 1 on a failure.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

REPORTS = Path(".cache/reports")
UNAVAILABLE = 69


def count(check: str) -> tuple[int, int, int]:
    """Return how many tests of a check passed, failed and were skipped."""
    try:
        status = int((REPORTS / f"{check}.status").read_text())
    except FileNotFoundError:  # its set-up failed
        return 0, 1, 0
    if status == UNAVAILABLE:
        return 0, 0, 1
    try:
        report = ET.parse(REPORTS / f"{check}.xml")
    except (FileNotFoundError, ET.ParseError):  # no report, or the test runner died
        return int(status == 0), int(status != 0), 0
    cases = [{child.tag for child in case} for case in report.iter("testcase")]
    failed = sum(bool(results & {"failure", "error"}) for results in cases)
    skipped = sum("skipped" in results for results in cases)
    return len(cases) - failed - skipped, failed or int(status != 0), skipped


results = {check: count(check) for check in sys.argv[1:]}
for check, (_passed, failed, skipped) in results.items():
    if failed:
        print(f"FAILED   {check}: {failed}")
    if skipped:
        print(f"SKIPPED  {check}: {skipped}")
passed, failed, _skipped = (sum(column) for column in zip(*results.values(), strict=True))
print(f"{passed} passed, {failed} failed", flush=True)
sys.exit(failed > 0)
