"""Django admin: the site, and what the admin packages of the apps share."""

from sailing.admin import outbox  # noqa: F401 - registers the outbox
