"""Subscriptions and mails by the thousand."""

from django.db import connection

FILL_SUBSCRIPTIONS = """
    INSERT INTO newsletter_subscription (id, email, user_type, source, language, is_active, is_confirmed,
        is_imported, utm_source, created_at, confirmed_at)
    SELECT gen_random_uuid(), 'person.' || n || '@example.org',
        CASE n %% 3 WHEN 0 THEN 'company' ELSE 'sailor' END,
        CASE n %% 4 WHEN 0 THEN '' ELSE 'landing-sailors' END,
        CASE n %% 2 WHEN 0 THEN 'en' ELSE 'cs' END,
        true, true, false, CASE WHEN n <= %(tagged)s THEN 'facebook' ELSE '' END, at, at
    FROM generate_series(1, %(count)s) AS n,
        LATERAL (SELECT now() - interval '1 day' * %(days)s * (1 - n::float / %(count)s) AS at) AS sign_up
"""
"""All are confirmed, because others are purged."""

FILL_MAILS = """
    INSERT INTO mail_outboxemail (recipient, subject, text, html, headers, subject_key, message_id,
        priority, state, attempts, next_attempt_at, last_error, due_at, sent_at)
    SELECT 'person.' || n || '@example.org', 'Welcome', %(text)s, %(html)s, '{}', '',
        '<' || n || '@example.org>', %(priority)s, %(state)s, 0, now(), '', now(), now()
    FROM generate_series(1, %(count)s) AS n
"""


def execute(statement: str, **values: int | str) -> None:
    """Execute an SQL statement, however long it takes."""
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(statement, values or None)


def fill_subscriptions(count: int, *, days: int = 0, tagged: int = 0) -> None:
    """Store subscriptions of the last days; the first `tagged` came from a campaign of advertisements."""
    execute(FILL_SUBSCRIPTIONS, count=count, days=days, tagged=tagged)
    execute("VACUUM ANALYZE")
