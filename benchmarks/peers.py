"""Peers of the benchmarks: plain Django views that do the same work, in the same server.

Each does only what a view for this one purpose needs. All other paths are the site's own. A hand-written page
has the text, links, pictures and font of a public page: it is that page's HTML without scripts, classes,
icons, closed dialogs and forms, and a style sheet of a few lines.
"""

import json
import re
import secrets
from datetime import timedelta
from email.utils import make_msgid
from functools import cache
from hashlib import sha256
from html import escape

import brotli
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

import sailing.urls
from accounts.models import User
from newsletter import models
from newsletter.tokens import build_urls
from sailing.graphql.view import authenticate
from sailing.mail import outbox
from sailing.mail.models import OutboxEmail
from sailing.web.pages import frontend, views

_LANDING = next(route for route in frontend.list_routes() if route.page == "landing")
_PAGE = views._render(_LANDING, "en", "", is_launch_year_past=True)["br"]

DROPPED = re.compile(
    r"(?s)<(button|dialog|form|noscript|script|style|svg|template|video)\b.*?</\1>|<!--.*?-->"
    r'| (?:class|decoding|id|role|tabindex|(?:aria|data)-[a-z-]+)="[^"]*"'
)
FONT = next(address for address in frontend.get_document_assets()["fonts"] if "latin" in address)
STYLE = f"""
@font-face {{
  font-family: Montserrat; font-weight: 100 900; font-display: swap; src: url({FONT}) format("woff2");
}}
body {{ margin: 0; font: 1rem/1.5 Montserrat, Arial, sans-serif; color: #0a1e38; }}
img {{ display: block; width: 100%; height: auto; }}
main, header, footer {{ padding: 1rem; }}
h1 {{ font-size: 2rem; line-height: 1.15; }}
"""


def page(request: HttpRequest) -> HttpResponse:
    """Answer with the bytes of /landing."""
    return HttpResponse(_PAGE, headers={"Content-Encoding": "br"})


def hand_written_page(request: HttpRequest, name: str) -> HttpResponse:
    """Answer with the hand-written page, compressed as the site's own."""
    return HttpResponse(_write_page(name), headers={"Content-Encoding": "br"})


@cache
def _write_page(name: str) -> bytes:
    entry = next(entry for entry in frontend.list_routes() if entry.page == name)
    content = DROPPED.sub("", frontend.read_page(name, "en"))
    html = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(entry.title('en'))}</title>"
        f'<meta name="description" content="{escape(entry.description("en"))}">'
        f'<link rel="preload" href="{FONT}" as="font" type="font/woff2" crossorigin>'
        '<link rel="stylesheet" href="/peer/hand-written.css">'
        f"</head><body>{content}</body></html>"
    )
    compressed: bytes = brotli.compress(html.encode())
    return compressed


def style(request: HttpRequest) -> HttpResponse:
    """Answer with the style sheet of hand-written pages; the policy forbids inline styles."""
    return HttpResponse(STYLE, content_type="text/css")


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
@transaction.atomic
def subscribe(request: HttpRequest) -> HttpResponse:
    """Store the rows and the mails of a new subscription."""
    values = json.loads(request.body)
    now = timezone.now()
    subscription = models.Subscription.objects.create(
        email=values["email"], user_type=values["userType"], language="en", last_mail_at=now
    )
    urls = build_urls(subscription.pk, language="en")
    for kind, days in ((models.ConsentKind.REQUESTED, 0), (models.ConsentKind.REMINDER, 2)):
        token = secrets.token_urlsafe(24)
        models.SubscriptionLink.objects.create(
            token_hash=sha256(token.encode()).hexdigest(),
            subscription=subscription,
            purpose=models.LinkPurpose.CONFIRM,
            expires_at=now + timedelta(days=7),
        )
        context = {
            "subscription": subscription,
            "confirm_days": 7,
            "statement": models.STATEMENT,
            "is_subscribed": True,
            **urls,
            "url": f"{settings.SITE_URL}{reverse('newsletter:confirm', args=[token])}?lang=en",
            "is_reminder": kind == models.ConsentKind.REMINDER,
        }
        OutboxEmail.objects.create(
            recipient=subscription.email,
            **outbox.render("newsletter/welcome", language="en", context=context),
            headers={
                "List-Unsubscribe": f"<{urls['unsubscribe_url']}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
            subject_key=f"newsletter.subscription {subscription.pk}",
            message_id=make_msgid(domain="127.0.0.1"),
            next_attempt_at=now + timedelta(days=days),
        )
        models.ConsentEvent.objects.create(
            subscription=subscription,
            kind=kind,
            language="en",
            wording=models.STATEMENT_VERSION,
            user_type=subscription.user_type,
        )
    return JsonResponse({"email": subscription.email, "createdAt": subscription.created_at.isoformat()})


*_OURS, _CATCH_ALL = sailing.urls.urlpatterns
# At the positions of the site's own paths, so that resolving takes the same time.
urlpatterns = [
    path("peer/me", me),
    path("peer/subscribe", subscribe),
    *_OURS,
    path("peer/page", page),
    path("peer/hand-written.css", style),
    path("peer/hand-written/<name>", hand_written_page),
    _CATCH_ALL,
]
