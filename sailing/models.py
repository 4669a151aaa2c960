"""What the project itself keeps."""

from django.db import models


class Failure(models.Model):
    """A place in the code where something went wrong, and how often it did.

    Nothing tells what it went wrong with, or for whom: an error's own text quotes the values that it
    is about. The request's id leads to the lines of the log.
    """

    event = models.CharField(max_length=100)
    kind = models.CharField(max_length=100, blank=True)
    place = models.CharField(max_length=200)
    request_id = models.CharField(max_length=64, blank=True)
    times = models.PositiveBigIntegerField(default=0)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "kind", "place"], name="failure_unique")]

    def __str__(self) -> str:
        return f"{self.kind or self.event} in {self.place}"
