"""Reports of email providers, as their documentation shows them."""

import base64
import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from anymail.exceptions import AnymailNotSupportedWarning
from django.contrib.auth import get_user_model
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from newsletter.campaigns import webhooks
from newsletter.campaigns.models import Campaign, Delivery, DeliveryState
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.email.suppression import find_suppressed
from sailing.erasure import erase

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings(f"ignore::{AnymailNotSupportedWarning.__module__}.AnymailNotSupportedWarning"),
]

SECRET = "provider:7bJ4hWm2QxT9cRk5VzN8fLp3"
SIGNING_KEY = "mailgun-signing-key"
EMAIL = "jana@example.com"
PROVIDERS = ("postmark", "mailgun", "sendgrid", "ses")


@pytest.fixture
def campaign() -> Campaign:
    found: Campaign = CampaignFactory()
    return found


@pytest.fixture
def delivery(campaign: Campaign) -> Delivery:
    """Return a mail that was sent to a confirmed subscriber."""
    return sent(campaign, SubscriptionFactory(email=EMAIL, confirmed=True))


@pytest.fixture
def take_from(settings: Settings) -> Any:
    """Return a function that configures a provider."""

    def choose(provider: str) -> None:
        settings.EMAIL_PROVIDER = provider
        settings.EMAIL_WEBHOOK_SECRET = SECRET
        settings.ANYMAIL = {
            **settings.ANYMAIL,
            "WEBHOOK_SECRET": SECRET,
            "MAILGUN_WEBHOOK_SIGNING_KEY": SIGNING_KEY,
        }

    return choose


def sent(campaign: Campaign, subscription: Subscription) -> Delivery:
    found: Delivery = DeliveryFactory(
        campaign=campaign, subscription=subscription, state=DeliveryState.SENT, ended_at=timezone.now()
    )
    return found


def authorization(secret: str) -> str:
    return "Basic " + base64.b64encode(secret.encode()).decode()


def post(
    provider: str, body: Any, *, secret: str | None = SECRET, headers: dict[str, str] | None = None
) -> HttpResponseBase:
    """Post a report as a provider does."""
    sent_headers = dict(headers or {})
    if provider == "ses" and isinstance(body, dict):
        sent_headers |= {
            "X-Amz-Sns-Message-Type": body["Type"],
            "X-Amz-Sns-Message-Id": body["MessageId"],
        }
    if secret is not None:
        sent_headers["Authorization"] = authorization(secret)
    return Client(enforce_csrf_checks=True).post(
        f"/newsletter/webhooks/{provider}/",
        body if isinstance(body, bytes) else json.dumps(body),
        content_type="text/plain; charset=UTF-8" if provider == "ses" else "application/json",
        headers=sent_headers,
    )


def metadata(delivery: Delivery | None) -> dict[str, str]:
    return {"delivery": f"{delivery.pk}.{delivery.campaign.key}"} if delivery else {}


# --- Payloads ------------------------------------------------------------------------------------


def postmark_bounce(kind: str, delivery: Delivery | None, at: str = "2030-11-05T16:33:54Z") -> dict[str, Any]:
    return {
        "RecordType": "Bounce",
        "MessageStream": "broadcast",
        "ID": 4323372036854775807,
        "Type": kind,
        "TypeCode": 1,
        "Name": "Hard bounce",
        "MessageID": "883953f4-6105-42a2-a16a-77a8eac79483",
        "Metadata": metadata(delivery),
        "ServerID": 23,
        "Description": "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
        "Details": "smtp;550 5.1.1 The email account that you tried to reach does not exist.",
        "Email": EMAIL,
        "From": "hello@sailing.example",
        "BouncedAt": at,
        "DumpAvailable": True,
        "Inactive": True,
        "CanActivate": True,
        "Subject": "The regatta begins",
    }


def postmark_complaint(delivery: Delivery | None, at: str = "2030-11-05T16:33:54Z") -> dict[str, Any]:
    report = postmark_bounce("SpamComplaint", delivery, at)
    return {**report, "RecordType": "SpamComplaint", "TypeCode": 512, "Name": "Spam complaint"}


def postmark_suppression(
    reason: str, delivery: Delivery | None, at: str = "2030-02-01T10:53:34.416071Z"
) -> dict[str, Any]:
    return {
        "RecordType": "SubscriptionChange",
        "MessageID": "883953f4-6105-42a2-a16a-77a8eac79483",
        "ServerID": 123456,
        "MessageStream": "broadcast",
        "ChangedAt": at,
        "Recipient": EMAIL,
        "Origin": "Recipient",
        "SuppressSending": True,
        "SuppressionReason": reason,
        "Metadata": metadata(delivery),
    }


