"""Coming by a link over HTTP, the link on the pages of the newsletter, and the lists in Django admin."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.invitations.models import Invitation, Milestone
from newsletter.invitations.tests.factories import come, create_reader
from newsletter.models import Subscription
from newsletter.tests.api import subscribe
from newsletter.tests.mailbox import confirm_address, manage_address
from sailing.jobs.models import Job
from tests.jobs import run_pending_jobs
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

ANNA = "anna@example.com"


@pytest.fixture
def anna() -> Subscription:
    return create_reader(ANNA)


class TestComing:
    def test_friend_subscribes_by_the_link_and_counts_the_day_after(
        self, anna: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        eva = create_reader("eva@example.com")
        for code in (anna.pk.hex, eva.pk.hex):  # the first one counts
            assert subscribe(email="friend@example.com", invitation=code).data["success"]
        page = text(press_button(confirm_address(latest())))
        friend = Subscription.objects.get(email="friend@example.com")
        assert f"/newsletter?invitation={friend.pk.hex}" in page
        assert ANNA not in page
        assert Invitation.objects.get().inviter == anna
        time_machine.shift(timedelta(days=1))
        page = text(open_link(manage_address(anna)))
        assert "<strong>1 person</strong> came aboard through your link." in page
        assert "friend@example.com" not in page

    @pytest.mark.parametrize("code", ["0" * 32, "<b>"])
    def test_answer_is_the_same_for_every_code(self, anna: Subscription, code: str) -> None:
        given = subscribe(email="one@example.com", invitation=anna.pk.hex).data
        other = subscribe(email="two@example.com", invitation=code).data
        assert given["message"] == other["message"]
        assert len(mails()) == 2
        press_button(confirm_address(latest()))
        assert Subscription.objects.get(email="two@example.com").is_confirmed
        assert list(Invitation.objects.values_list("inviter", flat=True)) == [None]

    @pytest.mark.parametrize("is_hidden_field", [True, False])
    def test_form_without_javascript_sends_the_code(self, anna: Subscription, is_hidden_field: bool) -> None:
        def submit(**values: str) -> HttpResponse:
            address = f"http://testserver/newsletter?invitation={code}"
            field, headers = ({"invitation": code}, {}) if is_hidden_field else ({}, {"Referer": address})
            form = {"userType": "sailor", **field, **values}
            response = Client().post("/newsletter/subscribe/", form, headers=headers)
            assert isinstance(response, HttpResponse)
            return response

        code = anna.pk.hex
        assert f'name="invitation" value="{code}"' in text(submit(email=""))
        submit(email="friend@example.com")
        assert Invitation.objects.get().code == anna.pk
        code = '"><script>alert(1)</script>'
        assert "<script>alert" not in text(submit(email=""))


class TestPreferences:
    def test_page_shows_the_link_and_what_it_brings(self, anna: Subscription, settings: Settings) -> None:
        Milestone.objects.create(threshold=1, name_en="A sticker", name_cs="Samolepka")
        page = text(open_link(manage_address(anna)))
        assert f'value="{settings.SITE_URL}/newsletter?invitation={anna.pk.hex}" readonly' in page
        found = re.search(r'href="mailto:\?subject=([^&"]+)&amp;body=([^"]+)"', page)
        assert found
        assert found[1] == "Join%20me%20on%20Sailing"
        assert found[2].endswith(f"newsletter%3Finvitation%3D{anna.pk.hex}")
        assert "A sticker" in page
        assert "reached" not in page
        come(anna, "friend@example.com")
        assert "reached" in text(open_link(manage_address(anna)))


class TestAdmin:
    ORDER = "/admin/invitations/inviter/"
    MILESTONES = "/admin/invitations/milestone/"

    @pytest.fixture
    def numbers(self) -> dict[str, int]:
        """Create readers in the order of early access, and return how many people each has brought."""
        found = {"most": 3, "early": 1, "late": 1}
        for days, (name, number) in zip((1, 99, 2), found.items(), strict=True):
            reader = create_reader(f"{name}@example.com", confirmed_at=timezone.now() - timedelta(days=days))
            for each in range(number):
                come(reader, f"guest{each}-of-{name}@sailing.example")
        come(create_reader("fresh@example.com"), "fresh-guest@sailing.example", ago=timedelta())
        return found

    def list_names(self, client: Client, query: str = "") -> list[str]:
        rows = client.get(f"{self.ORDER}{query}").context["cl"].result_list
        return [row.email.partition("@")[0] for row in rows]

    def test_list_and_export_are_in_the_order_of_early_access(
        self, admin_client: Client, numbers: dict[str, int]
    ) -> None:
        assert self.list_names(admin_client) == [*numbers]
        assert self.list_names(admin_client, "?q=MOST@") == ["most"]
        page = admin_client.get(self.ORDER).content.decode()
        assert 'data-label="Came through the link" class="field-people is-number">3<' in page
        assert "guest" not in page
        admin_client.post(f"{self.ORDER}export/")
        run_pending_jobs()
        response = admin_client.get(f"{self.ORDER}export/{Job.objects.get(kind='export').pk}/file/")
        rows = csv.DictReader(io.StringIO(b"".join(response).decode("utf-8-sig")))
        assert {row["email"].partition("@")[0]: int(row["counted"]) for row in rows} == numbers
        Subscription.objects.filter(email="most@example.com").update(is_active=False)
        assert self.list_names(admin_client) == ["early", "late"]

    def test_milestone_is_added_in_both_languages(self, admin_client: Client) -> None:
        values = {"threshold": "3", "name_en": "Early access", "name_cs": "Přístup v první vlně"}
        for threshold, status in (("3", 302), ("0", 200)):
            response = admin_client.post(f"{self.MILESTONES}add/", {**values, "threshold": threshold})
            assert response.status_code == status
        assert '/change/">3</a>' in admin_client.get(self.MILESTONES).content.decode()
        path = f"{self.MILESTONES}{Milestone.objects.get().pk}/change/"
        page = admin_client.get(path).content.decode()
        assert "<h1>3 people</h1>" in page
        assert "for example: 3 · early access in the first wave" in page
