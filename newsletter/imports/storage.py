"""Decide what becomes of each row of a file, and store it.

A file cannot give consent, so new subscribers wait until they confirm, unless an admin documented that the
people in it agreed. An opt-out counts for the address in both audiences: it ends what is waiting or was
imported, and no later import asks the address again. Only what the owner confirmed on the site stays.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from hashlib import blake2b

from django.db.models import QuerySet
from django.utils import timezone

from newsletter import mails
from newsletter.imports.models import ADDED, ImportBatch, Outcome
from newsletter.imports.rows import Row
from newsletter.imports.vocabulary import LeftOutReason, RowState
from newsletter.models import ConsentEvent, ConsentKind, Subscription
from newsletter.services.administration import may_unsubscribe
from newsletter.services.lifecycle import find_opted_out
from sailing.mail.mailboxes import find_suppressed

OPTED_OUT_MARK = "left"


@dataclass
class Address:
    """What is known of an address. `done`: its audiences in the rows above, and OPTED_OUT_MARK."""

    is_suppressed: bool
    has_opted_out: bool
    subscriptions: list[Subscription] = field(default_factory=list)
    done: set[str] = field(default_factory=set)


def decide(row: Row, address: Address, *, is_documented: bool) -> Outcome | LeftOutReason:
    """Return what becomes of a row.

    `is_documented`: an admin has documented the consent of those who had confirmed elsewhere. Owners whose
    subscription ended here are asked all the same: no file can know of that.
    """
    stored, is_opt_out = address.subscriptions, row.state is RowState.OPTED_OUT
    if row.reason:
        return row.reason
    if address.is_suppressed:
        return LeftOutReason.SUPPRESSED
    if is_opt_out and any(map(has_confirmed_here, stored)):
        return LeftOutReason.CONFIRMED
    if address.has_opted_out and not is_opt_out:
        return LeftOutReason.OPTED_OUT
    if any(each.bounced_at for each in stored) and not is_opt_out:
        return LeftOutReason.BOUNCED
    if is_opt_out and any(map(may_unsubscribe, stored)):
        return Outcome.ENDED
    if any(is_opt_out or each.user_type == row.user_type for each in stored):
        return Outcome.REPEATED if row.user_type in address.done else Outcome.KNOWN
    if is_opt_out:
        return Outcome.OPTED_OUT
    has_ended = any(each.unsubscribed_at or not each.is_active for each in stored)
    is_confirmed = is_documented and row.state is RowState.CONFIRMED and not has_ended
    return Outcome.CONFIRMED if is_confirmed else Outcome.WAITING


def store_rows(rows: Sequence[Row], batch: ImportBatch, *, is_documented: bool) -> Counter[str]:
    """Store some rows of a file, in the transaction of the caller; return their number by outcome.

    Raises IntegrityError for an address that somebody else stores at the same time: the job then repeats the
    step.
    """
    addresses = _load(rows, Subscription.objects.select_for_update(no_key=True))
    for address in addresses.values():
        address.done = {each.user_type for each in address.subscriptions if each.import_batch_id == batch.pk}
    counts, new, events = _apply(rows, addresses, is_documented=is_documented)
    _store(new, events, batch)
    return counts


def count_rows(
    rows: Sequence[Row], done: Mapping[int, str], *, is_documented: bool
) -> tuple[Counter[str], dict[int, str]]:
    """Return what `store_rows` would return, and what these rows add to `done`.

    `done`: what the rows above would do to each of their addresses (`Address.done`), by `hash_email`.
    """
    addresses = _load(rows, Subscription.objects.all())
    for email, address in addresses.items():
        before = set(done.get(hash_email(email), "").split())
        for user_type in before - {OPTED_OUT_MARK}:
            _add(address, Row((), email, user_type))
        if OPTED_OUT_MARK in before:
            _end(address)
    counts, _new, _events = _apply(rows, addresses, is_documented=is_documented)
    return counts, {hash_email(email): " ".join(each.done) for email, each in addresses.items() if each.done}


def hash_email(email: str) -> int:
    """Return 56 bits, the same in every process."""
    return int.from_bytes(blake2b(email.encode(), digest_size=7).digest())


def has_confirmed_here(subscription: Subscription) -> bool:
    """Return whether the owner confirmed on the site: after an import, if there was one."""
    at = subscription.confirmed_at or subscription.created_at
    is_here = not subscription.is_imported or at > subscription.created_at
    return subscription.is_active and subscription.is_confirmed and is_here


def _load(rows: Sequence[Row], subscriptions: QuerySet[Subscription]) -> dict[str, Address]:
    """Return what is known of the addresses of some rows."""
    emails = {row.email for row in rows if not row.reason}
    suppressed, opted_out = find_suppressed(emails), find_opted_out(emails)
    addresses = {row.email: Address(row.email in suppressed, row.email in opted_out) for row in rows}
    for each in subscriptions.filter(email__in=emails).order_by("pk"):
        addresses[each.email].subscriptions.append(each)
    return addresses


def _apply(
    rows: Sequence[Row], addresses: Mapping[str, Address], *, is_documented: bool
) -> tuple[Counter[str], list[Subscription], list[tuple[Subscription, ConsentKind]]]:
    """Do what rows say in memory; return their number by outcome, and what is to be stored.

    The problem of a row that is left out is added to it.
    """
    counts: Counter[str] = Counter()
    new: list[Subscription] = []
    events: list[tuple[Subscription, ConsentKind]] = []
    for row in rows:
        address = addresses[row.email]
        outcome = decide(row, address, is_documented=is_documented)
        counts[outcome.value] += 1
        if isinstance(outcome, LeftOutReason) and row.reason is None:
            row.problems.append(str(outcome.label))
        if outcome in ADDED:
            new.append(_add(address, row))
        if outcome is Outcome.CONFIRMED:
            new[-1].is_confirmed = True
            events.append((new[-1], ConsentKind.IMPORTED_CONSENT))
        if row.state is RowState.OPTED_OUT and outcome not in (row.reason, LeftOutReason.SUPPRESSED):
            events += [(each, ConsentKind.IMPORTED_OPT_OUT) for each in _end(address)]
    return counts, new, events


def _add(address: Address, row: Row) -> Subscription:
    subscription = Subscription(
        email=row.email,
        user_type=row.user_type,
        first_name=row.first_name,
        language=row.language,
        is_imported=True,
    )
    address.subscriptions.append(subscription)
    address.done.add(row.user_type)
    return subscription


def _end(address: Address) -> list[Subscription]:
    """End what an opt-out ends; return the subscriptions that get an event.

    It is recorded once, with every subscription of the address: none of its audiences is asked then.
    """
    recorded = []
    for each in address.subscriptions:
        is_ended = may_unsubscribe(each) and not has_confirmed_here(each)
        if is_ended:
            each.is_active, each.unsubscribed_at, each.asked_again_at = False, timezone.now(), None
        if is_ended or not address.has_opted_out:
            recorded.append(each)
    address.has_opted_out = True
    address.done.add(OPTED_OUT_MARK)
    return recorded


def _store(
    new: list[Subscription], events: list[tuple[Subscription, ConsentKind]], batch: ImportBatch
) -> None:
    """Store new and ended subscriptions with their events."""
    for each in new:
        each.import_batch = batch
        if each.is_confirmed and batch.consent_date:
            noon = timezone.make_aware(datetime.combine(batch.consent_date, time(12)))
            each.confirmed_at = min(each.created_at, noon)
    for each, _kind in events:
        if not each._state.adding:
            each.save()
            mails.cancel_pending(each)
    Subscription.objects.bulk_create(new)
    documentation = f"{batch.consent_date}: {batch.origin}. {batch.consent_proof}"
    documented = {"comment": documentation, "by_id": batch.created_by_id}
    ConsentEvent.objects.bulk_create(
        ConsentEvent(
            subscription=each,
            kind=kind,
            language=each.language,
            wording="",  # the owner saw none of ours
            source=each.source,
            user_type=each.user_type,
            **(documented if kind is ConsentKind.IMPORTED_CONSENT else {}),
        )
        for each, kind in events
    )
