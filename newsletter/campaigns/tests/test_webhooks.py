"""What reports of email providers change, and which are refused."""

import base64
import hashlib
import hmac
import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from anymail.exceptions import AnymailNotSupportedWarning
from django.contrib.auth import get_user_model
from django.http.response import HttpResponseBase
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django import Settings

from newsletter.campaigns.feedback import Report
from newsletter.campaigns.models import Delivery, DeliveryState
from newsletter.campaigns.tests.factories import DeliveryFactory
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.mailboxes import find_suppressed
from tests.database import OUTAGE, failing_database

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings(f"ignore::{AnymailNotSupportedWarning.__module__}.AnymailNotSupportedWarning"),
]

SECRET = "provider:7bJ4hWm2QxT9cRk5VzN8fLp3"
EMAIL = "jana@example.com"
NEW = "2030-11-05T16:33:54Z"
DAY = timedelta(days=1)


@pytest.fixture
def delivery() -> Delivery:
    reader = SubscriptionFactory(email=EMAIL, confirmed=True)
    return DeliveryFactory(subscription=reader, state=DeliveryState.SENT, ended_at=timezone.now())


@pytest.fixture(autouse=True)
def _secrets(settings: Settings) -> None:
    settings.EMAIL_WEBHOOK_SECRET = SECRET
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET, "MAILGUN_WEBHOOK_SIGNING_KEY": "key"}


def reference(delivery: Delivery | None) -> dict[str, str]:
    return {"delivery": f"{delivery.pk}.{delivery.campaign.key}"} if delivery else {}


def postmark(delivery: Delivery | None, kind: str, at: str = NEW, **fields: Any) -> dict[str, Any]:
    is_change = kind == "SubscriptionChange"
    recipient, time = ("Recipient", "ChangedAt") if is_change else ("Email", "BouncedAt")
    report = {"RecordType": kind, "Type": kind, "Metadata": reference(delivery), recipient: EMAIL, time: at}
    return report | fields


