"""Reports of email providers: bounces, complaints and unsubscriptions at the provider.

The webhook views of django-anymail check signatures, read the reports and send each by a signal. A report may
come several times.
"""

import json
import re
from base64 import b64encode
from datetime import UTC
from typing import Any

import structlog
from anymail.signals import AnymailTrackingEvent, EventType, tracking
from django.conf import settings
from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve
from django.utils.crypto import constant_time_compare
from django.utils.dateparse import parse_datetime
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from newsletter.campaigns import feedback
from newsletter.campaigns.feedback import Report
from newsletter.campaigns.models import Delivery
from sailing.mail import transport
from sailing.mail.addresses import normalize_email

MEANINGS: list[tuple[str, str, str, Report | None]] = [
    ("Postmark", "Type", "SpamNotification|VirusNotification", None),  # of a content filter
    ("Postmark", "Type", "SoftBounce|Blocked", Report.SOFT_BOUNCE),
    ("Postmark", "Type", "HardBounce", Report.HARD_BOUNCE),
    ("Postmark", "SuppressionReason", "HardBounce", Report.HARD_BOUNCE),
    ("Postmark", "Type", "ManuallyDeactivated", Report.UNSUBSCRIBED),
    ("Mailgun", "event-data reason", "(suppress-)?bounce", Report.HARD_BOUNCE),
    ("Mailgun", "event-data reason", "suppress-complaint", Report.COMPLAINT),
    ("Mailgun", "event-data reason", "suppress-unsubscribe", Report.UNSUBSCRIBED),
    ("Amazon SES", "complaint complaintFeedbackType", "not-spam|auth-failure|virus", None),
    ("Amazon SES", "complaint complaintSubType", "On.*SuppressionList", Report.COMPLAINT),
    ("Amazon SES", "bounce bounceSubType", "On.*SuppressionList", Report.HARD_BOUNCE),
    ("Amazon SES", "bounce bounceSubType", "UnsubscribedRecipient", Report.UNSUBSCRIBED),
    ("Amazon SES", "bounce bounceType", "Permanent", Report.HARD_BOUNCE),
    ("SendGrid", "reason", "(?i)spam reporting address", Report.COMPLAINT),
    ("SendGrid", "status", "4.*", Report.SOFT_BOUNCE),
    ("SendGrid", "type", "blocked", Report.SOFT_BOUNCE),
    ("SendGrid", "type", "bounce", Report.HARD_BOUNCE),
    ("", "event", "hard_bounce", Report.HARD_BOUNCE),
    ("", "", "complained .*", Report.COMPLAINT),
    ("", "", "unsubscribed .*", Report.UNSUBSCRIBED),
    ("", "", "(bounced|rejected) invalid|rejected bounced", Report.HARD_BOUNCE),
    ("", "", "rejected spam", Report.COMPLAINT),
    ("", "", "rejected unsubscribed", Report.UNSUBSCRIBED),
    ("", "", "rejected .*", None),  # because of the mail or the account
]
"""A provider, a field of its report, values of the field, and what they mean, None for nothing.

The first match counts. First what Anymail reads too coarsely, then its own event and reason, of any provider.
"""

NOT_SENT = re.compile("rejected|suppress|spam reporting|UnsubscribedRecipient", re.IGNORECASE)
"""Values that say that a provider did not send the mail, because of an earlier report about the address."""

logger = structlog.get_logger(__name__)


@csrf_exempt  # a provider's server has no cookies; it proves itself by the secret
@require_http_methods(["HEAD", "POST"])
def webhook(request: HttpRequest, provider: str) -> HttpResponse:
    """Take reports of the configured provider. The secret comes first, so that strangers cause no parsing."""
    secret = settings.EMAIL_WEBHOOK_SECRET
    if provider != settings.EMAIL_PROVIDER or not secret:
        raise Http404
    expected = f"Basic {b64encode(secret.encode()).decode()}"
    if not constant_time_compare(request.headers.get("Authorization", ""), expected):
        # Amazon SNS sends the secret only after this header.
        return HttpResponse(status=401, headers={"WWW-Authenticate": 'Basic realm="Webhook"'})
    if provider == "ses":
        return receive_from_amazon(request)
    view = resolve(f"/{provider}/tracking/", "anymail.urls").func  # loaded late: it takes 25 MB
    response: HttpResponse = view(request)
    return response


