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
from newsletter.campaigns.models import CampaignState, Delivery, DeliveryState
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.mailboxes import find_suppressed
from tests.database import OUTAGE, failing_database
from tests.mail_server import MailServer
from tests.mailbox import send_pending

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings(f"ignore::{AnymailNotSupportedWarning.__module__}.AnymailNotSupportedWarning"),
]

SECRET = "provider:7bJ4hWm2QxT9cRk5VzN8fLp3"
EMAIL = "jana@example.com"
PROVIDERS = ("postmark", "mailgun", "sendgrid", "ses")
NEW = "2030-11-05T16:33:54Z"


@pytest.fixture
def delivery() -> Delivery:
    """Return a mail that was sent to a confirmed subscriber."""
    return send_to(SubscriptionFactory(email=EMAIL, confirmed=True))


@pytest.fixture(autouse=True)
def _secrets(settings: Settings) -> None:
    settings.EMAIL_WEBHOOK_SECRET = SECRET
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET, "MAILGUN_WEBHOOK_SIGNING_KEY": "key"}


def send_to(subscription: Subscription) -> Delivery:
    return DeliveryFactory(subscription=subscription, state=DeliveryState.SENT, ended_at=timezone.now())


# --- Reports as providers post them ---------------------------------------------------------------


def reference(delivery: Delivery | None) -> dict[str, str]:
    return {"delivery": f"{delivery.pk}.{delivery.campaign.key}"} if delivery else {}


def postmark(delivery: Delivery | None, kind: str, at: str = NEW, **fields: Any) -> dict[str, Any]:
    is_change = kind == "SubscriptionChange"
    recipient, time = ("Recipient", "ChangedAt") if is_change else ("Email", "BouncedAt")
    report = {"RecordType": kind, "Type": kind, "Metadata": reference(delivery), recipient: EMAIL, time: at}
    return report | fields


