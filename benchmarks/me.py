"""`me`, compared with a plain JSON view that checks the same token and reads the same row.

scripts/with-postgres .venv/bin/python -m benchmarks.me
"""

import json

from benchmarks import comparison, members
from benchmarks.servers import Request, compare, prepare_database, server

BAR = comparison.at_least(0.8)
DOCUMENT = """query Me {
  me {
    id email firstName lastName nickname phone nationality isEmailVerified avatar createdAt updatedAt
  }
}"""


def main() -> None:
    effort = comparison.Effort.from_arguments(__doc__)
    prepare_database()
    headers = {"Authorization": f"Bearer {members.create_token()}"}
    ours = Request("/graphql", json.dumps({"operationName": "Me", "query": DOCUMENT}), headers)
    peer = Request("/peer/me", headers=headers)
    with server() as site:
        assert json.loads(site.send(ours)[1])["data"]["me"] == json.loads(site.send(peer)[1])
        comparison.print_heading()
        kept = compare("`me`", (site, ours), (site, peer), effort=effort, bar=BAR)
    comparison.exit_with_result(effort, kept)


if __name__ == "__main__":
    main()
