"""The site with 100,000 and 1,000,000 subscribers, compared with itself with 1,000.

Each size has its own database and server. Every subscriber has a consent event and a link.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from statistics import median
from time import perf_counter

from django.db import connection
from django.utils import timezone

from benchmarks import members
from benchmarks.comparison import Bar, measure_alternately, print_heading, report
from benchmarks.requests import ME, subscribe
from benchmarks.servers import Request, graphql, prepare_database, server
from newsletter.campaigns import series, services
from newsletter.campaigns.audience import count_audience, count_segment
from newsletter.campaigns.models import Campaign, CampaignState, Segment
from newsletter.models import UserType

SIZES = [1_000, 100_000, 1_000_000]
SMOKE_SIZES = [100, 1_000]
REQUEST_BAR, LIST_BAR, MEMORY_BAR = Bar(1.2), Bar(3), Bar(1.1)
MAX_LIST_MILLISECONDS = 300
MAX_GROWTH_MILLISECONDS = 1000
MAX_SEGMENT_SECONDS = {"few readers": 0.3, "everybody": 3, "those who did not get a campaign": 3}
MAX_LOOK_SECONDS = 0.3
TAGGED_READERS = 100
YEARS = 3
LIST = "/admin/newsletter/subscription/"
GROWTH = f"{LIST}growth/?days=365"
PAGES = {
    "list": LIST,
    "search": f"{LIST}?q=person.77@",
    "welcome series": "/admin/campaigns/campaign/series/",
    "turning on a step": "/admin/campaigns/campaign/1/send/",
    "segments": "/admin/campaigns/segment/",  # their numbers come after the page
    "segment of everybody": "/admin/campaigns/segment/1/change/",  # and so do these
    "editor": "/admin/campaigns/campaign/add/",  # and so do these
    "search, most of the list": f"{LIST}?q=example",
}

FILL = """
    INSERT INTO newsletter_subscription (id, email, user_type, source, language, is_active, is_confirmed,
        is_imported, utm_source, created_at, confirmed_at)
    SELECT gen_random_uuid(), 'person.' || n || '@example.org',
        CASE n %% 3 WHEN 0 THEN 'company' ELSE 'sailor' END,
        CASE n %% 4 WHEN 0 THEN '' ELSE 'landing-sailors' END,
        CASE n %% 2 WHEN 0 THEN 'en' ELSE 'cs' END,
        true, true, false, CASE WHEN n <= %(tagged)s THEN 'facebook' ELSE '' END, at, at
    FROM generate_series(1, %(rows)s) AS n,
        LATERAL (SELECT now() - interval '1 day' * %(days)s * (1 - n::float / %(rows)s) AS at) AS sign_up;
    INSERT INTO newsletter_consentevent (subscription_id, kind, at, language, wording, source, user_type)
    SELECT id, kind, created_at, language, '', source, user_type
    FROM newsletter_subscription, unnest(array['requested', 'reminder', 'confirmed']) AS kind;
