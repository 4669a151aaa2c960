"""Imported opt-outs, which win over everything but a later word of the owner, and documented consent."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, ClassVar

import pytest
from django.utils import timezone
from hypothesis import example, given, settings
from hypothesis import strategies as st
from time_machine import TimeMachineFixture

from newsletter.imports import jobs, services
from newsletter.imports.models import ImportBatch
from newsletter.imports.tests.helpers import (
    ALL,
    MAPPING,
    counts,
    get_admin,
    import_rows,
    read_bad_rows,
    upload,
)
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from newsletter.services import administration
from newsletter.services.lifecycle import begin_subscription
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address
from sailing.mail import suppression
from sailing.mail.models import SuppressionReason
from tests.jobs import run_pending_jobs
from tests.mailbox import latest, mails, press_button

pytestmark = pytest.mark.django_db


class TestOptOuts:
    """An opt-out counts for the address, in both audiences and every order; only the owner undoes it."""

    HEADER = "email,user_type,source,language,state\n"

    @pytest.mark.parametrize("user_type", ["sailor", "company"])
    def test_it_ends_what_is_pending_with_its_mails_and_is_remembered(self, user_type: str) -> None:
        subscribe(email="jana@example.com")
        batch = import_rows(f"{self.HEADER}jana@example.com,{user_type},,,no\n", ALL)
        assert batch.opted_out_count == 1
        assert Subscription.objects.get(user_type="sailor").state is State.UNSUBSCRIBED
        assert not mails()
        for again in ("sailor", "company"):
            later = import_rows(f"{self.HEADER}jana@example.com,{again},,,yes\n", ALL)
            assert not services.list_invitable(later).exists()

    @pytest.mark.parametrize("user_type", ["sailor", "company"])
    def test_it_is_listed_and_remembered_beside_a_confirmation(self, user_type: str) -> None:
        SubscriptionFactory(email="jana@example.com", user_type="sailor", confirmed=True)
        batch = import_rows(f"{self.HEADER}jana@example.com,{user_type},,,no\n", ALL)
        assert counts(batch) == (0, 0, 1)
        assert "The owner has confirmed on this site, so the subscription stays." in read_bad_rows(batch)
        assert Subscription.objects.get().is_subscribed
        later = import_rows(f"{self.HEADER}jana@example.com,company,,,yes\n", ALL)
        assert not services.list_invitable(later).exists()

    def test_it_is_remembered_beside_an_earlier_unsubscription(self) -> None:
        SubscriptionFactory(email="jana@example.com", user_type="sailor", unsubscribed=True)
        import_rows(f"{self.HEADER}jana@example.com,sailor,,,no\n", ALL)
        later = import_rows(f"{self.HEADER}jana@example.com,company,,,yes\n", ALL)
        assert not services.list_invitable(later).exists()
        assert "The owner of this address has opted out." in read_bad_rows(later)

    @pytest.mark.parametrize(
        ("is_confirmed", "event", "state"),
        [
            (False, ConsentKind.INVITED, State.UNSUBSCRIBED),
            (True, ConsentKind.IMPORTED_CONSENT, State.UNSUBSCRIBED),
            (True, ConsentKind.CONFIRMED, State.CONFIRMED),
        ],
    )
    def test_it_counts_when_an_admin_marks_the_address_as_reachable_later(
        self, is_confirmed: bool, event: ConsentKind, state: State
    ) -> None:
        subscription = SubscriptionFactory(email="jana@example.com", bounced=True, confirmed=is_confirmed)
        ConsentEvent.record(subscription, event, language="en")
        import_rows(f"{self.HEADER}jana@example.com,sailor,,,no\n", ALL)
        administration.mark_reachable(subscription=subscription)
        assert Subscription.objects.get().state is state

    def test_owner_who_confirms_later_can_be_imported_again(self) -> None:
        import_rows(f"{self.HEADER}jana@example.com,sailor,,,no\n", ALL)
        subscribe(email="jana@example.com")
        press_button(confirm_address(latest()))
        later = import_rows(f"{self.HEADER}jana@example.com,company,,,yes\n", ALL)
        assert services.list_invitable(later).count() == 1

    def test_address_that_bounced_elsewhere_is_not_asked_in_any_audience(self) -> None:
        SubscriptionFactory(email="jana@example.com", user_type="company")
        rows = "jana@example.com,sailor,,,bounced\njana@example.com,company,,,yes\n"
        batch = import_rows(self.HEADER + rows, ALL)
        assert not services.list_invitable(batch).exists()
        assert {each.state for each in Subscription.objects.all()} == {State.BOUNCED}

    ROW = st.tuples(
        st.sampled_from(["a@example.com", "b@example.com"]),
        st.sampled_from(["sailor", "company", "crew"]),
        st.sampled_from(["yes", "no", "", "perhaps"]),
    )

    @settings(max_examples=15)
    @given(st.lists(st.lists(ROW, min_size=1, max_size=4), min_size=1, max_size=3))
    @example([[("a@example.com", "sailor", "yes"), ("a@example.com", "company", "no")]])
    @example([[("a@example.com", "crew", "no"), ("a@example.com", "sailor", "yes")]])
    @example([[("a@example.com", "sailor", "yes")] * 2 + [("a@example.com", "company", "no")]])
    def test_no_file_or_sequence_of_imports_makes_an_address_askable_that_opted_out(
        self, monkeypatch: pytest.MonkeyPatch, imported: list[list[tuple[str, str, str]]]
    ) -> None:
        monkeypatch.setattr(jobs, "STEP_ROWS", 2)
        Subscription.objects.all().delete()
        ImportBatch.objects.all().delete()
        opted_out = set()
        for rows in imported:
            lines = "".join(f"{email},{user_type},,,{state}\n" for email, user_type, state in rows)
            opted_out |= {email for email, _user_type, state in rows if state == "no"}
            import_rows(self.HEADER + lines, ALL)
        for batch in ImportBatch.objects.all():
            askable = set(services.list_invitable(batch).values_list("email", flat=True))
            assert not askable & opted_out

    def test_opt_out_that_a_simultaneous_import_stored_is_respected(self) -> None:
        batch = import_rows(f"{self.HEADER}jana@example.com,company,,,yes\n", ALL)
        # The other import has looked for stored subscriptions before this one was stored.
        other = SubscriptionFactory(email="jana@example.com", user_type="sailor", unsubscribed=True)
        ConsentEvent.record(other, ConsentKind.IMPORTED_OPT_OUT, language="en")
        services.invite(batch=batch, created_by_id=get_admin().pk)
        run_pending_jobs()
        assert not mails()

    def test_mail_to_imported_people_says_where_the_address_comes_from(self) -> None:
        batch = import_rows(f"{self.HEADER}jana@example.com,sailor,,,\n", ALL)
        services.invite(batch=batch, created_by_id=get_admin().pk)
        run_pending_jobs()
        mail = latest()
        for text in (mail.text, mail.html, mail.subject):
            assert "asked for" not in text
            assert "aboard" not in text
        assert "Your address is on an earlier list of" in mail.text
        assert "This was not me" in mail.text
        assert mail.headers["List-Unsubscribe"].startswith("<http://testserver/newsletter/unsubscribe/")
        for path in ("/newsletter/unsubscribe/", "/newsletter/preferences/"):  # there is no subscription yet
            assert path not in mail.text + mail.html


class TestDocumentedConsent:
    """What an admin documented counts less than any word of the owner."""

    CONSENT: ClassVar = {
        "consent_date": date(2025, 5, 31),
        "consent_origin": "Boat show",
        "consent_proof": "Signed sheets",
    }

    def import_confirmed(self, *rows: str) -> ImportBatch:
        file = upload("e,u,s,l,a\n" + "".join(f"{row}\n" for row in rows))
        batch = services.start(file=file, mapping=ALL, consent=self.CONSENT)[0]
        run_pending_jobs()
        batch.refresh_from_db()
        return batch

    def test_opt_outs_bounces_suppressed_addresses_and_requests_win(self) -> None:
        suppression.suppress("gone@example.com", SuppressionReason.COMPLAINED)
        SubscriptionFactory(email="dead@example.com", user_type="company", bounced=True)
        SubscriptionFactory(email="off@example.com", unsubscribed=True)
        SubscriptionFactory(email="asked@example.com")
        import_rows("e,u,s,l,a\nearlier@example.com,company,,,no\n", ALL)
        self.import_confirmed(
            *(
                f"{name}@example.com,sailor,,,yes"
                for name in ("gone", "dead", "off", "asked", "earlier", "same", "in")
            ),
            "same@example.com,company,,,no",
        )
        confirmed = Subscription.objects.in_state(State.CONFIRMED).values_list("email", flat=True)
        assert list(confirmed) == ["in@example.com"]

    @pytest.mark.parametrize(
        ("ended", "is_confirmed"),
        [
            ({"unsubscribed": True}, False),
            ({"is_active": False}, False),
            ({"unsubscribed": True, "asked_again_at": timezone.now()}, False),
            ({"confirmed": True}, True),
        ],
    )
    def test_who_ended_one_audience_here_is_not_confirmed_in_the_other(
        self, ended: dict[str, Any], is_confirmed: bool
    ) -> None:
        SubscriptionFactory(email="a@example.com", user_type="company", **ended)
        (row,) = services.preview([["a@example.com", "sailor"]], MAPPING, ["e", "u"])
        assert row.is_unconfirmed is not is_confirmed
        self.import_confirmed("a@example.com,sailor,,,yes")
        subscription = Subscription.objects.get(user_type="sailor")
        assert subscription.state is (State.CONFIRMED if is_confirmed else State.PENDING)
        assert subscription.consent_events.exists() is is_confirmed

    def test_columns_that_say_who_confirmed_count_although_they_are_not_mapped(self) -> None:
        rows = (
            "e,u,CONFIRM_TIME,Status\nyes@example.com,sailor,2024-01-01,active\nno@example.com,sailor,,active\n"
            "wait@example.com,sailor,2024-01-01,pending\n"
        )
        services.start(file=upload(rows), mapping=MAPPING, consent=self.CONSENT)
        run_pending_jobs()
        assert Subscription.objects.get(is_confirmed=True).email == "yes@example.com"

    @pytest.mark.parametrize("has_confirmed_here", [True, False])
    def test_later_opt_out_ends_it_unless_the_owner_confirmed_here_since(
        self, has_confirmed_here: bool
    ) -> None:
        self.import_confirmed("a@example.com,sailor,,,yes")
        subscription = Subscription.objects.get()
        if has_confirmed_here:
            begin_subscription(subscription, language="en")
        header, row = ["e", "u", "s", "l", "a"], ["a@example.com", "sailor", "", "", "no"]
        (checked,) = services.preview([row], ALL, header)
        assert bool(checked.problems) is has_confirmed_here
        batch = import_rows(f"{','.join(header)}\n{','.join(row)}\n", ALL)
        subscription.refresh_from_db()
        assert subscription.is_subscribed is has_confirmed_here
        assert batch.opted_out_count == (0 if has_confirmed_here else 1)

    def test_consent_of_today_is_never_later_than_the_import(self, time_machine: TimeMachineFixture) -> None:
        """Bounces and complaints from before a confirmation do not count. Later ones are of the owner."""
        time_machine.move_to(datetime(2026, 3, 4, 6, tzinfo=UTC))
        file = upload("e,u\na@example.com,sailor\n")
        consent = {**self.CONSENT, "consent_date": date(2026, 3, 4)}
        services.start(file=file, mapping=MAPPING, consent=consent)
        run_pending_jobs()
        subscription = Subscription.objects.get()
        assert subscription.confirmed_at
        assert timezone.now() - timedelta(minutes=5) < subscription.confirmed_at <= subscription.created_at

    def test_it_is_undone_with_the_import(self) -> None:
        batch = self.import_confirmed("a@example.com,sailor,,,yes")
        services.undo(batch=batch, created_by_id=get_admin().pk)
        run_pending_jobs()
        assert not Subscription.objects.exists()
