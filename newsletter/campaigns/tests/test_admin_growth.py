"""The campaigns on the growth page of Django admin."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from time_machine import TimeMachineFixture

from newsletter.campaigns.models import CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from sailing.admin.tests.helpers import staff_client
from tests.mailbox import text

pytestmark = pytest.mark.django_db


def show(client: Client) -> str:
    page: Any = client.get("/admin/growth/dailytotal/")
    return text(page)


def test_campaigns_of_the_period_are_shown_to_those_who_may_see_figures(
    time_machine: TimeMachineFixture,
) -> None:
    time_machine.move_to(datetime(2027, 5, 31, 12, tzinfo=UTC), tick=False)
    CampaignFactory(name="In May", state=CampaignState.SENT, finished_at=datetime(2027, 5, 20, tzinfo=UTC))
    CampaignFactory(name="In March", state=CampaignState.SENT, finished_at=datetime(2027, 3, 20, tzinfo=UTC))
    CampaignFactory(name="Draft")
    shown = show(staff_client("view_dailytotal", "view_campaign_figures"))
    assert [name for name in ("In May", "In March", "Draft") if name in shown] == ["In May"]
    assert "In May" not in show(staff_client("view_dailytotal", email="other@example.com"))
