"""What is stored about a member, and what happens before it is erased (see `sailing.privacy`)."""

from collections.abc import Collection
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.contenttypes.models import ContentType
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from accounts.errors import LastSuperuser
from accounts.models import ERASED_ADMIN, AccountLink, User
from accounts.services import membership
from sailing.privacy import erasure, personal_data


def before_erase(keys: Collection[Any]) -> None:
    """Keep the history of erased admins, which is about other people, under one placeholder.

    What members did to their own account is deleted. Revoked tokens hold no personal data and are kept.
    Raises ErasureRefused for the last superuser.
    """
    try:
        membership.require_other_superuser(than=keys)
    except LastSuperuser:
        raise erasure.ErasureRefused(_("The last active superuser cannot be erased.")) from None
    written = LogEntry.objects.filter(user__in=keys)
    members = ContentType.objects.get_for_model(User)
    written.filter(content_type=members, object_id=Cast("user_id", TextField())).delete()
    if written.exists():
        defaults = {"is_active": False, "password": make_password(None)}
        placeholder, _is_new = User.objects.get_or_create(email=ERASED_ADMIN, defaults=defaults)
        written.update(user=placeholder)


CONTENTS = _("profile, permissions, sessions and email links; an admin’s history is kept without the name")
# Erasing a subscriber keeps the account.
erasure.registered[User] = erasure.PersonalDataModel(
    CONTENTS, is_erased_with_person=False, before_erase=before_erase
)
personal_data.sections += [
    personal_data.Section(
        "account",
        _("Account"),
        User,
        lambda email: User.objects.filter(email=email),
        exclude=("password", "token_version", "kept_jti"),
        needs_verified_email=False,
    ),
    personal_data.Section(
        "account_links",
        _("Links in emails about the account"),
        AccountLink,
        lambda email: AccountLink.objects.filter(user__email=email).order_by("pk"),
        exclude=("token_hash", "user"),
        needs_verified_email=False,
    ),
]
