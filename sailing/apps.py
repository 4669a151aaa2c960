"""The app of the project, and adjusted app configs of libraries."""

# Modules are imported instead of the configs: Django would treat every AppConfig in this module as ours.
from django.apps import AppConfig, apps
from django.contrib.admin import apps as admin
from django.utils.module_loading import autodiscover_modules


class SailingConfig(AppConfig):
    name = "sailing"
    default = True

    def ready(self) -> None:
        from django.db.models.signals import post_migrate

        from sailing.admin import groups
        from sailing.operations import checks  # noqa: F401 - registers its check

        # How each app takes part, besides `admin`.
        autodiscover_modules("jobs", "personal_data", "retention", "watches", "webhooks")
        post_migrate.connect(groups.store, sender=apps.get_app_config("auth"))


class SailingAdminConfig(admin.AdminConfig):
    default = False
    default_site = "sailing.admin.site.SailingAdminSite"
