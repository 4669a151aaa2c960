"""Reports of email providers, as their documentation shows them."""

import base64
import hashlib
import hmac
import json
from datetime import timedelta
from io import StringIO
from typing import Any
from unittest import mock

import pytest
from anymail.exceptions import AnymailNotSupportedWarning
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from newsletter.campaigns import webhooks
from newsletter.campaigns.models import Campaign, Delivery, DeliveryState
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.models import ConsentEvent, State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.suppression import find_suppressed

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
    return Client(enforce_csrf_checks=True).generic(
        "POST",
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
        "Type": kind,
        "MessageID": "883953f4-6105-42a2-a16a-77a8eac79483",
        "Metadata": metadata(delivery),
        "Description": "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
        "Details": "smtp;550 5.1.1 The email account that you tried to reach does not exist.",
        "Email": EMAIL,
        "BouncedAt": at,
        "Inactive": True,
    }


def postmark_complaint(delivery: Delivery | None, at: str = "2030-11-05T16:33:54Z") -> dict[str, Any]:
    return {**postmark_bounce("SpamComplaint", delivery, at), "RecordType": "SpamComplaint"}


def postmark_suppression(
    reason: str | None, delivery: Delivery | None, at: str = "2030-02-01T10:53:34.416071Z", **fields: Any
) -> dict[str, Any]:
    return {
        "RecordType": "SubscriptionChange",
        "MessageID": "883953f4-6105-42a2-a16a-77a8eac79483",
        "ChangedAt": at,
        "Recipient": EMAIL,
        "SuppressSending": True,
        "SuppressionReason": reason,
        "Metadata": metadata(delivery),
        **fields,
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
            "user-variables": metadata(delivery),
            "message": {"headers": {"message-id": "20130503192659.13651.20287@mg.sailing.example"}},
            **fields,
        },
    }


def mailgun_failure(
    reason: str, code: int, reply: str, delivery: Delivery | None, severity: str = "permanent", **status: str
) -> dict[str, Any]:
    result = {"attempt-no": 1, "code": code, "message": reply, "description": "", **status}
    return mailgun("failed", delivery, **{"severity": severity, "reason": reason, "delivery-status": result})


def sendgrid(event: str, delivery: Delivery | None, **fields: Any) -> list[dict[str, Any]]:
    report = {
        "email": EMAIL,
        "timestamp": 1920000000,
        "event": event,
        "sg_event_id": "6g4ZI7SA-xmRDv57GoPIPw==",
        "sg_message_id": "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
    }
    return [report | metadata(delivery) | fields]


def ses(notification: dict[str, Any], delivery: Delivery | None) -> dict[str, Any]:
    headers = [{"name": "X-Metadata", "value": json.dumps(metadata(delivery))}] if delivery else []
    mail = {
        "timestamp": "2030-01-27T14:59:38.237Z",
        "source": "hello@sailing.example",
        "messageId": "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000",
        "destination": [EMAIL],
        "headers": headers,
    }
    return {
        "Type": "Notification",
        "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
        "TopicArn": "arn:aws:sns:eu-west-1:123456789012:sailing",
        "Message": json.dumps({**notification, "mail": mail}),
        "Timestamp": "2030-01-27T14:59:38.237Z",
    }


def ses_bounce(
    kind: str, subtype: str, delivery: Delivery | None, event: str = "notificationType"
) -> dict[str, Any]:
    bounce = {
        "bounceType": kind,
        "bounceSubType": subtype,
        "bouncedRecipients": [{"emailAddress": EMAIL, "diagnosticCode": "smtp; 550 denied"}],
        "timestamp": "2030-01-27T14:59:38.237Z",
        "feedbackId": "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000",
    }
    return ses({event: "Bounce", "bounce": bounce}, delivery)


def ses_complaint(delivery: Delivery | None, **fields: str | None) -> dict[str, Any]:
    complaint = {
        "complainedRecipients": [{"emailAddress": EMAIL}],
        "timestamp": "2030-01-27T14:59:38.237Z",
        "feedbackId": "000001378603177f-18c07c78-fa81-4a58-9dd1-fedc3cb8f49a-000000",
        **fields,
    }
    return ses({"notificationType": "Complaint", "complaint": complaint}, delivery)


