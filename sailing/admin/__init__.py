"""Django admin: the site, and what the admin packages of the apps share."""

from sailing.admin import history  # noqa: F401 - registers its page
