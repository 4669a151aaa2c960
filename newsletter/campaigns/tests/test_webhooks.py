"""What reports of email providers change, and which are refused."""

import base64
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
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django import Settings

from newsletter.campaigns import webhooks
from newsletter.campaigns.models import Delivery, DeliveryState
from newsletter.campaigns.tests.factories import DeliveryFactory
from newsletter.campaigns.tests.provider_reports import (
    EMAIL,
    SIGNING_KEY,
    complaint,
    hard_bounce,
    mailgun,
    postmark,
    sendgrid,
)
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.suppression import find_suppressed

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings(f"ignore::{AnymailNotSupportedWarning.__module__}.AnymailNotSupportedWarning"),
]

SECRET = "provider:7bJ4hWm2QxT9cRk5VzN8fLp3"
PROVIDERS = ("postmark", "mailgun", "sendgrid", "ses")


@pytest.fixture
def delivery() -> Delivery:
    """Return a mail that was sent to a confirmed subscriber."""
    return send_to(SubscriptionFactory(email=EMAIL, confirmed=True))


@pytest.fixture(autouse=True)
def _secrets(settings: Settings) -> None:
    settings.EMAIL_WEBHOOK_SECRET = SECRET
    settings.ANYMAIL = {
        **settings.ANYMAIL,
        "WEBHOOK_SECRET": SECRET,
        "MAILGUN_WEBHOOK_SIGNING_KEY": SIGNING_KEY,
    }


def send_to(subscription: Subscription) -> Delivery:
    return DeliveryFactory(subscription=subscription, state=DeliveryState.SENT, ended_at=timezone.now())


def post(
    provider: str,
    body: Any,
    *,
    configured: str | None = None,
    secret: str | None = SECRET,
    headers: dict[str, str] | None = None,
) -> HttpResponseBase:
    """Post a report as a provider does. It is the configured one unless `configured` says which is."""
    sent_headers = dict(headers or {})
    if provider == "ses" and isinstance(body, dict):
        sent_headers |= {"X-Amz-Sns-Message-Type": body["Type"], "X-Amz-Sns-Message-Id": body["MessageId"]}
    if secret is not None:
        sent_headers["Authorization"] = "Basic " + base64.b64encode(secret.encode()).decode()
    with override_settings(EMAIL_PROVIDER=provider if configured is None else configured):
        return Client(enforce_csrf_checks=True).generic(
            "POST",
            f"/newsletter/webhooks/{provider}/",
            body if isinstance(body, bytes) else json.dumps(body),
            content_type="text/plain; charset=UTF-8" if provider == "ses" else "application/json",
            headers=sent_headers,
        )


TIMES = ("bounced_at", "soft_bounced_at", "complained_at", "unsubscribed_at")


def stored(user_type: UserType = UserType.SAILOR) -> Subscription:
    return Subscription.objects.get(email=EMAIL, user_type=user_type)


def everything() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Subscription, Delivery, ConsentEvent)]


@pytest.mark.parametrize(
    ("event", "reason", "kind", "time"),
    [
        ("failed", "bounce", ConsentKind.BOUNCED, "bounced_at"),
        ("failed", "generic", None, "soft_bounced_at"),
        ("complained", "", ConsentKind.COMPLAINED, "complained_at"),
        ("failed", "suppress-complaint", ConsentKind.COMPLAINED, None),
        ("unsubscribed", "", ConsentKind.UNSUBSCRIBED, "unsubscribed_at"),
        ("failed", "suppress-unsubscribe", ConsentKind.UNSUBSCRIBED, None),
        ("delivered", "", None, None),
    ],
)
@pytest.mark.parametrize("is_newsletter", [True, False])
def test_repeated_report_changes_its_subscriptions_once(
    delivery: Delivery,
    is_newsletter: bool,
    event: str,
    reason: str,
    kind: ConsentKind | None,
    time: str | None,
) -> None:
    """A mail of an account is about the address: both of its subscriptions and its member."""
    member = get_user_model()._default_manager.create(email=EMAIL)
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    for _time in range(2):
        about = delivery if is_newsletter else None
        assert post("mailgun", mailgun(event, about, reason=reason)).status_code == 200
    state = {None: State.CONFIRMED, ConsentKind.BOUNCED: State.BOUNCED}.get(kind, State.UNSUBSCRIBED)
    is_about_one = is_newsletter and time in ("complained_at", "unsubscribed_at")
    assert stored().state is state
    assert stored(UserType.COMPANY).state is (State.CONFIRMED if is_about_one else state)
    kinds = list(ConsentEvent.objects.values_list("kind", flat=True))
    assert kinds == [kind] * (1 if is_about_one else 2) * bool(kind)
    assert bool(find_suppressed([EMAIL])) is (kind is ConsentKind.COMPLAINED)
    member.refresh_from_db()
    assert bool(member.email_undeliverable_at) is (kind is ConsentKind.BOUNCED)
    delivery.refresh_from_db()
    assert [name for name in TIMES if getattr(delivery, name)] == [time] * bool(time and is_newsletter)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_report_of_each_provider_finds_its_mail_or_its_address(delivery: Delivery, provider: str) -> None:
    assert post(provider, hard_bounce(provider, delivery)).status_code == 200
    delivery.refresh_from_db()
    assert delivery.bounced_at
    assert stored().state is State.BOUNCED
    Subscription.objects.update(bounced_at=None)
    assert post(provider, complaint(provider, None)).status_code == 200
    assert stored().state is State.UNSUBSCRIBED
    assert ConsentEvent.objects.count() == 2


