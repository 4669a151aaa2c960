"""The last lines of `make test` (scripts/summary.py)."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT

REPORT = """<testsuites><testsuite>
<testcase/><testcase/><testcase><skipped/></testcase>{}
</testsuite></testsuites>"""
FAILURES = "<testcase><failure/></testcase><testcase><error/></testcase>"


@pytest.mark.parametrize(
    ("status", "report", "lines"),
    [
        ("0", None, ["1 passed, 0 failed"]),
        ("1", None, ["FAILED   check: 1", "0 passed, 1 failed"]),
        ("1", REPORT.format(FAILURES), ["FAILED   check: 2", "SKIPPED  check: 1", "2 passed, 2 failed"]),
        ("1", REPORT.format(""), ["FAILED   check: 1", "SKIPPED  check: 1", "2 passed, 1 failed"]),
        ("139", "<testsuites>", ["FAILED   check: 1", "0 passed, 1 failed"]),
        ("69", None, ["SKIPPED  check: 1", "0 passed, 0 failed"]),
        (None, None, ["FAILED   check: 1", "0 passed, 1 failed"]),
    ],
)
def test_summary_counts_the_results_of_a_check(
    status: str | None, report: str | None, lines: list[str], tmp_path: Path
) -> None:
    reports = tmp_path / ".cache" / "reports"
    reports.mkdir(parents=True)
    if status:
        (reports / "check.status").write_text(status)
    if report:
        (reports / "check.xml").write_text(report)
    summary = subprocess.run(
        [sys.executable, ROOT / "scripts" / "summary.py", "check"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert summary.stdout.splitlines() == lines
    assert (summary.returncode == 0) == lines[-1].endswith(" 0 failed")