def mailgun(event: str, delivery: Delivery | None, **fields: Any) -> dict[str, Any]:
    timestamp, token = "1920000000", "a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0"
    signature = hmac.new(SIGNING_KEY.encode(), f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
    return {
        "signature": {"timestamp": timestamp, "token": token, "signature": signature},
        "event-data": {
            "event": event,
            "id": "G9Bn5sl1TC6nu79C8C0bwg",
            "timestamp": 1920000000.5,
            "recipient": EMAIL,
            "recipient-domain": "example.com",
            "user-variables": metadata(delivery),
            "message": {"headers": {"message-id": "20130503192659.13651.20287@mg.sailing.example"}},
            **fields,
        },
    }


def mailgun_failure(severity: str, reason: str, delivery: Delivery | None) -> dict[str, Any]:
    status = {"code": 550, "message": "5.1.1 No such user", "attempt-no": 1}
    return mailgun("failed", delivery, **{"severity": severity, "reason": reason, "delivery-status": status})


def sendgrid(event: str, delivery: Delivery | None, **fields: Any) -> list[dict[str, Any]]:
    return [
        {
            "email": EMAIL,
            "timestamp": 1920000000,
            "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
            "event": event,
            "sg_event_id": "6g4ZI7SA-xmRDv57GoPIPw==",
            "sg_message_id": "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
            **metadata(delivery),
            **fields,
        }
    ]


def ses(notification: dict[str, Any], delivery: Delivery | None) -> dict[str, Any]:
    headers = [{"name": "Subject", "value": "The regatta begins"}]
    if delivery:
        headers.append({"name": "X-Metadata", "value": json.dumps(metadata(delivery))})
    message = {
        **notification,
        "mail": {
            "timestamp": "2030-01-27T14:59:38.237Z",
            "source": "hello@sailing.example",
            "messageId": "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000",
            "destination": [EMAIL],
            "headersTruncated": False,
            "headers": headers,
        },
    }
    return {
        "Type": "Notification",
        "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
        "TopicArn": "arn:aws:sns:eu-west-1:123456789012:sailing",
        "Message": json.dumps(message),
        "Timestamp": "2030-01-27T14:59:38.237Z",
        "SignatureVersion": "1",
    }


def ses_bounce(kind: str, delivery: Delivery | None) -> dict[str, Any]:
    bounce = {
        "bounceType": kind,
        "bounceSubType": "General",
        "bouncedRecipients": [
            {
                "emailAddress": EMAIL,
                "action": "failed",
                "status": "5.1.1",
                "diagnosticCode": "smtp; 550 5.1.1",
            }
        ],
        "timestamp": "2030-01-27T14:59:38.237Z",
        "feedbackId": "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000",
    }
    return ses({"notificationType": "Bounce", "bounce": bounce}, delivery)


def ses_complaint(delivery: Delivery | None) -> dict[str, Any]:
    complaint = {
        "complainedRecipients": [{"emailAddress": EMAIL}],
        "timestamp": "2030-01-27T14:59:38.237Z",
        "feedbackId": "000001378603177f-18c07c78-fa81-4a58-9dd1-fedc3cb8f49a-000000",
        "complaintFeedbackType": "abuse",
    }
    return ses({"notificationType": "Complaint", "complaint": complaint}, delivery)


def hard_bounce(provider: str, delivery: Delivery | None) -> Any:
    reports: dict[str, Any] = {
        "postmark": postmark_bounce("HardBounce", delivery),
        "mailgun": mailgun_failure("permanent", "bounce", delivery),
        "sendgrid": sendgrid("bounce", delivery, type="bounce", status="5.1.1", reason="550 5.1.1 no"),
        "ses": ses_bounce("Permanent", delivery),
    }
    return reports[provider]


def soft_bounce(provider: str, delivery: Delivery | None) -> Any:
    reports: dict[str, Any] = {
        "postmark": postmark_bounce("SoftBounce", delivery),
        "mailgun": mailgun_failure("permanent", "old", delivery),
        "sendgrid": sendgrid("bounce", delivery, type="blocked", status="4.2.2", reason="452 full"),
        "ses": ses_bounce("Transient", delivery),
    }
    return reports[provider]


def complaint(provider: str, delivery: Delivery | None) -> Any:
    reports: dict[str, Any] = {
        "postmark": postmark_complaint(delivery),
        "mailgun": mailgun("complained", delivery),
        "sendgrid": sendgrid("spamreport", delivery),
        "ses": ses_complaint(delivery),
    }
    return reports[provider]


# --- Effects --------------------------------------------------------------------------------------


def stored(user_type: UserType = UserType.SAILOR) -> Subscription:
    return Subscription.objects.get(email=EMAIL, user_type=user_type)


def kinds() -> list[str]:
    return list(ConsentEvent.objects.filter(subscription__email=EMAIL).values_list("kind", flat=True))


def everything() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Subscription, Delivery, ConsentEvent)]


