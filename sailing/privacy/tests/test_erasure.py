"""Erasing a person in Django admin: what is deleted, what is kept, and who cannot be erased."""

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.db import connection, models
from django.test import Client
from django.utils import timezone
from time_machine import TimeMachineFixture

from accounts import retention, tokens
from accounts.errors import LastSuperuser
from accounts.models import ERASED_ADMIN, AccountLink, LinkPurpose, RevokedToken, User
from accounts.services import links, membership, sign_in
from accounts.tests.factories import MemberFactory
from accounts.validation import validate_sign_in
from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from newsletter.services.administration import ask_again
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.erasure import DELETE_ONLY
from sailing.admin.tests.helpers import staff_client
from sailing.admin.tests.test_second_factor import set_up_second_factor
from sailing.errors import BadUserInput
from sailing.mail import mailboxes
from sailing.mail.mailboxes import find_suppressed
from sailing.mail.models import MailState, OutboxEmail, SuppressionReason
from sailing.privacy import erasure
from tests.api import VISITOR

pytestmark = pytest.mark.django_db

PASSWORD = "Fair winds, 2025!"
JANA = "jana@example.com"
MEMBERS, SUBSCRIBERS = "/admin/accounts/user/", "/admin/newsletter/subscription/"


def tables_with(address: str) -> dict[str, list[Any]]:
    """Return every row of the database that contains an address, by table."""
    found: dict[str, list[Any]] = {}
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        assert {"accounts_user", "newsletter_subscription", "mail_outboxemail"} <= set(tables)
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            rows = [row for row in cursor.fetchall() if address in str(row).lower()]
            if rows:
                found[table] = rows
    return found


def create_member_with_everything() -> User:
    """Create a member with links, mails, sessions, a second factor and two subscriptions."""
    member = User.objects.create_superuser(JANA, PASSWORD, first_name="Jana")
    links.resend_verification(client=VISITOR, user=member)
    links.send_link(user=member, purpose=LinkPurpose.RESET)
    sign_in.sign_out(client=VISITOR, token=tokens.issue(member))
    set_up_second_factor(member)
    Client().force_login(member)
    subscribe_address("sailor")
    subscribe_address("company")
    return member


def subscribe_address(user_type: str) -> Subscription:
    subscription = Subscription.objects.create(email=JANA, user_type=user_type)
    assert ask_again(subscription=subscription)
    return subscription


def erase(client: Client, page: str, row: Any, **values: str) -> Any:
    return client.post(f"{page}{row.pk}/delete/", {"post": "yes", **values}, follow=True)


def get_list(page: Any, element: str) -> str:
    """Return the HTML of the list with this id."""
    _, _, after = page.content.decode().partition(f'id="{element}"')
    return str(after.partition("</ul>")[0])


def test_no_table_has_the_address_of_an_erased_member(admin_client: Client) -> None:
    member = create_member_with_everything()
    change = {"email": JANA, "language": "en", "nickname": "Skipper"}
    admin_client.post(f"{MEMBERS}{member.pk}/change/", change)
    for subscription in Subscription.objects.all():
        admin_client.post(SUBSCRIBERS, {"action": "unsubscribe", "_selected_action": [str(subscription.pk)]})
    OutboxEmail.objects.filter(subject__icontains="password").update(state=MailState.SENT)
    assert len(tables_with(JANA)) >= 5
    assert erase(admin_client, MEMBERS, member).status_code == 200
    assert tables_with(JANA) == tables_with("recovery codes") == {}
    assert not AccountLink.objects.exists()
    assert not SubscriptionLink.objects.exists()
    assert not ConsentEvent.objects.exists()
    assert RevokedToken.objects.count() == 1  # without personal data


