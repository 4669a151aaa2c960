"""The counters of the rate limits."""

from django.db import models


class RateCounter(models.Model):
    """The hits of one rate limit in one sub-window of time (`sailing.ratelimit.limits`)."""

    KEY_LENGTH = 32

    pk = models.CompositePrimaryKey("key", "sub_window")
    key = models.CharField(max_length=KEY_LENGTH)
    sub_window = models.BigIntegerField()
    hits = models.BigIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key} {self.sub_window}: {self.hits}"
