"""Files that are recognized, read, or refused with a reason."""

import io
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest
from structlog.testing import capture_logs

from sailing.spreadsheets import MAX_COLUMNS, UnreadableFile, reading, workbook_to_csv
from sailing.spreadsheets.reading import (
    MAX_ROW_LENGTH,
    MAX_WORKBOOK_SIZE,
    FileFormat,
    convert_workbook,
    describe_workbook_limits,
    detect_format,
    is_workbook,
    read_rows,
)
from sailing.spreadsheets.tests.workbooks import sheet, workbook

MEGABYTE = 1_000_000
FIRST_ROW = "<row r='1'><c r='A1'><v>1</v></c></row>"
FILES = Path(__file__).parent / "files"


@contextmanager
def convert(content: bytes) -> Iterator[tuple[BinaryIO, FileFormat]]:
    with convert_workbook(io.BytesIO(content)) as conversion:
        while conversion.is_running():
            pass
        rows, file_format = conversion.open_rows()
        with rows:
            yield rows, file_format


def read(content: bytes) -> list[list[str]]:
    file = io.BytesIO(content)
    if is_workbook(file):
        with convert(content) as (rows, file_format):
            return list(read_rows(rows, file_format))
    return list(read_rows(file, detect_format(file)))


def refuse(content: bytes) -> str:
    """Return the reason why a file is refused."""
    with pytest.raises(UnreadableFile) as refusal:
        read(content)
    return str(refusal.value)


def run_with(folder: Path, content: bytes, **limits: int) -> int:
    """Return the exit status of a conversion with other limits."""
    source = folder / "workbook"
    source.write_bytes(content)
    program = (
        "import sys; from sailing.spreadsheets import workbook_to_csv as converter;"
        f"vars(converter).update({limits}); sys.exit(converter.main(*sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, str(source), str(folder / "rows.csv")]
    return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode


class TestCsv:
    TABLE = [["email", "jméno"], ["žofie@example.cz", "Žofie Ščučí"]]

    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1250"])
    def test_every_encoding_delimiter_and_line_end_is_recognised(self, encoding: str, delimiter: str) -> None:
        for line_end in ("\n", "\r\n", "\r"):
            text = "".join(delimiter.join(row) + line_end for row in self.TABLE)
            assert read(text.encode(encoding)) == self.TABLE

    def test_letter_of_windows_1250_far_behind_the_start_is_found(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(reading, "PART_SIZE", reading.HEAD_SIZE)
        content = b"email\n" + b"person@example.com\n" * 5000 + "Žofie".encode("cp1250")
        assert len(content) > reading.HEAD_SIZE
        assert read(content)[-1] == ["Žofie"]

    def test_delimiters_in_quotes_do_not_count(self) -> None:
        assert read(b'"a,b,c";"d"\n1;2\n') == [["a,b,c", "d"], ["1", "2"]]

    def test_delimiters_in_a_title_above_the_header_do_not_count(self) -> None:
        for title in ("Crew, board and guests;", "a,b,c"):
            rows = read(f"{title}\nEmail;Name\njana@example.com;Jana\n".encode())
            assert rows[1:] == [["Email", "Name"], ["jana@example.com", "Jana"]]

    def test_delimiters_in_a_cell_of_some_rows_do_not_count(self) -> None:
        assert read(b"email,tags\na@example.com,x;y;z\n")[1] == ["a@example.com", "x;y;z"]

    def test_hint_for_excel_is_not_a_row(self) -> None:
        assert read(b"sep=;\r\na,b;c\r\n") == [["a,b", "c"]]

    def test_blank_rows_are_skipped(self) -> None:
        assert read(b"\n,\na,b\n\n , \n1,2\n\n") == [["a", "b"], ["1", "2"]]

    def test_line_breaks_in_quotes_belong_to_the_cell(self) -> None:
        assert read(b'a,b\n"1\n2",3\n') == [["a", "b"], ["1\n2", "3"]]

    def test_rows_are_counted(self) -> None:
        for content, rows in ((b"a\n1\n2\n", 2), (b"a\n1\n2", 2), (b"a\r1\r2\r", 2), (b"a\n", 0)):
            assert detect_format(io.BytesIO(content)).row_count == rows

    def test_file_stays_open_for_its_owner(self) -> None:
        file = io.BytesIO(b"a\n1\n")
        list(read_rows(file, detect_format(file)))
        assert not file.closed


NOT_A_TABLE = "This is not a table but a PDF, a web page or another kind of file, or it is damaged."


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "The file is empty."),
        (b"\xef\xbb\xbf\n,,\n", "The file is empty."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This workbook is damaged, protected by a password"),
        (b"%PDF-1.7 ...", NOT_A_TABLE),
        (b"<html><table><tr><td>a@example.com", NOT_A_TABLE),
        (b"a,b\n1,\x00\n", NOT_A_TABLE),
        (b"\xff\xfe\x00\x00a\x00\x00\x00", NOT_A_TABLE),
        (b"\xff\xfea", NOT_A_TABLE),
        (b"a,b\n\x81\x83,1\n", NOT_A_TABLE),
        (b"PK\x03\x04" + b"x" * 100, "This workbook is damaged, protected by a password"),
        (b'a,b\n1,"2\n3,4\n', "Row 2 has a quotation mark that is never closed."),
        (b'a,b\n1,"' + b"2\n" * MAX_ROW_LENGTH, "Row 2 is too long"),
        (b"a,b\n" + b"x" * (MAX_ROW_LENGTH + 1), "Row 2 is too long"),
        (b"a" + b",a" * MAX_COLUMNS, "The file has more than 100 columns."),
    ],
)
def test_unreadable_file_is_refused_with_a_reason(content: bytes, reason: str) -> None:
    assert refuse(content).startswith(reason)


