"""Entries of the history in Django admin: what was done to a row or a list, and by whom.

Members have entries too: what they did to their own account.
"""

import json
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.utils.translation import gettext


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


def describe_entry(entry: LogEntry) -> str:
    """Return what an entry says was done, in the language of the request.

    Django's own entries are JSON lists. Ours are English texts, or JSON objects with a text and its values.
    """
    message = entry.change_message
    if message.startswith("{"):
        stored = json.loads(message)
        text: str = stored["text"]
        return str(gettext(text) % stored["values"])
    return gettext(message) if message and not message.startswith("[") else entry.get_change_message()
