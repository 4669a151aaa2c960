"""Files that are recognised, read, or refused with a reason."""

import io
import tempfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from sailing.spreadsheets import MAX_COLUMNS, UnreadableFile, reading, xlsx_reading
from sailing.spreadsheets.reading import MAX_ROW_LENGTH, FileFormat, detect_format, read_rows
from tests.spreadsheets.workbooks import SHEET, large_workbook, workbook

MEGABYTE = 1_000_000


def read(content: bytes) -> list[list[str]]:
    file = io.BytesIO(content)
    return list(read_rows(file, detect_format(file)))


def refuse(content: bytes) -> str:
    """Return the reason why a file is refused."""
    with pytest.raises(UnreadableFile) as refusal:
        read(content)
    return str(refusal.value)


class TestCsv:
    TABLE = [["email", "jméno"], ["žofie@example.cz", "Žofie Ščučí"]]

    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    @pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1250"])
    def test_every_encoding_and_delimiter_is_recognised(
        self, encoding: str, line_end: str, delimiter: str
    ) -> None:
        text = "".join(delimiter.join(row) + line_end for row in self.TABLE)
        assert read(text.encode(encoding)) == self.TABLE

    def test_letter_of_windows_1250_far_behind_the_start_is_found(self) -> None:
        rows = ["email", *(f"person{number}@example.com" for number in range(100_000)), "Žofie"]
        assert read("\n".join(rows).encode("cp1250"))[-1] == ["Žofie"]

    def test_delimiters_in_quotes_do_not_count(self) -> None:
        assert read(b'"a,b,c";"d"\n1;2\n') == [["a,b,c", "d"], ["1", "2"]]

    def test_hint_for_excel_is_not_a_row(self) -> None:
        assert read(b"sep=;\r\na,b;c\r\n") == [["a,b", "c"]]

    def test_blank_rows_are_skipped(self) -> None:
        assert read(b"\n,\na,b\n\n , \n1,2\n\n") == [["a", "b"], ["1", "2"]]

    def test_line_breaks_in_quotes_belong_to_the_cell(self) -> None:
        assert read(b'a,b\n"1\n2",3\n') == [["a", "b"], ["1\n2", "3"]]

    @pytest.mark.parametrize(
        ("content", "rows"), [(b"a\n1\n2\n", 2), (b"a\n1\n2", 2), (b"a\r1\r2\r", 2), (b"a\n", 0)]
    )
    def test_rows_are_counted(self, content: bytes, rows: int) -> None:
        assert detect_format(io.BytesIO(content)).row_count == rows

    def test_file_stays_open_for_its_owner(self) -> None:
        file = io.BytesIO(b"a\n1\n")
        list(read_rows(file, detect_format(file)))
        assert not file.closed


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "The file is empty."),
        (b" \r\n\t\n", "The file is empty."),
        (b"\xef\xbb\xbf\n,,\n", "The file is empty."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This file is in the old Excel format (.xls)"),
        (b"%PDF-1.7 ...", "This is a PDF"),
        (b"<html><table><tr><td>a@example.com", "This is a web page or a document"),
        (b"{\\rtf1 a}", "This is a web page or a document"),
        (b'[{"email": "a@example.com"}]', "This is a JSON file."),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "This is not a text file"),
        (b"a,b\n1,\x00\n", "This is not a text file"),
        (b"\xff\xfe\x00\x00a\x00\x00\x00", "This is not a text file"),
        (b"\xff\xfea", "The characters in this file cannot be read."),
        (b"a,b\n\x81\x83,1\n", "The characters in this file cannot be read."),
        (b"PK\x03\x04" + b"x" * 100, "The workbook is damaged."),
        (b'a,b\n1,"2\n3,4\n', "Row 2 has a quotation mark that is never closed."),
        (b'a,b\n1,"' + b"2\n" * MAX_ROW_LENGTH, "Row 2 is too long"),
        (b"a,b\n" + b"x" * (MAX_ROW_LENGTH + 1), "Row 2 is too long"),
        (b"a" + b",a" * MAX_COLUMNS, "The file has more than 100 columns."),
    ],
)
def test_unreadable_file_is_refused_with_a_reason(content: bytes, reason: str) -> None:
    assert refuse(content).startswith(reason)


