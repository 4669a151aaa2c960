"""Add the recipients of campaigns and of steps of the welcome series: a delivery for each."""

from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from newsletter.campaigns.models import Campaign, Delivery, DeliveryState

INSERT = f"""
    INSERT INTO {Delivery._meta.db_table} (campaign_id, subscription_id, language, state, next_attempt_at,
        skip_reason, attempts, last_error)
    SELECT %s, recipient.id, recipient.text_language, '{DeliveryState.WAITING}', %s, '', 0, ''
    FROM ({{recipients}}) AS recipient WHERE 1 = 1 ORDER BY recipient.id
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - constants only
"""As SQL, because the ORM cannot insert what it selects. SQLite needs the condition to parse ON CONFLICT."""


def add_deliveries(campaign: Campaign, recipients: QuerySet[Any]) -> int:
    """Add a waiting delivery for each recipient without one; return how many.

    `recipients`: subscriptions with the attribute `text_language`.
    """
    sql, parameters = recipients.values("id", "text_language").query.sql_with_params()
    values = [campaign.pk, connection.ops.adapt_datetimefield_value(timezone.now()), *parameters]
    with connection.cursor() as cursor:
        cursor.execute(INSERT.format(recipients=sql), values)
        return max(0, int(cursor.rowcount))
