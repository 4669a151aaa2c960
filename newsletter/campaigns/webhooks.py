"""Reports of email providers: bounces, complaints and unsubscriptions at the provider.

django-anymail checks signatures and reads the reports; what they mean for us is decided here. A report may
come several times. Deferred mails are no bounces: the provider tries again and reports the result.
"""

import re
from collections.abc import Callable
from enum import Enum, auto
from functools import cache
from typing import Any

import structlog
from anymail.signals import AnymailTrackingEvent, pre_send
from anymail.utils import get_request_basic_auth
from django.conf import settings
from django.core import checks
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.module_loading import import_string
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from requests import RequestException

from newsletter.campaigns import feedback, tokens
from newsletter.models import ConsentKind
from sailing.input_limits import refused_body_status
from sailing.mail.addresses import normalize_email
from sailing.mail.replies import is_address_refused

MAX_BODY_BYTES = 1024 * 1024
"""SendGrid sends up to 768 KB of reports at once."""

VIEWS = {
    "postmark": "anymail.webhooks.postmark.PostmarkTrackingWebhookView",
    "mailgun": "anymail.webhooks.mailgun.MailgunTrackingWebhookView",
    "sendgrid": "anymail.webhooks.sendgrid.SendGridTrackingWebhookView",
    "ses": "newsletter.campaigns.amazon_ses.AmazonSESWebhook",
}

logger = structlog.get_logger(__name__)


class Report(Enum):
    """What a provider says about a mail.

    The earlier ones are why it did not send the mail: they concern the address, not this mail.
    """

    HARD_BOUNCE = auto()
    SOFT_BOUNCE = auto()
    COMPLAINT = auto()
    UNSUBSCRIBED = auto()
    EARLIER_COMPLAINT = auto()
    EARLIER_UNSUBSCRIPTION = auto()


POSTMARK = {
    "HardBounce": Report.HARD_BOUNCE,
    "BadEmailAddress": Report.HARD_BOUNCE,
    "SoftBounce": Report.SOFT_BOUNCE,
    "Blocked": Report.SOFT_BOUNCE,
    "SpamComplaint": Report.COMPLAINT,
    "Unsubscribe": Report.UNSUBSCRIBED,
    "ManualSuppression": Report.UNSUBSCRIBED,
    "ManuallyDeactivated": Report.UNSUBSCRIBED,
}
"""Types of bounces and reasons of suppressions (https://postmarkapp.com/developer/api/bounce-api#bounce-types).

The others are about the mail, such as a content filter's SpamNotification, or no final result.
"""

MAILGUN_REASONS = {
    "bounce": Report.HARD_BOUNCE,
    "suppress-bounce": Report.HARD_BOUNCE,
    "suppress-complaint": Report.EARLIER_COMPLAINT,
    "suppress-unsubscribe": Report.EARLIER_UNSUBSCRIPTION,
}
MAILGUN_CODES = {
    605: Report.HARD_BOUNCE,
    606: Report.EARLIER_UNSUBSCRIPTION,
    607: Report.EARLIER_COMPLAINT,
}
"""Mailgun's own codes beside those of SMTP: the address is on one of its suppression lists."""

SES_LISTS = ("OnAccountSuppressionList", "OnTenantSuppressionList")
SES_HARMLESS_FEEDBACK = ("not-spam", "auth-failure", "virus")
"""Types of feedback that are no complaints of the reader (RFC 5965 section 7.3, RFC 6430, RFC 6591)."""

SENDGRID_EVENTS = {
    "spamreport": Report.COMPLAINT,
    "unsubscribe": Report.UNSUBSCRIBED,
    "group_unsubscribe": Report.UNSUBSCRIBED,
}
SENDGRID_REASONS = {
    "bounced address": Report.HARD_BOUNCE,
    "invalid": Report.HARD_BOUNCE,
    "spam reporting address": Report.EARLIER_COMPLAINT,
    "unsubscribed address": Report.EARLIER_UNSUBSCRIPTION,
}
"""Why SendGrid drops a mail. The other reasons are about the mail or the account."""


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
@require_http_methods(["HEAD", "POST"])
def webhook(request: HttpRequest, provider: str) -> HttpResponse:
    """Take reports of the configured provider, if it has a secret.

    The secret comes first, so that strangers cause no parsing. 400 for a report that cannot be read or has a
    wrong signature.
    """
    if provider != settings.EMAIL_PROVIDER or not settings.EMAIL_WEBHOOK_SECRET:
        raise Http404
    if not constant_time_compare(get_request_basic_auth(request) or "", settings.EMAIL_WEBHOOK_SECRET):
        # Amazon SNS sends the secret only after this header.
        return HttpResponse(status=401, headers={"WWW-Authenticate": 'Basic realm="Webhook"'})
    if status := refused_body_status(request, limit=MAX_BODY_BYTES):
        return HttpResponse(status=status)
    if request.method == "HEAD":  # some providers test the address so
        return HttpResponse()
    view = _load_view(provider)()
    try:
        view.run_validators(request)
        events = view.parse_events(request)
    except RequestException:  # a subscription to Amazon SNS could not be confirmed: it asks again
        raise
    except Exception as error:  # noqa: BLE001
        # Whatever the parser fails at, it fails at each time. Its messages quote the body.
        logger.warning("webhook_refused", provider=provider, error=type(error).__name__)
        return HttpResponse(status=400)
    for event in events:
        record_event(event, provider)
    return HttpResponse()


@cache
def _load_view(provider: str) -> Any:
    return import_string(VIEWS[provider])


