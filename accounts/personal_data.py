"""What is stored about a member, and what happens before it is erased (see `sailing.privacy`)."""

from collections.abc import Collection
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.contenttypes.models import ContentType
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import LastSuperuser
from accounts.models import ERASED_ADMIN, AccountLink, User
from accounts.services import membership
from sailing.admin.sessions import delete_sessions
from sailing.attribution import ATTRIBUTION_FIELDS
from sailing.privacy import erasure, personal_data
from sailing.privacy.erasure import ErasureRefused


def before_erase(keys: Collection[Any]) -> None:
    """Keep the history of erased admins under a placeholder, and end all sessions of the members.

    Django deletes history entries with the admin who wrote them. They are about other people, who have a
    right to them, so they are moved to one placeholder for all erased admins. What members did to their own
    account concerns only them, and is deleted.

    Links, the second factor and permissions are deleted with the row. Revoked tokens hold no personal data
    and stay until they expire. Raises ErasureRefused for the last superuser.
    """
    try:
        membership.require_other_superuser(than=keys)
    except LastSuperuser:
        raise ErasureRefused(_("The last active superuser cannot be erased.")) from None
    written = LogEntry.objects.filter(user__in=keys)
    members = ContentType.objects.get_for_model(User)
    written.filter(content_type=members, object_id=Cast("user_id", TextField())).delete()
    if written.exists():
        placeholder, _created = User.objects.get_or_create(
            email=ERASED_ADMIN, defaults={"is_active": False, "password": make_password(None)}
        )
        written.update(user=placeholder)
    delete_sessions(keys)


CONTENTS = gettext_lazy(
    "profile, permissions, sessions and email links; an admin’s history is kept without the name"
)
# Erasing a subscriber keeps the account.
erasure.registered[User] = erasure.PersonalDataModel(
    CONTENTS, is_erased_with_person=False, before_erase=before_erase
)
personal_data.sections += [
    personal_data.Section(
        "account",
        gettext_lazy("Account"),
        User,
        lambda email: User.objects.filter(email=email),
        {
            **personal_data.get_labels(
                User,
                "email",
                *User.PROFILE_FIELDS,
                "avatar",
                "captain_license",
                "captain_license_number",
                "favorite_position",
                *ATTRIBUTION_FIELDS,
                "language",
                "is_email_verified",
                "email_undeliverable_at",
                "is_active",
                "is_staff",
                "is_superuser",
                "groups",
                "user_permissions",
                "last_login",
                "created_at",
                "updated_at",
            ),
            "was_email_verified": gettext_lazy("an earlier email was verified"),
        },
        needs_verified_email=False,
    ),
    personal_data.Section(
        "account_links",
        gettext_lazy("Links in emails about the account"),
        AccountLink,
        lambda email: AccountLink.objects.filter(user__email=email).order_by("pk"),
        {
            "purpose": gettext_lazy("purpose"),
            "email": gettext_lazy("sent to"),
            "created_at": gettext_lazy("created"),
            "expires_at": gettext_lazy("expires"),
            "used_at": gettext_lazy("used or closed"),
        },
        heading="purpose",
        needs_verified_email=False,
    ),
]
