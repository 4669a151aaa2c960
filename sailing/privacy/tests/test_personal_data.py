"""`personalData`: everything that is stored about a member, and nothing that gives access."""

import json
import re
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import links
from accounts.tests.factories import PASSWORD, MemberFactory
from newsletter.campaigns.models import Campaign, CampaignText, Delivery
from newsletter.imports.models import ImportBatch
from newsletter.invitations.models import Invitation
from newsletter.models import ConsentEvent, ConsentKind, SubscriptionLink
from newsletter.models import LinkPurpose as NewsletterPurpose
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.test_second_factor import set_up_second_factor
from sailing.mail import mailboxes
from sailing.mail.models import OutboxEmail, SuppressionReason
from sailing.privacy import personal_data
from tests.api import Answer, czech_visitor, post_graphql
from tests.mailbox import create_mail, english_left

pytestmark = pytest.mark.django_db

JANA = "jana@example.com"
QUERY = "{ personalData { json html } }"

OWN_WORK = (
    *("imports.ImportBatch", "newsletter.Interest", "invitations.Milestone", "jobs.Job", "jobs.JobFile"),
    *("jobs.JobFileChunk", "campaigns.Campaign", "campaigns.CampaignText", "campaigns.CampaignLink"),
    *("campaigns.Picture", "campaigns.Block", "campaigns.Segment"),
)
WITHOUT_SECTION = {
    **dict.fromkeys(OWN_WORK, "the work of admins; their history and their rights are included"),
    "ratelimit.RateCounter": "digests of clients and accounts, for minutes",
    "accounts.RevokedToken": "random numbers of ended sessions, without a member",
    **dict.fromkeys(("sessions.Session", "otp_static.StaticToken"), "a secret that gives access"),
    **dict.fromkeys(("mail.Installation", "jobs.WorkerHeartbeat", "campaigns.CampaignPace"), "of the site"),
    **dict.fromkeys(("auth.Permission", "auth.Group", "contenttypes.ContentType"), "about no member"),
}
"""Models that the download leaves out, with the reason."""


def download(member: User, client: Client | None = None) -> Answer:
    return post_graphql(QUERY, token=tokens.issue(member), client=client)


def read(member: User) -> dict[str, list[dict[str, Any]]]:
    """Return the sections of the JSON document."""
    document: dict[str, Any] = json.loads(download(member).data["json"])
    assert document.pop("created_at")
    return document


def create_member_with_everything(**fields: Any) -> User:
    """Create a member with a row in each section."""
    now = timezone.now()
    member = MemberFactory(
        email=JANA, nickname="Skipper", phone="+420 777 123 456", is_email_verified=True, **fields
    )
    admin = User.objects.create_superuser("admin@example.com", PASSWORD)
    LogEntry.objects.log_actions(admin.pk, [member], CHANGE, change_message="Deactivated.")
    links.send_link(user=member, purpose=LinkPurpose.RESET)
    set_up_second_factor(member)
    batch = ImportBatch.objects.create(file_name="secret list.csv", created_by=admin)
    subscription = SubscriptionFactory(email=JANA, confirmed=True, import_batch=batch)
    ConsentEvent.record(subscription, ConsentKind.CONFIRMED, language="en")
    SubscriptionLink.issue(NewsletterPurpose.CONFIRM, subscription=subscription)
    campaign = Campaign.objects.create(name="internal name")
    CampaignText.objects.create(campaign=campaign, language="en", subject="Ahoy {first_name|you}", body="Hi")
    Delivery.objects.create(campaign=campaign, subscription=subscription, language="en", ended_at=now)
    friend = SubscriptionFactory(is_confirmed=True, confirmed_at=now - timedelta(days=2))
    Invitation.objects.create(subscription=friend, code=subscription.pk, inviter=subscription)
    Invitation.objects.create(subscription=subscription, code=uuid4(), mailbox="own hash")
    create_mail(recipient=JANA, subject="Please confirm", text="a link", subject_key="newsletter")
    mailboxes.reserve(JANA)
    mailboxes.suppress(JANA, SuppressionReason.COMPLAINED)
    return member


def test_every_model_has_a_section_or_is_left_out_for_a_reason() -> None:
    labels = {model._meta.label for model in apps.get_models() if not model._meta.proxy}
    with_section = {section.model._meta.label for section in personal_data.sections}
    assert labels - with_section <= WITHOUT_SECTION.keys()
    assert not with_section & WITHOUT_SECTION.keys()