def receive_from_amazon(request: HttpRequest) -> HttpResponse:
    """Take a message of Amazon SNS. Anymail's view needs boto3, which takes 33 MB, to confirm a subscription.

    An operator does that, with what is logged.
    """
    message = json.loads(request.body)
    if message["Type"] == "SubscriptionConfirmation":
        logger.warning("webhook_subscription", topic=message["TopicArn"], token=message["Token"])
    elif message["Message"].startswith("{"):  # not the greeting of a new topic
        report = json.loads(message["Message"])
        headers = {each["name"].lower(): each["value"] for each in report["mail"].get("headers", [])}
        event_type = EventType.BOUNCED if "bounce" in report else EventType.COMPLAINED
        details = report.get("bounce") or report.get("complaint") or {}
        for recipient in details.get("bouncedRecipients") or details.get("complainedRecipients") or []:
            event = AnymailTrackingEvent(
                event_type=event_type,
                recipient=recipient["emailAddress"],
                metadata=json.loads(headers.get("x-metadata", "{}")),
                timestamp=parse_datetime(message["Timestamp"]),
                esp_event=report,
            )
            tracking.send(sender=receive_from_amazon, event=event, esp_name="Amazon SES")
    return HttpResponse()


@receiver(tracking)
def receive(*, event: AnymailTrackingEvent, esp_name: str, **_signal: Any) -> None:
    """Record a report on the delivery that it is about, or, for other mails, on the address.

    An address or a time that we could not store is ignored, and so is a newsletter that we do not know: the
    report is about a mail of another site with the same account.
    """
    report, is_about_mail = interpret(event, esp_name)
    if report is None:
        return
    delivery = None
    if "delivery" in (event.metadata or {}):  # see `newsletter.campaigns.sender`
        found = re.fullmatch(r"([0-9]{1,18})\.([\w-]+)", str(event.metadata["delivery"]))
        delivery = found and Delivery.objects.filter(pk=int(found[1]), campaign__key=found[2]).first()
        if delivery is None:
            return
    try:
        subscription = delivery and delivery.subscription
        email = subscription.email if subscription else normalize_email(event.recipient or "")
        at = event.timestamp and event.timestamp.astimezone(UTC)
    except (ValidationError, OverflowError):
        return
    feedback.record(email, delivery if is_about_mail else None, report, at)


def interpret(event: AnymailTrackingEvent, esp_name: str) -> tuple[Report | None, bool]:
    """Return what a report says, None for nothing, and whether about a mail or only about its address.

    Deferred mails are no bounces: the provider tries again and reports the result.
    """
    if event.event_type not in ("bounced", "rejected", "complained", "unsubscribed"):
        return None, False
    for provider, field, values, report in MEANINGS:
        value = _read(event.esp_event, field) if field else f"{event.event_type} {event.reject_reason}"
        if provider in (esp_name, "") and re.fullmatch(values, value):
            return report, not (report in feedback.ENDINGS and NOT_SENT.search(value))
    return Report.HARD_BOUNCE if _is_permanent(event) else Report.SOFT_BOUNCE, True


def _is_permanent(event: AnymailTrackingEvent) -> bool:
    """Return whether the reply of the recipient's server says that the address does not work."""
    status = _read(event.esp_event, "event-data delivery-status code")  # Mailgun's texts lack them
    detail = _read(event.esp_event, "event-data delivery-status enhanced-code")
    reply = re.sub(r"^smtp; *", "", f"{status} {detail} {event.mta_response or ''}".strip())
    parts = re.match(r"(5\d\d)[ -]+(?:\1[ -]+)?(.*)", reply, re.DOTALL)
    return parts is not None and transport.interpret("RCPT", int(parts[1]), parts[2])[1]


def _read(raw: Any, field: str) -> str:
    """Return the text of a field, whose names are separated by spaces; blank if it is missing."""
    for name in field.split(" "):
        raw = raw.get(name) if isinstance(raw, dict) else None
    return "" if raw is None else str(raw)