def record_event(event: AnymailTrackingEvent, provider: str) -> None:
    """Record a report on the delivery that it is about, or, for other mails, on the address.

    An address that we would not store is ignored: the report is about a mail of another site.
    """
    report = CLASSIFIERS[provider](event.esp_event)
    if report is None:
        return
    at = event.timestamp
    if at and timezone.is_naive(at):
        at = timezone.make_aware(at, timezone.get_default_timezone())
    if isinstance(event.metadata, dict) and "delivery" in event.metadata:
        delivery = tokens.find_by_reference(str(event.metadata["delivery"]))
        if delivery is None:
            return  # a newsletter of another site with the same account
        if report is Report.COMPLAINT:
            feedback.record_delivery_complaint(delivery=delivery, at=at)
            return
        if report is Report.UNSUBSCRIBED:
            feedback.unsubscribe_by_delivery(delivery=delivery, language=delivery.language, at=at)
            return
        if report in (Report.HARD_BOUNCE, Report.SOFT_BOUNCE):
            is_hard = report is Report.HARD_BOUNCE
            feedback.record_delivery_bounce(delivery=delivery, is_hard=is_hard, at=at)
            return
    try:
        # Brackets around an address are unwrapped, so a list must not become a text.
        email = normalize_email(event.recipient if isinstance(event.recipient, str) else "")
    except ValidationError:
        return
    if report is Report.HARD_BOUNCE:
        feedback.record_address_bounce(email=email, at=at)
    elif report in (Report.COMPLAINT, Report.EARLIER_COMPLAINT):
        feedback.end_subscriptions(email=email, event=ConsentKind.COMPLAINED, at=at)
    elif report in (Report.UNSUBSCRIBED, Report.EARLIER_UNSUBSCRIPTION):
        feedback.end_subscriptions(email=email, event=ConsentKind.UNSUBSCRIBED, at=at)


# --- What a report means, or None if it needs no action ------------------------------------------


def _classify_postmark(raw: Any) -> Report | None:
    """https://postmarkapp.com/developer/webhooks/subscription-change-webhook"""
    kind = _read(raw, "RecordType")
    if kind == "SpamComplaint":
        return Report.COMPLAINT
    if kind == "SubscriptionChange":
        if not raw.get("SuppressSending", True):
            return None  # the address is mailed again
        return POSTMARK.get(_read(raw, "SuppressionReason"), Report.UNSUBSCRIBED)
    return POSTMARK.get(_read(raw, "Type")) if kind == "Bounce" else None


def _classify_mailgun(raw: Any) -> Report | None:
    """https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-structure"""
    event = _read(raw, "event-data", "event")
    if event == "complained":
        return Report.COMPLAINT
    if event == "unsubscribed":
        return Report.UNSUBSCRIBED
    if event != "failed" or _read(raw, "event-data", "severity") == "temporary":
        return None
    digits = _read(raw, "event-data", "delivery-status", "code")
    code = int(digits) if re.fullmatch("[2-6][0-9]{2}", digits) else 0
    known = MAILGUN_REASONS.get(_read(raw, "event-data", "reason")) or MAILGUN_CODES.get(code)
    if known:
        return known
    # Also reasons such as "generic" and "old" come with the reply of the recipient's server.
    status = _read(raw, "event-data", "delivery-status", "enhanced-code")
    reply = _read(raw, "event-data", "delivery-status", "message").removeprefix(digits).lstrip(" -")
    is_hard = 500 <= code <= 599 and is_address_refused(code, f"{status} {reply}".lstrip())
    return Report.HARD_BOUNCE if is_hard else Report.SOFT_BOUNCE


def _classify_ses(raw: Any) -> Report | None:
    """https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html"""
    event = _read(raw, "eventType") or _read(raw, "notificationType")
    if event == "Bounce":
        subtype = _read(raw, "bounce", "bounceSubType")
        if subtype == "UnsubscribedRecipient":
            return Report.EARLIER_UNSUBSCRIPTION
        is_hard = subtype in SES_LISTS or _read(raw, "bounce", "bounceType") == "Permanent"
        return Report.HARD_BOUNCE if is_hard else Report.SOFT_BOUNCE
    if event != "Complaint" or _read(raw, "complaint", "complaintFeedbackType") in SES_HARMLESS_FEEDBACK:
        return None
    is_earlier = _read(raw, "complaint", "complaintSubType") in SES_LISTS
    return Report.EARLIER_COMPLAINT if is_earlier else Report.COMPLAINT


def _classify_sendgrid(raw: Any) -> Report | None:
    """https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event"""
    event = _read(raw, "event")
    if event == "dropped":
        return SENDGRID_REASONS.get(_read(raw, "reason").strip().lower())
    if event == "bounce":  # "blocked" may pass; it is about the server, the sender or the content
        is_hard = _read(raw, "type") == "bounce" and not _read(raw, "status").startswith("4")
        return Report.HARD_BOUNCE if is_hard else Report.SOFT_BOUNCE
    return SENDGRID_EVENTS.get(event)


def _read(raw: Any, *names: str) -> str:
    """Return the text of a nested field; blank if it is missing."""
    for name in names:
        raw = raw.get(name) if isinstance(raw, dict) else None
    return "" if raw is None else str(raw)


CLASSIFIERS: dict[str, Callable[[Any], Report | None]] = {
    "postmark": _classify_postmark,
    "mailgun": _classify_mailgun,
    "ses": _classify_ses,
    "sendgrid": _classify_sendgrid,
}


@receiver(pre_send)
def choose_stream(*, message: EmailMessage, **_signal: Any) -> None:
    """Send campaigns through a message stream of their own, as Postmark wants it."""
    if settings.EMAIL_CAMPAIGN_STREAM and "delivery" in (getattr(message, "metadata", None) or {}):
        message.esp_extra = {"MessageStream": settings.EMAIL_CAMPAIGN_STREAM}  # type: ignore[attr-defined]