def mailgun(
    delivery: Delivery | None, event: str, reason: str = "", code: int = 550, reply: str = "", **fields: Any
) -> dict[str, Any]:
    timestamp, token = "1920000000", "a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0"
    signature = hmac.new(b"key", f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
    data = {
        "event": event,
        "severity": "permanent",
        "reason": reason,
        "delivery-status": {"code": code, "message": reply, "enhanced-code": fields.pop("detail", "")},
        "timestamp": 1920000000.5,
        "recipient": EMAIL,
        "user-variables": reference(delivery),
    }
    signed = {"timestamp": timestamp, "token": token, "signature": signature}
    return {"signature": signed, "event-data": data | fields}


def sendgrid(delivery: Delivery | None, event: str, **fields: Any) -> list[dict[str, Any]]:
    report = {"email": EMAIL, "timestamp": 1920000000, "event": event, "sg_event_id": "6g4ZI7SA"}
    return [report | reference(delivery) | fields]


def ses(delivery: Delivery | None, event: str, *, name: str = "eventType", **fields: str) -> dict[str, Any]:
    recipients = {"Bounce": "bouncedRecipients", "Complaint": "complainedRecipients"}.get(event, "recipients")
    headers = [{"name": "X-Metadata", "value": json.dumps(reference(delivery))}] if delivery else []
    report = {
        name: event,
        event.lower(): {recipients: [{"emailAddress": EMAIL}], **fields},
        "mail": {"destination": [EMAIL], "headers": headers},
    }
    return {"Type": "Notification", "Timestamp": NEW, "Message": json.dumps(report)}


def bounced(kind: str, subtype: str, name: str = "eventType") -> dict[str, str]:
    return {"event": "Bounce", "bounceType": kind, "bounceSubType": subtype, "name": name}


def post(
    provider: str,
    body: Any,
    *,
    configured: str | None = None,
    secret: str | None = SECRET,
    client: Client | None = None,
) -> HttpResponseBase:
    """Post a report as a provider does. It is the configured one unless `configured` says which is."""
    credentials = base64.b64encode((secret or "").encode()).decode()
    headers = {} if secret is None else {"Authorization": f"Basic {credentials}"}
    with override_settings(EMAIL_PROVIDER=provider if configured is None else configured):
        return (client or Client(enforce_csrf_checks=True)).generic(
            "POST",
            f"/newsletter/webhooks/{provider}/",
            body if isinstance(body, bytes) else json.dumps(body),
            content_type="text/plain; charset=UTF-8" if provider == "ses" else "application/json",
            headers=headers,
        )


# --- What they mean -------------------------------------------------------------------------------

EFFECTS = {
    "hard": (State.BOUNCED, State.BOUNCED, "bounced_at"),
    "soft": (State.CONFIRMED, State.CONFIRMED, "soft_bounced_at"),
    "complaint": (State.UNSUBSCRIBED, State.CONFIRMED, "complained_at"),
    "left": (State.UNSUBSCRIBED, State.CONFIRMED, "unsubscribed_at"),
    "earlier complaint": (State.UNSUBSCRIBED, State.UNSUBSCRIBED, None),
    "left earlier": (State.UNSUBSCRIBED, State.UNSUBSCRIBED, None),
    "nothing": (State.CONFIRMED, State.CONFIRMED, None),
}
"""The state of the subscription that got the mail, of the other one, and what is stored of the mail.

After an earlier report the provider did not send the mail: it is about the address.
"""

NO_USER = "5.1.1 <jana@example.com>: User unknown"

REPORTS: list[tuple[Any, dict[str, Any], str]] = [
    (postmark, {"kind": "Bounce", "Type": "HardBounce"}, "hard"),
    (postmark, {"kind": "Bounce", "Type": "BadEmailAddress"}, "hard"),
    (postmark, {"kind": "Bounce", "Type": "SoftBounce", "Details": f"smtp;550 {NO_USER}"}, "soft"),
    (postmark, {"kind": "Bounce", "Type": "Blocked"}, "soft"),
    (postmark, {"kind": "Bounce", "Type": "Transient"}, "nothing"),
    (postmark, {"kind": "Bounce", "Type": "Unsubscribe"}, "left"),
    (postmark, {"kind": "Bounce", "Type": "ManuallyDeactivated"}, "left"),
    (postmark, {"kind": "SpamComplaint"}, "complaint"),
    (postmark, {"kind": "Bounce", "Type": "SpamNotification"}, "nothing"),
    (postmark, {"kind": "SubscriptionChange", "SuppressionReason": "HardBounce"}, "hard"),
    (postmark, {"kind": "SubscriptionChange", "SuppressionReason": "SpamComplaint"}, "complaint"),
    (postmark, {"kind": "SubscriptionChange", "SuppressionReason": "ManualSuppression"}, "left"),
    (postmark, {"kind": "Delivery"}, "nothing"),
    (mailgun, {"event": "failed", "reason": "bounce", "reply": NO_USER}, "hard"),
    (mailgun, {"event": "failed", "reason": "suppress-bounce", "code": 605}, "hard"),
    (mailgun, {"event": "failed", "reason": "suppress-complaint", "code": 607}, "earlier complaint"),
    (mailgun, {"event": "failed", "reason": "suppress-unsubscribe", "code": 606}, "left earlier"),
    (mailgun, {"event": "failed", "reason": "generic", "reply": NO_USER}, "hard"),
    (mailgun, {"event": "failed", "reason": "generic", "reply": "No such user here"}, "hard"),
    (mailgun, {"event": "failed", "reason": "generic", "code": 554, "detail": "5.1.1"}, "hard"),
    (mailgun, {"event": "failed", "reason": "generic", "code": 552, "reply": "5.2.2 Mailbox full"}, "soft"),
    (mailgun, {"event": "failed", "reason": "generic", "reply": "5.7.1 Message content rejected"}, "soft"),
    (mailgun, {"event": "failed", "reason": "generic", "code": 421, "reply": NO_USER}, "soft"),
    (mailgun, {"event": "failed", "reason": "bounce", "severity": "temporary"}, "nothing"),
    (mailgun, {"event": "complained"}, "complaint"),
    (mailgun, {"event": "unsubscribed"}, "left"),
    (mailgun, {"event": "delivered"}, "nothing"),
    (sendgrid, {"event": "bounce", "type": "bounce", "status": "5.0.0", "reason": "500 unknown"}, "hard"),
    (sendgrid, {"event": "bounce", "type": "bounce", "status": "4.2.2"}, "soft"),
    (sendgrid, {"event": "bounce", "type": "blocked", "status": "5.7.1", "reason": f"550 {NO_USER}"}, "soft"),
    (sendgrid, {"event": "dropped", "type": "bounce", "reason": "Bounced Address"}, "hard"),
    (sendgrid, {"event": "dropped", "reason": "Spam Reporting Address"}, "earlier complaint"),
    (sendgrid, {"event": "dropped", "reason": "Unsubscribed Address"}, "left earlier"),
    (sendgrid, {"event": "dropped", "reason": "Spam Content"}, "nothing"),
    (sendgrid, {"event": "spamreport"}, "complaint"),
    (sendgrid, {"event": "group_unsubscribe"}, "left"),
    (sendgrid, {"event": "deferred"}, "nothing"),
    (ses, bounced("Permanent", "General"), "hard"),
    (ses, bounced("Permanent", "General", "notificationType"), "hard"),
    (ses, bounced("Transient", "OnAccountSuppressionList"), "hard"),
    (ses, bounced("Permanent", "UnsubscribedRecipient"), "left earlier"),
    (ses, bounced("Transient", "ContentRejected"), "soft"),
    (ses, {"event": "Complaint", "complaintFeedbackType": "abuse"}, "complaint"),
    (ses, {"event": "Complaint", "complaintFeedbackType": "not-spam"}, "nothing"),
    (ses, {"event": "Complaint", "complaintSubType": "OnTenantSuppressionList"}, "earlier complaint"),
    (ses, {"event": "DeliveryDelay"}, "nothing"),
]

BREVO = {"event": "hard_bounce", "email": EMAIL, "ts_epoch": 1920000000000}


def make_report(provider: str, effect: str, delivery: Delivery | None = None) -> Any:
    """Return the first report of REPORTS with an effect."""
    found = ((make, fields) for make, fields, each in REPORTS if (make.__name__, each) == (provider, effect))
    make, fields = next(found)
    return make(delivery, **fields)


def stored(user_type: UserType = UserType.SAILOR) -> Subscription:
    return Subscription.objects.get(email=EMAIL, user_type=user_type)


def everything() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Subscription, Delivery, ConsentEvent)]