class TestXlsx:
    def test_every_kind_of_cell_is_read_as_text(self) -> None:
        rows = (
            '<row><c r="A1" t="s"><v>1</v></c>'
            '<c r="B1" t="inlineStr"><is><t>in</t><r><t>line</t></r></is></c></row>'
            '<row r="7"><c t="n"><v>12.5</v></c><c t="b"><v>1</v></c>'
            '<c t="str"><f>A1</f><v>text</v></c></row>'
        )
        strings = "<si><t>no</t></si><si><r><t>a&amp;</t></r><r><t>b</t></r><rPh><t>hint</t></rPh></si>"
        assert read(workbook(rows, strings)) == [["a&b", "inline"], ["12.5", "1", "text"]]

    def test_missing_cells_are_blank(self) -> None:
        rows = '<row><c r="A1"><v>1</v></c><c r="AB1"><v>2</v></c></row><row><c r="B2"/></row>'
        assert read(workbook(rows)) == [["1", *[""] * 26, "2"]]

    @pytest.mark.parametrize("number", [1, 63, 64, 65, 1000])
    def test_shared_strings_are_found_in_any_order(self, number: int) -> None:
        strings = "".join(f"<si><t>text {index}</t></si>" for index in range(number))
        order = [*range(number), *reversed(range(number))]
        rows = "".join(f'<row><c t="s"><v>{index}</v></c></row>' for index in order)
        assert read(workbook(rows, strings)) == [[f"text {index}"] for index in order]

    @pytest.mark.parametrize("folder", ["missing", "file"])
    def test_only_large_workbook_needs_the_temporary_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
    ) -> None:
        (tmp_path / "file").touch()
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / folder))
        assert read(workbook('<row><c t="s"><v>0</v></c></row>', "<si><t>small</t></si>")) == [["small"]]
        with capture_logs() as logs:
            assert refuse(large_workbook(["large"])).startswith("The server cannot store temporary files")
        assert [line["event"] for line in logs] == ["temporary_file_failed"]

    def test_first_visible_sheet_is_read(self) -> None:
        sheets = '<sheet r:id="rId2" state="hidden"/><sheet r:id="rId1"/>'
        parts = {"xl/workbook.xml": f'<workbook xmlns:r="r"><sheets>{sheets}</sheets></workbook>'}
        assert read(workbook("<row><c><v>1</v></c></row>", parts=parts)) == [["1"]]

    def test_size_of_the_sheet_is_known_if_it_says_so(self) -> None:
        sheet = '<worksheet><dimension ref="A1:C1001"/><sheetData/></worksheet>'
        assert detect_format(io.BytesIO(workbook(parts={SHEET: sheet}))).row_count == 1000
        assert detect_format(io.BytesIO(workbook())).row_count is None

    def test_other_archive_is_refused(self) -> None:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        assert refuse(file.getvalue()).startswith("This is not an Excel workbook")

    @pytest.mark.parametrize(
        "content",
        [
            workbook('<row><c t="s"><v>5</v></c></row>', "<si><t>only</t></si>"),
            workbook('<row><c t="s"><v>x</v></c></row>'),
            workbook('<row><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>'),
            workbook("<row>"),
            workbook(parts={"xl/workbook.xml": "<workbook/>"}),
            workbook(parts={"xl/_rels/workbook.xml.rels": "<Relationships/>"}),
            workbook()[:-30],
            workbook()[:60] + b"xxxxxxxx" + workbook()[68:],
        ],
    )
    def test_damaged_workbook_is_refused(self, content: bytes) -> None:
        assert refuse(content).startswith("The workbook is damaged.")


