"""What the reports of email providers mean, as their documentation shows them."""

from typing import Any

import pytest

from newsletter.campaigns.webhooks import CLASSIFIERS, Report

HARD, SOFT, NOTHING = Report.HARD_BOUNCE, Report.SOFT_BOUNCE, None
COMPLAINT, EARLIER_COMPLAINT = Report.COMPLAINT, Report.EARLIER_COMPLAINT
LEFT, LEFT_EARLIER = Report.UNSUBSCRIBED, Report.EARLIER_UNSUBSCRIPTION

NO_USER = "5.1.1 <jana@example.com>: User unknown"


def suppressed(reason: str | None, **fields: Any) -> dict[str, Any]:
    return {"RecordType": "SubscriptionChange", "SuppressionReason": reason, **fields}


def failed(
    reason: str, code: int, reply: str, severity: str = "permanent", enhanced_code: str = ""
) -> dict[str, Any]:
    status = {"code": code, "message": reply, "enhanced-code": enhanced_code}
    data = {"event": "failed", "severity": severity, "reason": reason, "delivery-status": status}
    return {"event-data": data}


def bounced(kind: str, subtype: str, name: str = "notificationType") -> dict[str, Any]:
    return {name: "Bounce", "bounce": {"bounceType": kind, "bounceSubType": subtype}}


def complained(name: str = "notificationType", **fields: str | None) -> dict[str, Any]:
    return {name: "Complaint", "complaint": fields}


MEANINGS: list[tuple[str, dict[str, Any], Report | None]] = [
    ("postmark", {"RecordType": "Bounce", "Type": "HardBounce"}, HARD),
    ("postmark", {"RecordType": "Bounce", "Type": "BadEmailAddress"}, HARD),
    ("postmark", {"RecordType": "Bounce", "Type": "SoftBounce"}, SOFT),
    ("postmark", {"RecordType": "Bounce", "Type": "Blocked"}, SOFT),
    ("postmark", {"RecordType": "Bounce", "Type": "Unsubscribe"}, LEFT),
    ("postmark", {"RecordType": "Bounce", "Type": "ManuallyDeactivated"}, LEFT),
    ("postmark", {"RecordType": "Bounce", "Type": "SpamComplaint"}, COMPLAINT),
    ("postmark", {"RecordType": "Bounce", "Type": "SpamNotification"}, NOTHING),
    ("postmark", suppressed("HardBounce"), HARD),
    ("postmark", suppressed("SpamComplaint"), COMPLAINT),
    ("postmark", suppressed("ManualSuppression"), LEFT),
    ("postmark", suppressed(None), LEFT),
    ("postmark", suppressed("SpamComplaint", SuppressSending=False), NOTHING),
    ("mailgun", failed("bounce", 550, NO_USER), HARD),
    ("mailgun", failed("suppress-bounce", 605, ""), HARD),
    ("mailgun", failed("suppress-complaint", 607, ""), EARLIER_COMPLAINT),
    ("mailgun", failed("suppress-unsubscribe", 606, ""), LEFT_EARLIER),
    ("mailgun", failed("", 605, ""), HARD),
    ("mailgun", failed("", 606, ""), LEFT_EARLIER),
    ("mailgun", failed("", 607, ""), EARLIER_COMPLAINT),
    ("mailgun", failed("generic", 550, NO_USER), HARD),
    ("mailgun", failed("generic", 550, f"550 {NO_USER}"), HARD),
    ("mailgun", failed("generic", 550, "No such user here"), HARD),
    ("mailgun", failed("generic", 554, "Refused", enhanced_code="5.1.1"), HARD),
    ("mailgun", failed("generic", 552, "5.2.2 Mailbox full"), SOFT),
    ("mailgun", failed("generic", 550, "5.7.1 Message content rejected"), SOFT),
    ("mailgun", failed("old", 498, "No MX for example.com"), SOFT),
    ("mailgun", failed("generic", 421, NO_USER), SOFT),
    ("mailgun", failed("bounce", 550, NO_USER, severity="temporary"), NOTHING),
    ("sendgrid", {"event": "bounce", "type": "bounce", "status": "5.1.1"}, HARD),
    ("sendgrid", {"event": "bounce", "type": "bounce", "status": "4.2.2"}, SOFT),
    ("sendgrid", {"event": "bounce", "type": "blocked", "status": "5.7.1"}, SOFT),
    ("sendgrid", {"event": "dropped", "reason": "Bounced Address", "type": "bounce"}, HARD),
    ("sendgrid", {"event": "dropped", "reason": "Invalid"}, HARD),
    ("sendgrid", {"event": "dropped", "reason": "Spam Reporting Address"}, EARLIER_COMPLAINT),
    ("sendgrid", {"event": "dropped", "reason": "Unsubscribed Address"}, LEFT_EARLIER),
    ("sendgrid", {"event": "dropped", "reason": "Spam Content"}, NOTHING),
    ("sendgrid", {"event": "spamreport"}, COMPLAINT),
    ("sendgrid", {"event": "unsubscribe"}, LEFT),
    ("sendgrid", {"event": "group_unsubscribe"}, LEFT),
    ("sendgrid", {"event": "deferred"}, NOTHING),
    ("ses", bounced("Permanent", "General"), HARD),
    ("ses", bounced("Permanent", "General", "eventType"), HARD),
    ("ses", bounced("Transient", "OnAccountSuppressionList"), HARD),
    ("ses", bounced("Transient", "OnTenantSuppressionList"), HARD),
    ("ses", bounced("Permanent", "UnsubscribedRecipient"), LEFT_EARLIER),
    ("ses", bounced("Transient", "ContentRejected"), SOFT),
    ("ses", bounced("Undetermined", "Undetermined"), SOFT),
    ("ses", complained(complaintFeedbackType="abuse"), COMPLAINT),
    ("ses", complained("eventType", complaintSubType=None), COMPLAINT),
    ("ses", complained(complaintFeedbackType="not-spam"), NOTHING),
    ("ses", complained(complaintFeedbackType="auth-failure"), NOTHING),
    ("ses", complained(complaintFeedbackType="virus"), NOTHING),
    ("ses", complained(complaintSubType="OnAccountSuppressionList"), EARLIER_COMPLAINT),
    ("ses", complained(complaintSubType="OnTenantSuppressionList"), EARLIER_COMPLAINT),
    ("ses", {"eventType": "DeliveryDelay", "deliveryDelay": {}}, NOTHING),
]


@pytest.mark.parametrize(("provider", "raw", "meaning"), MEANINGS)
def test_report_has_its_meaning(provider: str, raw: dict[str, Any], meaning: Report | None) -> None:
    assert CLASSIFIERS[provider](raw) is meaning
