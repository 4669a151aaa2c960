"""docs/security.md names a test for each guard, and each test that it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUARDS = (
    "Browser",
    "GraphQL",
    "Members",
    "Subscribers",
    "How long personal data is kept",
    "Passwords and logs",
)
PYTHON_TESTS = {path.name: path for path in ROOT.glob("*/tests/test_*.py")} | {
    path.name: path for path in ROOT.glob("tests/**/test_*.py")
}


def rows() -> list[list[str]]:
    """The cells of each guard's row."""
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    tables = [section for section in sections if section.startswith(GUARDS)]
    assert len(tables) == len(GUARDS)
    lines = [line for table in tables for line in table.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return [row for row in cells if row[0] not in ("what", "---")]


def test_each_guard_has_its_test() -> None:
    assert len(rows()) > 45
    for row in rows():
        assert len(row) == 4, row
        assert re.search(r"`[^`]*(test|make faults|frontend)[^`]*`", row[3]), row


def test_each_test_that_is_named_is_there() -> None:
    for row in rows():
        for named in re.findall(r"`([\w./-]+\.(?:py|tsx?))`", row[3]):
            if "/" in named:
                assert (ROOT / named).exists(), named
            elif named.endswith(".py"):
                assert named in PYTHON_TESTS, named
            else:
                assert list((ROOT / "frontend" / "src").glob(f"**/{named}")), named


def test_each_place_that_is_named_is_there() -> None:
    for row in rows():
        for named in re.findall(r"`([\w./-]+/[\w./-]+)`", row[2]):
            assert (ROOT / named).exists(), named
