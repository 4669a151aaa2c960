"""Reports of email providers: bounces, complaints and unsubscriptions at the provider.

django-anymail checks the secret and reads the reports; what they mean for the newsletter is decided here. A
report may come several times. Deferred mails are no bounces: the provider tries again and reports the result.
"""

from enum import Enum, auto
from functools import cache
from typing import Any

from anymail.signals import AnymailTrackingEvent, EventType, RejectReason, pre_send, tracking
from django.conf import settings
from django.core import checks
from django.core.mail import EmailMessage
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string
from django.views.decorators.csrf import csrf_exempt

from newsletter.campaigns import services, tokens
from newsletter.models import ConsentKind
from sailing.email.addresses import normalize_email
from sailing.input_limits import refused_body_status

MAX_BODY_BYTES = 1024 * 1024
"""SendGrid sends up to 768 KB of reports at once."""

VIEWS = {
    "postmark": "anymail.webhooks.postmark.PostmarkTrackingWebhookView",
    "mailgun": "anymail.webhooks.mailgun.MailgunTrackingWebhookView",
    "sendgrid": "anymail.webhooks.sendgrid.SendGridTrackingWebhookView",
    "ses": "newsletter.campaigns.amazon_ses.AmazonSESWebhook",
}


class Report(Enum):
    """What a provider says about a mail."""

    HARD_BOUNCE = auto()
    SOFT_BOUNCE = auto()
    COMPLAINT = auto()
    UNSUBSCRIBED = auto()


REJECTIONS = {
    RejectReason.INVALID: Report.HARD_BOUNCE,
    RejectReason.BOUNCED: Report.HARD_BOUNCE,
    RejectReason.BLOCKED: Report.SOFT_BOUNCE,
    RejectReason.TIMED_OUT: Report.SOFT_BOUNCE,
    RejectReason.SPAM: Report.COMPLAINT,
    RejectReason.UNSUBSCRIBED: Report.UNSUBSCRIBED,
}
"""Why a provider did not try to deliver a mail. The other reasons are about the mail."""


@checks.register(checks.Tags.security, deploy=True)
def check_secret(**_options: Any) -> list[checks.CheckMessage]:
    """Warn if a provider has no way to report bounces."""
    if not settings.EMAIL_PROVIDER or settings.EMAIL_WEBHOOK_SECRET:
        return []
    return [
        checks.Warning(
            "EMAIL_WEBHOOK_SECRET is not set, so the email provider cannot report bounces and complaints.",
            hint="docs/sending.md, Bounces and complaints",
            id="campaigns.W001",
        )
    ]


@csrf_exempt  # a provider's server has no cookies; it proves itself by the secret
def webhook(request: HttpRequest, provider: str) -> HttpResponseBase:
    """Take reports of the configured provider, if it has a secret."""
    if provider != settings.EMAIL_PROVIDER or not settings.EMAIL_WEBHOOK_SECRET:
        raise Http404
    if status := refused_body_status(request, limit=MAX_BODY_BYTES):
        return HttpResponse(status=status)
    response: HttpResponseBase = _load_view(provider)(request)
    return response


@cache
def _load_view(provider: str) -> Any:
    return import_string(VIEWS[provider]).as_view()


@receiver(tracking)
def record_event(*, event: AnymailTrackingEvent, esp_name: str, **_signal: Any) -> None:
    """Record a report on the delivery that it is about, or, for other mails, on the address."""
    report = classify(event, esp_name)
    if report is None:
        return
    at = event.timestamp
    if "delivery" in (event.metadata or {}):
        delivery = tokens.find_by_reference(str(event.metadata["delivery"]))
        if delivery is None:
            return  # a newsletter of another site with the same account
        if report is Report.COMPLAINT:
            services.record_delivery_complaint(delivery=delivery, at=at)
        elif report is Report.UNSUBSCRIBED:
            services.unsubscribe_by_delivery(delivery=delivery, language=delivery.language, at=at)
        else:
            is_hard = report is Report.HARD_BOUNCE
            services.record_delivery_bounce(delivery=delivery, is_hard=is_hard, at=at)
        return
    email = normalize_email(event.recipient or "")
    if report is Report.HARD_BOUNCE:
        services.record_address_bounce(email=email, at=at)
    elif report is Report.COMPLAINT:
        services.end_subscriptions(email=email, event=ConsentKind.COMPLAINED, at=at)
    elif report is Report.UNSUBSCRIBED:
        services.end_subscriptions(email=email, event=ConsentKind.UNSUBSCRIBED, at=at)


def classify(event: AnymailTrackingEvent, esp_name: str) -> Report | None:
    """Return the meaning of an event, or None if it needs no action."""
    if event.event_type == EventType.COMPLAINED:
        return Report.COMPLAINT
    if event.event_type == EventType.UNSUBSCRIBED:
        return Report.UNSUBSCRIBED
    if event.event_type == EventType.BOUNCED:
        return Report.HARD_BOUNCE if _is_hard(event, esp_name) else Report.SOFT_BOUNCE
    if event.event_type == EventType.REJECTED:  # the provider did not try
        # Anymail knows no reason for SendGrid's "Spam Reporting Address".
        if "spam report" in str(event.esp_event.get("reason")).lower():
            return Report.COMPLAINT
        return REJECTIONS.get(event.reject_reason)
    return None


def _is_hard(event: AnymailTrackingEvent, esp_name: str) -> bool:
    """Return whether a bounce is final. Anymail does not say it."""
    raw = event.esp_event
    if esp_name == "Postmark":
        return "HardBounce" in (raw.get("Type"), raw.get("SuppressionReason"))
    if esp_name == "SendGrid":
        return bool(raw.get("type") == "bounce")
    if esp_name == "Amazon SES":
        return bool(raw["bounce"].get("bounceType") == "Permanent")
    return bool(event.reject_reason == RejectReason.BOUNCED)


@receiver(pre_send)
def choose_stream(*, message: EmailMessage, **_signal: Any) -> None:
    """Send campaigns through a message stream of their own, as Postmark wants it."""
    if settings.EMAIL_CAMPAIGN_STREAM and "delivery" in (getattr(message, "metadata", None) or {}):
        message.esp_extra = {"MessageStream": settings.EMAIL_CAMPAIGN_STREAM}  # type: ignore[attr-defined]
