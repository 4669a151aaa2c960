"""Campaigns, and their deliveries to subscribers."""

from newsletter.campaigns.models.campaign import (
    ENDED_STATES,
    MAX_BODY_LENGTH,
    MAX_DELAY_DAYS,
    STARTED_STATES,
    Campaign,
    CampaignLink,
    CampaignState,
    CampaignText,
    Picture,
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
from newsletter.campaigns.models.segment import NAME_LENGTH, InterestMatch, Segment, SourceFilter
