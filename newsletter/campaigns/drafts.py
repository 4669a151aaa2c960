"""Use cases of campaigns that are being written: copies and tests."""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext as _

from newsletter.campaigns import rendering, series
from newsletter.campaigns.models import NAME_LENGTH, Campaign, CampaignText
from newsletter.campaigns.rendering import PERSONAL_LINKS
from newsletter.campaigns.services import CampaignRefused
from sailing.mail import outbox
from sailing.mail.links import link_url

COPIED_FIELDS = ("user_type", "segment", "is_public")


def create_duplicate(*, campaign: Campaign, by: Any, for_the_rest: bool = False) -> Campaign:
    """Return a copy of a campaign. `for_the_rest`: for whoever got neither it nor the one it excludes."""
    name = _("Copy of %(name)s") % {"name": campaign.name}
    delay = series.suggest_delay(campaign.user_type) if campaign.is_step else {}
    with transaction.atomic():
        copy = Campaign.objects.create(
            name=name[:NAME_LENGTH],
            excluded_campaign=campaign if for_the_rest else campaign.excluded_campaign,
            created_by=by,
            **{name: getattr(campaign, name) for name in COPIED_FIELDS},
            **delay,
        )
        texts = list(campaign.texts.order_by("pk"))
        for text in texts:
            text.pk, text.campaign = None, copy
        CampaignText.objects.bulk_create(texts)
        return copy


def find_test_addresses() -> dict[str, str]:
    """Return the addresses that may get a test, with the first names that are known."""
    members = get_user_model()._default_manager.filter(is_staff=True, is_active=True).order_by("email")
    staff: dict[str, str] = dict(members.values_list("email", "first_name"))
    return {**dict.fromkeys(settings.CAMPAIGN_TEST_ADDRESSES, ""), **staff}


def send_test(*, campaign: Campaign, addresses: Collection[str], languages: Collection[str]) -> None:
    """Send texts to addresses of `find_test_addresses`. Its links name no subscriber and count no click."""
    names = find_test_addresses()
    if not addresses or not names.keys() >= set(addresses):
        raise CampaignRefused(_("A test goes to active staff and to the addresses in the settings only."))
    texts = [text for text in campaign.list_texts() if text.language in languages]
    if not texts:
        raise CampaignRefused(_("There is no text in that language yet."))
    with transaction.atomic():
        for text in texts:
            mail = rendering.render(campaign, text, links={})
            links = dict.fromkeys(PERSONAL_LINKS, rendering.build_web_version_url(campaign, text.language))
            # Its page knows nobody.
            unsubscribe_url = link_url("newsletter:manage", token="test", language=text.language)  # noqa: S106
            for address in sorted(set(addresses)):
                fields: dict[str, Any] = {"links": links, "first_name": names[address]}
                outbox.store(
                    to=address,
                    subject=f"[Test] {rendering.fill(mail.subject, **fields)}",
                    text=rendering.fill(mail.text, **fields),
                    html=rendering.fill_html(mail.html, **fields),
                    headers={**mail.list_headers, "List-Unsubscribe": f"<{unsubscribe_url}>"},
                )
