from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GrowthConfig(AppConfig):
    name = "newsletter.growth"
    verbose_name = _("Growth")