def hard_bounce(provider: str, delivery: Delivery | None) -> Any:
    reports: dict[str, Any] = {
        "postmark": postmark_bounce("HardBounce", delivery),
        "mailgun": mailgun_failure("bounce", 550, "5.1.1 No such user", delivery),
        "sendgrid": sendgrid("bounce", delivery, type="bounce", status="5.1.1", reason="550 5.1.1 no"),
        "ses": ses_bounce("Permanent", "General", delivery),
    }
    return reports[provider]


def complaint(provider: str, delivery: Delivery | None) -> Any:
    reports: dict[str, Any] = {
        "postmark": postmark_complaint(delivery),
        "mailgun": mailgun("complained", delivery),
        "sendgrid": sendgrid("spamreport", delivery),
        "ses": ses_complaint(delivery, complaintFeedbackType="abuse"),
    }
    return reports[provider]


# --- Effects --------------------------------------------------------------------------------------


def stored(user_type: UserType = UserType.SAILOR) -> Subscription:
    return Subscription.objects.get(email=EMAIL, user_type=user_type)


def everything() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Subscription, Delivery, ConsentEvent)]


@pytest.mark.parametrize(
    "secret", [None, "", "provider:", "provider:wrong", SECRET + "x", SECRET.upper(), "ž:ž"]
)
def test_forged_report_is_refused(take_from: Any, delivery: Delivery, secret: str | None) -> None:
    take_from("postmark")
    before = everything()
    response = post("postmark", hard_bounce("postmark", delivery), secret=secret)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Basic ")
    assert everything() == before


def test_address_is_unknown_without_a_secret(take_from: Any, settings: Settings, delivery: Delivery) -> None:
    take_from("postmark")
    settings.EMAIL_WEBHOOK_SECRET = ""
    settings.ANYMAIL = {**settings.ANYMAIL, "WEBHOOK_SECRET": ""}
    assert post("postmark", hard_bounce("postmark", delivery)).status_code == 404


def test_only_the_configured_provider_is_heard(take_from: Any, delivery: Delivery) -> None:
    for configured in ("", *PROVIDERS):
        take_from(configured)
        for provider in PROVIDERS:
            if provider != configured:
                assert post(provider, hard_bounce(provider, delivery)).status_code == 404
    assert stored().state is State.CONFIRMED


def test_large_body_is_refused_unread(take_from: Any) -> None:
    take_from("postmark")
    assert post("postmark", b" " * (webhooks.MAX_BODY_BYTES + 1)).status_code == 413


HARD = (State.BOUNCED, False, "bounced_at", True)
SOFT = (State.CONFIRMED, False, "soft_bounced_at", False)
COMPLAINT = (State.UNSUBSCRIBED, True, "complained_at", False)
EARLIER_COMPLAINT = (State.UNSUBSCRIBED, True, None, False)
LEFT = (State.UNSUBSCRIBED, False, "unsubscribed_at", False)
LEFT_EARLIER = (State.UNSUBSCRIBED, False, None, False)
NOTHING = (State.CONFIRMED, False, None, False)
"""State of the subscription, whether the address is suppressed, the time that the delivery has, and, for a
mail that is no newsletter, whether the member's address counts as undeliverable."""

NO_USER = "5.1.1 <jana@example.com>: User unknown"
GONE = "550 5.1.1 The email account that you tried to reach does not exist."

