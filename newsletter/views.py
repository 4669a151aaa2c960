"""Pages behind the links in newsletter mails, and the newsletter form without JavaScript."""

from http import HTTPStatus
from typing import Any

from django.db import Error as DatabaseFailure
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from graphene.utils.str_converters import to_camel_case

from newsletter import models, tokens
from newsletter.forms import InterestsForm, LeavingForm, PreferencesForm
from newsletter.services import preferences, subscriptions
from sailing import database
from sailing.attribution import ATTRIBUTION_FIELDS
from sailing.client import choose_language, current_client
from sailing.errors import ApiError, BadUserInput, Unavailable, is_database_unavailable
from sailing.input_limits import refused_body_status
from sailing.mail.links import MAX_BODY_BYTES, LinkPage, LinkStatus
from sailing.ratelimit.limits import check_key_rate

SAVE_RATE = "30/h"  # for saving preferences, which adds consent events

HIDDEN_FIELDS = (*ATTRIBUTION_FIELDS, "invitation")
"""The fields that the script of the form fills in from its address."""


class ConfirmPage(LinkPage):
    """Confirm a subscription, or send a new link in place of an expired one. Then ask for interests."""

    model = models.SubscriptionLink
    purpose = models.LinkPurpose.CONFIRM
    templates = {
        LinkStatus.OPEN: "newsletter/confirm.html",
        LinkStatus.DONE: "newsletter/confirmed.html",
        LinkStatus.EXPIRED: "newsletter/expired.html",
        LinkStatus.RENEWED: "links/renewed.html",
        LinkStatus.SPENT: "newsletter/spent.html",
        LinkStatus.DISOWNED: "newsletter/disowned.html",
        LinkStatus.BLOCKED: "links/blocked.html",
    }
    context = {"statement": models.STATEMENT}

    def submit(self, token: str, status: LinkStatus) -> HttpResponse:
        if status is not LinkStatus.DONE or "interests" not in self.request.POST:
            return self.render(self._perform(token))
        form = InterestsForm(self.request.POST)
        if not form.is_valid():
            return self.render(status, is_refused=True)
        keys = form.cleaned_data["interest"]
        preferences.choose_interests(subscription=self.link.subscription, keys=keys)
        # Gone, if the subscription was erased meanwhile.
        return self.render(self.get_status(token), is_saved=True)

    def _perform(self, token: str) -> LinkStatus:
        if "not_me" in self.request.POST and self.link.status is not LinkStatus.DONE:
            return subscriptions.disown(pk=self.link.subscription_id, language=self.language)
        if "renew" in self.request.POST:
            return subscriptions.renew_link(token=token)
        subscriptions.confirm(client=current_client.get(), token=token, language=self.language)
        return self.get_status(token)

    def render(self, status: LinkStatus, **context: object) -> HttpResponse:
        if status is LinkStatus.DONE:
            from newsletter.campaigns.views import list_issues  # a nested app imports this one

            subscription = self.link.subscription
            stored = preferences.get_preferences(email=subscription.email)
            context |= {
                "form": InterestsForm(initial={"interest": stored.interests}, auto_id=False),
                "paused_until": subscription.paused_until if subscription.is_paused else None,
                "invitation": _get_invitation(subscription.email),
                "has_issues": list_issues().exists(),
            }
        return super().render(status, **context)


