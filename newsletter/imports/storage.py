"""Store the rows of a file, with the opt-outs that it and earlier files name.

A file cannot give consent, so only pending subscribers are added, unless an admin documented that the people
in it agreed. An opt-out does count, for the address in both audiences: it ends what is pending or was
imported, and is remembered, so that no import makes the address pending again. Only what the owner confirmed
on the site stays.
"""

from collections.abc import Container, Sequence
from datetime import datetime, time
from typing import Any

from django.db.models import Q
from django.utils import timezone

from newsletter import mails
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import CheckedRow
from newsletter.imports.vocabulary import LeftOutReason, RowState
from newsletter.models import ConsentEvent, ConsentKind, Subscription
from newsletter.services.administration import may_unsubscribe
from newsletter.services.lifecycle import find_opted_out
from sailing.mail.suppression import find_suppressed

STATE_EVENTS = {
    RowState.OPTED_OUT: ConsentKind.IMPORTED_OPT_OUT,
    RowState.BOUNCED: ConsentKind.BOUNCED,
}


def refuse(rows: Sequence[CheckedRow]) -> None:
    """Refuse the rows of addresses that must not be asked, whatever a row says; opt-outs of others stay.

    Owners whose subscription ended here, by themselves or by an admin, do not come in as confirmed: no file
    can know of that.
    """
    emails = {row.subscription.email for row in rows if row.subscription}
    suppressed = find_suppressed(emails)
    opted_out = find_opted_out(emails) | {
        row.subscription.email for row in rows if row.subscription and row.state is RowState.OPTED_OUT
    }
    bounced = set(
        Subscription.objects.filter(email__in=emails).exclude(bounced_at=None).values_list("email", flat=True)
    ) | {row.subscription.email for row in rows if row.subscription and row.state is RowState.BOUNCED}
    ended = set(
        Subscription.objects.filter(
            Q(unsubscribed_at__isnull=False) | Q(is_active=False), email__in=emails
        ).values_list("email", flat=True)
    )
    for row in rows:
        email = row.subscription.email if row.subscription else None
        row.is_unconfirmed = row.is_unconfirmed or email in ended
        if email in suppressed:
            row.leave_out(LeftOutReason.SUPPRESSED)
        elif email in opted_out and row.state is not RowState.OPTED_OUT:
            row.leave_out(LeftOutReason.OPTED_OUT)
        elif email in bounced and row.state is RowState.ASK:
            row.leave_out(LeftOutReason.BOUNCED)


def end_opted_out(rows: Sequence[CheckedRow]) -> int:
    """End the subscriptions of addresses that have opted out, in both audiences; return their number.

    What the owner confirmed on the site stays, and the row is refused with that reason. The opt-out is
    recorded nevertheless, so that the address is not asked in the other audience.
    """
    states = {
        row.subscription.email: row.state
        for row in sorted(rows, key=lambda row: row.state is RowState.OPTED_OUT)  # which wins over a bounce
        if row.subscription and row.state is not RowState.ASK
    }
    ended, confirmed = 0, set()
    now = timezone.now()
    remembered = find_opted_out(states.keys())
    stored = Subscription.objects.filter(email__in=states).order_by("pk")
    locked = list(stored.select_for_update())
    imported = find_imported_consents(locked)
    for subscription in locked:
        state = states[subscription.email]
        is_bounced = subscription.bounced_at is not None
        has_confirmed = (
            subscription.is_active and subscription.is_confirmed and subscription.pk not in imported
        )
        # An opt-out ends an undeliverable one, too: an admin may mark the address as reachable later.
        can_end = may_unsubscribe(subscription) and (state is RowState.OPTED_OUT or not is_bounced)
        if has_confirmed and not is_bounced:
            confirmed.add(subscription.email)
        elif can_end and not has_confirmed:
            ended += 1
            if state is RowState.BOUNCED:
                subscription.bounced_at = now
            else:
                subscription.is_active, subscription.unsubscribed_at = False, now
                subscription.asked_again_at = None
            subscription.save()
            mails.cancel_pending(subscription)
            _record_events([subscription], STATE_EVENTS[state])
            continue
        if state is RowState.OPTED_OUT and subscription.email not in remembered:
            _record_events([subscription], ConsentKind.IMPORTED_OPT_OUT)
    refuse_confirmed(rows, confirmed)
    return ended