REPORTS: list[tuple[Any, tuple[Any, ...], dict[str, Any], Any]] = [
    *((postmark_bounce, (kind,), {}, HARD) for kind in ("HardBounce", "BadEmailAddress")),
    *((postmark_bounce, (kind,), {}, SOFT) for kind in ("SoftBounce", "Blocked")),
    *((postmark_bounce, (kind,), {}, LEFT) for kind in ("Unsubscribe", "ManuallyDeactivated")),
    *(
        (postmark_bounce, (kind,), {}, NOTHING)
        for kind in ("SpamNotification", "DMARCPolicy", "Transient", "AutoResponder", "Unknown", "Subscribe")
    ),
    (postmark_bounce, ("SpamComplaint",), {}, COMPLAINT),
    (postmark_complaint, (), {}, COMPLAINT),
    (postmark_suppression, ("HardBounce",), {}, HARD),
    (postmark_suppression, ("SpamComplaint",), {}, COMPLAINT),
    (postmark_suppression, ("ManualSuppression",), {}, LEFT),
    (postmark_suppression, (None,), {}, LEFT),
    (postmark_suppression, ("SpamComplaint",), {"SuppressSending": False}, NOTHING),
    (mailgun_failure, ("bounce", 550, NO_USER), {}, HARD),
    (mailgun_failure, ("suppress-bounce", 605, ""), {}, HARD),
    (mailgun_failure, ("suppress-complaint", 607, ""), {}, EARLIER_COMPLAINT),
    (mailgun_failure, ("suppress-unsubscribe", 606, ""), {}, LEFT_EARLIER),
    (mailgun_failure, ("", 605, ""), {}, HARD),
    (mailgun_failure, ("", 607, ""), {}, EARLIER_COMPLAINT),
    (mailgun_failure, ("generic", 550, NO_USER), {}, HARD),
    (mailgun_failure, ("generic", 550, GONE), {}, HARD),
    (mailgun_failure, ("generic", 550, "No such user here"), {}, HARD),
    (mailgun_failure, ("hardfail", 554, "5.1.2 Host unknown"), {}, HARD),
    (mailgun_failure, ("generic", 554, "Refused"), {"enhanced-code": "5.1.1"}, HARD),
    (mailgun_failure, ("generic", 552, "5.2.2 Mailbox full"), {}, SOFT),
    (mailgun_failure, ("generic", 550, "5.7.1 Message content rejected"), {}, SOFT),
    (mailgun_failure, ("generic", 550, "Message rejected as spam"), {}, SOFT),
    (mailgun_failure, ("espblock", 554, "Blocked by the list of an ISP"), {}, SOFT),
    (mailgun_failure, ("old", 498, "No MX for example.com"), {}, SOFT),
    (mailgun_failure, ("generic", 421, "4.7.0 Try again later"), {}, SOFT),
    (mailgun_failure, ("generic", 550, NO_USER), {"severity": "temporary"}, NOTHING),
    (mailgun_failure, ("bounce", 550, NO_USER), {"severity": "temporary"}, NOTHING),
    (mailgun, ("complained",), {}, COMPLAINT),
    (mailgun, ("unsubscribed",), {}, LEFT),
    (mailgun, ("rejected",), {"reject": {"reason": "virus"}}, NOTHING),
    (mailgun, ("delivered",), {}, NOTHING),
    (sendgrid, ("bounce",), {"type": "bounce", "status": "5.1.1", "reason": GONE}, HARD),
    (sendgrid, ("bounce",), {"type": "bounce", "status": "4.2.2", "reason": "452 full"}, SOFT),
    (sendgrid, ("bounce",), {"type": "blocked", "status": "5.7.1", "reason": "550 5.7.1 spam"}, SOFT),
    (sendgrid, ("bounce",), {"type": "expired"}, SOFT),
    (sendgrid, ("dropped",), {"reason": "Bounced Address", "type": "bounce"}, HARD),
    (sendgrid, ("dropped",), {"reason": "Invalid"}, HARD),
    (sendgrid, ("dropped",), {"reason": "Spam Reporting Address"}, EARLIER_COMPLAINT),
    (sendgrid, ("dropped",), {"reason": "Unsubscribed Address"}, LEFT_EARLIER),
    (sendgrid, ("dropped",), {"reason": "Spam Content"}, NOTHING),
    (sendgrid, ("spamreport",), {}, COMPLAINT),
    (sendgrid, ("unsubscribe",), {}, LEFT),
    (sendgrid, ("group_unsubscribe",), {"asm_group_id": 10}, LEFT),
    (sendgrid, ("group_resubscribe",), {"asm_group_id": 10}, NOTHING),
    (sendgrid, ("deferred",), {"response": "400 try again later", "attempt": "5"}, NOTHING),
    *(
        (ses_bounce, given, {"event": event}, meaning)
        for given, meaning in (
            (("Permanent", "General"), HARD),
            (("Permanent", "Suppressed"), HARD),
            (("Permanent", "OnAccountSuppressionList"), HARD),
            (("Permanent", "OnTenantSuppressionList"), HARD),
            (("Permanent", "UnsubscribedRecipient"), LEFT_EARLIER),
            (("Transient", "General"), SOFT),
            (("Transient", "ContentRejected"), SOFT),
            (("Undetermined", "Undetermined"), SOFT),
        )
        for event in ("notificationType", "eventType")
    ),
    (ses_complaint, (), {"complaintFeedbackType": "abuse"}, COMPLAINT),
    (ses_complaint, (), {"complaintFeedbackType": "other"}, COMPLAINT),
    (ses_complaint, (), {"complaintSubType": None}, COMPLAINT),
    (ses_complaint, (), {"complaintFeedbackType": "not-spam"}, NOTHING),
    (ses_complaint, (), {"complaintFeedbackType": "auth-failure"}, NOTHING),
    (ses_complaint, (), {"complaintFeedbackType": "virus"}, NOTHING),
    (ses_complaint, (), {"complaintSubType": "OnAccountSuppressionList"}, EARLIER_COMPLAINT),
    (ses_complaint, (), {"complaintSubType": "OnTenantSuppressionList"}, EARLIER_COMPLAINT),
    (ses, ({"eventType": "Reject", "reject": {"reason": "x"}},), {}, NOTHING),
    (ses, ({"eventType": "DeliveryDelay", "deliveryDelay": {}},), {}, NOTHING),
]


