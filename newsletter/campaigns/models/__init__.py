"""Campaigns, and their deliveries to subscribers."""

from newsletter.campaigns.models.campaign import (
    ENDED_STATES,
    MAX_BODY_LENGTH,
    MAX_DELAY_DAYS,
    NAME_LENGTH,
    STARTED_STATES,
    Campaign,
    CampaignLink,
    CampaignState,
    CampaignText,
    InterestMatch,
    Picture,
    Segment,
    SourceFilter,
    StopReason,
)
from newsletter.campaigns.models.delivery import (
    ENDED_DELIVERIES,
    HAS_FEEDBACK,
    CampaignPace,
    Delivery,
    DeliveryState,
    SkipReason,
)
