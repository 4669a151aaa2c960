"""GraphQL fields of the newsletter: translate, call the service, answer."""

import uuid
from typing import Any

import graphene
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from newsletter.services import preferences, subscriptions
from sailing.graphql.view import member_required


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


class SubscribeNewsletterInput(graphene.InputObjectType):
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
    utm_source = graphene.String(description="The `utm_source` of the first address, at most 64 characters.")
    utm_medium = graphene.String(description="The `utm_medium` of the first address, at most 64 characters.")
    utm_campaign = graphene.String(
        description="The `utm_campaign` of the first address, at most 64 characters."
    )
    referrer = graphene.String(description="The host of the page that linked to this site.")


class SubscribeNewsletterPayload(graphene.ObjectType):
    """Subscribe to the newsletter. The answer is the same whether or not the address is subscribed."""

    success = graphene.Boolean(required=True, description="Whether the request was accepted.")
    message = graphene.String(required=True, description="A message for the visitor, in their language.")
    subscription = graphene.Field(NewsletterSubscription, description="The request.")


class Query(graphene.ObjectType):
    """Queries of the newsletter."""

    newsletter_settings_url = graphene.String(
        description="The link to the page on which the signed-in member changes what the newsletter brings."
        " Null unless the address is verified and gets the newsletter."
    )

    @staticmethod
    @member_required
    def resolve_newsletter_settings_url(root: None, info: graphene.ResolveInfo) -> str | None:
        return preferences.get_settings_url(
            client=info.context.client, user=info.context.user, language=get_language()
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

    @staticmethod
    def resolve_subscribe_newsletter(
        root: None, info: graphene.ResolveInfo, input: Any
    ) -> SubscribeNewsletterPayload:
        names = ("email", "user_type", "source", "website", "fill_time", "invitation")
        request = subscriptions.subscribe(
            client=info.context.client,
            **{name: input.get(name) for name in names},
            attribution=input,
            language=get_language(),
        )
        return SubscribeNewsletterPayload(
            success=True,
            message=_("Check your email for a welcome message."),
            subscription=NewsletterSubscription(
                id=uuid.uuid4(),
                email=request["email"],
                user_type=request["user_type"],
                is_active=True,
                is_confirmed=False,
                created_at=timezone.now(),
                source=request["source"] or None,
            ),
        )
