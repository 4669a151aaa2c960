"""Peers of the benchmarks: plain Django views that do the same work, in the same server.

Each does only what a view for this one purpose needs. All other paths are the site's own.
"""

import json
import secrets
from datetime import timedelta
from email.utils import make_msgid
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

import sailing.urls
from accounts.models import User
from benchmarks import hand_written
from newsletter.models import (
    STATEMENT,
    STATEMENT_VERSION,
    ConsentEvent,
    ConsentKind,
    LinkPurpose,
    Subscription,
    SubscriptionLink,
)
from newsletter.tokens import build_urls
from sailing.graphql.authentication import authenticate
from sailing.mail.models import OutboxEmail
from sailing.web.pages import frontend, views

_LANDING = frontend.get_route("/landing")
assert _LANDING
_PAGE = views._render(_LANDING, "en", "", is_launch_year_past=True)["br"]


def page(request: HttpRequest) -> HttpResponse:
    """Answer with the bytes of /landing."""
    return HttpResponse(_PAGE, headers={"Content-Encoding": "br"})


def me(request: HttpRequest) -> HttpResponse:
    """Answer with the member of the token."""
    member = authenticate(request)
    assert isinstance(member, User)
    return JsonResponse(
        {
            "id": str(member.pk),
            "email": member.email,
            "firstName": member.first_name,
            "lastName": member.last_name,
            "nickname": member.nickname,
            "phone": member.phone,
            "nationality": member.nationality,
            "isEmailVerified": member.is_email_verified,
            "avatar": member.avatar,
            "createdAt": member.created_at.isoformat(),
            "updatedAt": member.updated_at.isoformat(),
        }
    )


@csrf_exempt
def subscribe(request: HttpRequest) -> HttpResponse:
    """Store the rows and the mail of a new subscription."""
    values = json.loads(request.body)
    with transaction.atomic():
        now = timezone.now()
        subscription = Subscription.objects.create(
            email=values["email"], user_type=values["userType"], language="en", last_mail_at=now
        )
        urls = build_urls(subscription.pk, language="en")
        context = {
            "subscription": subscription,
            "confirm_days": 7,
            "statement": STATEMENT,
            **urls,
            "home_url": f"{settings.SITE_URL}/?lang=en",
            "privacy_url": f"{settings.SITE_URL}/?lang=en#privacy",
            "language": "en",
        }
        for kind, days in ((ConsentKind.REQUESTED, 0), (ConsentKind.REMINDER, 2)):
            values = {
                **context,
                "confirm_url": _confirm_url(subscription),
                "is_reminder": kind == ConsentKind.REMINDER,
            }
            text = render_to_string("mails/newsletter/welcome.txt", values)
            subject, _, message = text.strip().partition("\n")
            OutboxEmail.objects.create(
                recipient=subscription.email,
                subject=subject,
                text=message,
                html=render_to_string("mails/newsletter/welcome.html", values | {"subject": subject}),
                headers={
                    "List-Unsubscribe": f"<{urls['unsubscribe_url']}>",
                    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                },
                subject_key=f"newsletter.subscription {subscription.pk}",
                message_id=make_msgid(domain="127.0.0.1"),
                next_attempt_at=now + timedelta(days=days),
            )
            ConsentEvent.objects.create(
                subscription=subscription,
                kind=kind,
                language="en",
                wording=STATEMENT_VERSION,
                user_type=subscription.user_type,
            )
    return JsonResponse({"email": subscription.email, "createdAt": subscription.created_at.isoformat()})


def _confirm_url(subscription: Subscription) -> str:
    token = secrets.token_urlsafe(24)
    SubscriptionLink.objects.create(
        token_hash=sha256(token.encode()).hexdigest(),
        subscription=subscription,
        purpose=LinkPurpose.CONFIRM,
        expires_at=timezone.now() + timedelta(days=7),
    )
    return f"{settings.SITE_URL}{reverse('newsletter:confirm', kwargs={'token': token})}?lang=en"


*_OURS, _CATCH_ALL = sailing.urls.urlpatterns
# At the positions of the site's own paths, so that resolving takes the same time.
urlpatterns = [
    path("peer/me", me),
    path("peer/subscribe", subscribe),
    *_OURS,
    path("peer/page", page),
    path("peer/hand-written.css", hand_written.style),
    path("peer/hand-written/<name>", hand_written.page),
    _CATCH_ALL,
]
