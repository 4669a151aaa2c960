"""Compile every gettext catalogue, without GNU gettext. Run by `make run` and by builds on a host."""

import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def compile_all(root: Path) -> list[Path]:
    """Write a .mo file beside each .po file under `root`; return the written files."""
    written = []
    for source in sorted(root.glob("*/locale/*/LC_MESSAGES/*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parent.parent.name)
        target = source.with_suffix(".mo")
        with target.open("wb") as file:
            write_mo(file, catalogue)
        written.append(target)
    return written


if __name__ == "__main__":
    if not compile_all(Path(__file__).resolve().parent.parent):
        sys.exit("There are no catalogues to compile.")