class TestHostileWorkbook:
    """Each is refused after reading a small part of what it claims or unpacks to."""

    @pytest.fixture(autouse=True)
    def _limited_memory(self) -> object:
        tracemalloc.start()
        yield
        _now, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 30 * MEGABYTE

    def test_cell_far_to_the_right_is_refused(self) -> None:
        sheet = '<row><c><v>1</v></c></row><row><c r="XFD2"><v>1</v></c></row>'
        assert refuse(workbook(sheet)) == f"The file has more than {MAX_COLUMNS} columns."

    def test_entities_are_refused(self) -> None:
        entities = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
        sheet = f"{entities}<worksheet><sheetData><row><c><v>&b;</v></c></row></sheetData></worksheet>"
        assert refuse(workbook(parts={SHEET: sheet})).startswith("The workbook is damaged.")

    @pytest.mark.parametrize(("start", "end"), [("<!-- ", " -->"), ('<row r="', '"/>')])
    def test_huge_tag_or_comment_is_refused(self, start: str, end: str) -> None:
        """Expat would hold it in memory, which is not measured here."""
        assert read(workbook(f"<row><c><v>1</v></c></row>{start}short{end}"))
        content = workbook(f"<row><c><v>1</v></c></row>{start}{'a' * (5 * MEGABYTE)}{end}")
        assert refuse(content).startswith("The workbook is damaged.")

    @pytest.mark.parametrize("kind", ["inlineStr", "s"])
    def test_huge_cell_is_refused(self, kind: str) -> None:
        text = f"<t>{'a' * (3 * MEGABYTE)}</t>"
        content = (
            workbook(f'<row><c t="inlineStr"><is>{text}</is></c></row>')
            if kind == "inlineStr"
            else workbook('<row><c t="s"><v>0</v></c></row>', f"<si>{text}</si>")
        )
        assert refuse(content).startswith("A cell of the workbook has more than")

    def test_too_large_sheet_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(xlsx_reading, "MAX_SHEET_SIZE", 1000)
        assert refuse(workbook("<row/>" * 1000)).startswith("The workbook is too large.")

    @pytest.mark.parametrize(("entries", "name_length"), [(10_001, 10), (50, 60_000)])
    def test_huge_directory_is_not_read(self, entries: int, name_length: int) -> None:
        row = "<row><c><v>1</v></c></row>"
        assert read(workbook(row, parts={f"{number:010}": "" for number in range(50)}))
        parts = {f"{number:0{name_length}}": "" for number in range(entries)}
        tracemalloc.reset_peak()
        content = workbook(row, parts=parts)
        tracemalloc.reset_peak()
        assert refuse(content).startswith("The workbook is damaged.")

    def test_password_is_named(self) -> None:
        content = bytearray(workbook("<row/>"))
        at = content.rfind(b"PK\x01\x02", 0, content.rfind(SHEET.encode()))
        content[at + 8] |= 1
        assert "protected by a password" in refuse(bytes(content))


@pytest.mark.parametrize("content", [b"a\n" + b"x" * (30 * MEGABYTE), b'a\n"' + b'x\n","' * (6 * MEGABYTE)])
def test_endless_line_or_row_is_not_read_into_memory(content: bytes) -> None:
    file = io.BytesIO(content)
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableFile, match="Row 2 is too long"):
            list(read_rows(file, FileFormat("csv", "utf-8", ",")))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5 * MEGABYTE


def test_rows_of_a_large_file_are_read_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PART_SIZE", 65_536)
    content = b"email,user_type\n" + b"".join(
        b"a%d@example.com,sailor\n" % number for number in range(20_000)
    )
    file = io.BytesIO(content)
    tracemalloc.start()
    try:
        count = sum(1 for _row in read_rows(file, detect_format(file)))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 20_001
    assert peak < 8 * reading.PART_SIZE