@pytest.mark.parametrize("provider", PROVIDERS)
class TestEachProvider:
    def test_hard_bounce(self, take_from: Any, delivery: Delivery, provider: str) -> None:
        take_from(provider)
        assert post(provider, hard_bounce(provider, delivery)).status_code == 200
        assert stored().state is State.BOUNCED
        assert kinds() == [ConsentKind.BOUNCED]
        delivery.refresh_from_db()
        assert delivery.bounced_at

        before = everything()
        assert post(provider, hard_bounce(provider, delivery)).status_code == 200
        assert everything() == before

    def test_complaint(self, take_from: Any, delivery: Delivery, provider: str) -> None:
        take_from(provider)
        assert post(provider, complaint(provider, delivery)).status_code == 200
        assert stored().state is State.UNSUBSCRIBED
        assert not stored().is_active
        assert kinds() == [ConsentKind.COMPLAINED]
        assert find_suppressed([EMAIL]) == {EMAIL}
        delivery.refresh_from_db()
        assert delivery.complained_at

        before = everything()
        assert post(provider, complaint(provider, delivery)).status_code == 200
        assert everything() == before

    def test_third_soft_bounce_in_a_row(self, take_from: Any, provider: str) -> None:
        take_from(provider)
        subscription = SubscriptionFactory(email=EMAIL, confirmed=True)
        for number in range(3):
            assert stored().state is State.CONFIRMED
            delivery = sent(CampaignFactory(), subscription)
            report = soft_bounce(provider, delivery)
            for _time in range(2):  # the second one is the same report again
                assert post(provider, report).status_code == 200
            assert stored().state is (State.BOUNCED if number == 2 else State.CONFIRMED)
        assert kinds() == [ConsentKind.BOUNCED]

    def test_mail_without_a_delivery_is_known_by_its_address(self, take_from: Any, provider: str) -> None:
        take_from(provider)
        member = get_user_model()._default_manager.create(email=EMAIL)
        for user_type in UserType:
            SubscriptionFactory(email=EMAIL, user_type=user_type, confirmed=True)
        assert post(provider, soft_bounce(provider, None)).status_code == 200
        assert stored().state is State.CONFIRMED
        assert post(provider, hard_bounce(provider, None)).status_code == 200
        assert {stored(user_type).state for user_type in UserType} == {State.BOUNCED}
        member.refresh_from_db()
        assert member.email_undeliverable_at
        before = everything()
        assert post(provider, hard_bounce(provider, None)).status_code == 200
        assert everything() == before

    def test_complaint_about_another_mail_ends_all_subscriptions(self, take_from: Any, provider: str) -> None:
        take_from(provider)
        for user_type in UserType:
            SubscriptionFactory(email=EMAIL, user_type=user_type, confirmed=True)
        for _time in range(2):
            assert post(provider, complaint(provider, None)).status_code == 200
        assert {stored(user_type).state for user_type in UserType} == {State.UNSUBSCRIBED}
        assert kinds() == [ConsentKind.COMPLAINED] * 2
        assert find_suppressed([EMAIL]) == {EMAIL}

    def test_erased_subscriber(self, take_from: Any, delivery: Delivery, provider: str) -> None:
        take_from(provider)
        erase(Subscription, [delivery.subscription_id])
        assert post(provider, hard_bounce(provider, delivery)).status_code == 200
        assert post(provider, complaint(provider, delivery)).status_code == 200
        delivery.refresh_from_db()
        assert delivery.bounced_at
        assert delivery.complained_at

    @pytest.mark.parametrize(
        "secret", [None, "", "provider:", "provider:wrong", SECRET + "x", SECRET.upper(), "ž:ž"]
    )
    def test_forged_report_is_refused(
        self, take_from: Any, delivery: Delivery, provider: str, secret: str | None
    ) -> None:
        take_from(provider)
        before = everything()
        response = post(provider, hard_bounce(provider, delivery), secret=secret)
        assert response.status_code in (400, 401)
        assert everything() == before

    def test_address_is_unknown_without_a_secret(
        self, take_from: Any, settings: Settings, delivery: Delivery, provider: str
    ) -> None:
        take_from(provider)
        settings.EMAIL_WEBHOOK_SECRET = ""
        settings.ANYMAIL = {**settings.ANYMAIL, "WEBHOOK_SECRET": ""}
        assert post(provider, hard_bounce(provider, delivery)).status_code == 404

    def test_only_the_configured_provider_is_heard(
        self, take_from: Any, delivery: Delivery, provider: str
    ) -> None:
        for other in ("", *PROVIDERS):
            if other != provider:
                take_from(other)
                assert post(provider, hard_bounce(provider, delivery)).status_code == 404
        assert stored().state is State.CONFIRMED

    def test_large_body_is_refused_unread(self, take_from: Any, provider: str) -> None:
        take_from(provider)
        response = post(provider, b" " * (webhooks.MAX_BODY_BYTES + 1))
        assert response.status_code == 413


