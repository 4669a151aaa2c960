"""The site with a million subscribers, with three consent events each, compared with itself with 1,000."""

import os
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from statistics import median
from timeit import timeit
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from accounts.tests.factories import PASSWORD, MemberFactory
from benchmarks import rows
from benchmarks.report import Report
from benchmarks.requests import ME, NEW_ADDRESS
from benchmarks.servers import graphql, server, write_request
from newsletter.campaigns import series, services
from newsletter.campaigns.audience import count_audience, count_segment
from newsletter.campaigns.models import Campaign, CampaignState, Segment
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.models import UserType
from tests.faults.visitors import SUBSCRIBE
from tests.processes import manage

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
FILL_CONSENT = """
    INSERT INTO newsletter_consentevent (subscription_id, kind, at, language, wording, source, user_type)
    SELECT id, kind, created_at, language, '', source, user_type
    FROM newsletter_subscription, unnest(array['requested', 'reminder', 'confirmed']) AS kind
"""


class PopulatedSite:
    """A server with a number of subscribers in its database."""

    def __init__(self, size: int, report: Report, stack: ExitStack) -> None:
        url = _switch_database(f"growth_{size}")
        rows.fill_subscriptions(size, days=3 * 365, tagged=100)
        rows.execute(FILL_CONSENT)
        rows.execute("VACUUM ANALYZE")
        Segment.objects.create(name="Everybody")
        step = _turn_on_step()
        excluded = Campaign(excluded_campaign=_add_recipients())
        for what, function, limit in (
            ("a look for due readers", partial(series.add_due_readers, step.pk), 0.3),
            ("counting few readers", partial(count_segment, Segment(utm_source="facebook")), 0.3),
            ("counting everybody", partial(count_segment, Segment()), 3),
            ("counting who did not get a campaign", partial(count_audience, excluded, ["en"]), 3),
        ):
            report.check(f"{what}, {size:,}", timeit(function, number=1), "s", at_most=limit)
        step.refresh_from_db()
        series.turn_off(campaign=step)  # so that its page asks whether to turn it on
        rows.execute("VACUUM ANALYZE")
        self.me = graphql(ME, token=tokens.issue(MemberFactory()))
        client = Client()
        client.force_login(User.objects.create_superuser("admin@example.org", PASSWORD))
        self.admin_cookie = f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"
        self.seconds = report.choose(1, 0.3)
        self.server = stack.enter_context(server(DATABASE_URL=url, WEB_CONCURRENCY="1"))

    def measure(self, request: str) -> float:
        return self.server.measure_time(request, self.seconds)

    def measure_page(self, path: str) -> float:
        return self.measure(write_request(path, Cookie=self.admin_cookie))


def _switch_database(name: str) -> str:
    """Create a database, switch this process to it, and return its URL."""
    rows.execute(f"CREATE DATABASE {name}")
    connection.close()
    connection.settings_dict["NAME"] = name
    address, _, query = os.environ["DATABASE_URL"].partition("?")
    url = f"{address.rpartition('/')[0]}/{name}?{query}"
    manage("migrate", "--noinput", DATABASE_URL=url)
    return url


def _turn_on_step() -> Any:
    """Return a step of the welcome series that everybody who is due was added to."""
    step = CampaignFactory(user_type=UserType.SAILOR, delay_days=2)
    series.turn_on(campaign=step, expected_version=services.get_version(step))
    Campaign.objects.update(started_at=timezone.now() - timedelta(days=30))
    while series.add_due_readers(step.pk):
        pass
    return step


def _add_recipients() -> Any:
    """Return a campaign that everybody got."""
    campaign = CampaignFactory(state=CampaignState.SENDING, started_at=timezone.now())
    while services.add_recipients(campaign.pk):
        pass
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.SENT)
    return campaign


def measure(report: Report) -> None:
    own_database = connection.settings_dict["NAME"]
    sizes = report.choose((1_000, 1_000_000), (100, 1_000))
    rounds = report.choose(9, 1)
    try:
        with ExitStack() as stack:
            small, large = (PopulatedSite(size, report, stack) for size in sizes)
            sides = partial(large.measure, large.me), partial(small.measure, small.me)
            report.compare("me", *sides, "ms", rounds, at_most=1.2)
            for what, path in PAGES.items():
                sides = partial(large.measure_page, path), partial(small.measure_page, path)
                figures = report.compare(what, *sides, "ms", rounds, at_most=3)
                report.check(what, median(figures), "ms", at_most=300)
            report.check("growth of a year", large.measure_page(GROWTH), "ms", at_most=1000)
            # Last, because it adds rows.
            subscribe = graphql(SUBSCRIBE, email=NEW_ADDRESS)
            sides = partial(large.measure, subscribe), partial(small.measure, subscribe)
            report.compare("subscribe", *sides, "ms", rounds, at_most=1.2)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own_database