class TestWorkbook:
    TABLE = [["Email", "User type"], ["jana@example.org", "sailor"]]

    def test_every_kind_is_read(self) -> None:
        assert read(workbook(self.TABLE)) == self.TABLE
        for name in ("list.xls", "list.ods"):
            assert read((FILES / name).read_bytes()) == self.TABLE, name

    def test_every_kind_of_cell_is_read_as_text(self) -> None:
        cells = {
            "><v>12.5</v>": "12.5",
            "><v>1234567890123</v>": "1234567890123",
            ' t="b"><v>1</v>': "true",
            ' t="str"><f>A1</f><v>text</v>': "text",
            ' t="inlineStr"><is><t> in</t><r><t>line </t></r></is>': "inline",
            ' t="inlineStr"><is><t>=1+1</t></is>': "=1+1",
            ' t="inlineStr"><is><t>\'=1+1</t></is>': "'=1+1",
            ' t="d"><v>2026-03-29T01:30:00</v>': "2026-03-29 01:30:00",
        }
        row = "".join(f'<c r="{letter}1"{cell}</c>' for letter, cell in zip("ABCDEFGH", cells, strict=True))
        assert read(sheet(f"<row>{row}</row>")) == [list(cells.values())]

    def test_cells_say_nothing_about_the_format(self) -> None:
        table = [["<table>; crew; guests", ""], ["Email", "User type"]]
        assert read(workbook(table)) == table

    def test_rows_are_counted(self) -> None:
        with convert(workbook([["a"], ["1"], ["2"]])) as (_rows, file_format):
            assert file_format.row_count == 2

    @pytest.mark.parametrize("path", sorted(FILES.glob("*.xlsx")), ids=lambda path: path.stem)
    def test_workbooks_of_other_writers_are_read(self, path: Path) -> None:
        """Other names of the parts, other namespaces, ZIP64, and a sheet formatted to its last row."""
        header, *rows = read(path.read_bytes())
        assert header == ["Email", "User type", "Language", "Active"]
        assert rows[0] == ["jana@example.org", "sailor", "cs", "yes"]

    def test_first_visible_sheet_is_read(self) -> None:
        assert read((FILES / "sheets/hidden-and-visible.xlsx").read_bytes()) == [["second"]]
        no_sheet = (FILES / "sheets/hidden-and-very-hidden.xlsx").read_bytes()
        assert refuse(no_sheet) == "The workbook has no visible sheet."

    def test_damaged_workbook_is_refused(self) -> None:
        for content in (workbook(self.TABLE)[:-30], sheet('<row><c t="s"><v>-1</v></c></row>')):
            assert refuse(content).startswith("This workbook is damaged, protected by a password")

    @pytest.mark.parametrize(
        ("row", "count"),
        [
            (f"{FIRST_ROW}<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>", 1),  # 17 billion cells
            (f'<row><c t="inlineStr"><is><t>{"a" * 9000}</t></is></c></row>', 50_000),  # 450 MB
        ],
        ids=["far-cell", "unpacks-to-gigabytes"],
    )
    def test_workbook_that_needs_too_much_memory_is_refused(self, row: str, count: int) -> None:
        content = sheet(row, count)
        assert len(content) < 5 * MEGABYTE
        assert refuse(content) == describe_workbook_limits()

    def test_memory_is_limited_even_if_nothing_else_is(self, tmp_path: Path) -> None:
        last_row = "<row r='1048576'><c r='CV1048576'><v>1</v></c></row>"  # so there are 100 million cells
        status = run_with(tmp_path, sheet(FIRST_ROW + last_row), MAX_CPU_SECONDS=3600)
        assert status < 0 or status == workbook_to_csv.Status.TOO_LARGE

    def test_number_of_rows_is_limited(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(workbook_to_csv, "MAX_ROWS", 2)
        for rows, status in ((3, workbook_to_csv.Status.DONE), (4, workbook_to_csv.Status.TOO_LARGE)):
            source = tmp_path / f"{rows}.xlsx"
            source.write_bytes(workbook([["a"]] * rows))
            assert workbook_to_csv.convert(str(source), str(tmp_path / "rows.csv")) == status

    def test_process_that_takes_too_long_is_ended(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "CONVERSION_SECONDS", 0.0)
        assert refuse(workbook(self.TABLE)) == describe_workbook_limits()

    def test_size_of_the_file_is_limited(self) -> None:
        assert refuse(b"PK\x03\x04" + b"x" * MAX_WORKBOOK_SIZE) == describe_workbook_limits()

    def test_conversion_does_not_know_the_secrets_of_the_site(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        program = tmp_path / "python"
        program.write_text('#!/bin/sh\nenv > "$4"\n', encoding="utf-8")
        program.chmod(0o700)
        monkeypatch.setattr("sys.executable", str(program))
        monkeypatch.setenv("SECRET_KEY", "s3cr3t")
        monkeypatch.setenv("LANG", "C.UTF-8")
        reading.Conversion(tmp_path / "workbook", tmp_path / "variables").process.wait()
        variables = (tmp_path / "variables").read_text(encoding="utf-8")
        assert "LANG=C.UTF-8" in variables
        assert "s3cr3t" not in variables

    def test_disk_that_is_full_is_no_damage(self, tmp_path: Path) -> None:
        (tmp_path / "workbook").write_bytes(workbook(self.TABLE))
        conversion = reading.Conversion(tmp_path / "workbook", Path("/dev/full"))
        while conversion.is_running():
            pass
        with pytest.raises(OSError, match="cannot be stored"):
            conversion.open_rows()

    def test_size_of_the_rows_is_limited(self, tmp_path: Path) -> None:
        status = run_with(tmp_path, workbook(self.TABLE), MAX_CSV_SIZE=10)
        assert status == workbook_to_csv.Status.TOO_LARGE

    def test_missing_temporary_folder_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        content = workbook(self.TABLE)
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
        with capture_logs() as logs:
            assert refuse(content).startswith("The server cannot store temporary files")
        assert [line["event"] for line in logs] == ["temporary_file_failed"]


@pytest.mark.parametrize("content", [b"a\n" + b"x" * (9 * MEGABYTE), b'a\n"' + b'x\n","' * (2 * MEGABYTE)])
def test_endless_line_or_row_is_not_read_into_memory(content: bytes) -> None:
    file = io.BytesIO(content)
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableFile, match="Row 2 is too long"):
            list(read_rows(file, FileFormat("utf-8", ",", 1)))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5 * MEGABYTE


def test_rows_of_a_large_file_are_read_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PART_SIZE", 65_536)
    file = io.BytesIO(b"email,user_type\n" + b"a@example.com,sailor\n" * 6000)
    tracemalloc.start()
    try:
        count = sum(1 for _row in read_rows(file, detect_format(file)))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 6001
    assert peak < 8 * reading.PART_SIZE
