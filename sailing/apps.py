"""The project's own app, and the libraries' apps that it fits to itself."""

# The configs are reached through their modules: Django takes every AppConfig that it finds here by name
# for one of ours.
from django.apps import AppConfig
from django.contrib.admin import apps as admin
from django.utils.translation import gettext_lazy as _
from post_office import apps as post_office


class SailingConfig(AppConfig):
    name = "sailing"
    default = True

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from sailing import retention
        from sailing.admin import import_export, sessions
        from sailing.email import mailbox_budget, sender
        from sailing.ratelimit import counters

        for step in (
            sender.purge_expired,
            counters.purge_expired,
            mailbox_budget.purge_expired,
            import_export.purge_expired_files,
            sessions.purge_expired,
        ):
            retention.register(step)
        user_logged_in.connect(sessions.fix_end)


class SailingAdminConfig(admin.AdminConfig):
    """Django admin, with our site in place of the stock one."""

    default = False
    default_site = "sailing.admin.site.SailingAdminSite"


class OutboxConfig(post_office.PostOfficeConfig):
    """The outbox under the name that everybody here uses."""

    default = False
    verbose_name = _("Outbox")
