"""The export of members."""

from accounts.models import User
from sailing.admin.import_export import RowExport


class MemberExport(RowExport):
    """The profile and the state of each account, without secrets."""

    class Meta:
        model = User
        fields = (
            "email",
            *User.PROFILE_FIELDS,
            "captain_license",
            "captain_license_number",
            "favorite_position",
            "language",
            "is_email_verified",
            "is_active",
            "created_at",
            "updated_at",
            "last_login",
        )
