"""What members do to their account, where it concerns the newsletter and other tables too."""

from collections import Counter
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.test import Client
from pytest_django import Settings

from accounts import tokens
from accounts.models import ERASED_ADMIN, AccountLink, User
from accounts.services import links, membership
from accounts.tests.api import call
from accounts.tests.factories import PASSWORD, WRONG, MemberFactory
from accounts.tests.mailbox import confirm, link_to_change
from newsletter.models import Subscription
from newsletter.services.administration import ask_again
from newsletter.tests.factories import SubscriptionFactory
from sailing.errors import Unauthenticated
from sailing.jobs.models import Job, JobState
from sailing.mail.mailboxes import find_suppressed
from sailing.privacy.tests.test_erasure import tables_with
from tests.api import VISITOR, Answer, czech_visitor, post_graphql
from tests.concurrency import run_at_once
from tests.jobs import run_pending_jobs
from tests.mailbox import mails, open_link, text

pytestmark = pytest.mark.django_db

OLD, JANA, NEW = "older@example.com", "jana@example.com", "new@example.com"
SETTINGS_LINK = "{ newsletterSettingsUrl }"


def create_member_with_everything() -> User:
    """Create a subscribed member with a changed address and a pending change."""
    member = MemberFactory(email=OLD, is_email_verified=True, language="cs")
    admin = User.objects.create_superuser("admin@example.com", PASSWORD)
    LogEntry.objects.log_actions(admin.pk, [member], CHANGE, change_message="Deactivated.")
    confirm(link_to_change(member, JANA))
    link_to_change(member, NEW)
    for user_type in ("sailor", "company"):
        assert ask_again(subscription=SubscriptionFactory(email=JANA, user_type=user_type))
    links.request_password_reset(client=VISITOR, email=JANA)
    run_pending_jobs()
    membership.end_own_sessions(client=VISITOR, user=member)
    member.refresh_from_db()
    arguments = {"query": "q=jana%40example.com"}
    Job.objects.create(kind="admin.bulk_action", state=JobState.DONE, arguments=arguments, created_by=admin)
    return member


def delete(member: User, *, keep: bool = False, password: str = PASSWORD) -> Answer:
    token = tokens.issue(member)
    return call("deleteAccount", token=token, currentPassword=password, keepNewsletter=keep)


def test_newsletter_stays_with_its_address_when_the_member_changes_theirs() -> None:
    member = MemberFactory(email=JANA, is_email_verified=True)
    subscription = SubscriptionFactory(email=JANA, confirmed=True)
    link = link_to_change(member, NEW)
    assert "Newsletters keep going to the address you subscribed with." in text(open_link(link))
    confirm(link)
    assert User.objects.get().email == NEW
    subscription.refresh_from_db()
    assert (subscription.email, subscription.is_active) == (JANA, True)


def test_link_opens_the_page_of_the_address_and_has_a_rate(settings: Settings) -> None:
    settings.MEMBER_READ_RATE = "1/h"
    SubscriptionFactory(confirmed=True)
    SubscriptionFactory(email=JANA, confirmed=True)
    token = tokens.issue(MemberFactory(email=JANA, is_email_verified=True))
    url = post_graphql(SETTINGS_LINK, token=token, client=czech_visitor()).data
    assert url.endswith("/?lang=cs#preferences")
    assert JANA in text(open_link(url.removeprefix("http://testserver").partition("#")[0]))
    assert post_graphql(SETTINGS_LINK, token=token).error["code"] == "RATE_LIMITED"


@pytest.mark.parametrize(
    ("state", "is_email_verified", "has_link"),
    [
        ({"confirmed": True}, True, True),
        ({"confirmed": True, "paused": True}, True, True),
        ({"confirmed": True}, False, False),
        ({}, True, False),
        ({"confirmed": True, "unsubscribed": True}, True, False),
        ({"confirmed": True, "bounced": True}, True, False),
        ({"confirmed": True, "email": "other@example.com"}, True, False),
    ],
)
def test_only_the_member_with_the_verified_address_of_a_subscriber_has_the_link(
    state: dict[str, Any], is_email_verified: bool, has_link: bool
) -> None:
    SubscriptionFactory(**{"email": JANA, **state})
    member = MemberFactory(email=JANA, is_email_verified=is_email_verified)
    answer = post_graphql(SETTINGS_LINK, token=tokens.issue(member)).body["data"]["newsletterSettingsUrl"]
    assert bool(answer) is has_link


