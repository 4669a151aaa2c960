"""The app of the project, and adjusted app configs of libraries."""

# Modules are imported instead of the configs: Django would treat every AppConfig in this module as ours.
from django.apps import AppConfig, apps
from django.contrib.admin import apps as admin
from django.utils.translation import gettext_lazy as _


class SailingConfig(AppConfig):
    name = "sailing"
    verbose_name = _("Operations")
    default = True

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in
        from django.db.models.signals import post_migrate

        from sailing import retention
        from sailing.admin import groups, sessions
        from sailing.email import mailbox_budget, sender
        from sailing.monitoring import report  # noqa: F401 - registers its job
        from sailing.ratelimit import counters

        for step in (
            sender.purge_expired,
            counters.purge_expired,
            mailbox_budget.purge_expired,
            sessions.purge_expired,
            retention.purge_expired_jobs,
        ):
            retention.register(step)
        user_logged_in.connect(sessions.fix_expiry)
        post_migrate.connect(groups.store, sender=apps.get_app_config("auth"))


class SailingAdminConfig(admin.AdminConfig):
    """Django admin with `SailingAdminSite` as its site."""

    default = False
    default_site = "sailing.admin.site.SailingAdminSite"