@pytest.mark.parametrize("secret", [None, "", SECRET + "x", SECRET.upper(), "ž:ž"])
@pytest.mark.parametrize("provider", ["postmark", "ses"])
def test_forged_report_is_refused_unread(
    delivery: Delivery,
    log: StringIO,
    monkeypatch: pytest.MonkeyPatch,
    provider: str,
    secret: str | None,
) -> None:
    before, report = everything(), hard_bounce(provider, delivery)
    with monkeypatch.context() as patch:
        patch.setattr(HttpRequest, "body", property(mock.Mock(side_effect=AssertionError)))
        response = post(provider, report, secret=secret)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Basic ")
    assert everything() == before
    (line,) = log.getvalue().splitlines()
    assert len(line) < 600


@pytest.mark.parametrize("configured", ["", *PROVIDERS])
def test_only_the_configured_provider_is_heard_and_only_with_a_secret(
    settings: Settings, delivery: Delivery, configured: str
) -> None:
    for provider in PROVIDERS:
        secret = settings.EMAIL_WEBHOOK_SECRET = "" if provider == configured else SECRET
        report = hard_bounce(provider, delivery)
        assert post(provider, report, configured=configured, secret=secret).status_code == 404
    assert stored().state is State.CONFIRMED


def test_large_body_is_refused() -> None:
    assert post("postmark", b" " * (webhooks.MAX_BODY_BYTES + 1)).status_code == 413


FOREIGN_RECIPIENTS = ["root@localhost", "", "jana@exa\u0000mple.com", None, ["jana@example.com"]]


@pytest.mark.parametrize("recipient", FOREIGN_RECIPIENTS, ids=repr)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_report_about_a_recipient_that_is_never_stored_is_ignored(
    delivery: Delivery, provider: str, recipient: Any
) -> None:
    before = everything()
    for report in (hard_bounce(provider, None), complaint(provider, None)):
        if provider == "ses":
            report["Message"] = report["Message"].replace(json.dumps(EMAIL), json.dumps(recipient))
        else:
            report = json.loads(json.dumps(report).replace(json.dumps(EMAIL), json.dumps(recipient)))
        assert post(provider, report).status_code == 200
    assert everything() == before


@pytest.mark.parametrize("variables", ["the delivery", ["delivery"], None, {"other": 1}], ids=repr)
def test_report_without_our_metadata_is_about_the_address(delivery: Delivery, variables: Any) -> None:
    report = mailgun("complained", None, **{"user-variables": variables})
    assert post("mailgun", report).status_code == 200
    assert stored().state is State.UNSUBSCRIBED


@pytest.mark.parametrize("at", ["2030-11-05T16:33:54", "2030-11-05T16:33:54.9070259Z", "yesterday"])
def test_time_of_a_report_may_be_odd(delivery: Delivery, at: str) -> None:
    assert post("postmark", postmark("SpamComplaint", delivery, at)).status_code == 200
    assert stored().state is State.UNSUBSCRIBED


def test_several_reports_come_in_one_post() -> None:
    reports = []
    for recipient in FOREIGN_RECIPIENTS[:3]:
        reports += [{**sendgrid("spamreport", None)[0], "email": recipient}]
        reports += hard_bounce("sendgrid", send_to(SubscriptionFactory(confirmed=True)))
    assert post("sendgrid", reports).status_code == 200
    assert Subscription.objects.in_state(State.BOUNCED).count() == 3


OLD = "2020-01-01T00:00:00Z"
ENDING_REPORTS: list[Any] = [
    lambda *given: postmark("SpamComplaint", *given),
    lambda *given: postmark("SubscriptionChange", *given),
]