def test_excluded_columns_exist_and_no_other_sounds_like_a_secret() -> None:
    secret = re.compile("hash|token|secret|password|jti|key|code")
    for section in personal_data.sections:
        for name in (*section.exclude, *section.values):
            section.model._meta.get_field(name)
        assert [each.name for each in section.columns if secret.search(each.name)] == [], section.name


def test_content_is_that_of_the_rows_of_each_section() -> None:
    member = create_member_with_everything()
    found = read(member)
    assert list(found) == [section.name for section in personal_data.sections]
    assert [name for name, rows in found.items() if not rows] == []
    (account,) = found["account"]
    assert (account["email"], account["nickname"], account["is_email_verified"]) == (JANA, "Skipper", True)
    assert datetime.fromisoformat(account["created_at"]) - member.created_at < timedelta(seconds=1)
    assert [link["purpose"] for link in found["account_links"]] == ["reset"]
    assert [mail["subject"] for mail in found["account_mails"]] == ["Choose a new password"]
    assert [mail["subject"] for mail in found["other_mails"]] == ["Please confirm"]
    (subscription,) = found["newsletter_subscriptions"]
    assert subscription["import_batch"].startswith(f"{timezone.now():%Y-%m-%d}")
    assert [event["kind"] for event in found["newsletter_consents"]] == ["confirmed"]
    assert [delivery["campaign"] for delivery in found["newsletter_deliveries"]] == ["Ahoy you"]
    assert [(row["suppression"], len(row["sent_at"])) for row in found["mailbox"]] == [("complained", 1)]
    history = [(entry["user"], entry["change_message"]) for entry in read(member)["history"]]
    assert history[0] == ("an admin", "Deactivated.")
    assert history[-1] == ("you", "Data downloaded by the member.")


def test_secrets_and_names_for_admins_are_left_out() -> None:
    member = create_member_with_everything()
    OutboxEmail.objects.update(text="a secret text", html="a secret page", headers={"X": "a secret header"})
    data = download(member).data
    links = (AccountLink, SubscriptionLink)
    secrets = [value for model in links for value in model.objects.values_list("token_hash", flat=True)]
    secrets.append(Invitation.objects.get(subscription__email=JANA).code.hex)
    secrets += [member.password, "secret", "internal name", "own hash", "admin@example.com"]
    for document in data.values():
        assert [secret for secret in secrets if secret in document] == []


def test_nothing_of_another_person_is_included() -> None:
    other = create_member_with_everything()
    member = MemberFactory(email="petr@example.com", is_email_verified=True)
    found = read(member)
    assert [name for name, rows in found.items() if rows] == ["account"]
    assert [row["email"] for row in found["account"]] == ["petr@example.com"]
    html = download(member).data["html"]
    assert other.email not in html
    assert html.count("<p>Nothing is stored.</p>") == len(personal_data.sections) - 2  # account and history


def test_unverified_member_gets_nothing_that_belongs_to_the_mailbox() -> None:
    """Somebody else may own it."""
    member = create_member_with_everything()
    User.objects.filter(pk=member.pk).update(is_email_verified=False)
    account = {"account", "account_links", "account_mails", "history"}
    assert set(read(member)) == account | {"authenticator_apps", "recovery_codes"}
    html = download(member).data["html"]
    assert "Your email is not verified" in html
    assert "Please confirm" not in html


def test_page_is_in_the_language_of_the_request_readable_and_loads_nothing() -> None:
    html = download(create_member_with_everything(language="cs"), czech_visitor()).data["html"]
    assert html.startswith("<!doctype html>")
    for part in (
        '<html lang="cs">',
        "<dt>Přezdívka</dt><dd>Skipper</dd>",
        "<dd>Ano</dd>",
        "<dd>Čeština</dd>",
    ):
        assert part in html
    for app in ("accounts", "newsletter"):
        assert english_left(html.replace("Choose a new password", ""), app) == []
    assert not re.search(r"<dd>(en|cs)</dd>|<script|src=|href=|url\(|@import", html)


def test_each_member_gets_ten_downloads_an_hour() -> None:
    member = MemberFactory()
    assert all(download(member).data["json"] for _ in range(10))
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    assert download(member, elsewhere).error["code"] == "RATE_LIMITED"
    assert download(MemberFactory(), elsewhere).data["json"]
