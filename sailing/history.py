"""Entries of the history in Django admin: what admins did, and members to their own account."""

import json
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Model, QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext


def record(user: Any, model: type[Model], name: Any, text: str, *, key: Any = None, **values: Any) -> None:
    """Add an entry about a row, or a list. `text` is in English, with placeholders for `values`."""
    LogEntry.objects.create(
        user_id=user.pk,
        content_type=ContentType.objects.get_for_model(model),
        object_id=None if key is None else str(key),
        object_repr=str(name)[:200],
        action_flag=CHANGE,
        change_message=json.dumps({"text": text, "values": values}) if values else text,
    )


def find_changes(row: Model, *, key: Any = None) -> QuerySet[LogEntry]:
    """Return the entries about a row, the newest first, with those who caused them. `key`: see `record`."""
    content_type = ContentType.objects.get_for_model(row)
    entries = LogEntry.objects.filter(content_type=content_type, object_id=str(key or row.pk))
    return entries.select_related("user").order_by("-action_time", "-pk")


def describe_entry(entry: LogEntry) -> str:
    """Return what an entry says was done. Django's entries are JSON lists, ours texts or JSON objects."""
    if entry.is_deletion():
        return gettext("Erased.")
    message = entry.change_message
    if message.startswith("{"):
        stored = json.loads(message)
        text, values = stored["text"], stored["values"]
        numbers = {key: intcomma(value) for key, value in values.items() if isinstance(value, int)}
        return str(gettext(text) % {**values, **numbers})
    if message.startswith("["):
        parts = json.loads(message)
        for part in parts:
            if "changed" in part:
                part["changed"]["fields"] = [translate_label(label) for label in part["changed"]["fields"]]
        return LogEntry(change_message=json.dumps(parts)).get_change_message()
    return gettext(message) if message else ""


def translate_label(label: str) -> str:
    """Translate a stored label, which has a capital letter, and perhaps a language in brackets."""
    stored = label[:1].lower() + label[1:]
    name, bracket, language = (stored, "", "") if gettext(stored) != stored else stored.partition(" (")
    return f"{capfirst(gettext(name))}{bracket}{language}"
