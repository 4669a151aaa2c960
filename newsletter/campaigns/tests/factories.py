"""Campaigns and their deliveries."""

from datetime import datetime
from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from newsletter.campaigns import services
from newsletter.campaigns.models import Campaign, CampaignState, CampaignText, Delivery, Picture
from newsletter.campaigns.sender import CampaignQueue
from newsletter.tests.factories import SubscriptionFactory

SUBJECTS = {"en": "The regatta begins", "cs": "Regata začíná"}


class CampaignFactory(DjangoModelFactory):
    """A draft with a text in both languages. `languages` chooses others."""

    class Meta:
        model = Campaign
        skip_postgeneration_save = True

    name = "Spring regatta"

    @factory.post_generation
    def languages(self, create: bool, extracted: tuple[str, ...] | None) -> None:
        for language in SUBJECTS if extracted is None else extracted:
            CampaignTextFactory(campaign=self, language=language)


class CampaignTextFactory(DjangoModelFactory):
    """A text without problems."""

    class Meta:
        model = CampaignText

    campaign = factory.SubFactory(CampaignFactory, languages=())
    language = "en"
    subject = factory.LazyAttribute(lambda text: SUBJECTS[text.language])
    preheader = "Three days of racing"
    body = "# Ahoy\n\nRead [the programme](https://sailing.example/regatta) and join us."


def start_campaign(**values: Any) -> Campaign:
    """Store a campaign that is being sent, whose recipients are fixed."""
    now = timezone.now()
    defaults = {"state": CampaignState.SENDING, "started_at": now, "prepared_at": now}
    return CampaignFactory(**{**defaults, **values})


def send_now(campaign: Campaign) -> None:
    services.send_now(campaign=campaign, expected_version=_get_version(campaign))


def schedule(campaign: Campaign, at: datetime) -> None:
    services.schedule(campaign=campaign, at=at, expected_version=_get_version(campaign))


def _get_version(campaign: Campaign) -> str:
    return services.get_version(Campaign.objects.get(pk=campaign.pk))


def prepare_deliveries(batches: int = 9) -> None:
    """Begin campaigns that are due and add batches of recipients, as a sender does before it sends."""
    for _batch in range(batches):
        CampaignQueue().claim(0)


class DeliveryFactory(DjangoModelFactory):
    """A waiting delivery to a confirmed subscriber."""

    class Meta:
        model = Delivery

    campaign = factory.SubFactory(CampaignFactory)
    subscription = factory.SubFactory(SubscriptionFactory, confirmed=True)
    language = factory.LazyAttribute(lambda delivery: delivery.subscription.language)


class PictureFactory(DjangoModelFactory):
    """A picture of the library, whose bytes are no picture."""

    class Meta:
        model = Picture

    name = factory.Sequence(lambda number: f"{number:024d}.jpg")
    content = b"picture"
    width, height = 1200, 900
    alt_text_en = "A boat"