"""
"""All are confirmed, because others are purged."""


class PopulatedSite:
    """A server with a number of subscribers in its database."""

    def __init__(self, rows: int, stack: ExitStack) -> None:
        self.rows = rows
        url = _create_database(rows)
        prepare_database(url)
        _fill(rows)
        self.look_seconds = _look_for_due_readers()
        self.segment_seconds = {
            "few readers": _time(count_segment, Segment(utm_source="facebook")),
            "everybody": _time(count_segment, Segment()),
            "those who did not get a campaign": _time(
                count_audience, Campaign(excluded_campaign=_add_recipients()), ["en"]
            ),
        }
        _vacuum()
        self.me = graphql(ME, token=members.create_token())
        self.admin = {"Cookie": members.create_admin_cookie()}
        # One worker, whose memory is measured.
        self.server = stack.enter_context(server(DATABASE_URL=url, WEB_CONCURRENCY="1"))

    def get_page_request(self, path: str) -> Request:
        return Request(path, headers=self.admin)


def _create_database(rows: int) -> str:
    """Create a database, switch this process to it, and return its URL."""
    name = f"growth_{rows}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    connection.close()
    connection.settings_dict["NAME"] = name
    address, _, query = os.environ["DATABASE_URL"].partition("?")
    return f"{address.rpartition('/')[0]}/{name}?{query}"


def _fill(rows: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(FILL, {"rows": rows, "days": 365 * YEARS, "tagged": TAGGED_READERS})
    _vacuum()
    Segment.objects.create(name="Everybody")


def _vacuum() -> None:
    """Do what autovacuum would do a minute later."""
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM ANALYZE")


def _time(count: Callable[..., object], *arguments: object) -> float:
    """Return the seconds it takes to count readers, as a page does after it is shown."""
    started = perf_counter()
    count(*arguments)
    return perf_counter() - started


def _look_for_due_readers() -> float:
    """Turn a step of the welcome series on; return the seconds of a sender's look for those who are due."""
    step = Campaign.objects.create(name="Step", user_type=UserType.SAILOR, delay_days=2)
    for language in ("en", "cs"):
        step.texts.create(language=language, subject="Ahoy", body="Ahoy")
    series.turn_on(campaign=step, expected_version=services.get_version(step))
    Campaign.objects.update(started_at=timezone.now() - timedelta(days=30))
    while series.add_due_readers(step.pk):
        pass
    started = perf_counter()
    series.add_due_readers(step.pk)
    seconds = perf_counter() - started
    step.refresh_from_db()
    series.turn_off(campaign=step)  # so that its page asks whether to turn it on
    return seconds


def _add_recipients() -> Campaign:
    """Return a campaign that everybody got."""
    campaign = Campaign.objects.create(name="Regatta", state=CampaignState.SENDING, started_at=timezone.now())
    campaign.texts.create(language="en", subject="Ahoy", body="Ahoy")
    while services.add_recipients(campaign.pk):
        pass
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.SENT)
    return campaign


def measure(smoke: bool) -> list[bool]:
    own_database = connection.settings_dict["NAME"]
    try:
        with ExitStack() as stack:
            return _measure([PopulatedSite(rows, stack) for rows in (SMOKE_SIZES if smoke else SIZES)], smoke)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own_database


def _measure(sites: list[PopulatedSite], smoke: bool) -> list[bool]:
    kept = []
    seconds, rounds = (0.3, 1) if smoke else (1, 9)

    def compare(what: str, bar: Bar, get_request: Callable[[PopulatedSite], Request]) -> list[list[float]]:
        """Measure the sites alternately with one visitor, and compare each with the first."""

        def measure_one(site: PopulatedSite) -> float:
            return site.server.load(get_request(site), seconds=seconds, connections=1)[1]

        times = measure_alternately(*(partial(measure_one, site) for site in sites), rounds=rounds)
        for site, found in zip(sites[1:], times[1:], strict=True):
            kept.append(report(f"{what}, {site.rows:,}", found, times[0], unit="ms", bar=bar))
        return times

    print_heading()
    compare("me", REQUEST_BAR, lambda site: site.me)
    for what, path in PAGES.items():
        times = compare(what, LIST_BAR, partial(PopulatedSite.get_page_request, path=path))
        kept += [median(found) <= MAX_LIST_MILLISECONDS for found in times]
    compare("subscribe", REQUEST_BAR, lambda site: subscribe("new"))  # last, because it adds rows
    for site in sites:
        taken = site.server.load(site.get_page_request(GROWTH), seconds=seconds, connections=1)[1]
        print(f"{site.rows:,}: the growth of a year takes {taken:.0f} ms")
        kept.append(taken <= MAX_GROWTH_MILLISECONDS)
        for what, taken in site.segment_seconds.items():
            print(f"{site.rows:,}: counting {what} takes {taken:.2f} s")
            kept.append(taken <= MAX_SEGMENT_SECONDS[what])
        print(f"{site.rows:,}: a look for readers of the welcome series takes {site.look_seconds:.3f} s")
        kept.append(site.look_seconds <= MAX_LOOK_SECONDS)
    return kept
