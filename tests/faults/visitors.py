"""Visitors who subscribe and sign up during a fault, and a check of the results."""

import http.client
import itertools
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tests.faults.database import PostgresDatabase
from tests.faults.site import Response, RunningSite
from tests.mail_server import MailServer
from tests.processes import wait_until

SUBSCRIBE = """mutation ($email: String!) {
  subscribeNewsletter(input: {email: $email, userType: "sailor"}) { success }
}"""
SIGN_UP = """mutation ($email: String!) {
  signUp(input: {firstName: "Jana", lastName: "Novak", email: $email,
     password: "Fair winds, 2025!"}) { token }
}"""
ANSWER_SECONDS = 4
"""Without a database."""
SIGN_UP_EVERY = 5
"""Every fifth visitor signs up: only two passwords are hashed at once."""


class Visitors:
    """Sends one request per visitor, each with another address."""

    def __init__(self, site: RunningSite, database: PostgresDatabase, mail_server: MailServer) -> None:
        self.site, self.database, self.mail_server = site, database, mail_server
        self.requested: set[str] = set()
        self.acknowledged: set[str] = set()
        self.refused: Counter[str] = Counter()
        self._numbers = itertools.count(1)

    def send_request(self, query: str = "") -> Response | None:
        """Send one request; return None without a response."""
        number = next(self._numbers)
        email = f"visitor{number}@example.org"
        query = query or (SUBSCRIBE if number % SIGN_UP_EVERY else SIGN_UP)
        self.requested.add(email)
        try:
            response = self.site.post_graphql(query, email=email)
        except (OSError, http.client.HTTPException) as error:
            self.refused[type(error).__name__] += 1
            return None
        if response.code:
            self.refused[response.code] += 1
        else:
            self.acknowledged.add(email)
        return response

    def send_requests(self, number: int) -> None:
        """Send a number of requests, which must all succeed."""
        for _visitor in range(number):
            response = self.send_request()
            assert response, "the site did not respond"
            assert not response.code, response.text

    def assert_unavailable(self, query: str = "", *, within: float = ANSWER_SECONDS) -> float:
        """Send a request, which must be refused in time; return the seconds that it took."""
        before = time.monotonic()
        response = self.send_request(query)
        seconds = time.monotonic() - before
        assert response
        assert (response.status, response.code) == (503, "UNAVAILABLE"), response.text
        assert response.headers["Retry-After"]
        assert seconds < within
        return seconds

    @contextmanager
    def send_continuously(self, at_once: int = 3) -> Iterator[None]:
        """Send requests from several threads until the end of the block."""
        stop = threading.Event()

        def row() -> None:
            while not stop.is_set():
                self.send_request()
                stop.wait(0.02)

        rows = [threading.Thread(target=row) for _row in range(at_once)]
        for thread in rows:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in rows:
                thread.join()

    def wait_for_recovery(self) -> None:
        """Wait until a request succeeds, at most five seconds."""
        served = len(self.acknowledged)

        def one_more() -> bool:
            self.send_request()
            return len(self.acknowledged) > served

        wait_until(one_more, "a request succeeds", 5)

    def assert_exactly_once(self, *, repeated: int = 0) -> None:
        """Assert that each acknowledged request is stored once, and each stored address got one mail.

        `repeated` mails may have been sent twice, with one Message-ID.
        """

        database = self.database

        def count_unsent() -> int:
            with suppress(Exception):  # a failure here repeats below
                database.requeue()
            return database.count_unsent()

        if repeated:
            # Only the mails of killed processes are left, so that none under way is sent twice.
            wait_until(lambda: count_unsent() <= repeated, "every other mail is sent", 60)
            database.release_claims()
        wait_until(lambda: count_unsent() == 0, "every mail is sent", 60)
        stored = database.list_addresses()
        assert self.acknowledged, f"no request succeeded: {self.refused}"
        assert len(stored) == len(set(stored))
        assert self.acknowledged <= set(stored), "an acknowledged request is not stored"
        assert set(stored) <= self.requested
        mails = {email: Counter(ids) for email, ids in self.mail_server.mails.items()}
        assert set(mails) == set(stored)
        assert all(len(ids) == 1 for ids in mails.values()), "two mails to one visitor"
        counts: list[Any] = [number for ids in mails.values() for number in ids.values()]
        assert max(counts) <= 1 + bool(repeated)
        assert sum(counts) - len(counts) <= repeated, "too many mails were sent twice"