@pytest.mark.parametrize(
    ("provider", "report"),
    [
        ("postmark", lambda delivery: postmark_bounce("Transient", delivery)),
        ("postmark", lambda delivery: postmark_bounce("AutoResponder", delivery)),
        ("postmark", lambda delivery: postmark_bounce("Unknown", delivery)),
        ("mailgun", lambda delivery: mailgun_failure("temporary", "generic", delivery)),
        ("mailgun", lambda delivery: mailgun("delivered", delivery)),
        ("mailgun", lambda delivery: mailgun("opened", delivery)),
        ("sendgrid", lambda delivery: sendgrid("deferred", delivery, attempt="5")),
        ("sendgrid", lambda delivery: sendgrid("dropped", delivery, reason="Spam Content")),
        ("sendgrid", lambda delivery: sendgrid("delivered", delivery) + sendgrid("open", delivery)),
        ("ses", lambda delivery: ses({"eventType": "DeliveryDelay", "deliveryDelay": {}}, delivery)),
        ("ses", lambda delivery: ses({"eventType": "Send", "send": {}}, delivery)),
    ],
)
def test_other_reports_change_nothing(take_from: Any, delivery: Delivery, provider: str, report: Any) -> None:
    take_from(provider)
    before = everything()
    for _time in range(4):
        assert post(provider, report(delivery)).status_code == 200
    assert everything() == before


@pytest.mark.parametrize(
    ("provider", "report", "state"),
    [
        ("postmark", lambda delivery: postmark_suppression("HardBounce", delivery), State.BOUNCED),
        ("postmark", lambda delivery: postmark_suppression("SpamComplaint", delivery), State.UNSUBSCRIBED),
        (
            "postmark",
            lambda delivery: postmark_suppression("ManualSuppression", delivery),
            State.UNSUBSCRIBED,
        ),
        ("postmark", lambda delivery: postmark_bounce("BadEmailAddress", delivery), State.BOUNCED),
        (
            "mailgun",
            lambda delivery: mailgun_failure("permanent", "suppress-bounce", delivery),
            State.BOUNCED,
        ),
        ("mailgun", lambda delivery: mailgun("unsubscribed", delivery), State.UNSUBSCRIBED),
        ("sendgrid", lambda delivery: sendgrid("dropped", delivery, reason="Bounced Address"), State.BOUNCED),
        ("sendgrid", lambda delivery: sendgrid("dropped", delivery, reason="Invalid"), State.BOUNCED),
        (
            "sendgrid",
            lambda delivery: sendgrid("dropped", delivery, reason="Spam Reporting Address"),
            State.UNSUBSCRIBED,
        ),
        (
            "sendgrid",
            lambda delivery: sendgrid("dropped", delivery, reason="Unsubscribed Address"),
            State.UNSUBSCRIBED,
        ),
        ("sendgrid", lambda delivery: sendgrid("unsubscribe", delivery), State.UNSUBSCRIBED),
    ],
)
def test_suppression_list_of_the_provider_is_followed(
    take_from: Any, delivery: Delivery, provider: str, report: Any, state: State
) -> None:
    take_from(provider)
    assert post(provider, report(delivery)).status_code == 200
    assert stored().state is state


def test_delivered_mail_between_ends_the_row_of_soft_bounces(take_from: Any) -> None:
    take_from("postmark")
    subscription = SubscriptionFactory(email=EMAIL, confirmed=True)
    for arrives in (False, False, True, False):
        delivery = sent(CampaignFactory(), subscription)
        if not arrives:
            post("postmark", soft_bounce("postmark", delivery))
    assert stored().state is State.CONFIRMED


def test_several_reports_come_in_one_post(take_from: Any, campaign: Campaign) -> None:
    take_from("sendgrid")
    subscriptions = [SubscriptionFactory(confirmed=True) for _number in range(3)]
    reports = []
    for subscription in subscriptions:
        reports += hard_bounce("sendgrid", sent(campaign, subscription))
    assert post("sendgrid", reports).status_code == 200
    assert Subscription.objects.in_state(State.BOUNCED).count() == 3