ALL_REPORTS = pytest.mark.parametrize(("build", "given", "fields", "meaning"), REPORTS)
ONE_OF_EACH = pytest.mark.parametrize(
    ("build", "given", "fields", "meaning"), {(report[0], report[3]): report for report in REPORTS}.values()
)
"""One report of each kind with each meaning."""


class TestMeaning:
    """What each report changes. It comes twice, as it may."""

    def post_twice(
        self, take_from: Any, build: Any, given: Any, fields: Any, delivery: Delivery | None
    ) -> None:
        provider = build.__name__.partition("_")[0]
        take_from(provider)
        for _time in range(2):
            assert post(provider, build(*given, delivery=delivery, **fields)).status_code == 200

    @ALL_REPORTS
    def test_of_a_report_about_a_newsletter(
        self, take_from: Any, delivery: Delivery, build: Any, given: Any, fields: Any, meaning: Any
    ) -> None:
        self.post_twice(take_from, build, given, fields, delivery)
        state, is_suppressed, time, _is_undeliverable = meaning
        assert stored().state is state
        assert bool(find_suppressed([EMAIL])) is is_suppressed
        assert ConsentEvent.objects.count() == (state is not State.CONFIRMED)
        delivery.refresh_from_db()
        assert [name for name in TIMES if getattr(delivery, name)] == [time] * bool(time)

    @ONE_OF_EACH
    def test_of_a_report_about_a_mail_of_an_account(
        self, take_from: Any, build: Any, given: Any, fields: Any, meaning: Any
    ) -> None:
        member = get_user_model()._default_manager.create(email=EMAIL)
        for user_type in UserType:
            SubscriptionFactory(email=EMAIL, user_type=user_type, confirmed=True)
        self.post_twice(take_from, build, given, fields, None)
        state, is_suppressed, _time_of_delivery, is_undeliverable = meaning
        assert {stored(user_type).state for user_type in UserType} == {state}
        assert bool(find_suppressed([EMAIL])) is is_suppressed
        member.refresh_from_db()
        assert bool(member.email_undeliverable_at) is is_undeliverable


TIMES = ("bounced_at", "soft_bounced_at", "complained_at", "unsubscribed_at")