def test_erasing_a_subscriber_erases_both_audiences_and_keeps_the_account(
    admin_client: Client,
) -> None:
    member = create_member_with_everything()
    sailor = Subscription.objects.get(user_type="sailor")
    page = admin_client.get(f"{SUBSCRIBERS}{sailor.pk}/delete/")
    for audience in ("Sailor", "Company"):
        assert f"jana@example.com ({audience})" in get_list(page, "deleted-objects")
    assert f"{MEMBERS}{member.pk}/change/" in get_list(page, "kept-objects")
    assert "(Sailor)" not in get_list(page, "kept-objects")
    mails = OutboxEmail.objects.filter(subject_key=f"accounts.user {member.pk}").count()
    erase(admin_client, SUBSCRIBERS, sailor)
    assert not Subscription.objects.exists()
    assert LogEntry.objects.filter(action_flag=DELETION).count() == 2
    assert User.objects.filter(pk=member.pk).exists()
    assert OutboxEmail.objects.count() == mails == 2


@pytest.mark.parametrize(
    ("page", "choice", "is_suppressed"),
    [
        (MEMBERS, {"suppression": "add"}, True),
        (SUBSCRIBERS, {}, True),
        (SUBSCRIBERS, {"suppression": DELETE_ONLY}, False),
    ],
)
def test_address_is_suppressed_unless_the_admin_chooses_to_delete_only(
    admin_client: Client, page: str, choice: dict[str, str], is_suppressed: bool
) -> None:
    row = MemberFactory(email=JANA) if page == MEMBERS else SubscriptionFactory(email=JANA)
    assert f'value="{DELETE_ONLY}"' in admin_client.get(f"{page}{row.pk}/delete/").content.decode()
    erase(admin_client, page, row, **choice)
    assert tables_with(JANA) == {}
    assert bool(find_suppressed([JANA])) is is_suppressed


def test_page_says_that_an_earlier_suppression_stays(admin_client: Client) -> None:
    mailboxes.suppress(JANA, SuppressionReason.COMPLAINED)
    row = SubscriptionFactory(email=JANA)
    text = admin_client.get(f"{SUBSCRIBERS}{row.pk}/delete/").content.decode()
    assert f"{JANA} is on the do-not-contact list and stays there" in text
    assert DELETE_ONLY not in text
    erase(admin_client, SUBSCRIBERS, row, suppression=DELETE_ONLY)
    assert find_suppressed([JANA])


def test_erasing_a_member_requires_permission_to_erase_their_subscriptions() -> None:
    client = staff_client("view_user", "delete_user")
    member = User.objects.create_user(JANA, PASSWORD)
    subscribe_address("sailor")
    assert "have permission to delete" in client.get(f"{MEMBERS}{member.pk}/delete/").content.decode()
    assert erase(client, MEMBERS, member).status_code == 403
    assert User.objects.filter(pk=member.pk).exists()
    Subscription.objects.all().delete()
    assert erase(client, MEMBERS, member).status_code == 200
    assert not User.objects.filter(pk=member.pk).exists()


def test_every_model_with_an_address_is_erased() -> None:
    """Else CONTRIBUTING says how to register it, or how its rows are deleted is said here."""
    deleted_with_others = {AccountLink: "its member", OutboxEmail: "by its subject_key"}
    with_address = {
        model
        for model in apps.get_models()
        if not model._meta.proxy
        and model.__module__.startswith(("accounts.", "newsletter.", "sailing."))
        and any(isinstance(field, models.EmailField) for field in model._meta.get_fields())
    }
    assert with_address == set(erasure.registered) | deleted_with_others.keys()


