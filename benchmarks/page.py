"""A page of the catch-all view, compared with a minimal Django view that returns the same bytes.

.venv/bin/python -m benchmarks.page
"""

from benchmarks import comparison
from benchmarks.servers import Request, compare, server

BAR = comparison.at_least(0.9)
HEADERS = {"Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "en"}
OURS = Request("/landing", headers=HEADERS)
PEER = Request("/peer/page", headers=HEADERS)


def main() -> None:
    effort = comparison.Effort.from_arguments(__doc__)
    with server(DATABASE_URL="sqlite://:memory:") as site:
        (_, ours), (_, peer) = site.send(OURS), site.send(PEER)
        assert ours == peer
        comparison.print_heading()
        kept = compare("page, signed out", (site, OURS), (site, PEER), effort=effort, bar=BAR)
    comparison.exit_with_result(effort, kept)


if __name__ == "__main__":
    main()
