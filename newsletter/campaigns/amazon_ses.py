"""The webhook of Amazon SES, without boto3.

Anymail needs boto3 only to confirm the subscription of the webhook to a topic of Amazon SNS, which one GET
does as well (https://docs.aws.amazon.com/sns/latest/dg/SendMessageToHttp.prepare.html).
"""

import re
from typing import Any

import requests
from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.webhooks.amazon_ses import AmazonSESBaseWebhookView, AmazonSESTrackingWebhookView
from django.conf import settings

CONFIRM_URL = re.compile(r"https://sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?/\?[!-~]+")


class AmazonSESWebhook(AmazonSESTrackingWebhookView):
    """Takes the notifications of SES that arrive through SNS."""

    def __init__(self, **kwargs: Any) -> None:
        # Anymail's own would load boto3.
        super(AmazonSESBaseWebhookView, self).__init__(**kwargs)

    def auto_confirm_sns_subscription(self, sns_message: dict[str, Any]) -> None:
        """Confirm the subscription to a topic. The secret of the request has been checked before."""
        url = str(sns_message.get("SubscribeURL", ""))
        if not CONFIRM_URL.fullmatch(url):
            raise AnymailWebhookValidationFailure("The SubscribeURL is not one of Amazon SNS")
        requests.get(url, timeout=settings.EMAIL_TIMEOUT, allow_redirects=False).raise_for_status()
