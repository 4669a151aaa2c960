"""Entries of the history in Django admin: what was done to a row or a list, and by whom.

Members have entries too: what they did to their own account.
"""

import json
from collections.abc import Iterable
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext, override


def record(user: Any, model: type[Model], name: Any, text: str, *, key: Any = None, **values: Any) -> None:
    """Add an entry. `text` is in English (`gettext_noop`), with placeholders for `values`, which hold JSON.

    `name`: of the row with a key, or of the list.
    """
    LogEntry.objects.create(
        user_id=user.pk,
        content_type=ContentType.objects.get_for_model(model),
        object_id=None if key is None else str(key),
        object_repr=str(name)[:200],
        action_flag=CHANGE,
        change_message=json.dumps({"text": text, "values": values}) if values else text,
    )


def find_changes(row: Model) -> QuerySet[LogEntry]:
    """Return the entries about a row, the newest first, with those who caused them."""
    content_type = ContentType.objects.get_for_model(row)
    entries = LogEntry.objects.filter(content_type=content_type, object_id=str(row.pk))
    return entries.select_related("user").order_by("-action_time", "-pk")


def get_list_name(entry: LogEntry) -> str:
    """Return the name of the list that an entry is about, in the language of the request."""
    model = _get_model(entry)
    return capfirst(str(model._meta.verbose_name_plural)) if model else ""


def _get_model(entry: LogEntry) -> type[Model] | None:
    """Return the model that an entry is about; None if it has been removed from the code since."""
    content_type: Any = entry.content_type
    return content_type.model_class() if content_type else None


def describe_entry(entry: LogEntry) -> str:
    """Return what an entry says was done, in the language of the request.

    Django's own entries are JSON lists. Ours are English texts, or JSON objects with a text and its values.
    """
    if entry.is_deletion():
        return gettext("Erased.")
    message = entry.change_message
    if message.startswith("{"):
        stored = json.loads(message)
        text: str = stored["text"]
        return str(gettext(text) % stored["values"])
    if message.startswith("["):
        model = _get_model(entry)
        parts = json.loads(message)
        for part in parts:
            if model and "changed" in part:
                part["changed"]["fields"] = translate_labels(model, part["changed"]["fields"])
        return LogEntry(change_message=json.dumps(parts)).get_change_message()
    return gettext(message) if message else ""


def translate_labels(model: type[Model], labels: Iterable[str]) -> list[str]:
    """Return the labels of changed fields, which Django stores in English, in the language of the request.

    Django translates only what a catalogue has with the same first letter. Most labels are names of columns
    of the model; those of texts have a language in brackets.
    """
    columns = [column.verbose_name for column in (*model._meta.fields, *model._meta.many_to_many)]
    with override(None):
        stored = [capfirst(str(name)) for name in columns]
    names = dict(zip(stored, (capfirst(str(name)) for name in columns), strict=True))
    return [names.get(label) or _translate_label(label) for label in labels]


def _translate_label(label: str) -> str:
    name, bracket, language = label.partition(" (")
    return f"{capfirst(gettext(name[:1].lower() + name[1:]))}{bracket}{language}"


def list_recent(user: Any, *, limit: int) -> list[dict[str, Any]]:
    """Return what a person did last. A list is named in the language of the request, a row as it was then."""
    entries = LogEntry.objects.filter(user_id=user.pk).select_related("content_type").order_by("-pk")
    return [
        {
            "entry": entry,
            "name": entry.object_repr if entry.object_id else get_list_name(entry),
            "list": get_list_name(entry) if entry.object_id else "",
            "text": describe_entry(entry),
        }
        for entry in entries[:limit]
    ]
