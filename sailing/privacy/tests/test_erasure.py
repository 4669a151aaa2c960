"""Erasing a person: what is deleted, what is kept, who cannot be erased, and the order of its locks."""

from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.db import connection, models
from django.test import Client
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice
from time_machine import TimeMachineFixture

from accounts import errors, retention, tokens
from accounts.models import ERASED_ADMIN, AccountLink, LinkPurpose, RevokedToken, User
from accounts.services import links, membership, sign_in
from accounts.tests.factories import PASSWORD, MemberFactory
from accounts.validation import validate_sign_in
from newsletter.campaigns.feedback import Report, record
from newsletter.campaigns.models import DeliveryState
from newsletter.campaigns.tests.factories import DeliveryFactory
from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from newsletter.services.administration import ask_again, correct_address
from newsletter.services.preferences import change_preferences
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import second_factor
from sailing.admin.erasure import DELETE_ONLY
from sailing.admin.tests.helpers import staff_client
from sailing.admin.tests.test_second_factor import set_up_second_factor
from sailing.errors import BadUserInput
from sailing.mail import mailboxes, outbox
from sailing.mail.models import MailState, OutboxEmail, SuppressionReason
from sailing.privacy import erasure
from tests.api import VISITOR
from tests.concurrency import run_overlapping
from tests.database import before_statement

pytestmark = pytest.mark.django_db

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
    member = User.objects.create_superuser(JANA, PASSWORD, first_name="Jana")
    links.resend_verification(client=VISITOR, user=member)
    links.send_link(user=member, purpose=LinkPurpose.RESET)
    sign_in.sign_out(client=VISITOR, token=tokens.issue(member))
    set_up_second_factor(member)
    Client().force_login(member)
    for user_type in ("sailor", "company"):
        assert ask_again(subscription=SubscriptionFactory(email=JANA, user_type=user_type))
    return member


def erase(client: Client, page: str, row: Any, **values: str) -> Any:
    return client.post(f"{page}{row.pk}/delete/", {"post": "yes", **values}, follow=True)


def test_no_table_has_the_address_of_an_erased_member(admin_client: Client) -> None:
    member = create_member_with_everything()
    change = {"email": JANA, "language": "en", "nickname": "Skipper"}
    admin_client.post(f"{MEMBERS}{member.pk}/change/", change)
    for subscription in Subscription.objects.all():
        admin_client.post(SUBSCRIBERS, {"action": "unsubscribe", "_selected_action": [str(subscription.pk)]})
    OutboxEmail.objects.filter(subject__icontains="password").update(state=MailState.SENT)
    outbox.store(to=JANA, subject="[Test] Ahoy", text="", html="")  # of a campaign, if she is an admin
    assert len(tables_with(JANA)) >= 5
    assert erase(admin_client, MEMBERS, member).status_code == 200
    assert tables_with(JANA) == tables_with("recovery codes") == {}
    assert not AccountLink.objects.exists()
    assert not SubscriptionLink.objects.exists()
    assert not ConsentEvent.objects.exists()
    assert RevokedToken.objects.count() == 1  # without personal data


def test_erasing_a_subscriber_erases_both_audiences_and_keeps_the_account(admin_client: Client) -> None:
    member = create_member_with_everything()
    sailor = Subscription.objects.get(user_type="sailor")
    page = admin_client.get(f"{SUBSCRIBERS}{sailor.pk}/delete/").content.decode()
    erased, _, kept = page.partition('id="deleted-objects"')[2].partition('id="kept-objects"')
    assert f"{JANA} (Sailor)" in erased
    assert f"{JANA} (Company)" in erased
    assert f"{MEMBERS}{member.pk}/change/" in kept
    assert "(Sailor)" not in kept
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
    assert bool(mailboxes.find_suppressed([JANA])) is is_suppressed


def test_page_says_that_an_earlier_suppression_stays(admin_client: Client) -> None:
    mailboxes.suppress(JANA, SuppressionReason.COMPLAINED)
    row = SubscriptionFactory(email=JANA)
    text = admin_client.get(f"{SUBSCRIBERS}{row.pk}/delete/").content.decode()
    assert f"{JANA} is on the do-not-contact list and stays there" in text
    assert DELETE_ONLY not in text
    erase(admin_client, SUBSCRIBERS, row, suppression=DELETE_ONLY)
    assert mailboxes.find_suppressed([JANA])


