from django.apps import AppConfig


class RateLimitConfig(AppConfig):
    name = "sailing.ratelimit"
