"""The outbox in Django admin: state and errors of mails, secrets, sending again."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from newsletter.models import Subscription
from sailing.admin.tests.helpers import group_client, run_action, staff_client
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.outbox import subject_key
from sailing.mail.recording import MAX_ATTEMPTS
from sailing.mail.sender import CLAIM_LIFETIME
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db

LIST = "/admin/mail/outboxemail/"
SECRET = "https://example.com/newsletter/confirm/s3cret-t0ken"


def create_secret_mail(state: MailState) -> OutboxEmail:
    """Store a mail with links in its text and headers."""
    return create_mail(
        state,
        text=f"Open {SECRET}",
        html=f'<a href="{SECRET}">Open</a>',
        headers={"List-Unsubscribe": f"<{SECRET}>"},
        last_error="550 no",
    )


class TestPages:
    def test_list_shows_state_and_last_error(self, admin_client: Client) -> None:
        create_mail(MailState.FAILED, last_error="550 no such user")
        create_mail(attempts=1)
        page = admin_client.get(LIST).content.decode()
        assert '<span class="badge badge-bad">Failed</span>' in page
        assert '<span class="badge badge-waiting">Retrying</span>' in page
        assert "550 no such user" in page

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("?state=failed", {"a@example.com"}),
            ("?state=waiting", {"b@example.com"}),
            ("?state=retried", {"c@example.com"}),
            ("?q=B@EX", {"b@example.com"}),
        ],
    )
    def test_filter_and_search(self, admin_client: Client, query: str, found: set[str]) -> None:
        create_mail(MailState.FAILED, recipient="a@example.com")
        create_mail(recipient="b@example.com")
        create_mail(recipient="c@example.com", attempts=1)
        rows = admin_client.get(LIST + query).context["cl"].result_list
        assert {email.recipient for email in rows} == found


class TestSecrets:
    @pytest.mark.parametrize("state", [MailState.WAITING, MailState.FAILED])
    def test_links_are_hidden_from_superusers(self, admin_client: Client, state: MailState) -> None:
        email = create_secret_mail(state)
        for path in (LIST, f"{LIST}{email.pk}/change/", f"{LIST}{email.pk}/history/"):
            response = admin_client.get(path)
            assert response.status_code == 200
            assert "s3cret" not in response.content.decode()

    @pytest.mark.parametrize(
        ("state", "shown"),
        [(MailState.WAITING, {"next_attempt_at"}), (MailState.SENT, {"sent_at"}), (MailState.FAILED, set())],
    )
    def test_page_has_the_times_that_the_state_gives_a_meaning(
        self, admin_client: Client, state: MailState, shown: set[str]
    ) -> None:
        mail = create_mail(state)
        fieldset = admin_client.get(f"{LIST}{mail.pk}/change/").context["adminform"].fieldsets[0]
        assert {"next_attempt_at", "sent_at"} & set(fieldset[1]["fields"]) == shown

    def test_recipient_leads_to_the_row_that_the_mail_is_about(self, admin_client: Client) -> None:
        subscription = Subscription.objects.create(email="a@example.com", user_type="sailor")
        mail = create_mail(subject_key=subject_key(Subscription, subscription.pk))
        page = admin_client.get(f"{LIST}{mail.pk}/change/").content.decode()
        link = r'<dt>To</dt><dd><a href="([^"]+)">jana@example.com</a> \(subscriber\)</dd>'
        (path,) = re.findall(link, page)
        assert admin_client.get(path).context["original"] == subscription

    @pytest.mark.parametrize("key", ["", subject_key(Subscription, 1)])
    def test_recipient_without_a_row_that_the_admin_may_view_is_plain_text(self, key: str) -> None:
        mail = create_mail(subject_key=key)
        page = staff_client("view_outboxemail").get(f"{LIST}{mail.pk}/change/").content.decode()
        assert "<dt>To</dt><dd>jana@example.com</dd>" in page

    @pytest.mark.parametrize(
        ("state", "attempts", "error", "outcome", "button"),
        [
            (MailState.SENT, 1, "", "accepted the email", None),
            (MailState.WAITING, 0, "", "the site sends it by itself", ("Send now", False)),
            (MailState.WAITING, 2, "421 later", "the site sends it by itself", ("Send now", False)),
            (MailState.FAILED, MAX_ATTEMPTS, "451 later", "for about a day", ("Send again", True)),
            (MailState.FAILED, 1, "550 5.1.1 no such user", "does not work", ("Send again", False)),
            (MailState.FAILED, 1, "550 5.7.1 spam", "refused the email", ("Send again", False)),
            (MailState.FAILED, 1, "ValueError: bad header", "refused the email", ("Send again", False)),
        ],
    )
    def test_page_says_what_became_of_the_mail_and_what_comes_next(
        self,
        admin_client: Client,
        state: MailState,
        attempts: int,
        error: str,
        outcome: str,
        button: tuple[str, bool] | None,
    ) -> None:
        mail = create_mail(state, attempts=attempts, last_error=error)
        page = admin_client.get(f"{LIST}{mail.pk}/change/").content.decode()
        assert outcome in page
        assert error in page
        buttons = re.findall(r'<button class="button( quiet-button)?" type="submit">([^<]+)</button>', page)
        assert buttons == ([("" if button[1] else " quiet-button", button[0])] if button else [])
        assert "closelink" not in page

    def test_list_without_a_mail_says_what_appears_there(self, admin_client: Client) -> None:
        page = admin_client.get(LIST).content.decode()
        assert "No email is stored." in page
        assert "searchbar" not in page
        create_mail()
        page = admin_client.get(f"{LIST}?q=nobody").content.decode()
        assert "Nothing found." in page
        assert "searchbar" in page

    def test_filter_by_the_time_of_sending_has_periods_alone(self, admin_client: Client) -> None:
        create_mail()
        page = admin_client.get(LIST).content.decode()
        assert "Past 7 days" in page
        assert "No date" not in page
        assert "Has date" not in page

    def test_links_cannot_be_searched(self, admin_client: Client) -> None:
        create_secret_mail(MailState.WAITING)
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
        assert run_action(admin_client, LIST, "requeue", *emails) == ["2 emails will be sent now."]
        for email in emails:
            email.refresh_from_db()
            assert email.state == MailState.WAITING
            assert email.attempts == 0
            assert email.next_attempt_at <= timezone.now()
        page = admin_client.get("/admin/admin/logentry/").content.decode()
        assert "Emails sent again: 2." in page
        assert "jana@example.com" not in page

    @pytest.mark.parametrize("state", [MailState.SENT, MailState.WAITING])
    def test_mail_that_was_sent_or_that_a_sender_has_claimed_is_left_alone(
        self, admin_client: Client, state: MailState
    ) -> None:
        later = timezone.now() + CLAIM_LIFETIME
        email = create_mail(state, next_attempt_at=later)
        assert run_action(admin_client, LIST, "requeue", email) == [
            "1 email was left alone: it has been sent or is on its way."
        ]
        email.refresh_from_db()
        assert (email.state, email.next_attempt_at) == (state, later)

    @pytest.mark.parametrize(
        ("group", "state", "may_send"),
        [
            ("Managers", MailState.FAILED, True),
            ("Managers", MailState.SENT, False),
            ("Editors", MailState.FAILED, False),
            ("Viewers", MailState.FAILED, False),
        ],
    )
    def test_page_of_a_mail_has_a_button_that_sends_it_again(
        self, group: str, state: MailState, may_send: bool
    ) -> None:
        client = group_client(group)
        email = create_mail(state)
        page = client.get(f"{LIST}{email.pk}/change/").content.decode()
        form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', page))
        assert form.get("_selected_action") == (str(email.pk) if may_send else None)
        if may_send:
            response = client.post(LIST, form)
            assert response.headers["Location"] == f"{LIST}{email.pk}/change/"
            email.refresh_from_db()
            assert email.state == MailState.WAITING

    def test_permission_to_view_is_not_enough(self) -> None:
        client = staff_client("view_outboxemail")
        email = create_mail(MailState.FAILED)
        assert 'value="requeue"' not in client.get(LIST).content.decode()
        run_action(client, LIST, "requeue", email)
        email.refresh_from_db()
        assert email.state == MailState.FAILED
