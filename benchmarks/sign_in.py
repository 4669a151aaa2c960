"""`signIn`, and one Argon2id hash with the same parameters.

    scripts/with-postgres .venv/bin/python -m benchmarks.sign_in

One visitor at a time: the site hashes a fixed number of passwords at once, and refuses what is past it.
"""

import json
import time
from statistics import median

from argon2.low_level import Type, hash_secret

from benchmarks import members, pairs
from benchmarks.servers import Request, prepare_database, server

BAR = pairs.at_most(1.3)
DOCUMENT = """mutation signIn($input: SignInInput!) {
  signIn(input: $input) {
    token
    user { id email firstName lastName nickname phone nationality isEmailVerified createdAt }
  }
}"""
VALUES = {"email": members.EMAIL, "password": members.PASSWORD}
OURS = Request("/graphql", json.dumps({"query": DOCUMENT, "variables": {"input": VALUES}}))


def hash_for(seconds: float) -> float:
    """The milliseconds of a hash, again and again for so long, in the median."""
    times = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        begun = time.perf_counter()
        hash_secret(
            members.PASSWORD.encode(),
            b"sixteen bytes...",
            time_cost=2,
            memory_cost=19 * 1024,
            parallelism=1,
            hash_len=32,
            type=Type.ID,
        )
        times.append((time.perf_counter() - begun) * 1000)
    return median(times)


def main() -> None:
    effort = pairs.Effort.chosen(__doc__, rounds=15, seconds=1.0)
    prepare_database()
    members.token()
    with server() as site:
        assert json.loads(site.ask(OURS)[1])["data"]["signIn"]["token"]
        times = pairs.in_turn(
            lambda: site.load(OURS, seconds=effort.seconds, connections=1).milliseconds,
            lambda: hash_for(effort.seconds),
            rounds=effort.rounds,
        )
    pairs.heading()
    pairs.finish(effort, pairs.report("`signIn`", *times, unit="ms", bar=BAR))


if __name__ == "__main__":
    main()
