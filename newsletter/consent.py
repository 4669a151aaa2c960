"""What a subscriber says yes to, and the record of it (GDPR article 7(1))."""

from django.utils.translation import gettext_lazy as _

from newsletter.models import ConsentEvent, ConsentKind, Subscription

STATEMENT = _(
    "I want to receive the Sailing newsletter by email."
    " I can unsubscribe at any time with the link in each mail."
)
"""Shown in the form (its catalogue has the same words), in the mail that asks for the confirmation, and
beside the button that gives it."""

STATEMENT_VERSION = "2026-11-21"
"""The day of the statement's last change in meaning, in any language; a change of it is a new version."""


def record(
    subscription: Subscription, kind: ConsentKind, *, language: str, source: str | None = None
) -> None:
    """Add to the history what just happened, with the language that the statement was shown in.

    `source` is the one of the request that is recorded; where there is none, the subscription's.
    """
    ConsentEvent.objects.create(
        subscription=subscription,
        kind=kind,
        language=language,
        wording=STATEMENT_VERSION,
        source=subscription.source if source is None else source,
        user_type=subscription.user_type,
    )
