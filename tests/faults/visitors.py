"""Visitors who subscribe and sign up while something goes wrong, and the account of what came of it."""

import http.client
import itertools
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tests.faults.database import Database
from tests.faults.mail_server import MailServer
from tests.faults.programs import wait_until
from tests.faults.site import Answer, Site

SUBSCRIBE = """mutation ($email: String!) {
  subscribeNewsletter(input: {email: $email, userType: "sailor"}) { success }
}"""
SIGN_UP = """mutation ($email: String!) {
  signUp(input: {firstName: "Jana", lastName: "Novak", email: $email,
     password: "Fair winds, 2025!"}) { token }
}"""
SIGN_UP_EVERY = 5
"""Of so many visitors one becomes a member: passwords are hashed two at once, and the next is sent away."""


class Visitors:
    """Each comes once, with an address of their own."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.asked: set[str] = set()
        self.acknowledged: set[str] = set()
        self.refused: Counter[str] = Counter()
        self._numbers = itertools.count(1)

    def come(self, query: str = "") -> Answer | None:
        """One visitor's try; None when the site did not answer."""
        number = next(self._numbers)
        email = f"visitor{number}@example.org"
        query = query or (SUBSCRIBE if number % SIGN_UP_EVERY else SIGN_UP)
        self.asked.add(email)
        try:
            answer = self.site.ask(query, email=email)
        except (OSError, http.client.HTTPException) as error:
            self.refused[type(error).__name__] += 1
            return None
        if answer.code:
            self.refused[answer.code] += 1
        else:
            self.acknowledged.add(email)
        return answer

    def all_come(self, number: int) -> None:
        """So many, one after another, all of whom are served."""
        for _visitor in range(number):
            answer = self.come()
            assert answer, "the site did not answer"
            assert not answer.code, answer.text

    @contextmanager
    def keep_coming(self, at_once: int = 3) -> Iterator[None]:
        """One after another in each of several rows, until the end of the block."""
        stop = threading.Event()

        def row() -> None:
            while not stop.is_set():
                self.come()
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

    def are_served_again(self) -> None:
        """Wait until a visitor is, within the five seconds that an outage may have an echo."""
        served = len(self.acknowledged)

        def one_more() -> bool:
            self.come()
            return len(self.acknowledged) > served

        wait_until(one_more, "a visitor is served again", 5)

    def assert_each_was_served_once(
        self, database: Database, mail_server: MailServer, *, repeated: int = 0
    ) -> None:
        """Whoever was told so is stored, once; everybody stored got one mail, and nobody else any.

        `repeated`: how many of the mails may have come twice, with one Message-ID.
        """

        def all_is_sent() -> bool:
            with suppress(Exception):  # what fails here fails below
                database.end_pauses()
                if repeated:
                    database.end_claims()
            return database.unsent() == 0

        wait_until(all_is_sent, "every mail is sent", 60)
        stored = database.stored()
        assert self.acknowledged, f"nobody was served: {self.refused}"
        assert len(stored) == len(set(stored))
        assert self.acknowledged <= set(stored), "somebody was told so and is not stored"
        assert set(stored) <= self.asked
        mails = {email: Counter(ids) for email, ids in mail_server.mails.items()}
        assert set(mails) == set(stored)
        assert all(len(ids) == 1 for ids in mails.values()), "two mails to one visitor"
        counts: list[Any] = [number for ids in mails.values() for number in ids.values()]
        assert max(counts) <= 1 + bool(repeated)
        assert sum(counts) - len(counts) <= repeated, "more mails were repeated than may be"