class TestDeletion:
    def test_no_address_of_the_member_is_left_but_in_the_mail_that_confirms_it(self) -> None:
        other = SubscriptionFactory(email="petr@example.com")
        member = create_member_with_everything()
        token = tokens.issue(member)
        assert len(tables_with(JANA)) >= 4
        assert delete(member).data is True
        assert not User.objects.filter(email__in=(JANA, ERASED_ADMIN)).exists()
        assert post_graphql("{ me { id } }", token=token).error["code"] == "UNAUTHENTICATED"
        assert {table: len(rows) for table, rows in tables_with(JANA).items()} == {"mail_outboxemail": 1}
        assert tables_with(OLD) == tables_with(NEW) == {}
        assert not AccountLink.objects.exists()
        assert Subscription.objects.get() == other
        assert find_suppressed([JANA]) == {JANA}
        (entry,) = LogEntry.objects.filter(object_id=member.pk)  # of an admin
        assert (entry.change_message, entry.object_repr) == ("Deactivated.", str(member.pk))

    def test_kept_newsletter_stays_and_is_not_suppressed(self) -> None:
        member = create_member_with_everything()
        assert delete(member, keep=True).data is True
        assert not User.objects.filter(pk=member.pk).exists()
        assert Subscription.objects.filter(email=JANA).count() == 2
        assert find_suppressed([JANA]) == set()
        assert set(tables_with(JANA)) == {"newsletter_subscription", "mail_outboxemail"}

    def test_unverified_member_deletes_no_subscription_and_gets_no_mail(self) -> None:
        """The mailbox may be somebody else's."""
        SubscriptionFactory(email=JANA, confirmed=True)
        assert delete(MemberFactory(email=JANA)).data is True
        assert Subscription.objects.filter(email=JANA).exists()
        assert find_suppressed([JANA]) == set()
        assert not mails()

    @pytest.mark.parametrize(("keep", "is_subscribed"), [(True, True), (False, True), (True, False)])
    def test_mail_mentions_the_newsletter_only_if_it_is_kept(self, keep: bool, is_subscribed: bool) -> None:
        member = MemberFactory(email=JANA, is_email_verified=True)
        if is_subscribed:
            SubscriptionFactory(email=JANA, confirmed=True)
        delete(member, keep=keep)
        (mail,) = mails()
        assert (mail.recipient, mail.subject_key) == (JANA, "")
        is_kept = "Your newsletter subscription stays as it was." in mail.text
        assert is_kept is (keep and is_subscribed)

    def test_request_whose_sessions_ended_meanwhile_or_with_a_wrong_password_deletes_nothing(self) -> None:
        member = MemberFactory(email=JANA, is_email_verified=True)
        SubscriptionFactory(email=JANA, confirmed=True)
        assert delete(member, password=WRONG).error["field"] == "currentPassword"
        membership.sign_out_everywhere(user=User.objects.get())
        with pytest.raises(Unauthenticated):
            membership.delete_account(
                client=VISITOR, user=member, current_password=PASSWORD, keep_newsletter=False
            )
        assert User.objects.exists()
        assert Subscription.objects.exists()
        assert not find_suppressed([JANA])
        assert not mails()

    def test_last_superuser_stays_until_there_is_another(self) -> None:
        boss = User.objects.create_superuser(JANA, PASSWORD)
        error = delete(boss).error
        assert error["code"] == "LAST_SUPERUSER"
        assert error["message"].startswith("You are the last admin with all rights.")
        assert User.objects.get() == boss
        User.objects.create_superuser("other@example.com", PASSWORD)
        assert delete(boss).data is True


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_one_of_six_deletions_succeeds(settings: Settings) -> None:
    settings.SIGNIN_RATE = settings.SIGNIN_FAILURE_RATE = "1000/m"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # needs no hashing slot
    member = MemberFactory(email=JANA, is_email_verified=True)
    SubscriptionFactory(email=JANA)
    token = tokens.issue(member)
    visitors = [Client(REMOTE_ADDR=f"192.0.2.{number}") for number in range(6)]
    values: dict[str, Any] = {"currentPassword": PASSWORD, "keepNewsletter": False}
    answers = run_at_once(
        6, lambda number: call("deleteAccount", token=token, client=visitors[number], **values)
    )
    codes = Counter(answer.error["code"] if "errors" in answer.body else "OK" for answer in answers)
    assert codes == {"OK": 1, "UNAUTHENTICATED": 5}
    assert [mail.recipient for mail in mails()] == [JANA]
    assert not Subscription.objects.exists()
