"""What an import does with its rows: only the owner's own word wins over an opt-out."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone
from hypothesis import example, given, settings
from hypothesis import strategies as st
from time_machine import TimeMachineFixture

from newsletter.imports import jobs
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import Plan
from newsletter.imports.tests.helpers import CONSENT, HEADER, check, import_rows, start
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from newsletter.services import administration
from newsletter.services.lifecycle import begin_subscription
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from sailing.jobs import queue
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from tests.jobs import run_pending_jobs
from tests.mailbox import mails

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
        events = {"imported": ConsentKind.IMPORTED_CONSENT, "confirmed": ConsentKind.CONFIRMED}
        if kind in events:
            ConsentEvent.record(subscription, events[kind], language="en")


@pytest.mark.parametrize(
    ("stored", "row", "outcome", "states"),
    [
        # Columns: sailor before; audience and state in the file; what is counted; sailor and company after.
        ("", "sailor,,yes", "added-confirmed", "confirmed -"),
        ("", "sailor,,perhaps", "state", "- -"),
        ("", "crew,,no", "added-opted-out", "unsubscribed -"),
        ("", "company,,bounced", "bounced", "- -"),
        ("waiting", "sailor,,yes", "known", "pending -"),
        ("waiting", "company,,no", "ended", "unsubscribed -"),
        ("waiting", "company,,bounced", "bounced", "pending -"),
        ("confirmed", "sailor,,yes", "known", "confirmed -"),
        ("confirmed", "company,,no", "confirmed", "confirmed -"),
        ("imported", "company,,no", "ended", "unsubscribed -"),
        ("left", "company,,yes", "added-waiting", "unsubscribed pending"),
        ("ended", "company,,yes", "added-waiting", "unsubscribed pending"),
        ("bounced", "company,,yes", "bounced", "bounced -"),
        ("bounced", "sailor,,no", "ended", "bounced -"),
        ("opted out", "company,,yes", "opted-out", "unsubscribed -"),
        ("suppressed", "sailor,,no", "suppressed", "- -"),
    ],
)
def test_each_row_has_one_outcome_as_it_was_counted(stored: str, row: str, outcome: str, states: str) -> None:
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


def test_opt_out_deletes_the_mails_and_only_the_owner_takes_it_back() -> None:
    subscribe(email="jana@example.com")
    import_rows(f"{HEADER}jana@example.com,sailor,,no\n")
    assert not mails()
    subscription = Subscription.objects.get()
    assert not administration.restore(subscription=subscription)
    begin_subscription(subscription, language="en")
    assert import_rows(f"{HEADER}jana@example.com,company,,yes\n").counts == {"added-waiting": 1}
    assert import_rows(f"{HEADER}jana@example.com,sailor,,no\n").counts == {"confirmed": 1}


ROW = st.tuples(
    st.sampled_from(["a@example.com", "b@example.com"]),
    st.sampled_from(["sailor", "company", "crew"]),
    st.sampled_from(["yes", "no", "", "bounced", "perhaps"]),
)


@settings(max_examples=10)
@given(st.lists(st.lists(ROW, min_size=1, max_size=6), min_size=1, max_size=3))
@example([[("a@example.com", "sailor", "yes"), ("a@example.com", "company", "no")]])
@example([[("a@example.com", "sailor", ""), ("a@example.com", "sailor", "yes")]])
@example([[("a@example.com", "sailor", "yes")] * 2 + [("a@example.com", "company", "no")] * 2])
def test_totals_are_what_the_import_does(monkeypatch: pytest.MonkeyPatch, imported: Any) -> None:
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


@pytest.mark.parametrize(
    ("role", "value"), [("ignored", b"perhaps"), ("ignored", b"yes"), ("subscribed", b"\xe1")]
)
def test_column_about_a_state_keeps_people_from_coming_in_as_confirmed(role: str, value: bytes) -> None:
    content = b"email,Status,Note\njana@example.com," + value + b",yes\n"
    import_rows(content, Plan("utf-8", ",", ["email", role, "confirmed"], "sailor"), **CONSENT)
    assert not Subscription.objects.filter(is_confirmed=True).exists()


def test_people_come_in_as_on_the_site_without_consent_or_mail() -> None:
    rows = " New.One@Example.COM ,Sailor,cs,\r\nfirma@člun.cz,COMPANY,,yes\r\n"
    batch = import_rows(f"\ufeffEmail,Type,Language,Active\r\n{rows}")
    stored = Subscription.objects.order_by("language")
    assert list(stored.values_list("email", "user_type", "language", "is_imported", "import_batch")) == [
        ("new.one@example.com", "sailor", "cs", True, batch.pk),
        ("firma@xn--lun-eqa.cz", "company", "en", True, batch.pk),
    ]
    assert not ConsentEvent.objects.exists()
    assert not mails()


def test_consent_of_today_is_never_later_than_the_import(time_machine: TimeMachineFixture) -> None:
    """Bounces and complaints from before a confirmation do not count. Later ones are of the owner."""
    time_machine.move_to(datetime(2026, 3, 4, 6, tzinfo=UTC), tick=False)
    import_rows(f"{HEADER}jana@example.com,sailor,,yes\n", **CONSENT | {"consent_date": "2026-03-04"})
    assert Subscription.objects.get().confirmed_at == timezone.now()


@pytest.mark.usefixtures("frozen_clock")
def test_address_that_somebody_stores_meanwhile_is_decided_again(time_machine: TimeMachineFixture) -> None:
    def refuse(execute: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith('INSERT INTO "newsletter_subscription"'):
            raise IntegrityError
        return execute(sql, *arguments)

    batch = start(f"{HEADER}jana@example.com,sailor,,no\npetr@example.com,sailor,,yes\n")
    with connection.execute_wrapper(refuse):
        run_pending_jobs()
    assert Subscription.objects.count() == ConsentEvent.objects.count() == 0
    SubscriptionFactory(email="jana@example.com", user_type="sailor")
    time_machine.shift(queue.FIRST_BACKOFF)
    run_pending_jobs()
    batch.refresh_from_db()
    assert batch.counts == {"ended": 1, "added-waiting": 1}
    assert ConsentEvent.objects.get().kind == ConsentKind.IMPORTED_OPT_OUT
