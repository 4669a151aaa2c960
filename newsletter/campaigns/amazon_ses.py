"""Anymail's webhook of Amazon SES without boto3, which only confirms its subscription to a topic."""

import re
from typing import Any

import requests
from anymail.webhooks.amazon_ses import AmazonSESTrackingWebhookView
from anymail.webhooks.base import AnymailBaseWebhookView
from django.conf import settings

from newsletter.campaigns.webhooks import NotRecorded


class AmazonSESWebhook(AmazonSESTrackingWebhookView):
    __init__ = AnymailBaseWebhookView.__init__

    def auto_confirm_sns_subscription(self, sns_message: dict[str, Any]) -> None:
        """Confirm the subscription by one GET, as Amazon documents it. The request's secret is checked."""
        url = str(sns_message["SubscribeURL"])
        if not re.fullmatch(r"https://sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?/\?[!-~]+", url):
            raise ValueError("The SubscribeURL is not one of Amazon SNS")
        try:
            requests.get(url, timeout=settings.EMAIL_TIMEOUT, allow_redirects=False).raise_for_status()
        except requests.RequestException as error:
            raise NotRecorded from error


webhook = AmazonSESWebhook.as_view()
