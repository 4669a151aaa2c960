"""Coming by a link over HTTP, the link on the pages of the newsletter, and the lists in Django admin."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
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

    def test_answer_is_the_same_for_every_code(self, anna: Subscription) -> None:
        codes = {"one": anna.pk.hex, "two": "0" * 32, "three": "<b>"}
        answers = [subscribe(email=f"{name}@example.com", invitation=code) for name, code in codes.items()]
        assert len({answer.data["message"] for answer in answers}) == 1
        assert len(mails()) == 3
        press_button(confirm_address(latest()))
        assert Subscription.objects.get(email="three@example.com").is_confirmed

    @pytest.mark.parametrize("is_hidden_field", [True, False])
    def test_form_without_javascript_sends_the_code(self, anna: Subscription, is_hidden_field: bool) -> None:
        def submit(code: str, **values: str) -> str:
            address = f"http://testserver/newsletter?invitation={code}"
            field, headers = ({"invitation": code}, {}) if is_hidden_field else ({}, {"Referer": address})
            form = {"userType": "sailor", **field, **values}
            return Client().post("/newsletter/subscribe/", form, headers=headers).content.decode()

        assert f'name="invitation" value="{anna.pk.hex}"' in submit(anna.pk.hex, email="")
        submit(anna.pk.hex, email="friend@example.com")
        assert Invitation.objects.get().code == anna.pk
        assert "<script>alert" not in submit('"><script>alert(1)</script>', email="")

    def test_page_shows_the_link_and_what_it_brings(self, anna: Subscription) -> None:
        Milestone.objects.create(threshold=1, name_en="A sticker", name_cs="Samolepka")
        page = text(open_link(manage_address(anna)))
        assert f'value="http://testserver/newsletter?invitation={anna.pk.hex}" readonly' in page
        assert re.search(r'"mailto:\?subject=Join%20me[^&"]+&amp;body=[^"]+newsletter%3Finvitation%3D', page)
        assert "A sticker" in page
        assert "reached" not in page
        come(anna, "friend@example.com")
        assert "reached" in text(open_link(manage_address(anna)))


def test_list_and_export_are_in_the_order_of_early_access(admin_client: Client) -> None:
    path, numbers = "/admin/invitations/inviter/", {"most": 3, "early": 1, "late": 1}
    for days, (name, number) in zip((1, 99, 2), numbers.items(), strict=True):
        reader = create_reader(f"{name}@example.com", confirmed_at=timezone.now() - timedelta(days=days))
        for each in range(number):
            come(reader, f"guest{each}-of-{name}@sailing.example")
    come(create_reader("fresh@example.com"), "fresh-guest@sailing.example", ago=timedelta())
    page = admin_client.get(path).content.decode()
    assert re.findall(r"(most|early|late|fresh)@", page) == [*numbers]
    assert 'data-label="Came through the link" class="field-people is-number">3<' in page
    assert "guest" not in page
    assert admin_client.get(f"{path}?q=MOST@").context["cl"].result_count == 1
    admin_client.post(f"{path}export/")
    run_pending_jobs()
    response = admin_client.get(f"{path}export/{Job.objects.get(kind='export').pk}/file/")
    rows = csv.DictReader(io.StringIO(b"".join(response).decode("utf-8-sig")))
    assert {row["email"].partition("@")[0]: int(row["counted"]) for row in rows} == numbers
    Subscription.objects.filter(email="most@example.com").update(is_active=False)
    assert admin_client.get(path).context["cl"].result_count == 2


def test_milestone_is_added_in_both_languages(admin_client: Client) -> None:
    path = "/admin/invitations/milestone/"
    values = {"threshold": "3", "name_en": "Early access", "name_cs": "Přístup v první vlně"}
    for threshold, status in (("3", 302), ("0", 200)):
        assert admin_client.post(f"{path}add/", values | {"threshold": threshold}).status_code == status
    assert '/change/">3</a>' in admin_client.get(path).content.decode()
    page = admin_client.get(f"{path}{Milestone.objects.get().pk}/change/").content.decode()
    assert "<h1>3 people</h1>" in page
