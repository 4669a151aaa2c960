"""A restored or copied database sends nothing until an admin agrees, and a copy mails only to whom it may."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from sailing.admin.tests.helpers import group_client
from sailing.jobs.models import Job, JobState
from sailing.mail import installation
from sailing.mail.models import Installation, MailState
from sailing.mail.sender import Sender
from tests.mailbox import create_mail, mails, send_pending

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _copy() -> None:
    """Make the database a copy of that which the site used."""
    installation.adopt()
    Installation.objects.update(identity="another database")


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


def test_copy_is_logged_once(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sailing.mail.sender.CHECK_SECONDS", 0)
    sender = Sender()
    sender.work()
    assert Installation.objects.get().identity == installation.read_identity(), "a new database is the site's"
    Installation.objects.update(identity="another database")
    create_mail()
    for _round in range(3):
        assert not sender.work()
    sender.close()
    assert [each.state for each in mails()] == [MailState.WAITING]
    assert ["database_is_a_copy" in str(record.msg) for record in caplog.records] == [True]


@pytest.mark.usefixtures("_copy")
class TestCopy:
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
        assert [each.state for each in mails()] == [MailState.FAILED, MailState.SENT]
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
        assert [each.state for each in mails()] == [MailState.FAILED]


def test_recipients_beyond_mail_only_to_get_nothing(settings: Settings, mailoutbox: list[Any]) -> None:
    settings.MAIL_ONLY_TO = {"jana@example.com", "sailing.example"}
    permitted = ("jana@example.com", "petr@sailing.example", "Eva@Sailing.example")
    for recipient in (*permitted, "petr@example.com", "a@b.sailing.example"):
        create_mail(recipient=recipient)
    send_pending()
    assert sorted(each.to[0] for each in mailoutbox) == sorted(permitted)
    for each in mails()[len(permitted) :]:
        assert (each.state, "MAIL_ONLY_TO" in each.last_error) == (MailState.FAILED, True)