def list_times(delivery: Delivery) -> list[str]:
    """Return what is stored of a mail."""
    delivery.refresh_from_db()
    return [field for field in Report if getattr(delivery, field)]


@pytest.mark.parametrize(
    ("make", "fields", "effect"),
    REPORTS,
    ids=lambda value: value if isinstance(value, str) else getattr(value, "__name__", ""),
)
def test_repeated_report_changes_its_subscriptions_once(
    delivery: Delivery, make: Any, fields: dict[str, Any], effect: str
) -> None:
    member = get_user_model()._default_manager.create(email=EMAIL)
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    for _time in range(2):
        assert post(make.__name__, make(delivery, **fields)).status_code == 200
    state, other_state, field = EFFECTS[effect]
    assert (stored().state, stored(UserType.COMPANY).state) == (state, other_state)
    assert list_times(delivery) == [field] * bool(field)
    changed = [each for each in (state, other_state) if each is not State.CONFIRMED]
    assert ConsentEvent.objects.count() == len(changed)
    assert bool(find_suppressed([EMAIL])) is ("complaint" in effect)
    member.refresh_from_db()
    assert bool(member.email_undeliverable_at) is (effect == "hard")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_report_about_another_mail_is_about_the_address(delivery: Delivery, provider: str) -> None:
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    for effect, state in (("hard", State.BOUNCED), ("complaint", State.UNSUBSCRIBED)):
        Subscription.objects.update(bounced_at=None)
        assert post(provider, make_report(provider, effect)).status_code == 200
        assert {each.state for each in Subscription.objects.all()} == {state}
    assert ConsentEvent.objects.count() == 4
    assert not list_times(delivery)
    assert find_suppressed([EMAIL])


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, State.BOUNCED),
        ({"event": "soft_bounce", "reason": "421 4.7.0 Try later"}, State.CONFIRMED),
        ({"event": "spam"}, State.UNSUBSCRIBED),
    ],
)
def test_any_other_provider_of_anymail_may_report(
    delivery: Delivery, fields: dict[str, str], state: State
) -> None:
    assert post("brevo", BREVO | fields).status_code == 200
    assert stored().state is state


