"""The outbox: a mail is stored with its cause, deleted after its retention, and not sent from a copy."""

import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from sailing.admin.tests.helpers import group_client, run_action, staff_client
from sailing.jobs.models import Job, JobState
from sailing.mail import installation, mailboxes, outbox
from sailing.mail.models import Installation, MailState, OutboxEmail, SuppressionReason
from sailing.mail.outbox import CLAIM_LIFETIME, MAX_ATTEMPTS
from sailing.mail.sender import CHECK_SECONDS, Sender
from sailing.watches import measure_waiting_mails
from tests.jobs import purge_expired
from tests.mailbox import create_mail, mails, send_pending

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY = timedelta(days=1)
LIST = "/admin/mail/outboxemail/"
SECRET = "https://example.com/newsletter/confirm/s3cret-t0ken"
SENT, WAITING, FAILED = MailState.SENT, MailState.WAITING, MailState.FAILED


def store_any(to: str = "a@example.org", **options: Any) -> OutboxEmail:
    outbox.store(to=to, subject="[Test] " + "x" * 300, text="Ahoy", html="Ahoy", **options)
    return OutboxEmail.objects.latest("pk")


def test_subject_is_cut_to_what_fits() -> None:
    assert len(store_any().subject) == 255


@pytest.mark.django_db(transaction=True)
def test_mail_wakes_the_sender_after_the_commit() -> None:
    outbox.woken.clear()
    with transaction.atomic():
        store_any()
        assert not outbox.woken.is_set()
    assert outbox.woken.is_set()


class TestDueLater:
    """A reminder is stored with its cause and sent days later, unless something ends it."""

    @pytest.fixture(autouse=True)
    def _reminder(self, frozen_clock: None) -> None:
        store_any(at=timezone.now() + 2 * DAY, is_reminder=True)

    def test_it_is_sent_when_due(self, time_machine: TimeMachineFixture) -> None:
        assert send_pending() == 0
        assert measure_waiting_mails() == 0, "nothing stalls"
        time_machine.shift(2 * DAY)
        assert send_pending() == 1

    def test_it_is_purged_14_days_after_it_was_due(self, time_machine: TimeMachineFixture) -> None:
        time_machine.shift(16 * DAY)
        purge_expired()
        assert mails(is_reminder=True)
        time_machine.shift(timedelta(seconds=1))
        purge_expired()
        assert not mails(is_reminder=True)

    def test_it_is_not_sent_from_a_restored_database(self, time_machine: TimeMachineFixture) -> None:
        due = store_any()
        installation.stop_restored_work()
        time_machine.shift(2 * DAY)
        assert send_pending() == 0
        assert [mail.state for mail in mails(is_reminder=True)] == [FAILED]
        mailboxes.suppress("a@example.org", SuppressionReason.COMPLAINED)
        assert not mails(is_reminder=True), "an admin could send it again"
        assert mails() == [due]


def test_cancelling_deletes_what_is_unsent_and_purging_the_rest() -> None:
    stored = [store_any(subject_key=key) for key in ("one", "one", "one", "two", "")]
    for mail, state in zip(stored, (SENT, FAILED), strict=False):
        OutboxEmail.objects.filter(pk=mail.pk).update(state=state)
    assert outbox.cancel_pending("one")
    assert mails() == [stored[0], *stored[3:]]
    assert not outbox.cancel_pending("one")
    outbox.purge(["one", "never"])
    assert mails() == stored[3:]


class TestAdmin:
    def open_page(self, client: Client, mail: OutboxEmail) -> str:
        return client.get(f"{LIST}{mail.pk}/change/").content.decode()

    @pytest.mark.parametrize(
        ("state", "attempts", "error", "is_offered"),
        [
            (SENT, 1, "", False),
            (WAITING, 0, "", False),
            (WAITING, 2, "421 later", True),
            (FAILED, 0, installation.NOT_SENT, True),
            (FAILED, MAX_ATTEMPTS, "550 5.1.1 no user", True),
        ],
    )
    def test_page_shows_the_error_and_offers_to_send_the_mail_again(
        self, admin_client: Client, state: MailState, attempts: int, error: str, is_offered: bool
    ) -> None:
        sent_at = timezone.now() if state == SENT else None
        mail = create_mail(state, attempts=attempts, last_error=error, sent_at=sent_at)
        page = self.open_page(admin_client, mail)
        assert error in page
        assert (">Send again</button>" in page) is is_offered

    def test_superusers_neither_see_nor_search_links_nor_change_a_mail(self, admin_client: Client) -> None:
        values = {"text": f"Open {SECRET}", "html": SECRET, "headers": {"List-Unsubscribe": SECRET}}
        path = f"{LIST}{create_mail(FAILED, last_error='550 no', **values).pk}/"
        for page in (LIST, f"{path}change/", f"{path}history/"):
            response = admin_client.get(page)
            assert response.status_code == 200
            assert "s3cret" not in response.content.decode()
        for query, count in (("JANA@", 1), ("s3cret", 0)):
            assert len(admin_client.get(f"{LIST}?q={query}").context["cl"].result_list) == count
        for field in values:
            assert admin_client.get(f"{LIST}?{field}__contains=s3cret").status_code == 400
        for page, form in (("delete", {"post": "yes"}), ("change", {"recipient": "thief@example.com"})):
            assert admin_client.post(f"{path}{page}/", form).status_code == 403
        assert OutboxEmail.objects.get().recipient == "jana@example.com"

    @pytest.mark.parametrize(
        ("state", "attempts", "due_in", "is_sent_again"),
        [
            (FAILED, MAX_ATTEMPTS, DAY, True),
            (WAITING, MAX_ATTEMPTS, DAY, True),
            (SENT, 1, timedelta(), False),
            (WAITING, 1, CLAIM_LIFETIME, False),
            (WAITING, 1, CLAIM_LIFETIME + timedelta(seconds=8), False),  # claimed during the request
            (WAITING, 0, 2 * DAY, False),
        ],
    )
    def test_mail_gets_all_its_attempts_again_unless_it_was_sent_or_goes_by_itself(
        self, admin_client: Client, state: MailState, attempts: int, due_in: timedelta, is_sent_again: bool
    ) -> None:
        due_at = timezone.now() + due_in
        mail = create_mail(state, attempts=attempts, next_attempt_at=due_at)
        messages = run_action(admin_client, LIST, "requeue", mail)
        mail.refresh_from_db()
        found = (mail.state, mail.attempts, mail.next_attempt_at)
        if is_sent_again:
            assert found == (WAITING, 0, timezone.now())
        else:
            assert messages == ["Nothing was changed: sent already, or sent soon."]
            assert found == (state, attempts, due_at)

    def test_button_of_a_mail_sends_it_again_which_the_history_says_without_its_address(self) -> None:
        mail, client = create_mail(FAILED), staff_client("view_outboxemail", email="a@example.org")
        address = f"{LIST}{mail.pk}/requeue/"
        assert address not in self.open_page(client, mail)
        assert 'value="requeue"' not in client.get(LIST).content.decode()
        client = group_client("Managers")
        assert f'formaction="{address}"' in self.open_page(client, mail)
        assert client.post(address).headers["Location"] == f"{LIST}{mail.pk}/change/"
        mail.refresh_from_db()
        assert mail.state == WAITING
        assert "Sent again." in self.open_page(client, mail)
        assert "jana@example.com" not in client.get("/admin/admin/logentry/").content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no permissions")
