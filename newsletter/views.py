"""The pages behind the links in newsletter mails."""

from typing import ClassVar

from django.http import HttpRequest

from newsletter import consent, links, services
from newsletter.models import LinkPurpose
from sailing.link_pages import LinkPage
from sailing.links import Outcome


class NewsletterLinkPage(LinkPage):
    """What both kinds of link share."""

    purpose: ClassVar[LinkPurpose]
    context = {"statement": consent.STATEMENT}

    def look(self, token: str) -> tuple[Outcome, str]:
        link = links.find(token=token, purpose=self.purpose)
        return links.outcome(link), link.subscription.language if link else ""


class ConfirmPage(NewsletterLinkPage):
    """Confirms a subscription, or sends a new link in place of an expired one."""

    purpose = LinkPurpose.CONFIRM
    templates = {
        Outcome.OPEN: "newsletter/confirm.html",
        Outcome.DONE: "newsletter/confirmed.html",
        Outcome.EXPIRED: "newsletter/expired.html",
        Outcome.RENEWED: "links/renewed.html",
        Outcome.SPENT: "newsletter/spent.html",
    }

    def act(self, request: HttpRequest, token: str, language: str) -> Outcome:
        if "renew" in request.POST:
            return services.renew(token=token)
        return services.confirm(token=token, language=language)


class UnsubscribePage(NewsletterLinkPage):
    """Ends a subscription; also for the one-click posts of RFC 8058."""

    purpose = LinkPurpose.UNSUBSCRIBE
    templates = {
        Outcome.OPEN: "newsletter/unsubscribe.html",
        Outcome.DONE: "newsletter/unsubscribed.html",
    }

    def act(self, request: HttpRequest, token: str, language: str) -> Outcome:
        return services.unsubscribe(token=token, language=language)
