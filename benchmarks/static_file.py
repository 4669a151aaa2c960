"""A static file, compared with the same one from WhiteNoise in an empty Django project.

.venv/bin/python -m benchmarks.static_file
"""

from benchmarks import comparison
from benchmarks.servers import Request, compare, server
from tests.processes import ROOT

BAR = comparison.at_least(0.95)
FILES = {"style sheet": ".css", "picture": ".avif"}
"""A compressed and an uncompressed one."""


def find_path(ending: str) -> str:
    """Return the path of the file of median size."""
    files = sorted((ROOT / "staticfiles" / "app").glob(f"*{ending}"), key=lambda file: file.stat().st_size)
    return f"/static/app/{files[len(files) // 2].name}"


def main() -> None:
    effort = comparison.Effort.from_arguments(__doc__)
    kept = []
    comparison.print_heading()
    with (
        server(DATABASE_URL="sqlite://:memory:") as site,
        server(
            settings="benchmarks.empty_site",
            application="django.core.wsgi:get_wsgi_application()",
            config="benchmarks/empty_gunicorn.py",
        ) as empty,
    ):
        for what, ending in FILES.items():
            request = Request(find_path(ending), headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
            assert site.send(request)[1] == empty.send(request)[1]
            sides = (site, request), (empty, request)
            kept.append(compare(f"static file: {what}", *sides, effort=effort, bar=BAR))
    comparison.exit_with_result(effort, *kept)


if __name__ == "__main__":
    main()
