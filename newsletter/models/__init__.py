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
from newsletter.models.subscription import (
    AUDIENCES,
    CONFIRM_LIFETIME,
    MAX_FIRST_NAME_LENGTH,
    SUBSCRIBED_STATES,
    Interest,
    LinkPurpose,
    Source,
    State,
    Subscription,
    SubscriptionLink,
    UserType,
    clean_first_name,
    get_state_condition,
    validate_first_name,
)
