"""Django admin beyond what one app registers."""

from sailing.admin import outbox  # noqa: F401 - registers
