"""Members can sign in during a flood of password guesses from changing addresses."""

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.visitors import SIGN_UP

SIGN_IN = """mutation ($email: String!, $password: String!) {
  signIn(input: {email: $email, password: $password}) { token }
}"""
EMAIL, PASSWORD = "jana@example.org", "Fair winds, 2025!"

GUESSES = 100
PAUSE_SECONDS = 0.04
"""25 guesses a second."""
GUESSES_PER_SIGN_IN = 10


def random_address(numbers: random.Random) -> str:
    """Return an address in a random /48 or /24."""
    if numbers.random() < 0.5:
        return f"2001:{numbers.randrange(0x1000, 0xFFFF):x}:{numbers.randrange(0xFFFF):x}::1"
    return f"{numbers.randrange(11, 120)}.{numbers.randrange(256)}.{numbers.randrange(256)}.7"


def test_members_sign_in_during_a_flood_of_guesses(make_site: MakeSite, database: PostgresDatabase) -> None:
    """Half of the guesses are for the member's account."""
    site = make_site(database, TRUSTED_PROXY_COUNT="1")
    assert not site.post_graphql(SIGN_UP, email=EMAIL, address="192.0.2.1").code
    numbers = random.Random(1)

    def guess(number: int, address: str) -> str:
        email = EMAIL if number % 2 else f"guess{number}@example.org"
        return site.post_graphql(SIGN_IN, email=email, password="Foul winds, 2025!", address=address).code

    def sign_in(number: int) -> str:
        return site.post_graphql(
            SIGN_IN, email=EMAIL, password=PASSWORD, address=f"192.0.2.{100 + number}"
        ).code

    guesses, sign_ins = [], []
    started = time.monotonic()
    with ThreadPoolExecutor(40) as pool:
        for number in range(GUESSES):
            guesses.append(pool.submit(guess, number, random_address(numbers)))
            if number % GUESSES_PER_SIGN_IN == 0:
                sign_ins.append(pool.submit(sign_in, number))
            time.sleep(max(0, started + (number + 1) * PAUSE_SECONDS - time.monotonic()))
    assert Counter(done.result() for done in sign_ins) == {"": len(sign_ins)}
    assert Counter(done.result() for done in guesses)["INVALID_CREDENTIALS"] > GUESSES / 2
