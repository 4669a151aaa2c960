"""Reports as email providers post them."""

import hashlib
import hmac
import json
from typing import Any

from newsletter.campaigns.models import Delivery

SIGNING_KEY = "mailgun-signing-key"
EMAIL = "jana@example.com"


def metadata(delivery: Delivery | None) -> dict[str, str]:
    return {"delivery": f"{delivery.pk}.{delivery.campaign.key}"} if delivery else {}


def postmark(
    record_type: str, delivery: Delivery | None, at: str = "2030-11-05T16:33:54Z", **fields: Any
) -> dict[str, Any]:
    recipient, time = (
        ("Recipient", "ChangedAt") if record_type == "SubscriptionChange" else ("Email", "BouncedAt")
    )
    return {
        "RecordType": record_type,
        "Type": record_type,
        "MessageID": "883953f4-6105-42a2-a16a-77a8eac79483",
        "Metadata": metadata(delivery),
        recipient: EMAIL,
        time: at,
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


def sendgrid(event: str, delivery: Delivery | None, **fields: Any) -> list[dict[str, Any]]:
    report = {
        "email": EMAIL,
        "timestamp": 1920000000,
        "event": event,
        "sg_event_id": "6g4ZI7SA-xmRDv57GoPIPw==",
        "sg_message_id": "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
    }
    return [report | metadata(delivery) | fields]


def ses(event: str, delivery: Delivery | None, recipients: str, **fields: str) -> dict[str, Any]:
    time = "2030-01-27T14:59:38.237Z"
    headers = [{"name": "X-Metadata", "value": json.dumps(metadata(delivery))}] if delivery else []
    mail = {"timestamp": time, "messageId": "00000138111222aa-0680", "destination": [EMAIL]}
    report = {recipients: [{"emailAddress": EMAIL}], "timestamp": time, "feedbackId": "068a", **fields}
    notification = {"notificationType": event, event.lower(): report, "mail": {**mail, "headers": headers}}
    return {
        "Type": "Notification",
        "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
        "TopicArn": "arn:aws:sns:eu-west-1:123456789012:sailing",
        "Message": json.dumps(notification),
        "Timestamp": time,
    }


def hard_bounce(provider: str, delivery: Delivery | None) -> Any:
    reports: dict[str, Any] = {
        "postmark": postmark("Bounce", delivery, Type="HardBounce"),
        "mailgun": mailgun("failed", delivery, reason="bounce"),
        "sendgrid": sendgrid("bounce", delivery, type="bounce", status="5.1.1"),
        "ses": ses("Bounce", delivery, "bouncedRecipients", bounceType="Permanent", bounceSubType="General"),
    }
    return reports[provider]


def complaint(provider: str, delivery: Delivery | None) -> Any:
    reports: dict[str, Any] = {
        "postmark": postmark("SpamComplaint", delivery),
        "mailgun": mailgun("complained", delivery),
        "sendgrid": sendgrid("spamreport", delivery),
        "ses": ses("Complaint", delivery, "complainedRecipients", complaintFeedbackType="abuse"),
    }
    return reports[provider]
