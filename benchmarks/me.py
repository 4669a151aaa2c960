"""`me` with a valid token, and a plain JSON view that checks the same token and reads the same row.

scripts/with-postgres .venv/bin/python -m benchmarks.me
"""

import json

from benchmarks import members, pairs
from benchmarks.servers import Request, compare, prepare_database, server

BAR = pairs.at_least(0.8)
DOCUMENT = """query Me {
  me {
    id email firstName lastName nickname phone nationality isEmailVerified avatar createdAt updatedAt
  }
}"""


def main() -> None:
    effort = pairs.Effort.chosen(__doc__)
    prepare_database()
    headers = {"Authorization": f"Bearer {members.token()}"}
    ours = Request("/graphql", json.dumps({"operationName": "Me", "query": DOCUMENT}), headers)
    peer = Request("/peer/me", headers=headers)
    with server() as site:
        assert json.loads(site.ask(ours)[1])["data"]["me"] == json.loads(site.ask(peer)[1])
        pairs.heading()
        kept = compare("`me`", (site, ours), (site, peer), effort=effort, bar=BAR)
    pairs.finish(effort, kept)


if __name__ == "__main__":
    main()
