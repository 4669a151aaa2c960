"""A page through the catch-all view, signed out, and a bare Django view that returns the same bytes.

.venv/bin/python -m benchmarks.page
"""

from benchmarks import pairs
from benchmarks.servers import Request, compare, server

BAR = pairs.at_least(0.9)
HEADERS = {"Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "en"}
OURS = Request("/landing", headers=HEADERS)
PEER = Request("/peer/page", headers=HEADERS)


def main() -> None:
    effort = pairs.Effort.chosen(__doc__)
    with server(DATABASE_URL="sqlite://:memory:") as site:
        (_, ours), (_, peer) = site.ask(OURS), site.ask(PEER)
        assert ours == peer
        pairs.heading()
        kept = compare("page, signed out", (site, OURS), (site, PEER), effort=effort, bar=BAR)
    pairs.finish(effort, kept)


if __name__ == "__main__":
    main()