class ManagePage(LinkPage):
    """What an address gets: the button to unsubscribe, also as one click (RFC 8058), and the preferences.

    `link` is the subscription that the token names; `delivery`, if any, the key of the campaign's mail.
    """

    templates = {
        LinkStatus.OPEN: "newsletter/manage.html",
        LinkStatus.DONE: "newsletter/manage.html",
        LinkStatus.SPENT: "newsletter/erased.html",
        LinkStatus.DISOWNED: "newsletter/erased.html",
        LinkStatus.BLOCKED: "links/blocked.html",
    }
    context = {
        "statement": models.STATEMENT,
        "reasons": models.LeavingReason.choices,
        "comment_length": models.ConsentEvent.COMMENT_LENGTH,
    }
    delivery: int | None

    def get_status(self, token: str) -> LinkStatus:
        names = tokens.read(token)
        pk, self.delivery = names or (None, None)
        self.link = models.Subscription.objects.filter(pk=pk).first() if pk else None
        self.language = choose_language(self.request, self.link.language if self.link else "")
        if self.link is None:
            return LinkStatus.SPENT if names else LinkStatus.UNKNOWN
        return LinkStatus.DONE if self.link.has_ended else LinkStatus.OPEN

    def submit(self, token: str, status: LinkStatus) -> HttpResponse:
        if status is LinkStatus.SPENT:
            return self.render(status)
        form = self.request.POST
        context: dict[str, object] = {}
        if "not_me" in form and self.delivery is None:  # no campaign offers it
            return self.render(subscriptions.disown(pk=self.link.pk, language=self.language))
        if "reason" in form or "comment" in form:
            leaving = LeavingForm(form)
            with translation.override(self.language):
                leaving.full_clean()
            if leaving.errors:
                response = self.render(status, leaving=leaving)
                response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
                return response
            if status is LinkStatus.DONE:  # otherwise subscribed again since
                subscriptions.explain(pk=self.link.pk, language=self.language, **leaving.cleaned_data)
                context["is_explained"] = bool(leaving.cleaned_data["reason"])
        elif "preferences" in form:
            context = self._save(form)
        elif "everything" in form or ("List-Unsubscribe" in form and self._is_mail_to_all()):
            self._change(audiences=())
        else:
            subscriptions.unsubscribe(pk=self.link.pk, language=self.language, delivery=self.delivery)
        # Gone, if the subscription was erased meanwhile.
        return self.render(self.get_status(token), **context)

    def _is_mail_to_all(self) -> bool:
        """Return whether the mail went to every audience, which its List-Id names."""
        delivery = self.link.deliveries.filter(pk=self.delivery).select_related("campaign__segment").first()
        return delivery is not None and not delivery.campaign.audience

    def _save(self, posted: QueryDict) -> dict[str, object]:
        form = PreferencesForm(posted)
        if form.errors.keys() - {"interest"}:
            return {"is_refused": True}
        check_key_rate(self.link.pk, group="preferences", rate=SAVE_RATE)
        values = form.cleaned_data
        before = preferences.get_preferences(email=self.link.email).audiences
        refused = self._change(
            # Who gets nothing, and ticks nothing, does not mean to end what they have not confirmed yet.
            audiences=values["audience"] if values["audience"] or before else None,
            mail_language=values["language"],
            pause_days=values["pause"],
            interests=values.get("interest"),  # stay, if one of them is no longer offered
        )
        return {
            "is_saved": True,
            "is_refused": bool(form.errors),
            "was_subscribed": bool(before),
            "refused": refused,
            "is_asked": bool({*values["audience"]} - {*before, *refused}),
        }

    def _change(self, **choice: Any) -> list[str]:
        return preferences.change_preferences(
            subscription=self.link, language=self.language, delivery=self.delivery, **choice
        )

    def render(self, status: LinkStatus, **context: Any) -> HttpResponse:
        if status not in (LinkStatus.OPEN, LinkStatus.DONE):
            return super().render(status, **context)
        stored = preferences.get_preferences(email=self.link.email)
        context |= {
            "has_ended": status is LinkStatus.DONE,
            "has_others": bool({*stored.audiences, *stored.pending_audiences} - {self.link.user_type}),
            "may_explain": subscriptions.may_explain(self.link),
            "preferences": stored,
            "form": PreferencesForm(
                auto_id=False,
                is_paused=bool(stored.paused_until),
                initial={
                    "audience": stored.audiences,
                    "language": self.link.language,
                    "pause": "",
                    "interest": stored.interests,
                },
            ),
            "email": self.link.email,
            "invitation": _get_invitation(self.link.email),
        }
        if self.delivery is not None:
            context["is_not_me"] = False
        return super().render(status, **context)


def _get_invitation(email: str) -> Any:
    """Return the invitation link of the subscriber with an address, and what it has brought."""
    from newsletter.invitations.services import get_summary  # a nested app imports this one

    return get_summary(email=email)


# No CSRF token: the form's page is prerendered for everyone, and a request needs no session or account. To
# keep another site from making its visitors' browsers subscribe strangers past the rate limit, the fetch
# metadata is checked (OWASP CSRF Prevention Cheat Sheet, "Fetch Metadata", "Verifying Origin").
@method_decorator([csrf_exempt, never_cache], name="dispatch")
class SubscribePage(View):
    """Take the newsletter form as a browser posts it without JavaScript, or before it has loaded."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the form, for example after a language switch on the error page."""
        return redirect(f"/newsletter?lang={get_language()}")

    def post(self, request: HttpRequest) -> HttpResponse:
        if status := _get_refusal(request):
            template = "403.html" if status == HTTPStatus.FORBIDDEN else "400.html"
            return render(request, template, status=status)
        values = _read_values(request)
        error: ApiError
        try:
            named: dict[str, Any] = {
                name: values[name] for name in ("email", "user_type", "source", "website", "invitation")
            }
            subscriptions.subscribe(
                client=current_client.get(), **named, attribution=values, language=get_language()
            )
            return redirect(f"{reverse('newsletter:subscribed')}?lang={get_language()}")
        except ApiError as refusal:
            error = refusal
        except DatabaseFailure as failure:
            if not is_database_unavailable(failure):
                raise
            database.report_outage(failure)
            error = Unavailable()
        context = {
            "errors": [error.message],
            "about_email": error.extensions.get("field") == "email",
            "values": values,
            "hidden_fields": {to_camel_case(name): values[name] for name in HIDDEN_FIELDS if values[name]},
            "user_types": models.UserType.choices,
            "statement": models.STATEMENT,
        }
        return TemplateResponse(
            request,
            "newsletter/subscribe.html",
            context,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(error, BadUserInput) else error.status,
            headers=error.headers,
        )


def _get_refusal(request: HttpRequest) -> HTTPStatus | None:
    """Return the status that refuses a request before its values are read."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    # Old browsers may say neither.
    own = f"{request.scheme}://{request.get_host()}"
    if site not in ("same-origin", "none") if site else origin not in (None, own):
        return HTTPStatus.FORBIDDEN
    return refused_body_status(request, limit=MAX_BODY_BYTES)


def _read_values(request: HttpRequest) -> dict[str, str]:
    """Return the values of the form. An unknown source counts as none.

    Its script fills in the hidden fields. Without, they come from the form's address, which the browser names
    as referrer.
    """
    form, address = request.POST, QueryDict(request.headers.get("Referer", "").partition("?")[2])
    source = form.get("source", "")
    return {
        "email": form.get("email", ""),
        "user_type": form.get("userType", ""),
        "source": source if source in models.Source.values else "",
        "website": form.get("berth", ""),
        **{name: form.get(to_camel_case(name)) or address.get(name, "") for name in HIDDEN_FIELDS},
    }
