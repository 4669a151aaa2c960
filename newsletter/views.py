"""Pages behind the links in newsletter mails, and the newsletter form without JavaScript."""

from typing import Any

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict, UnreadablePostError
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from graphene.utils.str_converters import to_camel_case

from newsletter import tokens
from newsletter.models import (
    STATEMENT,
    ConsentEvent,
    LeavingReason,
    LinkPurpose,
    Source,
    Subscription,
    SubscriptionLink,
    UserType,
)
from newsletter.services import interests, preferences, subscriptions
from newsletter.validation import (
    PAUSE_DAYS,
    RESUME,
    PreferencesChange,
    read_keys,
    validate_preferences,
)
from sailing import outages
from sailing.attribution import ATTRIBUTION_FIELDS, clean_attribution
from sailing.client import get_client
from sailing.errors import ApiError, BadUserInput, Unavailable, is_database_unavailable
from sailing.input_limits import refused_body_status
from sailing.language import LANGUAGES
from sailing.language import get_language as choose_language
from sailing.mail.links import LinkPage, LinkStatus

MAX_FORM_BYTES = 16 * 1024
FORM_TYPE = "application/x-www-form-urlencoded"


class ConfirmPage(LinkPage):
    """Confirm a subscription, or send a new link in place of an expired one. Then ask for interests."""

    model = SubscriptionLink
    purpose = LinkPurpose.CONFIRM
    templates = {
        LinkStatus.OPEN: "newsletter/confirm.html",
        LinkStatus.DONE: "newsletter/confirmed.html",
        LinkStatus.EXPIRED: "newsletter/expired.html",
        LinkStatus.RENEWED: "links/renewed.html",
        LinkStatus.SPENT: "newsletter/spent.html",
        LinkStatus.DISOWNED: "newsletter/disowned.html",
        LinkStatus.BLOCKED: "links/blocked.html",
    }
    context = {"statement": STATEMENT}

    def perform(self, token: str) -> LinkStatus:
        if "not_me" in self.request.POST:
            return subscriptions.disown(token=token, language=self.language)
        if "renew" in self.request.POST:
            return subscriptions.renew_link(token=token)
        client = get_client(self.request)
        return subscriptions.confirm(client=client, token=token, language=self.language)

    def submit(self, token: str, status: LinkStatus) -> HttpResponse:
        form = self.request.POST
        if "interests" not in form:
            return super().submit(token, status)
        if status is not LinkStatus.DONE:  # ended since
            return self.render(status)
        interests.choose(subscription=self.link.subscription, keys=read_keys(form.getlist("interest")))
        # Gone, if the subscription was erased meanwhile.
        return self.render(self.get_status(token), is_saved=True)

    def render(self, status: LinkStatus, **context: object) -> HttpResponse:
        if status is LinkStatus.DONE:
            context["interests"] = interests.list_choices(email=self.link.subscription.email)
            context["invitation"] = _get_invitation(self.link.subscription.email)
        return super().render(status, **context)


