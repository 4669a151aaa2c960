"""The pages that Django renders use classes of the app's CSS modules."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STYLES = (ROOT / "frontend/src/styles/documents.css").read_text()
PATHS = ["static/accounts/password.js", "accounts/forms.py"]
SOURCES = [*(ROOT / "templates").rglob("*.html"), *(ROOT / path for path in PATHS)]


@pytest.mark.parametrize("module", re.findall(r"ui/(\w+)\.module\.css", STYLES))
def test_each_class_of_a_module_exists(module: str) -> None:
    classes = re.findall(r"\.(\w+)", (ROOT / f"frontend/src/ui/{module}.module.css").read_text())
    used = {name for path in SOURCES for name in re.findall(rf"\b{module}-(\w+)", path.read_text())}
    assert used
    assert used <= set(classes)
