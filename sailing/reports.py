"""Reports errors to Sentry: where the code failed, and nothing about the person it failed for."""

from typing import Any

import sentry_sdk

from sailing import masking


def start(dsn: str, **options: Any) -> None:
    """Report from now on. Takes the project's address at Sentry, and further options of the SDK."""
    sentry_sdk.init(
        dsn=dsn,
        include_local_variables=False,  # hold what a visitor sent
        max_request_body_size="never",
        before_send=without_persons,
        **options,
    )


def without_persons(event: Any, _hint: Any) -> Any:
    """The event without addresses and without links of mails, whose tokens open subscriptions."""
    request = event.get("request")
    if request:
        event["request"] = {"method": request.get("method")}
    for failure in event.get("exception", {}).get("values", ()):
        failure["value"] = masking.masked(failure.get("value") or "")
    event.pop("breadcrumbs", None)
    return event