# --- Which are taken, and when they count ---------------------------------------------------------


@pytest.mark.parametrize("secret", [None, "", SECRET + "x", SECRET.upper(), "ž:ž"])
@pytest.mark.parametrize("provider", ["postmark", "ses"])
def test_forged_report_is_refused_unread(log: StringIO, provider: str, secret: str | None) -> None:
    response = post(provider, b"no JSON", secret=secret)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Basic ")
    (line,) = log.getvalue().splitlines()
    assert len(line) < 600


@pytest.mark.parametrize("configured", ["", *PROVIDERS])
def test_only_the_configured_provider_is_heard_and_only_with_a_secret(
    settings: Settings, configured: str
) -> None:
    for provider in PROVIDERS:
        secret = settings.EMAIL_WEBHOOK_SECRET = "" if provider == configured else SECRET
        assert post(provider, {}, configured=configured, secret=secret).status_code == 404


def test_report_without_the_right_signature_is_refused(settings: Settings, delivery: Delivery) -> None:
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET, "MAILGUN_WEBHOOK_SIGNING_KEY": "another"}
    assert post("mailgun", make_report("mailgun", "hard", delivery)).status_code == 400
    assert stored().state is State.CONFIRMED


@pytest.mark.parametrize("provider", PROVIDERS)
def test_body_of_an_unreadable_report_is_not_logged(provider: str, log: StringIO) -> None:
    client = Client(raise_request_exception=False)
    assert post(provider, b'["jana", [', client=client).status_code >= 400
    assert "jana" not in log.getvalue()


@pytest.mark.django_db(transaction=True)
def test_report_that_cannot_be_recorded_is_repeated(delivery: Delivery, log: StringIO) -> None:
    """Providers repeat what is answered with 5xx."""
    report = make_report("mailgun", "complaint", delivery)
    client = Client(raise_request_exception=False)
    with failing_database(after=5):
        assert post("mailgun", report, client=client).status_code == 503
    assert OUTAGE in log.getvalue()
    assert not list_times(delivery)
    assert post("mailgun", report).status_code == 200
    assert list_times(delivery) == ["complained_at"]


FOREIGN_FIELDS = {
    "Email": ["root@localhost", "", "jana@exa\u0000mple.com"],
    "BouncedAt": ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"],
}
FOREIGN_KEYS = ["", "²", None, {"a": 1}, f"{'9' * 5000}.k", "{pk}", "{pk}.of-another-site", "{pk}.\0"]


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, values in FOREIGN_FIELDS.items() for value in values]
)
def test_report_with_what_is_never_stored_is_ignored(delivery: Delivery, field: str, value: str) -> None:
    before = everything()
    for effect in ("hard", "complaint"):
        report = make_report("postmark", effect)
        assert post("postmark", {**report, field: value}).status_code == 200
    assert everything() == before


@pytest.mark.parametrize("key", FOREIGN_KEYS)
def test_report_about_a_newsletter_of_another_site_is_ignored(delivery: Delivery, key: Any) -> None:
    key = key.format(pk=delivery.pk) if isinstance(key, str) else key
    before = everything()
    for effect in ("hard", "complaint"):
        report = make_report("postmark", effect)
        assert post("postmark", {**report, "Metadata": {"delivery": key}}).status_code == 200
    assert everything() == before


