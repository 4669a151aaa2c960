"""The system clock is set forward and back while the site runs."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.site import RunningSite
from tests.faults.visitors import SIGN_UP, Visitors
from tests.mail_server import MailServer
from tests.processes import wait_until

CONFIGURATION = Path(__file__).with_name("moving_clock_gunicorn.py")
TOKEN_LIFE = timedelta(days=14)
HOUR = timedelta(hours=1)


class Clock:
    """The offset of the site's clock."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.write_text("0")

    def move(self, offset: timedelta, site: RunningSite) -> None:
        """Set the offset and wait until every worker has it."""
        self.file.write_text(str(int(offset.total_seconds())))
        shown = 0

        def agrees() -> bool:
            nonlocal shown
            date = parsedate_to_datetime(site.fetch("/healthz").headers["Date"])
            shown = shown + 1 if abs(datetime.now(UTC) + offset - date) < timedelta(seconds=5) else 0
            return shown >= 10 * site.worker_count

        wait_until(agrees, "the clock is set")


def test_clock_set_forward_and_back(
    make_site: MakeSite, database: PostgresDatabase, mail_server: MailServer, tmp_path: Path
) -> None:
    clock = Clock(tmp_path / "clock")
    site = make_site(
        database, f"--config={CONFIGURATION}", MOVING_CLOCK=str(clock.file), SUBSCRIBE_RATE="40/h"
    )
    visitors = Visitors(site)

    def me(token: str) -> str:
        return site.post_graphql("{ me { id } }", token=token).code

    def new_token(email: str) -> str:
        visitors.requested.add(email)
        visitors.acknowledged.add(email)
        return str(site.post_graphql(SIGN_UP, email=email).json["data"]["signUp"]["token"])

    clock.move(timedelta(minutes=6), site)
    visitors.send_requests(3)
    clock.move(timedelta(0), site)

    token = new_token("jana@example.org")
    assert me(token) == ""
    # A member who is not verified in time gets a second mail.
    database.run("UPDATE accounts_user SET is_email_verified = true")

    # Mails may be under way: their claims go by the clock of the database.
    clock.move(TOKEN_LIFE - HOUR, site)
    assert me(token) == ""
    visitors.send_requests(3)
    clock.move(TOKEN_LIFE + HOUR, site)
    assert me(token) == "UNAUTHENTICATED"
    later = new_token("petr@example.org")

    # Back: a token from the future is valid, and so is the first one again.
    clock.move(-HOUR, site)
    assert me(token) == me(later) == ""
    visitors.send_requests(3)

    # The rate limit is reached, and an hour later there is room again.
    wait_until(
        lambda: visitors.send_request() and visitors.refused["RATE_LIMITED"], "the rate limit is reached"
    )
    clock.move(timedelta(0), site)
    visitors.send_requests(3)

    assert set(visitors.refused) == {"RATE_LIMITED"}
    visitors.assert_exactly_once(database, mail_server)
    assert "Traceback" not in site.log.read_text()
