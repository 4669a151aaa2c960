"""Headers for email providers: what they do with a mail beyond SMTP."""

import json

from django.conf import settings


def build(delivery: str = "") -> dict[str, str]:
    """Return the headers of a mail for the provider in EMAIL_PROVIDER: none for one that is not listed.

    They turn off its tracking of opens and clicks. `delivery`: the reference of a newsletter, which the
    provider's reports return (`newsletter.campaigns.webhooks`).
    """
    metadata = {"delivery": delivery} if delivery else {}
    match settings.EMAIL_PROVIDER:
        case "postmark":
            headers = {"X-PM-TrackOpens": "false", "X-PM-TrackLinks": "None"}
            if delivery:
                # Postmark demands another stream for mails to many; every server of it has this one.
                headers |= {"X-PM-Metadata-delivery": delivery, "X-PM-Message-Stream": "broadcast"}
            return headers
        case "mailgun":
            headers = {"X-Mailgun-Track-Opens": "no", "X-Mailgun-Track-Clicks": "no"}
            return headers | ({"X-Mailgun-Variables": json.dumps(metadata)} if metadata else {})
        case "sendgrid":
            off = {"settings": {"enable": 0}}
            options = {"filters": {"opentrack": off, "clicktrack": off}, "unique_args": metadata}
            return {"X-SMTPAPI": json.dumps(options)}
        case "ses" if metadata:  # its reports quote the headers
            return {"X-Metadata": json.dumps(metadata)}
    return {}
