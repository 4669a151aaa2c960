"""GraphQL fields of the newsletter: translate, call the service, answer."""

import uuid
from typing import Any

import graphene
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from newsletter.services import preferences, subscriptions
from sailing.graphql.attribution import AttributionInput
from sailing.graphql.authentication import member_required


class NewsletterSubscription(graphene.ObjectType):
    """The request that was just made. It tells nothing about an existing subscription."""

    id = graphene.ID(required=True, description="An id of this request; no stored row has it.")
    email = graphene.String(required=True, description="The address, in lower case.")
    user_type = graphene.String(required=True, description="`sailor` or `company`.")
    is_active = graphene.Boolean(required=True, description="Always true for a request.")
    is_confirmed = graphene.Boolean(
        required=True, description="Always false for a request: the owner confirms by mail."
    )
    created_at = graphene.DateTime(required=True, description="The time of the request.")
    source = graphene.String(description="The landing page that the visitor came from, if any.")


class SubscribeNewsletterInput(AttributionInput, graphene.InputObjectType):
    """The values of the form."""

    email = graphene.String(required=True, description="At most 254 characters.")
    user_type = graphene.String(required=True, description="`sailor` or `company`.")
    source = graphene.String(
        description="The landing page that the visitor came from: `landing-sailors` or `landing-companies`."
    )
    website = graphene.String(description="The honeypot: a field that is hidden from people.")
    fill_time = graphene.Int(description="Milliseconds from showing the form to sending it.")
    invitation = graphene.String(
        description="The code of the link by which a reader invited the visitor. An unknown one is ignored."
    )


class SubscribeNewsletterPayload(graphene.ObjectType):
    """Subscribe to the newsletter. The answer is the same whether or not the address is subscribed."""

    success = graphene.Boolean(required=True, description="Whether the request was accepted.")
    message = graphene.String(required=True, description="A message for the visitor, in their language.")
    subscription = graphene.Field(NewsletterSubscription, description="The request.")


class NewsletterInterest(graphene.ObjectType):
    """What readers can be interested in."""

    id = graphene.ID(required=True, description="For `interests` of the input.")
    name = graphene.String(required=True, description="Its name in the language of the request.")
    is_chosen = graphene.Boolean(required=True, description="Whether the member has chosen it.")


class NewsletterPreferences(graphene.ObjectType):
    """The newsletters of the signed-in member's address. Empty for an unverified address."""

    is_email_verified = graphene.Boolean(
        required=True, description="Whether the address is verified. Otherwise the lists are empty."
    )
    audiences = graphene.List(
        graphene.NonNull(graphene.String),
        required=True,
        description="The newsletters that the address gets: `sailor`, `company`.",
    )
    pending_audiences = graphene.List(
        graphene.NonNull(graphene.String),
        required=True,
        description="Newsletters that were requested and that the owner has not confirmed yet.",
    )
    language = graphene.String(required=True, description="The language of the mails: `en` or `cs`.")
    paused_until = graphene.DateTime(description="No newsletter is sent before; null without a pause.")
    interests = graphene.List(
        graphene.NonNull(NewsletterInterest),
        required=True,
        description="The interests that readers can choose, in their order. It may be empty.",
    )

    @staticmethod
    def resolve_interests(
        root: preferences.Preferences, info: graphene.ResolveInfo
    ) -> list[NewsletterInterest]:
        return [
            NewsletterInterest(id=interest.pk, name=str(interest), is_chosen=is_chosen)
            for interest, is_chosen in root.interests
        ]


class NewsletterPreferencesInput(graphene.InputObjectType):
    """The newsletters to send to the address from now on."""

    audiences = graphene.List(
        graphene.NonNull(graphene.String),
        required=True,
        description="`sailor`, `company`, both, or none to unsubscribe from everything.",
    )
    language = graphene.String(required=True, description="`en` or `cs`.")
    pause_days = graphene.Int(description="30 or 90 pauses, 0 resumes, null leaves a pause as it is.")
    interests = graphene.List(
        graphene.NonNull(graphene.ID),
        description="All interests that the member chooses; null leaves them as they are.",
    )
    reason = graphene.String(
        description="Why the member leaves: `too-many`, `not-for-me`, `not-requested` or `other`."
    )
    comment = graphene.String(description="More about the reason; at most 500 characters.")


class Query(graphene.ObjectType):
    """Queries of the newsletter."""

    newsletter_preferences = graphene.Field(
        NewsletterPreferences, required=True, description="What the address of the signed-in member gets."
    )

    @staticmethod
    @member_required
    def resolve_newsletter_preferences(root: None, info: graphene.ResolveInfo) -> preferences.Preferences:
        return preferences.get_member_preferences(
            client=info.context.client, user=info.context.user, page_language=get_language()
        )


class Mutation(graphene.ObjectType):
    """Mutations of the newsletter."""

    subscribe_newsletter = graphene.Field(
        SubscribeNewsletterPayload,
        required=True,
        input=graphene.Argument(
            SubscribeNewsletterInput, required=True, description="The values of the form."
        ),
        description="Subscribe to the newsletter. The answer is the same whether or not the address is"
        " subscribed.",
    )
    update_newsletter_preferences = graphene.Field(
        NewsletterPreferences,
        required=True,
        input=graphene.Argument(
            NewsletterPreferencesInput, required=True, description="All of the preferences."
        ),
        description="Change the newsletters of the signed-in member. A new one needs no mail to confirm.",
    )

    @staticmethod
    def resolve_subscribe_newsletter(
        root: None, info: graphene.ResolveInfo, input: Any
    ) -> SubscribeNewsletterPayload:
        request = subscriptions.subscribe(
            client=info.context.client,
            email=input.email,
            user_type=input.user_type,
            source=input.get("source"),
            website=input.get("website"),
            fill_time=input.get("fill_time"),
            attribution=input,
            invitation=input.get("invitation"),
            language=get_language(),
        )
        return SubscribeNewsletterPayload(
            success=True,
            message=_("Check your email for a welcome message."),
            subscription=NewsletterSubscription(
                id=uuid.uuid4(),
                email=request.email,
                user_type=request.user_type,
                is_active=True,
                is_confirmed=False,
                created_at=timezone.now(),
                source=request.source,
            ),
        )

    @staticmethod
    @member_required
    def resolve_update_newsletter_preferences(
        root: None, info: graphene.ResolveInfo, input: Any
    ) -> preferences.Preferences:
        return preferences.change_member_preferences(
            client=info.context.client,
            user=info.context.user,
            page_language=get_language(),
            audiences=input.audiences,
            language=input.language,
            pause_days=input.get("pause_days"),
            interests=input.get("interests"),
            reason=input.get("reason") or "",
            comment=input.get("comment") or "",
        )
