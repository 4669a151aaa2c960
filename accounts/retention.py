"""What is forgotten by itself once it has served its purpose (GDPR article 5(1)(e))."""

from typing import Any

from accounts.models import AccountLink


def tidy(**_signal: Any) -> None:
    """Forget old links, which by then are used or expired. Listens to `outbox.tidying`."""
    AccountLink.forget_old()
