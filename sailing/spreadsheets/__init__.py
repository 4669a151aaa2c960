"""Tables in files: CSV and XLSX, read and written row by row, so that memory does not grow with the file."""

MAX_COLUMNS = 100


class UnreadableFile(Exception):
    """The file cannot be read as a table. The message tells an admin why, in plain words."""