def test_host_that_does_not_tell_the_cluster_lets_the_site_send() -> None:
    identity = installation.read_identity()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "CREATE ROLE customer; REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC;"
            " GRANT ALL ON mail_installation TO customer; SET LOCAL ROLE customer"
        )
        assert installation.read_identity().split() == ["0", *identity.split()[1:]]
        assert not installation.is_copy()
        transaction.set_rollback(True)


@pytest.mark.django_db(transaction=True)
def test_copy_is_logged_once(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", itertools.count(step=CHECK_SECONDS).__next__)
    sender = Sender()
    sender.work()
    assert Installation.objects.get().identity == installation.read_identity(), "a new database is the site's"
    Installation.objects.update(identity="another database")
    create_mail()
    for _round in range(3):
        assert not sender.work()
    sender.close()
    assert [each.state for each in mails()] == [WAITING]
    assert ["database_is_a_copy" in str(record.msg) for record in caplog.records] == [True]


@pytest.mark.django_db(transaction=True)
class TestCopy:
    @pytest.fixture(autouse=True)
    def _copy(self) -> None:
        Installation.objects.update(identity="another database")

    def test_what_waited_is_ended_and_later_mails_are_sent(self, capsys: pytest.CaptureFixture[str]) -> None:
        create_mail()
        Job.objects.create(kind="newsletter.invite_batch", state=JobState.WAITING)
        for state in (CampaignState.SENDING, CampaignState.SCHEDULED):
            CampaignFactory(state=state)
        for counts in ((1, 1, 1, 1), (0, 0, 0, 0)):
            call_command("after_restore")
            printed = capsys.readouterr().out.splitlines()
            assert [int(line.rpartition(" ")[2]) for line in printed[:-1]] == [*counts]
        create_mail()
        assert send_pending() == 1
        assert [each.state for each in mails()] == [FAILED, SENT]
        assert Job.objects.get().state == JobState.CANCELLED
        campaigns = Campaign.objects.order_by("pk")
        assert [each.state for each in campaigns] == [CampaignState.PAUSED, CampaignState.DRAFT]

    def test_moved_database_goes_on(self) -> None:
        create_mail()
        call_command("after_restore", "--moved")
        assert send_pending() == 1

    def test_every_admin_page_shows_it_and_a_superuser_ends_what_waited(self, admin_client: Client) -> None:
        create_mail()
        CampaignFactory(state=CampaignState.SENDING, name="Regatta")
        button, notice = reverse("admin:end_restored_work"), "This database was restored or copied"
        assert notice in admin_client.get("/admin/").content.decode()
        assert button in admin_client.get("/admin/system/").content.decode()
        assert group_client("Managers").post(button).status_code == 403
        admin_client.get(button)
        assert installation.is_copy()
        assert "Campaigns that are paused: 1" in admin_client.post(button, follow=True).content.decode()
        page = admin_client.get("/admin/").content.decode()
        assert notice not in page
        assert "“Regatta” was stopped when the database was restored" in page
        assert LogEntry.objects.latest("pk").change_message == "Ended the work that waited in the backup."
        assert [each.state for each in mails()] == [FAILED]


@pytest.mark.django_db(transaction=True)
def test_recipients_beyond_mail_only_to_get_nothing(settings: Settings, mailoutbox: list[Any]) -> None:
    settings.MAIL_ONLY_TO = {"jana@example.com", "sailing.example"}
    permitted = ("jana@example.com", "petr@sailing.example", "Eva@Sailing.example")
    for recipient in (*permitted, "petr@example.com", "a@b.sailing.example"):
        create_mail(recipient=recipient)
    send_pending()
    assert sorted(each.to[0] for each in mailoutbox) == sorted(permitted)
    for each in mails()[len(permitted) :]:
        assert (each.state, "MAIL_ONLY_TO" in each.last_error) == (FAILED, True)
