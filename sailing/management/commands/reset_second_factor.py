"""`manage.py reset_second_factor ADDRESS`: for an admin without phone and recovery codes."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from sailing.admin import second_factor


class Command(BaseCommand):
    help = "Removes the second factor of an admin, whose next sign-in sets up another."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="the admin's email address")

    def handle(self, *args: Any, **options: Any) -> None:
        users: Any = get_user_model()._default_manager
        try:
            user = users.get_by_natural_key(options["address"])
        except users.model.DoesNotExist:
            raise CommandError("No member has this address.") from None
        if not second_factor.remove(user=user):
            raise CommandError("There is no second factor to remove.")
        self.stdout.write("The second factor was removed.")
