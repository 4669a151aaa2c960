"""Django admin: the site, and what the admin packages of the apps share."""

from sailing.admin import history  # noqa: F401 - registers their pages
from sailing.jobs import admin  # noqa: F401 - registers their pages
from sailing.mail.admin import outbox  # noqa: F401 - registers their pages
