"""The outbox in Django admin: failures are easy to see and to repeat, the secrets in mails are not shown."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from post_office.models import STATUS, Email
from pytest_django import DjangoAssertNumQueries

from accounts.models import User

pytestmark = pytest.mark.django_db

LIST = "/admin/post_office/email/"
SECRET = "https://example.com/newsletter/confirm/s3cret-t0ken"


def mail(status: int, to: str = "jana@example.com", error: str = "") -> Email:
    """A mail with a link in its text and one in its headers."""
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


def requeue(client: Client, *emails: Email) -> list[str]:
    chosen = [str(email.pk) for email in emails]
    response = client.post(LIST, {"action": "requeue", "_selected_action": chosen}, follow=True)
    return [str(message) for message in response.context["messages"]]


class TestSeeing:
    def test_the_list_shows_state_and_last_error(self, admin_client: Client) -> None:
        email = mail(STATUS.failed, error="first")
        email.logs.create(status=STATUS.failed, exception_type="SMTPException", message="550 no such user")
        page = admin_client.get(LIST).content.decode()
        assert '<span class="badge badge-bad">failed</span>' in page
        assert "550 no such user" in page
        assert "first" not in page

    def test_every_try_stands_on_the_page_of_the_mail(self, admin_client: Client) -> None:
        email = mail(STATUS.failed, error="421 try later")
        email.logs.create(status=STATUS.failed, exception_type="OSError", message="550 no such user")
        page = admin_client.get(f"{LIST}{email.pk}/change/").content.decode()
        for shown in ("421 try later", "550 no such user", "SMTPException", "OSError"):
            assert shown in page

    def test_moments_are_written_as_elsewhere(self, admin_client: Client) -> None:
        email = mail(STATUS.requeued, error="no")
        moment = datetime(2025, 6, 1, 12, 30, tzinfo=UTC)
        Email.objects.update(created=moment, scheduled_time=moment + timedelta(hours=1))
        page = admin_client.get(f"{LIST}{email.pk}/change/").content.decode()
        assert "June 1, 2025, 12:30 p.m." in page
        assert "June 1, 2025, 1:30 p.m." in page

    @pytest.mark.parametrize(
        ("query", "found"),
        [(f"?status={STATUS.failed}", {"a@example.com"}), ("?q=B@EX", {"b@example.com"})],
    )
    def test_filter_and_search(self, admin_client: Client, query: str, found: set[str]) -> None:
        mail(STATUS.failed, to="a@example.com")
        mail(STATUS.queued, to="b@example.com")
        rows = admin_client.get(LIST + query).context["cl"].result_list
        assert {email.to[0] for email in rows} == found

    @pytest.mark.parametrize("rows", [1, 40])
    def test_the_number_of_queries_does_not_grow_with_the_rows(
        self, admin_client: Client, django_assert_num_queries: DjangoAssertNumQueries, rows: int
    ) -> None:
        for _row in range(rows):
            mail(STATUS.failed, error="no")
        with django_assert_num_queries(5):  # session, user, their second factor, count, rows
            admin_client.get(LIST)


class TestKeepingSecrets:
    @pytest.mark.parametrize("status", [STATUS.queued, STATUS.requeued, STATUS.failed])
    def test_not_even_a_superuser_sees_the_links_of_a_mail(self, admin_client: Client, status: int) -> None:
        email = mail(status, error="no")
        for address in (LIST, f"{LIST}{email.pk}/change/", f"{LIST}{email.pk}/history/"):
            response = admin_client.get(address)
            assert response.status_code == 200
            assert "s3cret" not in response.content.decode()

    def test_they_cannot_be_searched_for_either(self, admin_client: Client) -> None:
        mail(STATUS.queued)
        assert not admin_client.get(f"{LIST}?q=s3cret").context["cl"].result_list
        for field in ("message", "html_message", "headers", "context"):
            assert admin_client.get(f"{LIST}?{field}__contains=s3cret").status_code == 400

    @pytest.mark.parametrize("page", ["preview", "resend", "delete"])
    def test_the_pages_of_the_library_that_show_or_send_them_are_gone(
        self, admin_client: Client, page: str
    ) -> None:
        email = mail(STATUS.queued)
        response = admin_client.post(f"{LIST}{email.pk}/{page}/", {"post": "yes"})
        assert "s3cret" not in response.content.decode()
        email.refresh_from_db()
        assert email.status == STATUS.queued

    def test_a_mail_cannot_be_led_astray(self, admin_client: Client) -> None:
        email = mail(STATUS.queued)
        response = admin_client.post(f"{LIST}{email.pk}/change/", {"to": "thief@example.com"})
        assert response.status_code == 403
        email.refresh_from_db()
        assert email.to == ["jana@example.com"]


class TestSendingAgain:
    def test_what_failed_or_waits_gets_all_its_tries_anew(self, admin_client: Client) -> None:
        emails = [mail(STATUS.failed), mail(STATUS.requeued)]
        assert requeue(admin_client, *emails) == ["2 mails will be sent now."]
        for email in emails:
            email.refresh_from_db()
            assert email.status == STATUS.queued
            assert email.number_of_retries is None
            assert email.scheduled_time is None

    def test_a_sent_mail_is_not_sent_again_without_its_text(self, admin_client: Client) -> None:
        sent = mail(STATUS.sent)
        assert requeue(admin_client, sent) == ["1 mail was left alone: it has been sent."]
        sent.refresh_from_db()
        assert sent.status == STATUS.sent

    def test_who_may_only_view_may_not(self) -> None:
        user = User.objects.create_user("staff@example.com", "only for tests", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename="view_email"))
        client = Client()
        client.force_login(user)
        email = mail(STATUS.failed)
        assert 'value="requeue"' not in client.get(LIST).content.decode()
        requeue(client, email)
        email.refresh_from_db()
        assert email.status == STATUS.failed