def test_several_reports_come_in_one_post() -> None:
    reports = []
    for recipient in FOREIGN_FIELDS["Email"]:
        reports += sendgrid(None, "spamreport", email=recipient)
        reports += make_report("sendgrid", "hard", send_to(SubscriptionFactory(confirmed=True)))
    assert post("sendgrid", reports).status_code == 200
    assert Subscription.objects.in_state(State.BOUNCED).count() == 3


@pytest.mark.parametrize("has_delivery", [True, False])
@pytest.mark.parametrize(
    ("kind", "later", "state"),
    [
        ("SpamComplaint", ConsentKind.CONFIRMED, State.CONFIRMED),
        ("SubscriptionChange", ConsentKind.CONFIRMED, State.CONFIRMED),
        ("HardBounce", ConsentKind.CONFIRMED, State.CONFIRMED),
        ("SpamComplaint", ConsentKind.REACHABLE, State.UNSUBSCRIBED),
        ("HardBounce", ConsentKind.REACHABLE, State.CONFIRMED),
        ("HardBounce", ConsentKind.PAUSED, State.CONFIRMED),
        ("HardBounce", ConsentKind.RESUMED, State.CONFIRMED),
        ("HardBounce", ConsentKind.INVITED, State.BOUNCED),
    ],
)
def test_late_report_does_not_undo_what_its_address_did_since(
    delivery: Delivery, kind: str, later: ConsentKind, state: State, has_delivery: bool
) -> None:
    now = timezone.now()
    ConsentEvent.record(stored(), later, language="en")
    if later != ConsentKind.CONFIRMED:
        Subscription.objects.update(confirmed_at=now - timedelta(days=9))
    at = (now - timedelta(days=1)).isoformat()
    record_type = "Bounce" if kind == "HardBounce" else kind
    reported = delivery if has_delivery else None
    report = postmark(reported, record_type, at, Type=kind)
    assert post("postmark", report).status_code == 200
    assert stored().state is state
    assert bool(find_suppressed([EMAIL])) is (kind == "SpamComplaint" and state is State.UNSUBSCRIBED)
    assert len(list_times(delivery)) == has_delivery


@pytest.mark.parametrize("kind", ["SpamComplaint", "SubscriptionChange"])
def test_confirmation_of_the_other_audience_does_not_outdate_a_report(delivery: Delivery, kind: str) -> None:
    Subscription.objects.update(confirmed_at=timezone.now() - timedelta(days=9))
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    at = (timezone.now() - timedelta(days=1)).isoformat()
    assert post("postmark", postmark(delivery, kind, at)).status_code == 200
    assert stored().state is State.UNSUBSCRIBED
    assert stored(UserType.COMPANY).state is State.CONFIRMED


def test_operator_confirms_the_subscription_to_amazon_by_the_log(log: StringIO) -> None:
    confirmation = {"Type": "SubscriptionConfirmation", "TopicArn": "arn:aws:sns:a:1:b", "Token": "2336412f"}
    assert post("ses", confirmation).status_code == 200
    assert json.loads(log.getvalue().splitlines()[0]).items() >= {
        ("event", "webhook_subscription"),
        ("topic", "arn:aws:sns:a:1:b"),
        ("token", "2336412f"),
    }
    greeting = "Successfully validated SNS topic for Amazon SES event publishing."
    assert post("ses", {"Type": "Notification", "Message": greeting}).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_mail_of_a_newsletter_names_its_delivery_to_the_provider(
    settings: Settings, server: MailServer
) -> None:
    settings.EMAIL_PROVIDER = "ses"
    now = timezone.now()
    campaign = CampaignFactory(state=CampaignState.SENDING, started_at=now, prepared_at=now)
    delivery = DeliveryFactory(campaign=campaign, subscription=SubscriptionFactory(confirmed=True))
    send_pending()
    ((_recipients, message),) = server.received
    assert json.loads(message["X-Metadata"]) == reference(delivery)
    assert message["Message-ID"].startswith(f"<{reference(delivery)['delivery']}@")
