"""Erase persons (GDPR article 17): their rows, their mails, and their address in the admin history.

The apps do not know each other, so each registers the models whose rows are a person's. A person is an
address here: the same one in two apps is the same mailbox.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, Model

from sailing.email import outbox


class ErasureRefused(Exception):
    """Somebody must not be erased; the message says why, in the language of who asked."""


@dataclass(frozen=True)
class PersonalDataModel:
    """A model with one row or more for a person, and their address in `email`.

    `contents` describes what is deleted with a row.
    `is_erased_with_person`: whether its rows are erased too when another row of the person is erased.
    `before_erase` is called with the keys of the rows, in the transaction that deletes them and before they
    are locked. It may raise ErasureRefused.
    """

    model: type[Model]
    contents: Any
    is_erased_with_person: bool
    before_erase: Callable[[Collection[Any]], None]


@dataclass
class Plan:
    """The rows with the address of a person: those that are erased, and those that are kept."""

    erased: list[Model] = field(default_factory=list)
    kept: list[Model] = field(default_factory=list)


_registered: dict[type[Model], PersonalDataModel] = {}


def register(
    model: type[Model],
    *,
    contents: Any,
    is_erased_with_person: bool,
    before_erase: Callable[[Collection[Any]], None] = lambda _keys: None,
) -> None:
    """Add a model of an app's own (see `PersonalDataModel`). Call it in the app's `ready`."""
    _registered[model] = PersonalDataModel(model, contents, is_erased_with_person, before_erase)


def contents(row: Model) -> Any:
    """Return what is deleted with a row."""
    return _registered[type(row)].contents


def plan(row: Model) -> Plan:
    """Return what erasing the person of a row deletes, the row itself first, and what it keeps."""
    made = Plan(erased=[row])
    for registered in _registered.values():
        same_person = registered.model._default_manager.filter(email=getattr(row, "email"))  # noqa: B009
        others = [other for other in same_person.order_by("pk") if other != row]
        is_erased = registered.is_erased_with_person or registered.model is type(row)
        (made.erased if is_erased else made.kept).extend(others)
    return made


def erase_person(row: Model) -> None:
    """Erase the person of a row, as far as `plan` says. Raises ErasureRefused."""
    keys: dict[type[Model], list[Any]] = {}
    for erased in plan(row).erased:
        keys.setdefault(type(erased), []).append(erased.pk)
    with transaction.atomic():
        for model, keys_of_model in keys.items():
            erase(model, keys_of_model)


def erase(model: type[Model], keys: Collection[Any]) -> None:
    """Delete rows of a registered model, and nothing else of the persons that they are about.

    Their mails are deleted too, sent or not, and their address is removed from the admin history.
    Raises ErasureRefused.
    """
    rows = model._default_manager.filter(pk__in=keys)
    with transaction.atomic():
        # Before the rows are locked: `before_erase` may lock superusers, which always come first.
        _registered[model].before_erase(keys)
        # Lock the rows so that no new mail is queued.
        list(rows.order_by("pk").select_for_update().values_list("pk"))
        outbox.purge([outbox.subject_key(model, key) for key in keys])
        entries = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        entries.filter(object_id__in=[str(key) for key in keys]).update(object_repr=F("object_id"))
        rows.delete()