def mailgun(delivery: Delivery | None, event: str, reply: str = "", code: int = 550, **fields: Any) -> Any:
    timestamp, token = "1920000000", "a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0"
    signature = hmac.new(b"key", f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
    data = {
        "event": event,
        "severity": "permanent",
        "delivery-status": {"code": code, "message": reply},
        "timestamp": 1920000000.5,
        "recipient": EMAIL,
        "user-variables": reference(delivery),
    }
    signed = {"timestamp": timestamp, "token": token, "signature": signature}
    return {"signature": signed, "event-data": data | fields}


def sendgrid(delivery: Delivery | None, event: str, **fields: Any) -> list[dict[str, Any]]:
    report = {"email": EMAIL, "timestamp": 1920000000, "event": event, "sg_event_id": "6g4ZI7SA"}
    return [report | reference(delivery) | fields]


def ses(delivery: Delivery | None, event: str, **fields: str) -> dict[str, Any]:
    recipients = {"Bounce": "bouncedRecipients", "Complaint": "complainedRecipients"}[event]
    headers = [{"name": "X-Metadata", "value": json.dumps(reference(delivery))}] if delivery else []
    report = {
        "eventType": event,
        event.lower(): {recipients: [{"emailAddress": EMAIL}], **fields},
        "mail": {"destination": [EMAIL], "headers": headers},
    }
    return {"Type": "Notification", "Timestamp": NEW, "Message": json.dumps(report)}


def ses_bounce(delivery: Delivery | None, kind: str, subtype: str) -> dict[str, Any]:
    return ses(delivery, "Bounce", bounceType=kind, bounceSubType=subtype)


def brevo(delivery: Delivery | None, event: str, **fields: str) -> dict[str, Any]:
    """Return the report of a provider for which this site has no rules of its own."""
    return {"event": event, "email": EMAIL, "ts_epoch": 1920000000000, **fields}


def post(
    provider: str, body: Any, *, configured: str | None = None, secret: str | None = SECRET
) -> HttpResponseBase:
    """Post a report as a provider does. It is the configured one unless `configured` says which is."""
    credentials = base64.b64encode((secret or "").encode()).decode()
    headers = {} if secret is None else {"Authorization": f"Basic {credentials}"}
    data = body if isinstance(body, bytes) else json.dumps(body)
    kind = "text/plain; charset=UTF-8" if provider == "ses" else "application/json"
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    with override_settings(EMAIL_PROVIDER=provider if configured is None else configured):
        return client.post(f"/newsletter/webhooks/{provider}/", data, content_type=kind, headers=headers)


EFFECTS = {
    "hard": (State.BOUNCED, State.BOUNCED, "bounced_at"),
    "soft": (State.CONFIRMED, State.CONFIRMED, "soft_bounced_at"),
    "complaint": (State.UNSUBSCRIBED, State.UNSUBSCRIBED, "complained_at"),
    "left": (State.UNSUBSCRIBED, State.CONFIRMED, "unsubscribed_at"),
    "earlier complaint": (State.UNSUBSCRIBED, State.UNSUBSCRIBED, None),
    "left earlier": (State.UNSUBSCRIBED, State.UNSUBSCRIBED, None),
    "nothing": (State.CONFIRMED, State.CONFIRMED, None),
}
"""The states of the subscription that got the mail and of the other one, and what is stored of the mail."""

NO_USER = "5.1.1 <jana@example.com>: User unknown"

REPORTS: list[tuple[Any, dict[str, Any], str]] = [
    (postmark, {"kind": "Bounce", "Type": "HardBounce"}, "hard"),
    (postmark, {"kind": "Bounce", "Type": "SoftBounce", "Details": f"smtp;550 {NO_USER}"}, "soft"),
    (postmark, {"kind": "Bounce", "Type": "Transient"}, "nothing"),
    (postmark, {"kind": "Bounce", "Type": "ManuallyDeactivated"}, "left"),
    (postmark, {"kind": "SpamComplaint"}, "complaint"),
    (postmark, {"kind": "Bounce", "Type": "SpamNotification"}, "nothing"),
    (postmark, {"kind": "SubscriptionChange", "SuppressionReason": "HardBounce"}, "hard"),
    (mailgun, {"event": "failed", "reason": "suppress-bounce", "code": 605}, "hard"),
    (mailgun, {"event": "failed", "reason": "suppress-complaint", "code": 607}, "earlier complaint"),
    (mailgun, {"event": "failed", "reason": "suppress-unsubscribe", "code": 606}, "left earlier"),
    (mailgun, {"event": "failed", "reason": "generic", "reply": NO_USER}, "hard"),
    (mailgun, {"event": "failed", "reason": "generic", "code": 552, "reply": "5.2.2 Mailbox full"}, "soft"),
    (mailgun, {"event": "failed", "reason": "generic", "code": 421, "reply": NO_USER}, "soft"),
    (mailgun, {"event": "failed", "reason": "bounce", "severity": "temporary"}, "nothing"),
    (sendgrid, {"event": "bounce", "type": "bounce", "status": "5.0.0", "reason": "500 unknown"}, "hard"),
    (sendgrid, {"event": "bounce", "type": "bounce", "status": "4.2.2"}, "soft"),
    (sendgrid, {"event": "bounce", "type": "blocked", "status": "5.7.1", "reason": f"550 {NO_USER}"}, "soft"),
    (sendgrid, {"event": "dropped", "reason": "Spam Reporting Address"}, "earlier complaint"),
    (sendgrid, {"event": "dropped", "reason": "Unsubscribed Address"}, "left earlier"),
    (sendgrid, {"event": "dropped", "reason": "Spam Content"}, "nothing"),
    (ses_bounce, {"kind": "Permanent", "subtype": "General"}, "hard"),
    (ses_bounce, {"kind": "Transient", "subtype": "OnAccountSuppressionList"}, "hard"),
    (ses_bounce, {"kind": "Permanent", "subtype": "UnsubscribedRecipient"}, "left earlier"),
    (ses_bounce, {"kind": "Transient", "subtype": "ContentRejected"}, "soft"),
    (ses, {"event": "Complaint", "complaintFeedbackType": "abuse"}, "complaint"),
    (ses, {"event": "Complaint", "complaintFeedbackType": "not-spam"}, "nothing"),
    (ses, {"event": "Complaint", "complaintSubType": "OnTenantSuppressionList"}, "earlier complaint"),
    (brevo, {"event": "soft_bounce", "reason": "421 4.7.0 Try later"}, "nothing"),
]


def stored(user_type: UserType = UserType.SAILOR) -> Subscription:
    return Subscription.objects.get(email=EMAIL, user_type=user_type)


def list_times(delivery: Delivery) -> list[str]:
    delivery.refresh_from_db()
    return [field for field in Report if getattr(delivery, field)]


@pytest.mark.parametrize(
    ("make", "fields", "effect"),
    REPORTS,
    ids=lambda value: value if isinstance(value, str) else getattr(value, "__name__", ""),
)
def test_report_changes_subscriptions_once(delivery: Delivery, make: Any, fields: Any, effect: str) -> None:
    member = get_user_model()._default_manager.create(email=EMAIL)
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    for _time in range(2):
        assert post(make.__name__.partition("_")[0], make(delivery, **fields)).status_code == 200
    state, other_state, field = EFFECTS[effect]
    assert (stored().state, stored(UserType.COMPANY).state) == (state, other_state)
    assert list_times(delivery) == [field] * bool(field)
    changed = [each for each in (state, other_state) if each is not State.CONFIRMED]
    assert ConsentEvent.objects.count() == len(changed)
    assert bool(find_suppressed([EMAIL])) is ("complaint" in effect)
    member.refresh_from_db()
    assert bool(member.email_undeliverable_at) is (effect == "hard")


@pytest.mark.parametrize(("event", "state"), [("hard_bounce", State.BOUNCED), ("spam", State.UNSUBSCRIBED)])
def test_report_about_another_mail_is_about_the_address(delivery: Delivery, event: str, state: State) -> None:
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    assert post("brevo", brevo(None, event)).status_code == 200
    assert {each.state for each in Subscription.objects.all()} == {state}
    assert bool(find_suppressed([EMAIL])) is (state is State.UNSUBSCRIBED)
    assert not list_times(delivery)


def test_only_who_knows_the_secret_of_the_provider_is_read(log: StringIO, settings: Settings) -> None:
    for provider, configured, secret, status in (
        *(("postmark", "postmark", wrong, 401) for wrong in (None, SECRET + "x", SECRET.upper(), "ž:ž")),
        ("ses", "ses", SECRET + "x", 401),
        ("postmark", "", SECRET, 404),
        ("postmark", "ses", SECRET, 404),
        ("postmark", "postmark", SECRET, 500),
    ):
        response = post(provider, b'["jana", [', configured=configured, secret=secret)
        assert response.status_code == status
        assert response.headers.get("WWW-Authenticate", "").startswith("Basic ") is (status == 401)
    assert "jana" not in log.getvalue()
    settings.EMAIL_WEBHOOK_SECRET = ""  # without one, nobody is heard
    assert post("postmark", {}, secret="").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_report_that_cannot_be_recorded_is_repeated(delivery: Delivery, log: StringIO) -> None:
    """Providers repeat what is answered with 5xx."""
    report = mailgun(delivery, "complained")
    with failing_database(after=5):
        assert post("mailgun", report).status_code == 503
    assert OUTAGE in log.getvalue()
    assert not list_times(delivery)
    assert post("mailgun", report).status_code == 200
    assert list_times(delivery) == ["complained_at"]


def test_report_about_what_is_not_of_this_site_is_ignored(delivery: Delivery) -> None:
    foreign = ("", "²", None, {"a": 1}, f"{'9' * 5000}.k", "{pk}", "{pk}.of-another-site", "{pk}.\0")
    keys = [key.format(pk=delivery.pk) if isinstance(key, str) else key for key in foreign]
    for field, value in (
        ("Email", "root@localhost"),
        ("Email", "jana@exa\0mple.com"),
        ("BouncedAt", "0001-01-01T00:00:00+05:00"),
        ("BouncedAt", "9999-12-31T23:59:59-05:00"),
        *(("Metadata", {"delivery": key}) for key in keys),
    ):
        for kind in ("HardBounce", "SpamComplaint"):
            report = postmark(None, "Bounce", Type=kind) | {field: value}
            assert post("postmark", report).status_code == 200
        assert (stored().state, list_times(delivery)) == (State.CONFIRMED, []), value
    assert not find_suppressed([EMAIL])


@pytest.mark.parametrize("has_delivery", [True, False])
@pytest.mark.parametrize(
    ("kind", "later", "state"),
    [
        ("SpamComplaint", ConsentKind.CONFIRMED, State.CONFIRMED),
        ("HardBounce", ConsentKind.CONFIRMED, State.CONFIRMED),
        ("SpamComplaint", ConsentKind.REACHABLE, State.UNSUBSCRIBED),
        ("HardBounce", ConsentKind.REACHABLE, State.CONFIRMED),
        ("HardBounce", ConsentKind.PAUSED, State.CONFIRMED),
        ("HardBounce", ConsentKind.INVITED, State.BOUNCED),
    ],
)
def test_late_report_does_not_undo_what_its_address_did_since(
    delivery: Delivery, kind: str, later: ConsentKind, state: State, has_delivery: bool
) -> None:
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=has_delivery)  # of another mail
    ConsentEvent.record(stored(), later, language="en")
    if later != ConsentKind.CONFIRMED:
        Subscription.objects.filter(user_type="sailor").update(confirmed_at=timezone.now() - 9 * DAY)
    at = (timezone.now() - DAY).isoformat()
    report = postmark(delivery if has_delivery else None, "Bounce", at, Type=kind)
    assert post("postmark", report).status_code == 200
    assert stored().state is state
    assert stored(UserType.COMPANY).is_active or not has_delivery
    assert bool(find_suppressed([EMAIL])) is (kind == "SpamComplaint" and state is State.UNSUBSCRIBED)
    assert len(list_times(delivery)) == has_delivery


def test_operator_confirms_the_subscription_to_amazon_by_the_log(log: StringIO) -> None:
    confirmation = {"Type": "SubscriptionConfirmation", "TopicArn": "arn:aws:sns:a:1:b", "Token": "2336412f"}
    assert post("ses", confirmation).status_code == 200
    line = json.loads(log.getvalue().splitlines()[0])
    assert (line["topic"], line["token"]) == (confirmation["TopicArn"], confirmation["Token"])
    greeting = "Successfully validated SNS topic for Amazon SES event publishing."
    assert post("ses", {"Type": "Notification", "Message": greeting}).status_code == 200
