"""The pages that Django renders use classes of the app's CSS modules."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STYLES = (ROOT / "frontend/src/styles/documents.css").read_text()
PATHS = ["static/accounts/password.js", "accounts/forms.py", "newsletter/forms.py"]
SOURCES = [*(ROOT / "templates").rglob("*.html"), *(ROOT / path for path in PATHS)]


@pytest.mark.parametrize("path", re.findall(r"\.\./(.+)\.module\.css", STYLES))
def test_each_class_of_a_module_exists(path: str) -> None:
    classes = re.findall(r"\.(\w+)", (ROOT / f"frontend/src/{path}.module.css").read_text())
    module = Path(path).name
    used = {name for source in SOURCES for name in re.findall(rf"\b{module}-(\w+)", source.read_text())}
    assert used
    assert used <= set(classes)