class ManagePage(LinkPage):
    """What an address gets: the button to unsubscribe, also as one click (RFC 8058), and the preferences.

    `link` is the subscription that the token names. `delivery`: the key of the campaign's mail with the link,
    None in other mails.
    """

    templates = {
        LinkStatus.OPEN: "newsletter/manage.html",
        LinkStatus.DONE: "newsletter/manage.html",
        LinkStatus.SPENT: "newsletter/erased.html",
        LinkStatus.DISOWNED: "newsletter/erased.html",
        LinkStatus.BLOCKED: "links/blocked.html",
    }
    context = {
        "statement": STATEMENT,
        "languages": settings.LANGUAGES,
        "pause_days": PAUSE_DAYS,
        "resume": RESUME,
        "comment_length": ConsentEvent.COMMENT_LENGTH,
    }
    delivery: int | None

    def get_status(self, token: str) -> LinkStatus:
        names = tokens.read(token)
        pk, self.delivery = names or (None, None)
        self.link = Subscription.objects.filter(pk=pk).first() if pk else None
        self.language = choose_language(self.request, self.link.language if self.link else "")
        if self.link is None:
            return LinkStatus.SPENT if names else LinkStatus.UNKNOWN
        return LinkStatus.DONE if self.link.has_ended else LinkStatus.OPEN

    def submit(self, token: str, status: LinkStatus) -> HttpResponse:
        form = self.request.POST
        if status is LinkStatus.SPENT:
            return self.render(status)
        if "not_me" in form and self.delivery is None:  # no campaign offers it
            return self.render(subscriptions.disown_subscription(pk=self.link.pk, language=self.language))
        before = self._get_preferences()
        try:
            with translation.override(self.language):
                change = _read_change(form, before)
        except BadUserInput as error:
            response = self.render(status, problem=error.message, comment=form.get("comment"))
            response.status_code = 422
            return response
        context: dict[str, object] = {}
        if "reason" in form or "comment" in form:
            if status is LinkStatus.DONE:  # otherwise subscribed again since
                answer = {"reason": change.reason, "comment": change.comment}
                subscriptions.explain(pk=self.link.pk, language=self.language, **answer)
                context["is_explained"] = bool(change.reason)
        elif "preferences" in form or "everything" in form:
            refused = preferences.change_preferences(
                subscription=self.link, change=change, language=self.language, delivery=self.delivery
            )
            if "preferences" in form:
                context = {
                    "is_saved": True,
                    "was_subscribed": bool(before.audiences),
                    "wanted": change.audiences or (),
                    "refused": refused or (),
                }
        else:
            subscriptions.unsubscribe(pk=self.link.pk, language=self.language, delivery=self.delivery)
        # Gone, if the subscription was erased meanwhile.
        return self.render(self.get_status(token), **context)

    def _get_preferences(self) -> preferences.Preferences:
        return preferences.get_preferences(email=self.link.email, default_language=self.link.language)

    def render(self, status: LinkStatus, **context: Any) -> HttpResponse:
        if status not in (LinkStatus.OPEN, LinkStatus.DONE):
            return super().render(status, **context)
        stored = self._get_preferences()
        wanted, refused = context.get("wanted", ()), context.get("refused", ())
        alive = {*stored.audiences, *stored.pending_audiences}
        with translation.override(self.language):
            labels = {UserType.SAILOR: _("News for sailors"), UserType.COMPANY: _("News for companies")}
        context |= {
            "refused": [labels[each] for each in refused],
            "is_asked": bool({*wanted} - {*stored.audiences, *refused}),
            "email": self.link.email,
            "invitation": _get_invitation(self.link.email),
            "user_type": self.link.user_type,
            "has_ended": status is LinkStatus.DONE,
            "has_others": bool(alive - {self.link.user_type}),
            "reasons": LeavingReason.choices if subscriptions.may_explain(pk=self.link.pk) else (),
            "preferences": stored,
            "audiences": [(each, labels[each]) for each in UserType],
        }
        if self.delivery is not None:
            context["is_not_me"] = False
        return super().render(status, **context)


def _get_invitation(email: str) -> Any:
    """Return the invitation link of the subscriber with an address, and what it has brought."""
    from newsletter.invitations.services import get_summary  # a nested app imports this one

    return get_summary(email=email)


def _read_change(form: QueryDict, before: preferences.Preferences) -> PreferencesChange:
    """Return what a button of the page asks for. Raises BadUserInput.

    Values that the form does not offer change nothing.
    """
    if "preferences" not in form:
        reason = form.get("reason", "")
        return validate_preferences(
            audiences=(),
            reason=reason if reason in LeavingReason.values else "",
            comment=form.get("comment", ""),
        )
    audiences = [each for each in form.getlist("audience") if each in UserType.values]
    language, pause = form.get("language", ""), form.get("pause", "")
    return validate_preferences(
        # Who gets nothing, and ticks nothing, does not mean to end what they have not confirmed yet.
        audiences=audiences if audiences or before.audiences else None,
        language=language if language in LANGUAGES else "",
        pause_days=next((days for days in (RESUME, *PAUSE_DAYS) if str(days) == pause), None),
        interests=form.getlist("interest") if "interests" in form else None,
    )