@pytest.mark.parametrize("has_delivery", [True, False])
@pytest.mark.parametrize(
    "report", [*ENDING_REPORTS, lambda *given: postmark("Bounce", *given, Type="HardBounce")]
)
def test_old_report_does_not_undo_a_later_confirmation(
    delivery: Delivery, report: Any, has_delivery: bool
) -> None:
    assert post("postmark", report(delivery if has_delivery else None, OLD)).status_code == 200
    assert stored().state is State.CONFIRMED
    assert not find_suppressed([EMAIL])
    delivery.refresh_from_db()
    assert any(getattr(delivery, name) for name in TIMES) is has_delivery


@pytest.mark.parametrize("has_delivery", [True, False])
@pytest.mark.parametrize(
    ("kind", "is_alive"),
    [
        (ConsentKind.REACHABLE, True),
        (ConsentKind.PAUSED, True),
        (ConsentKind.RESUMED, True),
        (ConsentKind.INVITED, False),
    ],
)
def test_late_bounce_does_not_undo_a_later_sign_of_life(
    delivery: Delivery, kind: ConsentKind, is_alive: bool, has_delivery: bool
) -> None:
    Subscription.objects.update(confirmed_at=timezone.now() - timedelta(days=9))
    ConsentEvent.record(stored(), kind, language="en")
    at = (timezone.now() - timedelta(days=1)).isoformat()
    post("postmark", postmark("Bounce", delivery if has_delivery else None, at, Type="HardBounce"))
    assert (stored().state is State.BOUNCED) is not is_alive


@pytest.mark.parametrize("report", ENDING_REPORTS)
def test_confirmation_of_the_other_audience_does_not_outdate_a_report(
    delivery: Delivery, report: Any
) -> None:
    Subscription.objects.update(confirmed_at=timezone.now() - timedelta(days=9))
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    at = (timezone.now() - timedelta(days=1)).isoformat()
    assert post("postmark", report(delivery, at)).status_code == 200
    assert stored().state is State.UNSUBSCRIBED
    assert stored(UserType.COMPANY).state is State.CONFIRMED


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"\xff", b"[[1]]", b"[" * 90_000], ids=lambda body: repr(body[:25])
)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_unreadable_report_is_a_bad_request_whose_body_is_not_logged(
    provider: str, body: bytes, log: StringIO
) -> None:
    headers = {"X-Amz-Sns-Message-Type": "Notification", "X-Amz-Sns-Message-Id": "1"}
    status = post(provider, body, headers=headers).status_code
    assert status == (200 if (provider, body) == ("sendgrid", b"[]") else 400)
    events = [json.loads(line)["event"] for line in log.getvalue().splitlines()]
    assert events == ["webhook_refused"] * (status == 400) + ["request_finished"]
    assert len(log.getvalue()) < 1500


@pytest.mark.parametrize(
    "reference", ["", "9" * 5000, "²", None, {"a": 1}, "{pk}", "{pk}.of-another-site", "{pk}.\0"]
)
def test_report_about_a_newsletter_of_another_site_is_ignored(delivery: Delivery, reference: Any) -> None:
    if isinstance(reference, str):
        reference = reference.format(pk=delivery.pk)
    before = everything()
    for report in (hard_bounce("postmark", None), complaint("postmark", None)):
        assert post("postmark", {**report, "Metadata": {"delivery": reference}}).status_code == 200
    assert everything() == before


def test_wrong_signature_of_mailgun_is_refused(delivery: Delivery) -> None:
    report = hard_bounce("mailgun", delivery)
    report["signature"]["signature"] = "0" * 64
    assert post("mailgun", report).status_code == 400
    assert stored().state is State.CONFIRMED


AMAZON = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=2336412f37"


@pytest.mark.parametrize(
    ("url", "secret", "status"),
    [
        (AMAZON, SECRET, 200),
        (AMAZON, None, 401),
        (AMAZON.replace("https", "http"), SECRET, 400),
        (AMAZON.replace(".com/", ".com.evil.example/"), SECRET, 400),
        (AMAZON.replace("//", "//user@"), SECRET, 400),
        ("https://169.254.169.254/latest/meta-data/", SECRET, 400),
    ],
)
def test_subscription_to_amazon_is_confirmed_with_one_request_to_amazon_only(
    url: str, secret: str | None, status: int
) -> None:
    confirmation = {
        "Type": "SubscriptionConfirmation",
        "MessageId": "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
        "Token": "2336412f37",
        "TopicArn": "arn:aws:sns:eu-west-1:123456789012:sailing",
        "Message": "You have chosen to subscribe to the topic.",
        "SubscribeURL": url,
        "Timestamp": "2030-04-26T20:45:04.751Z",
    }
    with mock.patch("requests.get") as get:
        assert post("ses", confirmation, secret=secret).status_code == status
    assert [call.args for call in get.call_args_list] == [(AMAZON,)] * (status == 200)
    assert all(call.kwargs["allow_redirects"] is False for call in get.call_args_list)