def test_erasing_a_member_requires_permission_to_erase_their_subscriptions() -> None:
    client = staff_client("view_user", "delete_user")
    member = MemberFactory(email=JANA)
    SubscriptionFactory(email=JANA)
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

    def test_placeholder_is_in_the_history_alone_and_never_deleted(
        self, admin_client: Client, placeholder: User, time_machine: TimeMachineFixture
    ) -> None:
        for entry in LogEntry.objects.filter(change_message="Deactivated."):
            assert (entry.user, entry.object_repr) == (placeholder, "member@example.com")
        assert str(placeholder) == "erased admin"
        assert tables_with(JANA) == {}
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
    def test_last_superuser_stays_active(self, admin_client: Client, admin_user: User) -> None:
        boss = admin_user
        for attribute in ("is_active", "is_staff", "is_superuser"):
            not_enough = User.objects.create_superuser(f"{attribute}@example.com", PASSWORD)
            User.objects.filter(pk=not_enough.pk).update(**{attribute: False})
        with pytest.raises(erasure.ErasureRefused):
            erasure.erase_person(boss)
        with pytest.raises(errors.LastSuperuser):
            membership.deactivate(user=boss)
        boss.refresh_from_db()
        assert boss.is_active
        other = User.objects.create_superuser("other@example.com", PASSWORD)
        assert erase(admin_client, MEMBERS, boss).status_code == 403
        erasure.erase_person(other)
        assert not User.objects.filter(email__in=[other.email, ERASED_ADMIN]).exists()
        User.objects.create_superuser("another@example.com", PASSWORD)
        assert membership.deactivate(user=boss)

    def test_refusal_is_shown(self, admin_client: Client) -> None:
        """The last two superusers may erase or demote each other at the same time."""
        other = User.objects.create_superuser("other@example.com", PASSWORD)
        demote = partial(User.objects.exclude(pk=other.pk).update, is_superuser=False)
        meanwhile = partial(before_statement, 'AND "accounts_user"."is_superuser"', demote)
        with meanwhile():
            page = erase(admin_client, MEMBERS, other)
        assert "The last active superuser cannot be erased." in page.content.decode()
        assert not LogEntry.objects.filter(action_flag=DELETION).exists()
        values = {"email": other.email, "language": "en", "role": "Editors", "initial-role": "superuser"}
        User.objects.update(is_superuser=True)
        with meanwhile():
            page = admin_client.post(f"{MEMBERS}{other.pk}/change/", values)
        assert "The last active superuser cannot be demoted." in page.content.decode()
        assert User.objects.filter(pk=other.pk, is_active=True, is_staff=True, is_superuser=True).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestLocks:
    """Transactions that delete or change a person lock rows in the same order, so they do not deadlock."""

    @pytest.mark.parametrize("is_disowned", [True, False])
    def test_deleting_an_account_does_not_deadlock_with_deactivating_it(self, is_disowned: bool) -> None:
        for name in ("first", "second"):
            User.objects.create_superuser(f"{name}@example.com", PASSWORD)
        user = User.objects.create_user(
            JANA, PASSWORD, is_superuser=not is_disowned, is_staff=not is_disowned
        )
        token = AccountLink.issue(LinkPurpose.VERIFY, user=user, email=user.email)

        def deactivate_unless_erased() -> None:
            with suppress(errors.MemberErased):
                membership.deactivate(user=user)

        def delete() -> object:
            if is_disowned:
                return links.disown(token=token, purpose=LinkPurpose.VERIFY)
            return erasure.erase_person(user)

        run_overlapping(delete, deactivate_unless_erased)
        assert not User.objects.filter(pk=user.pk).exists()

    def test_superusers_who_reset_each_other_do_not_deadlock(self) -> None:
        """The history refers to the other superuser, whose row is locked."""
        users = [User.objects.create_superuser(f"{name}@example.com", PASSWORD) for name in ("a", "b")]
        clients = []
        for user in users:
            set_up_second_factor(user)
            client = Client()
            client.force_login(user)
            session = client.session
            session[DEVICE_ID_SESSION_KEY] = TOTPDevice.objects.get(user=user).persistent_id
            session.save()
            clients.append(client)
        path = MEMBERS + "{}/reset_second_factor/"
        run_overlapping(
            lambda: clients[0].post(path.format(users[1].pk)),
            lambda: clients[1].post(path.format(users[0].pk)),
        )
        assert not any(map(second_factor.is_set_up, users))

    def test_bounce_of_a_newsletter_does_not_deadlock_with_a_change_of_preferences(self) -> None:
        member = MemberFactory(email=JANA, is_email_verified=True)
        sailor = SubscriptionFactory(email=JANA, confirmed=True)
        delivery = DeliveryFactory(state=DeliveryState.SENT, subscription=sailor)
        run_overlapping(
            lambda: record(JANA, delivery, Report.HARD_BOUNCE, None),
            lambda: change_preferences(
                subscription=sailor, audiences=["sailor"], mail_language="cs", language="en"
            ),
        )
        member.refresh_from_db()
        assert member.email_undeliverable_at
        assert Subscription.objects.get().language == "cs"

    @pytest.mark.parametrize("is_erasure_first", [False, True])
    def test_correcting_an_address_does_not_deadlock_with_erasing_it(self, is_erasure_first: bool) -> None:
        typo = SubscriptionFactory(email=JANA)

        def correct() -> None:
            with suppress(Subscription.DoesNotExist):
                correct_address(subscription=typo, email="other@example.com")

        transactions = [correct, lambda: erasure.erase_person(typo)]
        run_overlapping(*(reversed(transactions) if is_erasure_first else transactions))
        assert not Subscription.objects.filter(pk=typo.pk).exists()
