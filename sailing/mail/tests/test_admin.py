"""The outbox in Django admin: state and errors of mails, secrets, sending again."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from sailing.admin.tests.helpers import group_client, run_action, staff_client
from sailing.mail.installation import NOT_SENT
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.outbox import CLAIM_LIFETIME, MAX_ATTEMPTS
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db

LIST = "/admin/mail/outboxemail/"
LATER = parse_datetime("2040-05-06T07:00Z")
SECRET = "https://example.com/newsletter/confirm/s3cret-t0ken"


def open_page(client: Client, mail: OutboxEmail) -> str:
    return client.get(f"{LIST}{mail.pk}/change/").content.decode()


class TestPages:
    def test_list_shows_state_and_last_error(self, admin_client: Client) -> None:
        create_mail(MailState.FAILED, last_error="550 no such user")
        create_mail()
        page = admin_client.get(LIST).content.decode()
        assert '<span class="badge badge-bad">Failed</span>' in page
        assert '<span class="badge badge-waiting">Waiting</span>' in page
        assert "550 no such user" in page

    def test_filter_and_search(self, admin_client: Client) -> None:
        create_mail(MailState.FAILED, recipient="a@example.com")
        create_mail(recipient="b@example.com")
        queries = {"state__exact=failed": "a", "state__exact=waiting": "b", "q=B@EX": "b"}
        for query, found in queries.items():
            rows = admin_client.get(f"{LIST}?{query}").context["cl"].result_list
            assert [email.recipient for email in rows] == [f"{found}@example.com"], query

    def test_empty_list_has_no_search_unless_it_is_filtered(self, admin_client: Client) -> None:
        page = admin_client.get(LIST).content.decode()
        assert "No email is stored." in page
        assert "searchbar" not in page
        assert "changelist-filter" not in page
        create_mail()
        page = admin_client.get(f"{LIST}?q=nobody").content.decode()
        assert "Nothing found." in page
        assert "searchbar" in page

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
    def test_page_shows_the_last_error_and_offers_to_send_the_mail_again(
        self, admin_client: Client, state: MailState, attempts: int, error: str, is_offered: bool
    ) -> None:
        sent_at = timezone.now() if state == MailState.SENT else None
        mail = create_mail(state, attempts=attempts, last_error=error, sent_at=sent_at)
        page = open_page(admin_client, mail)
        assert error in page
        assert (">Send again</button>" in page) is is_offered

    def test_mail_that_is_due_later_says_when(self, admin_client: Client) -> None:
        mail = create_mail(due_at=LATER, next_attempt_at=LATER)
        for page in (admin_client.get(LIST).content.decode(), open_page(admin_client, mail)):
            assert "May 6, 2040" in page.replace("\xa0", " ")


class TestSecrets:
    @pytest.fixture(params=[MailState.WAITING, MailState.FAILED])
    def email(self, request: pytest.FixtureRequest) -> OutboxEmail:
        """Return a mail with links in its text and headers."""
        return create_mail(
            request.param,
            text=f"Open {SECRET}",
            html=f'<a href="{SECRET}">Open</a>',
            headers={"List-Unsubscribe": f"<{SECRET}>"},
            last_error="550 no",
        )

    def test_links_can_neither_be_seen_nor_searched_by_superusers(
        self, admin_client: Client, email: OutboxEmail
    ) -> None:
        for path in (LIST, f"{LIST}{email.pk}/change/", f"{LIST}{email.pk}/history/"):
            response = admin_client.get(path)
            assert response.status_code == 200
            assert "s3cret" not in response.content.decode()
        assert not admin_client.get(f"{LIST}?q=s3cret").context["cl"].result_list
        for field in ("text", "html", "headers"):
            assert admin_client.get(f"{LIST}?{field}__contains=s3cret").status_code == 400

    def test_mail_cannot_be_deleted_or_sent_to_another_address(self, admin_client: Client) -> None:
        email = create_mail()
        assert admin_client.post(f"{LIST}{email.pk}/delete/", {"post": "yes"}).status_code == 403
        change = {"recipient": "thief@example.com"}
        assert admin_client.post(f"{LIST}{email.pk}/change/", change).status_code == 403
        email.refresh_from_db()
        assert email.recipient == "jana@example.com"


class TestRequeue:
    def test_failed_and_waiting_mails_get_all_their_attempts_again(self, admin_client: Client) -> None:
        later = timezone.now() + timedelta(hours=1)
        states = (MailState.FAILED, MailState.WAITING)
        emails = [create_mail(state, attempts=30, next_attempt_at=later) for state in states]
        assert run_action(admin_client, LIST, "requeue", *emails) == ["Done: 2."]
        for email in emails:
            email.refresh_from_db()
            assert email.state == MailState.WAITING
            assert email.attempts == 0
            assert email.next_attempt_at <= timezone.now()

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

    def test_page_of_a_mail_has_a_button_that_sends_it_again(self) -> None:
        email, client = create_mail(MailState.FAILED), group_client("Managers")
        address = f"{LIST}{email.pk}/requeue/"
        assert f'formaction="{address}"' in open_page(client, email)
        assert client.post(address).headers["Location"] == f"{LIST}{email.pk}/change/"
        email.refresh_from_db()
        assert email.state == MailState.WAITING
        assert "Sent again." in open_page(client, email)
        assert "jana@example.com" not in client.get("/admin/admin/logentry/").content.decode()

    def test_permission_to_view_is_not_enough(self) -> None:
        client, email = staff_client("view_outboxemail"), create_mail(MailState.FAILED)
        assert "Send again" not in open_page(client, email)
        assert 'value="requeue"' not in client.get(LIST).content.decode()
        assert client.post(f"{LIST}{email.pk}/requeue/").status_code == 403
        run_action(client, LIST, "requeue", email)
        email.refresh_from_db()
        assert email.state == MailState.FAILED
