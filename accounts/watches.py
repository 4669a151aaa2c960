"""How many members there are (see `sailing.status`)."""

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from sailing.status import watch


@watch("members", label=_("Members"), model="accounts.User")
def count_members() -> int:
    return User.objects.filter(is_active=True).count()
