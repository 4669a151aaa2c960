"""The app of the project, and adjusted app configs of libraries."""

from datetime import timedelta

# Modules are imported instead of the configs: Django would treat every AppConfig in this module as ours.
from django.apps import AppConfig, apps
from django.contrib.admin import apps as admin
from django.utils.translation import gettext_lazy as _


class SailingConfig(AppConfig):
    name = "sailing"
    verbose_name = _("Operations")
    default = True

    def ready(self) -> None:
        from django.conf import settings
        from django.contrib.auth.signals import user_logged_in
        from django.db.backends.signals import connection_created
        from django.db.models.signals import post_migrate

        from sailing import database
        from sailing.admin import groups, sessions
        from sailing.jobs import retention
        from sailing.mail import mailbox_budget, sender
        from sailing.mail_links import tokens
        from sailing.operations import checks  # noqa: F401 - registers its check
        from sailing.privacy import personal_data
        from sailing.ratelimit import counters, limits

        for step in (
            sender.purge_expired,
            counters.purge_expired,
            mailbox_budget.purge_expired,
            sessions.purge_expired,
            retention.purge_expired_jobs,
        ):
            retention.register(step)
        retention.state_periods(
            {
                "purgeInterval": retention.INTERVAL,
                "mails": sender.RETENTION,
                "mailLinks": tokens.TOKEN_RETENTION,
                "mailCounts": mailbox_budget.RETENTION,
                "rateCounts": max(limits.UNITS.values()),
                "files": retention.JOB_FILE_RETENTION,
                "jobs": retention.JOB_RETENTION,
                "adminSession": timedelta(seconds=settings.SESSION_COOKIE_AGE),
                "languageCookie": timedelta(seconds=settings.LANGUAGE_COOKIE_AGE),
            }
        )
        personal_data.register_own_sections()
        user_logged_in.connect(sessions.fix_expiry)
        connection_created.connect(database.limit_session)
        post_migrate.connect(groups.store, sender=apps.get_app_config("auth"))


class SailingAdminConfig(admin.AdminConfig):
    """Django admin with `SailingAdminSite` as its site."""

    default = False
    default_site = "sailing.admin.site.SailingAdminSite"
