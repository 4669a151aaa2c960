"""`signIn`, compared with one Argon2id hash with the same parameters.

    scripts/with-postgres .venv/bin/python -m benchmarks.sign_in

One request at a time, because the site limits concurrent hashes.
"""

import json
import time
from statistics import median

from argon2.low_level import Type, hash_secret

from benchmarks import comparison, members
from benchmarks.servers import Request, prepare_database, server

BAR = comparison.at_most(1.3)
DOCUMENT = """mutation signIn($input: SignInInput!) {
  signIn(input: $input) {
    token
    user { id email firstName lastName nickname phone nationality isEmailVerified createdAt }
  }
}"""
VALUES = {"email": members.EMAIL, "password": members.PASSWORD}
OURS = Request("/graphql", json.dumps({"query": DOCUMENT, "variables": {"input": VALUES}}))


def measure_hash(seconds: float) -> float:
    """Return the median milliseconds of a hash."""
    times = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        started = time.perf_counter()
        hash_secret(
            members.PASSWORD.encode(),
            b"sixteen bytes...",
            time_cost=2,
            memory_cost=19 * 1024,
            parallelism=1,
            hash_len=32,
            type=Type.ID,
        )
        times.append((time.perf_counter() - started) * 1000)
    return median(times)


def main() -> None:
    effort = comparison.Effort.from_arguments(__doc__, rounds=15, seconds=1.0)
    prepare_database()
    members.create_token()
    with server() as site:
        assert json.loads(site.send(OURS)[1])["data"]["signIn"]["token"]
        times = comparison.measure_alternately(
            lambda: site.load(OURS, seconds=effort.seconds, connections=1).milliseconds,
            lambda: measure_hash(effort.seconds),
            rounds=effort.rounds,
        )
    comparison.print_heading()
    comparison.exit_with_result(effort, comparison.report("`signIn`", *times, unit="ms", bar=BAR))


if __name__ == "__main__":
    main()
