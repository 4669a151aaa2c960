"""Decide what becomes of each row of a file, and store it.

A file cannot give consent, so new subscribers wait until they confirm, unless an admin documented that the
people in it agreed. An opt-out does count, for the address in both audiences: it ends what is waiting or was
imported, and is remembered, so that no import asks the address again. Only what the owner confirmed on the
site stays.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b

from django.utils import timezone

from newsletter import mails
from newsletter.imports.models import ADDED, ImportBatch, Outcome
from newsletter.imports.rows import Row
from newsletter.imports.vocabulary import LeftOutReason, RowState
from newsletter.models import ConsentEvent, ConsentKind, Subscription, UserType
from newsletter.services.administration import may_unsubscribe
from newsletter.services.lifecycle import find_opted_out
from sailing.mail.mailboxes import find_suppressed

LEFT = "left"


class Seen:
    """What the rows of a file would do to their addresses: a million in 18 MB, where a set takes 76 MB.

    A hash table with open addressing, from a hash of each address to its flags (`Address.done`). It has what
    the earlier steps of a check have stored, each as one part of a file, so that any process can continue.
    """

    FLAGS = {UserType.SAILOR.value: 1, UserType.COMPANY.value: 2, LEFT: 4}

    def __init__(self) -> None:
        self.part_count = self._size = 0
        self.next_part = b""
        """What the step under way adds. It counts once it is stored, and loaded."""
        self._keys, self._flags = array("q", bytes(8 * 1024)), bytearray(1024)

    def get(self, email: str) -> set[str]:
        flags = self._flags[self._find(_hash(email))]
        return {name for name, flag in self.FLAGS.items() if flags & flag}

    def pack(self, addresses: Mapping[str, "Address"]) -> None:
        """Set `next_part`: the hashes of some addresses, then their flags."""
        done = {_hash(email): address.done for email, address in addresses.items() if address.done}
        flags = bytes(sum(self.FLAGS[name] for name in names) for names in done.values())
        self.next_part = array("q", done).tobytes() + flags

    def load(self, part: bytes) -> None:
        """Add the next part."""
        keys = array("q")
        keys.frombytes(part[: len(part) // 9 * 8])
        for key, flags in zip(keys, part[len(part) // 9 * 8 :], strict=True):
            self._put(key, flags)
        self.part_count += 1

    def _put(self, key: int, flags: int) -> None:
        slot = self._find(key)
        if not self._keys[slot]:
            self._size += 1
            if 2 * self._size > len(self._keys):
                self._grow()
                slot = self._find(key)
        self._keys[slot], self._flags[slot] = key, flags

    def _grow(self) -> None:
        keys, flags = self._keys, self._flags
        self._keys, self._flags = array("q", bytes(16 * len(keys))), bytearray(2 * len(keys))
        for key, flag in zip(keys, flags, strict=True):
            if key:
                slot = self._find(key)
                self._keys[slot], self._flags[slot] = key, flag

    def _find(self, key: int) -> int:
        slot = key % len(self._keys)
        while self._keys[slot] not in (0, key):
            slot = (slot + 1) % len(self._keys)
        return slot


def _hash(email: str) -> int:
    """Return 64 bits that are not all zero, the same in every process."""
    return int.from_bytes(blake2b(email.encode(), digest_size=8).digest(), signed=True) or 1


@dataclass
class Address:
    """What is known of an address, with what the rows above did to it (`done`: audiences, and LEFT)."""

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


def store_rows(rows: Sequence[Row], batch: ImportBatch | Seen, *, is_documented: bool) -> Counter[str]:
    """Store some rows of a file, in the transaction of the caller; return their number by outcome.

    With Seen instead of a batch, which has what the rows above would do, nothing is stored. The problem of a
    row that is left out is added to it. Raises IntegrityError for an address that somebody else stores at the
    same time: the job then repeats the step.
    """
    now = timezone.now()
    addresses = _load(rows, batch, now)
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
            new.append(_add(address, row, now))
            if outcome is Outcome.CONFIRMED:
                new[-1].is_confirmed, new[-1].confirmed_at = True, now
                events.append((new[-1], ConsentKind.IMPORTED_CONSENT))
        if row.state is RowState.OPTED_OUT and outcome not in (row.reason, LeftOutReason.SUPPRESSED):
            events += [(each, ConsentKind.IMPORTED_OPT_OUT) for each in _end(address, now)]
    if isinstance(batch, ImportBatch):
        _store(new, events, batch)
        return counts
    batch.pack(addresses)
    return counts


def has_confirmed_here(subscription: Subscription) -> bool:
    """Return whether the owner confirmed on the site: after an import, if there was one."""
    at = subscription.confirmed_at or subscription.created_at
    is_here = not subscription.is_imported or at > subscription.created_at
    return subscription.is_active and subscription.is_confirmed and is_here


def _load(rows: Sequence[Row], batch: ImportBatch | Seen, now: datetime) -> dict[str, Address]:
    """Return what is known of the addresses of some rows. With a batch, they are locked."""
    emails = {row.email for row in rows if not row.reason}
    suppressed, opted_out = find_suppressed(emails), find_opted_out(emails)
    addresses = {row.email: Address(row.email in suppressed, row.email in opted_out) for row in rows}
    stored = Subscription.objects.filter(email__in=emails).order_by("pk")
    if isinstance(batch, ImportBatch):
        for each in stored.select_for_update(no_key=True):
            addresses[each.email].subscriptions.append(each)
            if each.import_batch_id == batch.pk:
                addresses[each.email].done.add(each.user_type)
        return addresses
    for each in stored:
        addresses[each.email].subscriptions.append(each)
    for email, address in addresses.items():
        done = batch.get(email)
        for user_type in done - {LEFT}:
            _add(address, Row((), email, user_type), now)
        if LEFT in done:
            _end(address, now)
    return addresses


def _add(address: Address, row: Row, now: datetime) -> Subscription:
    subscription = Subscription(
        email=row.email,
        user_type=row.user_type,
        first_name=row.first_name,
        language=row.language,
        is_imported=True,
        created_at=now,
    )
    address.subscriptions.append(subscription)
    address.done.add(row.user_type)
    return subscription


def _end(address: Address, now: datetime) -> list[Subscription]:
    """End what an opt-out ends; return the subscriptions in whose history it stands.

    It is recorded once, with every subscription of the address: none of its audiences is asked then.
    """
    recorded = []
    for each in address.subscriptions:
        is_ended = may_unsubscribe(each) and not has_confirmed_here(each)
        if is_ended:
            each.is_active, each.unsubscribed_at, each.asked_again_at = False, now, None
        if is_ended or not address.has_opted_out:
            recorded.append(each)
    address.has_opted_out = True
    address.done.add(LEFT)
    return recorded


def _store(
    new: list[Subscription], events: list[tuple[Subscription, ConsentKind]], batch: ImportBatch
) -> None:
    """Store new and ended subscriptions with their events."""
    agreed_at = batch.get_consent_time()
    for each in new:
        each.import_batch = batch
        each.confirmed_at = min(each.created_at, agreed_at) if agreed_at and each.is_confirmed else None
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