def find_imported_consents(subscriptions: Sequence[Subscription]) -> set[Any]:
    """Return the keys of those whose owner agreed before an import, and has not confirmed on the site."""
    kinds = (ConsentKind.IMPORTED_CONSENT, ConsentKind.CONFIRMED)
    keys = [each.pk for each in subscriptions if each.is_active and each.is_confirmed]
    events = ConsentEvent.objects.filter(subscription__in=keys, kind__in=kinds).order_by("at", "pk")
    last = dict(events.values_list("subscription_id", "kind"))
    return {key for key, kind in last.items() if kind == ConsentKind.IMPORTED_CONSENT}


def refuse_confirmed(rows: Sequence[CheckedRow], confirmed: Container[str]) -> None:
    """Refuse the opt-outs and bounces of addresses whose owner has confirmed on the site."""
    for row in rows:
        if row.state is not RowState.ASK and row.subscription and row.subscription.email in confirmed:
            row.leave_out(LeftOutReason.CONFIRMED)


def store(rows: Sequence[CheckedRow], batch: ImportBatch) -> None:
    """Store the subscriptions of good rows that are not on the list, and count the rows in the batch."""
    agreed_at = _get_consent_time(batch)
    now = timezone.now()  # not before `agreed_at`, which tells it from a confirmation on the site
    wanted: dict[tuple[str, str], tuple[Subscription, RowState]] = {}
    for row in rows:
        if row.subscription:
            if agreed_at and row.state is RowState.ASK and not row.is_unconfirmed:
                row.subscription.is_confirmed, row.subscription.confirmed_at = True, agreed_at
            wanted.setdefault(
                (row.subscription.email, str(row.subscription.user_type)), (row.subscription, row.state)
            )
    # One order for all imports, so that two of them never wait for each other's rows.
    ordered = [wanted[key] for key in sorted(wanted)]
    for subscription, state in ordered:
        subscription.import_batch = batch
        subscription.created_at = now
        if state is RowState.OPTED_OUT:
            subscription.is_active, subscription.unsubscribed_at = False, now
        elif state is RowState.BOUNCED:
            subscription.bounced_at = now
    Subscription.objects.bulk_create(
        [subscription for subscription, _state in ordered], ignore_conflicts=True
    )
    keys = [subscription.pk for subscription, _state in ordered]
    stored = set(Subscription.objects.filter(pk__in=keys).values_list("pk", flat=True))
    for state, kind in STATE_EVENTS.items():
        _record_events([one for one, its_state in ordered if its_state is state and one.pk in stored], kind)
    confirmed = [one for one, _state in ordered if one.is_confirmed and one.pk in stored]
    _record_events(confirmed, ConsentKind.IMPORTED_CONSENT, batch)
    repeated = _count_repeated(rows, stored, batch)
    batch.added_count += len(stored)
    batch.added_inactive_count += sum(
        state is not RowState.ASK and one.pk in stored for one, state in ordered
    )
    batch.added_confirmed_count += len(confirmed)
    batch.repeated_count += repeated
    batch.duplicate_count += len(rows) - len(stored) - repeated


def _count_repeated(rows: Sequence[CheckedRow], stored: Container[Any], batch: ImportBatch) -> int:
    """Count the rows whose address came earlier in the same file. `stored`: the keys of new subscriptions."""
    others = [row.subscription for row in rows if row.subscription and row.subscription.pk not in stored]
    mine = Subscription.objects.filter(import_batch=batch, email__in={each.email for each in others})
    earlier = set(mine.values_list("email", "user_type"))
    return sum((each.email, str(each.user_type)) in earlier for each in others)


def _get_consent_time(batch: ImportBatch) -> datetime | None:
    """Return when the people of an import agreed, if an admin documented it.

    That is noon, but never later than now: a bounce or a complaint before it would not count.
    """
    if batch.consent_date is None:
        return None
    noon = timezone.make_aware(datetime.combine(batch.consent_date, time(12)))
    return min(noon, timezone.now())


def _describe_consent(batch: ImportBatch | None) -> str:
    """Return the documentation of a consent. It is the same in every language."""
    if batch is None or batch.consent_date is None:
        return ""
    return f"{batch.consent_date.isoformat()}: {batch.consent_origin}. {batch.consent_proof}"


def _record_events(
    subscriptions: Sequence[Subscription], kind: ConsentKind, batch: ImportBatch | None = None
) -> None:
    """Record an event of each subscription, with the documentation of the batch."""
    ConsentEvent.objects.bulk_create(
        ConsentEvent(
            subscription=subscription,
            kind=kind,
            language=subscription.language,
            wording="",  # the owner saw none of ours
            source=subscription.source,
            user_type=subscription.user_type,
            comment=_describe_consent(batch),
            by_id=batch.created_by_id if batch else None,
        )
        for subscription in subscriptions
    )
