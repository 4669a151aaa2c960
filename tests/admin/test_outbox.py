"""The outbox in Django admin: status and errors of mails, secrets, sending again."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from post_office.models import STATUS, Email
from pytest_django import DjangoAssertNumQueries

from tests.admin.helpers import run_action, staff_client

pytestmark = pytest.mark.django_db

LIST = "/admin/post_office/email/"
SECRET = "https://example.com/newsletter/confirm/s3cret-t0ken"


def create_mail(status: int, to: str = "jana@example.com", error: str = "") -> Email:
    """Store a mail with links in its bodies and headers."""
    email = Email.objects.create(
        from_email="hello@example.com",
        to=[to],
        subject="Welcome",
        message=f"Open {SECRET}",
        html_message=f'<a href="{SECRET}">Open</a>',
        headers={"List-Unsubscribe": f"<{SECRET}>"},
        status=status,
        number_of_retries=30,
        scheduled_time=timezone.now() + timedelta(hours=1),
    )
    if error:
        email.logs.create(status=STATUS.failed, exception_type="SMTPException", message=error)
    return email


class TestPages:
    def test_list_shows_status_and_last_error(self, admin_client: Client) -> None:
        email = create_mail(STATUS.failed, error="first")
        email.logs.create(status=STATUS.failed, exception_type="SMTPException", message="550 no such user")
        page = admin_client.get(LIST).content.decode()
        assert '<span class="badge badge-bad">failed</span>' in page
        assert "550 no such user" in page
        assert "first" not in page

    def test_mail_page_shows_every_attempt(self, admin_client: Client) -> None:
        email = create_mail(STATUS.failed, error="421 try later")
        email.logs.create(status=STATUS.failed, exception_type="OSError", message="550 no such user")
        page = admin_client.get(f"{LIST}{email.pk}/change/").content.decode()
        for text in ("421 try later", "550 no such user", "SMTPException", "OSError"):
            assert text in page

    def test_times_are_formatted(self, admin_client: Client) -> None:
        email = create_mail(STATUS.requeued, error="no")
        time = datetime(2025, 6, 1, 12, 30, tzinfo=UTC)
        Email.objects.update(created=time, scheduled_time=time + timedelta(hours=1))
        page = admin_client.get(f"{LIST}{email.pk}/change/").content.decode()
        assert "June 1, 2025, 12:30 p.m." in page
        assert "June 1, 2025, 1:30 p.m." in page

    @pytest.mark.parametrize(
        ("query", "found"),
        [(f"?status={STATUS.failed}", {"a@example.com"}), ("?q=B@EX", {"b@example.com"})],
    )
    def test_filter_and_search(self, admin_client: Client, query: str, found: set[str]) -> None:
        create_mail(STATUS.failed, to="a@example.com")
        create_mail(STATUS.queued, to="b@example.com")
        rows = admin_client.get(LIST + query).context["cl"].result_list
        assert {email.to[0] for email in rows} == found

    @pytest.mark.parametrize("rows", [1, 40])
    def test_number_of_queries_does_not_depend_on_the_rows(
        self, admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries, rows: int
    ) -> None:
        for _row in range(rows):
            create_mail(STATUS.failed, error="no")
        with django_assert_max_num_queries(6):
            admin_client.get(LIST)


class TestSecrets:
    @pytest.mark.parametrize("status", [STATUS.queued, STATUS.requeued, STATUS.failed])
    def test_links_are_hidden_from_superusers(self, admin_client: Client, status: int) -> None:
        email = create_mail(status, error="no")
        for path in (LIST, f"{LIST}{email.pk}/change/", f"{LIST}{email.pk}/history/"):
            response = admin_client.get(path)
            assert response.status_code == 200
            assert "s3cret" not in response.content.decode()

    def test_links_cannot_be_searched(self, admin_client: Client) -> None:
        create_mail(STATUS.queued)
        assert not admin_client.get(f"{LIST}?q=s3cret").context["cl"].result_list
        for field in ("message", "html_message", "headers", "context"):
            assert admin_client.get(f"{LIST}?{field}__contains=s3cret").status_code == 400

    @pytest.mark.parametrize("page", ["preview", "resend", "delete"])
    def test_pages_of_the_library_are_disabled(self, admin_client: Client, page: str) -> None:
        email = create_mail(STATUS.queued)
        response = admin_client.post(f"{LIST}{email.pk}/{page}/", {"post": "yes"})
        assert "s3cret" not in response.content.decode()
        email.refresh_from_db()
        assert email.status == STATUS.queued

    def test_recipient_cannot_be_changed(self, admin_client: Client) -> None:
        email = create_mail(STATUS.queued)
        response = admin_client.post(f"{LIST}{email.pk}/change/", {"to": "thief@example.com"})
        assert response.status_code == 403
        email.refresh_from_db()
        assert email.to == ["jana@example.com"]


class TestRequeue:
    def test_failed_and_waiting_mails_get_all_their_retries_again(self, admin_client: Client) -> None:
        emails = [create_mail(STATUS.failed), create_mail(STATUS.requeued)]
        assert run_action(admin_client, LIST, "requeue", *emails) == ["2 mails will be sent now."]
        for email in emails:
            email.refresh_from_db()
            assert email.status == STATUS.queued
            assert email.number_of_retries is None
            assert email.scheduled_time is None

    def test_sent_mail_is_skipped(self, admin_client: Client) -> None:
        sent = create_mail(STATUS.sent)
        assert run_action(admin_client, LIST, "requeue", sent) == ["1 mail was left alone: it has been sent."]
        sent.refresh_from_db()
        assert sent.status == STATUS.sent

    def test_permission_to_view_is_not_enough(self) -> None:
        client = staff_client("view_email")
        email = create_mail(STATUS.failed)
        assert 'value="requeue"' not in client.get(LIST).content.decode()
        run_action(client, LIST, "requeue", email)
        email.refresh_from_db()
        assert email.status == STATUS.failed
