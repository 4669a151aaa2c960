"""Coming by a link over HTTP, and the link on the pages of the newsletter."""

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.invitations.models import Invitation, Milestone
from newsletter.invitations.tests.factories import come, create_reader
from newsletter.models import Subscription
from newsletter.tests.api import subscribe
from newsletter.tests.mailbox import confirm_address, manage_address
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

ANNA = "anna@example.com"


@pytest.fixture
def anna() -> Subscription:
    return create_reader(ANNA)


def submit(*, referer: str = "", **fields: str) -> HttpResponse:
    """Post the form as a browser does without JavaScript."""
    values = {"email": "friend@example.com", "userType": "sailor", **fields}
    headers = {"Referer": referer} if referer else {}
    response = Client().post("/newsletter/subscribe/", values, headers=headers)
    assert isinstance(response, HttpResponse)
    return response


class TestComing:
    def test_friend_subscribes_by_the_link_and_counts_the_day_after(
        self, anna: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        assert subscribe(email="friend@example.com", invitation=anna.pk.hex).data["success"]
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

    @pytest.mark.parametrize("way", ["field", "address"])
    def test_form_without_javascript_sends_the_code(self, anna: Subscription, way: str) -> None:
        if way == "field":
            submit(invitation=anna.pk.hex)
        else:
            submit(referer=f"http://testserver/newsletter?invitation={anna.pk.hex}")
        assert Invitation.objects.get().code == anna.pk

    def test_form_with_an_error_keeps_the_code_and_no_markup(self, anna: Subscription) -> None:
        assert f'name="invitation" value="{anna.pk.hex}"' in text(submit(email="", invitation=anna.pk.hex))
        assert "<script>alert" not in text(submit(email="", invitation='"><script>alert(1)</script>'))

    def test_later_request_does_not_change_the_inviter(self, anna: Subscription) -> None:
        eva = create_reader("eva@example.com")
        for reader in (anna, eva):
            subscribe(email="friend@example.com", invitation=reader.pk.hex)
        assert Invitation.objects.get().code == anna.pk


class TestPages:
    def test_preferences_page_shows_the_link_and_what_it_brings(
        self, anna: Subscription, settings: Settings
    ) -> None:
        Milestone.objects.create(threshold=1, name_en="A sticker", name_cs="Samolepka")
        page = text(open_link(manage_address(anna)))
        assert f'value="{settings.SITE_URL}/newsletter?invitation={anna.pk.hex}" readonly' in page
        assert "A sticker" in page
        assert "reached" not in page
        come(anna, "friend@example.com")
        assert "reached" in text(open_link(manage_address(anna)))

    def test_email_program_gets_subject_and_link(self, anna: Subscription) -> None:
        page = text(open_link(manage_address(anna)))
        found = re.search(r'href="mailto:\?subject=([^&"]+)&amp;body=([^"]+)"', page)
        assert found
        assert found[1] == "Join%20me%20on%20Sailing"
        assert found[2].endswith(f"newsletter%3Finvitation%3D{anna.pk.hex}")
