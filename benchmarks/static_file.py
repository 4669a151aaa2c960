"""A static file, and the same one from WhiteNoise in an empty Django project.

.venv/bin/python -m benchmarks.static_file
"""

from benchmarks import pairs
from benchmarks.servers import ROOT, Request, compare, server

BAR = pairs.at_least(0.95)
FILES = {"style sheet": ".css", "picture": ".avif"}
"""One that is compressed, and one that is as it was made."""


def address(ending: str) -> str:
    """A file that a public page links, of a size that is usual among them."""
    files = sorted((ROOT / "staticfiles" / "app").glob(f"*{ending}"), key=lambda file: file.stat().st_size)
    return f"/static/app/{files[len(files) // 2].name}"


def main() -> None:
    effort = pairs.Effort.chosen(__doc__)
    kept = []
    pairs.heading()
    with (
        server(DATABASE_URL="sqlite://:memory:") as site,
        server(
            settings="benchmarks.empty_site",
            application="django.core.wsgi:get_wsgi_application()",
            config="benchmarks/empty_gunicorn.py",
        ) as empty,
    ):
        for what, ending in FILES.items():
            request = Request(address(ending), headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
            assert site.ask(request)[1] == empty.ask(request)[1]
            sides = (site, request), (empty, request)
            kept.append(compare(f"static file: {what}", *sides, effort=effort, bar=BAR))
    pairs.finish(effort, *kept)


if __name__ == "__main__":
    main()
