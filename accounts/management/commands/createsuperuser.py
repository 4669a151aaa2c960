"""The command `createsuperuser`, also used by `make admin`."""

import os
from typing import Any

from django.contrib.auth.management.commands.createsuperuser import Command as DjangoCommand
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError


class Command(DjangoCommand):
    """Django's command, which also validates a password from the environment.

    Django itself applies AUTH_PASSWORD_VALIDATORS to typed passwords only.
    """

    def handle(self, *args: Any, **options: Any) -> str | None:
        password = os.environ.get("DJANGO_SUPERUSER_PASSWORD")
        if password and not options["interactive"]:
            try:
                validate_password(password)
            except ValidationError as error:
                problems = ["DJANGO_SUPERUSER_PASSWORD is not accepted:", *error.messages]
                raise CommandError("\n- ".join(problems)) from None
        return super().handle(*args, **options)
