"""Erasing persons (GDPR article 17): with their row goes everything else that has their address."""

from collections.abc import Collection
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, Model

from sailing import mail


def erase(model: type[Model], keys: Collection[Any]) -> None:
    """Delete rows of a model, each a person's.

    With them go their mails, of which none is sent any more, and the titles of the admin's history.
    """
    rows = model._default_manager.filter(pk__in=keys)
    with transaction.atomic():
        # Whoever is just having a mail sent has locked the row; after this nobody begins to.
        list(rows.select_for_update().values_list("pk"))
        mail.forget(about=[mail.about(model, key) for key in keys])
        entries = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        entries.filter(object_id__in=[str(key) for key in keys]).update(object_repr=F("object_id"))
        rows.delete()