FOREIGN_RECIPIENTS = [
    "root@localhost",
    '"a b"@example.com',
    "",
    " ",
    "jána@example.com",
    "jana@exa\u0000mple.com",
    "x" * 2000,
    None,
    5,
    ["jana@example.com"],
]


@pytest.mark.parametrize("recipient", FOREIGN_RECIPIENTS, ids=repr)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_report_about_a_recipient_that_is_never_stored_is_ignored(
    take_from: Any, delivery: Delivery, provider: str, recipient: Any
) -> None:
    take_from(provider)
    before = everything()
    for report in (hard_bounce(provider, None), complaint(provider, None)):
        if provider == "ses":
            message = json.dumps(json.loads(report["Message"]))
            report["Message"] = message.replace(json.dumps(EMAIL), json.dumps(recipient))
        else:
            report = json.loads(json.dumps(report).replace(json.dumps(EMAIL), json.dumps(recipient)))
        assert post(provider, report).status_code == 200
    assert everything() == before


@pytest.mark.parametrize("variables", ["the delivery", ["delivery"], [], None, {"other": 1}], ids=repr)
def test_report_without_our_metadata_is_about_the_address(
    take_from: Any, delivery: Delivery, variables: Any
) -> None:
    take_from("mailgun")
    report = mailgun("complained", None, **{"user-variables": variables})
    assert post("mailgun", report).status_code == 200
    assert stored().state is State.UNSUBSCRIBED


@pytest.mark.parametrize("at", ["2030-11-05T16:33:54", "2030-11-05T16:33:54.9070259Z", "yesterday"])
def test_time_of_a_report_may_be_odd(take_from: Any, delivery: Delivery, at: str) -> None:
    take_from("postmark")
    assert post("postmark", postmark_complaint(delivery, at)).status_code == 200
    assert stored().state is State.UNSUBSCRIBED


def test_several_reports_come_in_one_post(take_from: Any, campaign: Campaign) -> None:
    take_from("sendgrid")
    subscriptions = [SubscriptionFactory(confirmed=True) for _number in range(3)]
    reports = []
    for subscription, recipient in zip(subscriptions, FOREIGN_RECIPIENTS, strict=False):
        reports += [{**sendgrid("spamreport", None)[0], "email": recipient}]
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


@pytest.mark.parametrize("provider", PROVIDERS)
class TestUnreadableReport:
    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"[]",
            b"5",
            b"null",
            b"\xff",
            b'"x"',
            b"[[1]]",
            b"[" * 90_000,
        ],
        ids=lambda body: repr(body[:25]),
    )
    def test_is_a_bad_request_whose_body_is_not_logged(
        self, take_from: Any, provider: str, body: bytes, log: StringIO
    ) -> None:
        take_from(provider)
        headers = {"X-Amz-Sns-Message-Type": "Notification", "X-Amz-Sns-Message-Id": "1"}
        status = post(provider, body, headers=headers).status_code
        assert status == (200 if (provider, body) == ("sendgrid", b"[]") else 400)
        lines = [json.loads(line) for line in log.getvalue().splitlines()]
        assert [line["event"] for line in lines] == ["webhook_refused"] * (status == 400) + [
            "request_finished"
        ]
        assert len(log.getvalue()) < 1500

    def test_of_a_stranger_is_not_parsed(
        self, take_from: Any, provider: str, log: StringIO, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        take_from(provider)
        monkeypatch.setattr(json, "loads", mock.Mock(side_effect=AssertionError))
        monkeypatch.setattr(HttpRequest, "body", property(mock.Mock(side_effect=AssertionError)))
        body = b"x" * (webhooks.MAX_BODY_BYTES - 1)
        response = Client().post(
            f"/newsletter/webhooks/{provider}/",
            body,
            content_type="application/json",
            headers={"Authorization": "Bearer abc"},
        )
        monkeypatch.undo()
        assert response.status_code == 401
        (line,) = log.getvalue().splitlines()
        assert len(line) < 600


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "x",
        "-1",
        "9" * 40,
        "9" * 5000,
        "²",
        None,
        {"a": 1},
        "{pk}",
        "{pk}.",
        "{pk}.of-another-site",
        "{pk}.\0",
    ],
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
