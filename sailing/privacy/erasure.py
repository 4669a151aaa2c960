"""Erase persons (GDPR article 17), who are an email address in the models that the apps register."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, Model

from sailing.mail import outbox
from sailing.mail.mailboxes import suppress
from sailing.mail.models import OutboxEmail, SuppressionReason


class ErasureRefused(Exception):
    """The person must not be erased; the message says why, in the language of the request."""


@dataclass(frozen=True)
class PersonalDataModel:
    """What erasing does to a model with the address of a person in `email`.

    `contents`: what is deleted with a row. `is_erased_with_person`: also when another row is erased.
    `before_erase`: gets the keys of the rows before they are locked, and may raise ErasureRefused.
    """

    contents: Any
    is_erased_with_person: bool
    before_erase: Callable[[Collection[Any]], None] = lambda _keys: None


@dataclass
class Plan:
    erased: list[Any]
    kept: list[Any]


registered: dict[type[Model], PersonalDataModel] = {}


def plan_erasure(row: Any) -> Plan:
    """Return the rows that erasing the person of a row deletes, the row itself first, and those it keeps."""
    plan = Plan([row], [])
    for model, rules in registered.items():
        same_person = model._default_manager.filter(email=row.email).order_by("pk")
        is_erased = rules.is_erased_with_person or model is type(row)
        (plan.erased if is_erased else plan.kept).extend(other for other in same_person if other != row)
    return plan


def erase_person(row: Any, *, suppresses: bool = True, **unchanged: Any) -> bool:
    """Erase the rows that `plan_erasure` names, and suppress the address unless `suppresses` is off.

    Return False, for the caller to roll back, if the row is gone or no longer has the values of `unchanged`.
    Raises ErasureRefused.
    """
    keys: dict[type[Model], list[Any]] = {}
    for erased in plan_erasure(row).erased:
        keys.setdefault(type(erased), []).append(erased.pk)
    with transaction.atomic():
        count = erase(type(row), keys.pop(type(row)), **unchanged)
        for model, keys_of_model in keys.items():
            erase(model, keys_of_model)
        # Mails about no row, such as tests of a campaign.
        OutboxEmail.objects.filter(recipient=row.email, subject_key="").delete()
        if suppresses:
            suppress(row.email, SuppressionReason.ERASED)
    return count > 0


def erase(model: type[Model], keys: Collection[Any], **unchanged: Any) -> int:
    """Delete rows of a registered model, their mails (sent or not), and their address in the admin history.

    Rows without the values of `unchanged` stay. Returns how many rows there were. Raises ErasureRefused.
    """
    rows = model._default_manager.filter(pk__in=keys, **unchanged)
    with transaction.atomic():
        # First, because `before_erase` may lock superusers, which are always locked before other rows.
        registered[model].before_erase(keys)
        # Lock the rows so that no new mail is queued.
        count = len(rows.order_by("pk").select_for_update().values_list("pk"))
        outbox.purge([outbox.subject_key(model, key) for key in keys])
        entries = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        entries.filter(object_id__in=[str(key) for key in keys]).update(object_repr=F("object_id"))
        rows.delete()
    return count