class TestErasedAdmin:
    @pytest.fixture
    def placeholder(self, admin_client: Client) -> User:
        """Erase two admins who have entries in the history; return the row that replaces them."""
        member = MemberFactory(email="member@example.com")
        for email in (JANA, "petr@example.com"):
            other = User.objects.create_superuser(email, PASSWORD)
            LogEntry.objects.log_actions(other.pk, [member], CHANGE, change_message="Deactivated.")
            erase(admin_client, MEMBERS, other)
        return User.objects.get(email=ERASED_ADMIN)

    def test_history_is_kept_without_the_address(self, admin_client: Client, placeholder: User) -> None:
        for entry in LogEntry.objects.filter(change_message="Deactivated."):
            assert (entry.user, entry.object_repr) == (placeholder, "member@example.com")
        assert str(placeholder) == "erased admin"
        member = User.objects.get(email="member@example.com")
        assert "Deactivated." in admin_client.get(f"{MEMBERS}{member.pk}/change/").content.decode()
        assert tables_with(JANA) == {}

    def test_placeholder_is_inactive_not_listed_and_never_deleted(
        self, admin_client: Client, placeholder: User, time_machine: TimeMachineFixture
    ) -> None:
        rights = ("is_active", "is_staff", "may_be_disowned")
        assert not any(getattr(placeholder, right) for right in rights)
        assert not placeholder.has_usable_password()
        assert not links.send_link(user=placeholder, purpose=LinkPurpose.RESET)
        assert placeholder not in admin_client.get(MEMBERS).context["cl"].result_list
        for view in ("change", "delete", "password"):
            assert admin_client.get(f"{MEMBERS}{placeholder.pk}/{view}/").status_code in (302, 404)
        erase(admin_client, MEMBERS, placeholder)
        time_machine.move_to(timezone.now() + timedelta(days=120))
        retention.purge_unverified()
        assert User.objects.filter(pk=placeholder.pk).exists()

    def test_placeholder_cannot_be_signed_up_or_signed_in_as(self, placeholder: User) -> None:
        stranger = {"first_name": "Eve", "last_name": "Novak", "email": ERASED_ADMIN, "password": PASSWORD}
        with pytest.raises(BadUserInput, match="valid email"):
            sign_in.sign_up(client=VISITOR, values=stranger, language="en")
        placeholder.set_password(PASSWORD)
        placeholder.is_active = placeholder.is_staff = True
        placeholder.save()
        with pytest.raises(BadUserInput, match="valid email"):
            validate_sign_in(email=ERASED_ADMIN, password=PASSWORD)
        assert not Client().login(username=ERASED_ADMIN, password=PASSWORD)


class TestLastSuperuser:
    def test_superuser_cannot_erase_themselves(self, admin_client: Client, admin_user: User) -> None:
        User.objects.create_superuser("other@example.com", PASSWORD)
        assert erase(admin_client, MEMBERS, admin_user).status_code == 403
        assert User.objects.filter(pk=admin_user.pk).exists()

    def test_last_superuser_can_be_neither_erased_nor_deactivated(self, admin_user: User) -> None:
        boss = admin_user
        for attribute in ("is_active", "is_staff", "is_superuser"):
            not_enough = User.objects.create_superuser(f"{attribute}@example.com", PASSWORD)
            User.objects.filter(pk=not_enough.pk).update(**{attribute: False})
        with pytest.raises(erasure.ErasureRefused):
            erasure.erase_person(boss)
        with pytest.raises(LastSuperuser):
            membership.deactivate(user=boss)
        boss.refresh_from_db()
        assert boss.is_active
        other = User.objects.create_superuser("other@example.com", PASSWORD)
        erasure.erase_person(other)
        assert not User.objects.filter(email__in=[other.email, ERASED_ADMIN]).exists()
        User.objects.create_superuser("another@example.com", PASSWORD)
        assert membership.deactivate(user=boss)

    def test_refusal_is_shown(self, admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        """The last two superusers may erase or demote each other at the same time."""
        other = User.objects.create_superuser("other@example.com", PASSWORD)
        monkeypatch.setattr(membership, "require_other_superuser", mock.Mock(side_effect=LastSuperuser))
        page = erase(admin_client, MEMBERS, other)
        assert [str(message) for message in page.context["messages"]] == [
            "The last active superuser cannot be erased."
        ]
        assert not LogEntry.objects.filter(action_flag=DELETION).exists()
        values = {"email": other.email, "language": "en", "role": "Editors", "initial-role": "superuser"}
        page = admin_client.post(f"{MEMBERS}{other.pk}/change/", values)
        assert "The last active superuser cannot be demoted." in page.content.decode()
        assert User.objects.filter(pk=other.pk, is_active=True, is_staff=True, is_superuser=True).exists()
