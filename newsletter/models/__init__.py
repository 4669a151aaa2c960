"""Subscriptions, the consent history, and the email tokens of subscribers."""

from newsletter.models.consent import (
    ASKED_EVENTS,
    OWNER_EVENTS,
    STATEMENT,
    STATEMENT_VERSION,
    ConsentEvent,
    ConsentKind,
    LeavingAnswer,
    LeavingReason,
)
from newsletter.models.link import CONFIRM_LIFETIME, LinkPurpose, SubscriptionLink
from newsletter.models.subscription import (
    AUDIENCES,
    MAX_FIRST_NAME_LENGTH,
    SUBSCRIBED_STATES,
    Interest,
    Source,
    State,
    Subscription,
    SubscriptionQuerySet,
    UserType,
    clean_first_name,
    get_state_condition,
    validate_first_name,
)
