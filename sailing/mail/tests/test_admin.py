"""The outbox in Django admin: state and errors of mails, secrets, sending again."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sailing.admin.tests.helpers import group_client, run_action, staff_client
from sailing.mail.installation import NOT_SENT
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.outbox import CLAIM_LIFETIME, MAX_ATTEMPTS
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db

LIST = "/admin/mail/outboxemail/"
SECRET = "https://example.com/newsletter/confirm/s3cret-t0ken"


def open_page(client: Client, mail: OutboxEmail) -> str:
    return client.get(f"{LIST}{mail.pk}/change/").content.decode()


class TestPages:
    def test_list_is_filtered_and_searched(self, admin_client: Client) -> None:
        create_mail(MailState.FAILED, recipient="a@example.com", last_error="550 no such user")
        create_mail(recipient="b@example.com")
        assert "550 no such user" in admin_client.get(LIST).content.decode()
        for query, found in {"state__exact=failed": "a", "state__exact=waiting": "b", "q=B@EX": "b"}.items():
            rows = admin_client.get(f"{LIST}?{query}").context["cl"].result_list
            assert [email.recipient for email in rows] == [f"{found}@example.com"], query

    @pytest.mark.parametrize(
        ("state", "attempts", "error", "is_offered"),
        [
            (MailState.SENT, 1, "", False),
            (MailState.WAITING, 0, "", False),
            (MailState.WAITING, 2, "421 later", True),
            (MailState.FAILED, 0, NOT_SENT, True),
            (MailState.FAILED, MAX_ATTEMPTS, "550 5.1.1 no user", True),
        ],
    )
    def test_page_shows_the_error_and_offers_to_send_the_mail_again(
        self, admin_client: Client, state: MailState, attempts: int, error: str, is_offered: bool
    ) -> None:
        sent_at = timezone.now() if state == MailState.SENT else None
        email = create_mail(state, attempts=attempts, last_error=error, sent_at=sent_at)
        page = open_page(admin_client, email)
        assert error in page
        assert (">Send again</button>" in page) is is_offered


class TestSecrets:
    @pytest.mark.parametrize("state", [MailState.WAITING, MailState.FAILED])
    def test_superusers_neither_see_nor_search_links(self, admin_client: Client, state: MailState) -> None:
        values = {"text": f"Open {SECRET}", "html": SECRET, "headers": {"List-Unsubscribe": SECRET}}
        email = create_mail(state, last_error="550 no", **values)
        for path in (LIST, f"{LIST}{email.pk}/change/", f"{LIST}{email.pk}/history/"):
            response = admin_client.get(path)
            assert response.status_code == 200
            assert "s3cret" not in response.content.decode()
        assert not admin_client.get(f"{LIST}?q=s3cret").context["cl"].result_list
        for field in values:
            assert admin_client.get(f"{LIST}?{field}__contains=s3cret").status_code == 400

    def test_mail_cannot_be_deleted_or_sent_to_another_address(self, admin_client: Client) -> None:
        path = f"{LIST}{create_mail().pk}/"
        assert admin_client.post(f"{path}delete/", {"post": "yes"}).status_code == 403
        assert admin_client.post(f"{path}change/", {"recipient": "thief@example.com"}).status_code == 403
        assert OutboxEmail.objects.get().recipient == "jana@example.com"


class TestRequeue:
    def test_failed_and_waiting_mails_get_all_their_attempts_again(self, admin_client: Client) -> None:
        later = timezone.now() + timedelta(hours=1)
        states = (MailState.FAILED, MailState.WAITING)
        emails = [create_mail(state, attempts=30, next_attempt_at=later) for state in states]
        assert run_action(admin_client, LIST, "requeue", *emails) == ["Done: 2."]
        due = OutboxEmail.objects.filter(next_attempt_at__lte=timezone.now())
        assert due.filter(state=MailState.WAITING, attempts=0).count() == 2

    @pytest.mark.parametrize(
        ("state", "attempts", "due_in"),
        [
            (MailState.SENT, 1, timedelta()),
            (MailState.WAITING, 1, CLAIM_LIFETIME),
            (MailState.WAITING, 1, CLAIM_LIFETIME + timedelta(seconds=8)),  # claimed during the request
            (MailState.WAITING, 0, timedelta(days=2)),
        ],
        ids=["sent", "claimed", "just claimed", "due later"],
    )
    def test_mail_that_was_sent_or_goes_by_itself_is_left_alone(
        self, admin_client: Client, state: MailState, attempts: int, due_in: timedelta
    ) -> None:
        later = timezone.now() + due_in
        email = create_mail(state, attempts=attempts, next_attempt_at=later)
        assert run_action(admin_client, LIST, "requeue", email) == [
            "Nothing was changed: sent already, or sent soon."
        ]
        email.refresh_from_db()
        assert (email.state, email.next_attempt_at) == (state, later)

    def test_button_of_a_mail_sends_it_again_which_the_history_says_without_its_address(self) -> None:
        email, client = create_mail(MailState.FAILED), staff_client("view_outboxemail", email="a@example.org")
        address = f"{LIST}{email.pk}/requeue/"
        assert address not in open_page(client, email)
        assert 'value="requeue"' not in client.get(LIST).content.decode()
        client = group_client("Managers")
        assert f'formaction="{address}"' in open_page(client, email)
        assert client.post(address).headers["Location"] == f"{LIST}{email.pk}/change/"
        email.refresh_from_db()
        assert email.state == MailState.WAITING
        assert "Sent again." in open_page(client, email)
        assert "jana@example.com" not in client.get("/admin/admin/logentry/").content.decode()