@pytest.mark.parametrize("has_delivery", [True, False])
@pytest.mark.parametrize(
    "report",
    [
        postmark_complaint,
        lambda *given: postmark_bounce("HardBounce", *given),
        lambda *given: postmark_suppression("ManualSuppression", *given),
    ],
)
def test_old_report_does_not_undo_a_later_confirmation(
    take_from: Any, delivery: Delivery, report: Any, has_delivery: bool
) -> None:
    take_from("postmark")
    about = delivery if has_delivery else None
    assert post("postmark", report(about, "2020-01-01T00:00:00Z")).status_code == 200
    assert stored().state is State.CONFIRMED
    assert not find_suppressed([EMAIL])
    delivery.refresh_from_db()
    feedback = (delivery.bounced_at, delivery.complained_at, delivery.unsubscribed_at)
    assert any(feedback) is has_delivery


@pytest.mark.parametrize(
    "report", [postmark_complaint, lambda *given: postmark_suppression("ManualSuppression", *given)]
)
def test_confirmation_of_the_other_audience_does_not_outdate_a_report(
    take_from: Any, delivery: Delivery, report: Any
) -> None:
    take_from("postmark")
    Subscription.objects.update(confirmed_at=timezone.now() - timedelta(days=9))
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    at = (timezone.now() - timedelta(days=1)).isoformat()
    assert post("postmark", report(delivery, at)).status_code == 200
    assert stored().state is State.UNSUBSCRIBED
    assert stored(UserType.COMPANY).state is State.CONFIRMED


@pytest.mark.parametrize(
    "reference",
    ["", "x", "-1", "9" * 40, "9" * 5000, "²", None, {"a": 1}, "{pk}", "{pk}.", "{pk}.of-another-site"],
)
def test_report_about_a_newsletter_of_another_site_is_ignored(
    take_from: Any, delivery: Delivery, reference: Any
) -> None:
    take_from("postmark")
    if isinstance(reference, str):
        reference = reference.format(pk=delivery.pk)
    before = everything()
    for report in (postmark_bounce("HardBounce", None), postmark_complaint(None)):
        assert post("postmark", {**report, "Metadata": {"delivery": reference}}).status_code == 200
    assert everything() == before


def test_wrong_signature_of_mailgun_is_refused(take_from: Any, delivery: Delivery) -> None:
    take_from("mailgun")
    report = hard_bounce("mailgun", delivery)
    report["signature"]["signature"] = "0" * 64
    assert post("mailgun", report).status_code == 400
    assert stored().state is State.CONFIRMED


class TestAmazonSubscription:
    URL = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=2336412f37"

    def confirmation(self, url: str) -> dict[str, str]:
        return {
            "Type": "SubscriptionConfirmation",
            "MessageId": "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
            "Token": "2336412f37",
            "TopicArn": "arn:aws:sns:eu-west-1:123456789012:sailing",
            "Message": "You have chosen to subscribe to the topic.",
            "SubscribeURL": url,
            "Timestamp": "2030-04-26T20:45:04.751Z",
        }

    def test_is_confirmed_with_one_request(self, take_from: Any) -> None:
        take_from("ses")
        with mock.patch("requests.get") as get:
            assert post("ses", self.confirmation(self.URL)).status_code == 200
        (url,) = get.call_args.args
        assert url == self.URL
        assert get.call_args.kwargs["allow_redirects"] is False

    @pytest.mark.parametrize(
        "url",
        [
            "http://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription",
            "https://sns.eu-west-1.amazonaws.com.evil.example/?Action=ConfirmSubscription",
            "https://evil.example/?https://sns.eu-west-1.amazonaws.com/?Action=x",
            "https://user@sns.eu-west-1.amazonaws.com/?Action=x",
            "https://169.254.169.254/latest/meta-data/",
            "",
        ],
    )
    def test_foreign_address_is_not_requested(self, take_from: Any, url: str) -> None:
        take_from("ses")
        with mock.patch("requests.get") as get:
            assert post("ses", self.confirmation(url)).status_code == 400
        get.assert_not_called()

    def test_is_not_confirmed_without_the_secret(self, take_from: Any) -> None:
        take_from("ses")
        with mock.patch("requests.get") as get:
            response = post("ses", self.confirmation(self.URL), secret=None)
        assert response.status_code == 401
        assert response.headers["WWW-Authenticate"].startswith("Basic ")
        get.assert_not_called()