# No CSRF token: the form's page is prerendered for everyone, and a request needs no session or account. To
# keep another site from making its visitors' browsers subscribe strangers past the rate limit, the fetch
# metadata is checked (OWASP CSRF Prevention Cheat Sheet, "Fetch Metadata", "Verifying Origin").
@method_decorator([csrf_exempt, never_cache], name="dispatch")
class SubscribePage(View):
    """Take the newsletter form as a browser posts it without JavaScript, or before it has loaded."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the form, for example after a language switch on the error page."""
        return HttpResponseRedirect(f"/newsletter?lang={get_language()}")

    def post(self, request: HttpRequest) -> HttpResponse:
        if _is_cross_site(request):
            return HttpResponse(render_to_string("403.html"), status=403)
        if request.content_type != FORM_TYPE:
            return HttpResponse(render_to_string("400.html"), status=415)
        if status := refused_body_status(request, limit=MAX_FORM_BYTES):
            return HttpResponse(render_to_string("400.html"), status=status)
        try:
            form = request.POST
        except UnreadablePostError:
            return HttpResponse(render_to_string("400.html"), status=400)
        try:
            subscriptions.subscribe(
                client=get_client(request),
                email=form.get("email", ""),
                user_type=form.get("userType", ""),
                source=_read_known_source(form),
                website=form.get("berth"),
                attribution=_read_attribution(request),
                invitation=_read_invitation(request),
                language=get_language(),
            )
        except ApiError as error:
            return _render_form_page(request, error)
        except DatabaseFailure as error:
            if not is_database_unavailable(error):
                raise
            outages.report(error)
            return _render_form_page(request, Unavailable())
        return HttpResponseRedirect(f"{reverse('newsletter:subscribed')}?lang={get_language()}")


def _is_cross_site(request: HttpRequest) -> bool:
    """Return whether the browser says that another site sent the form; old browsers may say nothing."""
    site = request.headers.get("Sec-Fetch-Site")
    if site:
        return site not in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is not None and origin != f"{request.scheme}://{request.get_host()}"


def _read_known_source(form: QueryDict) -> str:
    """Return the landing page that the form names; an unknown one counts as none."""
    source = form.get("source", "")
    return source if source in Source.values else ""


def _read_attribution(request: HttpRequest) -> dict[str, str]:
    """Return where the visitor came from, by the hidden fields, or else by the tags in the form's address.

    The React page fills in the fields. Without JavaScript they are missing.
    """
    form, address = request.POST, _get_address_query(request)
    given = {name: form.get(to_camel_case(name)) or address.get(name) for name in ATTRIBUTION_FIELDS}
    return clean_attribution(given)


def _read_invitation(request: HttpRequest) -> str:
    """Return the code of the link by which a reader invited the visitor, as it came; blank without one."""
    return request.POST.get("invitation") or _get_address_query(request).get("invitation", "")


def _get_address_query(request: HttpRequest) -> QueryDict:
    """Return the query of the form's address, which the browser names as referrer."""
    return QueryDict(request.headers.get("Referer", "").partition("?")[2])


def _render_form_page(request: HttpRequest, error: ApiError) -> HttpResponse:
    """Render the form with its values and the error."""
    form, came_from, invitation = request.POST, _read_attribution(request), _read_invitation(request)
    about_email = isinstance(error, BadUserInput) and error.extensions["field"] == "email"
    context = {
        "error": error.message,
        "about_email": about_email,
        "email": form.get("email", ""),
        "user_type": form.get("userType") if form.get("userType") in UserType.values else UserType.SAILOR,
        "source": _read_known_source(form),
        "hidden_fields": {
            **{to_camel_case(name): value for name, value in came_from.items() if value},
            **({"invitation": invitation} if invitation else {}),
        },
        "statement": STATEMENT,
    }
    status = 422 if isinstance(error, BadUserInput) else error.status
    page = render_to_string("newsletter/subscribe.html", context)
    return HttpResponse(page, status=status, headers=error.headers)
