from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from accounts import erasure, jobs, tokens
        from accounts.models import AccountLink, User
        from accounts.retention import (
            UNVERIFIED_LIFETIME,
            WARNED_BEFORE,
            purge_expired_links,
            purge_unverified,
            warn_expiring,
        )
        from sailing.jobs import retention
        from sailing.mail.sender import mail_bounced
        from sailing.operations import metrics
        from sailing.privacy import personal_data
        from sailing.privacy.erasure import PersonalDataModel, register

        for step in (purge_expired_links, warn_expiring, purge_unverified, jobs.purge_finished):
            retention.register(step)
        retention.state_periods(
            {
                "unverifiedAccounts": UNVERIFIED_LIFETIME,
                "expiryWarning": WARNED_BEFORE,
                "session": tokens.LIFETIME,
            }
        )
        contents = _(
            "profile, permissions, sessions and email links; an admin’s history is kept without the name"
        )
        # Erasing a subscriber keeps the account.
        register(
            PersonalDataModel(User, contents, is_erased_with_person=False, before_erase=erasure.before_erase)
        )
        personal_data.register(
            personal_data.Section(
                "account",
                _("Account"),
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
                    "was_email_verified": _("an earlier email was verified"),
                    "expiry_warned_at": _("warned before the deletion of the unverified account"),
                },
                needs_verified_email=False,
            ),
            first=True,
        )
        personal_data.register(
            personal_data.Section(
                "account_links",
                _("Links in emails about the account"),
                AccountLink,
                lambda email: AccountLink.objects.filter(user__email=email).order_by("pk"),
                {
                    "purpose": _("purpose"),
                    "email": _("sent to"),
                    "created_at": _("created"),
                    "expires_at": _("expires"),
                    "used_at": _("used or closed"),
                },
                heading="purpose",
                needs_verified_email=False,
            )
        )
        mail_bounced.connect(_record_bounce)
        metrics.register(
            lambda: [
                metrics.Gauge("sailing_members", "Members.", User.objects.filter(is_active=True).count())
            ]
        )


def _record_bounce(email: str, **_signal: Any) -> None:
    from accounts.services import verification

    verification.record_bounce(email=email)
