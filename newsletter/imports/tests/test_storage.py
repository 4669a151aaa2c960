"""What an import does with its rows: only the owner's own word wins over an opt-out."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone
from hypothesis import example, given, settings
from hypothesis import strategies as st
from time_machine import TimeMachineFixture

from newsletter.imports import jobs
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import Plan
from newsletter.imports.tests.helpers import CONSENT, HEADER, check, import_rows, start
from newsletter.imports.vocabulary import Role
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from newsletter.services import administration
from newsletter.services.lifecycle import begin_subscription
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address
from sailing.jobs import queue
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from tests.jobs import run_pending_jobs
from tests.mailbox import latest, mails, press_button

pytestmark = pytest.mark.django_db

STORED: dict[str, dict[str, Any]] = {
    "waiting": {},
    "confirmed": {"confirmed": True},
    "imported": {"confirmed": True, "is_imported": True},
    "left": {"unsubscribed": True},
    "ended": {"is_active": False},
    "bounced": {"bounced": True},
}
"""What an address may be on the list, as a sailor."""


def store(kind: str) -> None:
    if kind == "suppressed":
        mailboxes.suppress("jana@example.com", SuppressionReason.COMPLAINED)
    elif kind == "opted out":
        import_rows(f"{HEADER}jana@example.com,sailor,,no\n")
    elif kind:
        subscription = SubscriptionFactory(email="jana@example.com", user_type="sailor", **STORED[kind])
        if kind == "imported":
            ConsentEvent.record(subscription, ConsentKind.IMPORTED_CONSENT, language="en")
        elif kind == "confirmed":
            ConsentEvent.record(subscription, ConsentKind.CONFIRMED, language="en")


@pytest.mark.parametrize(
    ("stored", "row", "outcome", "states"),
    [
        # Columns: sailor before; audience and state in the file; what is counted; sailor and company after.
        ("", "sailor,,yes", "added-confirmed", "confirmed -"),
        ("", "sailor,,", "added-waiting", "pending -"),
        ("", "sailor,,pending", "added-waiting", "pending -"),
        ("", "sailor,,perhaps", "state", "- -"),
        ("", "sailor,,no", "added-opted-out", "unsubscribed -"),
        ("", "crew,,no", "added-opted-out", "unsubscribed -"),
        ("", "crew,,yes", "audience", "- -"),
        ("", "company,,bounced", "bounced", "- -"),
        ("waiting", "sailor,,yes", "known", "pending -"),
        ("waiting", "sailor,,no", "ended", "unsubscribed -"),
        ("waiting", "company,,no", "ended", "unsubscribed -"),
        ("waiting", "company,,bounced", "bounced", "pending -"),
        ("waiting", "company,,yes", "added-confirmed", "pending confirmed"),
        ("confirmed", "sailor,,yes", "known", "confirmed -"),
        ("confirmed", "company,,no", "confirmed", "confirmed -"),
        ("imported", "company,,no", "ended", "unsubscribed -"),
        ("left", "sailor,,yes", "known", "unsubscribed -"),
        ("left", "company,,yes", "added-waiting", "unsubscribed pending"),
        ("left", "company,,no", "known", "unsubscribed -"),
        ("ended", "company,,yes", "added-waiting", "unsubscribed pending"),
        ("bounced", "company,,yes", "bounced", "bounced -"),
        ("bounced", "sailor,,no", "ended", "bounced -"),
        ("opted out", "company,,yes", "opted-out", "unsubscribed -"),
        ("opted out", "company,,no", "known", "unsubscribed -"),
        ("suppressed", "sailor,,yes", "suppressed", "- -"),
        ("suppressed", "sailor,,no", "suppressed", "- -"),
    ],
)
def test_each_row_has_one_outcome_and_it_is_counted_before(
    stored: str, row: str, outcome: str, states: str
) -> None:
    store(stored)
    content = f"{HEADER}jana@example.com,{row}\n"
    before = list(Subscription.objects.values()), ConsentEvent.objects.count()
    assert check(content, **CONSENT).result["counts"] == {outcome: 1}
    assert (list(Subscription.objects.values()), ConsentEvent.objects.count()) == before
    assert import_rows(content, **CONSENT).counts == {outcome: 1}
    found = {each.user_type: each.state.value for each in Subscription.objects.all()}
    assert [found.get(name, "-") for name in ("sailor", "company")] == states.split()


@pytest.mark.parametrize("stored", ["", *STORED, "opted out"])
def test_opt_out_is_remembered_for_the_address_whatever_it_was(stored: str) -> None:
    store(stored)
    import_rows(f"{HEADER}jana@example.com,company,,no\n")
    assert import_rows(f"{HEADER}jana@example.com,company,,yes\n", **CONSENT).added_count == 0
    assert ConsentEvent.objects.get(kind=ConsentKind.IMPORTED_OPT_OUT).wording == ""
    subscription = Subscription.objects.earliest("created_at")
    assert stored == "confirmed" or not administration.ask_again(subscription=subscription)


def test_opt_out_deletes_the_mails_and_no_admin_takes_it_back() -> None:
    subscribe(email="jana@example.com")
    import_rows(f"{HEADER}jana@example.com,sailor,,no\n")
    assert not mails()
    assert not administration.restore(subscription=Subscription.objects.get())


def test_owner_who_confirms_after_an_opt_out_can_be_imported_again() -> None:
    import_rows(f"{HEADER}jana@example.com,sailor,,no\n")
    subscribe(email="jana@example.com")
    press_button(confirm_address(latest()))
    assert import_rows(f"{HEADER}jana@example.com,company,,yes\n").counts == {"added-waiting": 1}


def test_opt_out_counts_when_an_admin_marks_the_address_as_reachable_later() -> None:
    store("bounced")
    import_rows(f"{HEADER}jana@example.com,sailor,,no\n")
    administration.mark_reachable(subscription=Subscription.objects.get())
    assert Subscription.objects.get().state is State.UNSUBSCRIBED


def test_documented_consent_counts_less_than_a_later_confirmation_here() -> None:
    import_rows(f"{HEADER}jana@example.com,sailor,,yes\n", **CONSENT)
    begin_subscription(Subscription.objects.get(), language="en")
    assert import_rows(f"{HEADER}jana@example.com,sailor,,no\n").counts == {"confirmed": 1}
    assert Subscription.objects.get().is_subscribed


ROW = st.tuples(
    st.sampled_from(["a@example.com", "b@example.com"]),
    st.sampled_from(["sailor", "company", "crew"]),
    st.sampled_from(["yes", "no", "", "bounced", "perhaps"]),
)


@settings(max_examples=25)
@given(st.lists(st.lists(ROW, min_size=1, max_size=6), min_size=1, max_size=3))
@example([[("a@example.com", "sailor", "yes"), ("a@example.com", "company", "no")]])
@example([[("a@example.com", "sailor", ""), ("a@example.com", "sailor", "yes")]])
@example([[("a@example.com", "sailor", "yes")] * 2 + [("a@example.com", "company", "no")] * 2])
def test_totals_are_what_the_import_does_and_nobody_who_opted_out_is_asked(
    monkeypatch: pytest.MonkeyPatch, imported: list[list[tuple[str, str, str]]]
) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", 2)
    Subscription.objects.all().delete()
    ImportBatch.objects.all().delete()
    opted_out = set()
    for rows in imported:
        lines = "".join(f"{email},{user_type},,{state}\n" for email, user_type, state in rows)
        opted_out |= {email for email, _user_type, state in rows if state == "no"}
        totals = check(HEADER + lines, **CONSENT).result["counts"]
        assert sum(totals.values()) == len(rows)
        assert import_rows(HEADER + lines, **CONSENT).counts == totals
        for subscription in Subscription.objects.in_state(State.PENDING, State.CONFIRMED):
            assert subscription.email not in opted_out


UNKNOWN = st.sampled_from(
    ["gesperrt?", "✓", "★", "-", "?", "#N/A", "#REF!", "2", "0.0", "1970-01-01", "0000-00-00", "perhaps"]
) | st.text(st.characters(codec="utf-8", exclude_characters=',"\r\n'), min_size=1, max_size=6)
KNOWN = {"subscribed", "confirmed", "active", "ano", "yes", "true", "1", "on", "t", "y", "oui", "ja", "vrai"}
STATE_HEADINGS = ("Status", "Unsubscribed", "CONFIRM_TIME", "Bounced at", "Odhlášen")


@settings(max_examples=60)
@given(
    st.sampled_from(STATE_HEADINGS),
    UNKNOWN,
    st.lists(st.sampled_from(Role.values), min_size=3, max_size=3),
    st.booleans(),
)
@example("Unsubscribed", "★", ["email", "ignored", "ignored"], False)
@example("Status", "perhaps", ["email", "first_name", "subscribed"], True)
def test_unknown_value_of_a_state_never_yields_confirmed_whatever_the_mapping(
    heading: str, value: str, roles: list[str], has_broken_byte: bool
) -> None:
    if not has_broken_byte and (value.strip().lower() in KNOWN or not value.strip()):
        return
    Subscription.objects.all().delete()
    cell = value.encode() + (b"\xe1" if has_broken_byte else b"")
    content = f"email,{heading},Note\njana@example.com,".encode() + cell + b",yes\n"
    import_rows(content, Plan("utf-8", ",", ["email", *roles[1:]], "sailor"), **CONSENT)
    assert not Subscription.objects.filter(is_confirmed=True).exists()


def test_people_come_in_as_on_the_site_without_consent_or_mail() -> None:
    rows = " New.One@Example.COM ,Sailor,cs,\r\nfirma@člun.cz,COMPANY,,yes\r\n"
    batch = import_rows(f"\ufeffEmail,Type,Language,Active\r\n{rows}")
    stored = Subscription.objects.order_by("language")
    assert list(stored.values_list("email", "user_type", "language", "is_imported", "import_batch")) == [
        ("new.one@example.com", "sailor", "cs", True, batch.pk),
        ("firma@xn--lun-eqa.cz", "company", "en", True, batch.pk),
    ]
    assert not Subscription.objects.filter(is_confirmed=True).exists()
    assert not ConsentEvent.objects.exists()
    assert not mails()


def test_consent_of_today_is_never_later_than_the_import(time_machine: TimeMachineFixture) -> None:
    """Bounces and complaints from before a confirmation do not count. Later ones are of the owner."""
    time_machine.move_to(datetime(2026, 3, 4, 6, tzinfo=UTC), tick=False)
    import_rows(f"{HEADER}jana@example.com,sailor,,yes\n", **CONSENT | {"consent_date": "2026-03-04"})
    assert Subscription.objects.get().confirmed_at == timezone.now()


def test_address_that_somebody_stores_at_the_same_time_is_decided_again(
    monkeypatch: pytest.MonkeyPatch, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    create = QuerySet.bulk_create

    def store_before(self: Any, rows: Any, **options: Any) -> Any:
        if self.model is Subscription:
            raise IntegrityError
        return create(self, rows, **options)

    batch = start(f"{HEADER}jana@example.com,sailor,,no\npetr@example.com,sailor,,yes\n")
    with monkeypatch.context() as patch:
        patch.setattr(QuerySet, "bulk_create", store_before)
        run_pending_jobs()
    assert Subscription.objects.count() == ConsentEvent.objects.count() == 0
    SubscriptionFactory(email="jana@example.com", user_type="sailor")
    time_machine.shift(queue.FIRST_BACKOFF)
    run_pending_jobs()
    batch.refresh_from_db()
    assert batch.counts == {"ended": 1, "added-waiting": 1}
    assert Subscription.objects.get(email="jana@example.com").state is State.UNSUBSCRIBED
    assert ConsentEvent.objects.get().kind == ConsentKind.IMPORTED_OPT_OUT
