"""The newsletter in GraphQL: translates, calls the service, answers."""

import uuid
from typing import Any

import graphene
from django.utils import timezone
from django.utils.translation import gettext as _

from newsletter import services


class NewsletterSubscription(graphene.ObjectType):
    """The subscription that was just asked for. It says nothing about earlier ones of the address."""

    id = graphene.ID(required=True, description="An id of this request; it names nothing that is stored.")
    email = graphene.String(required=True, description="The address, in lower case.")
    user_type = graphene.String(required=True, description="`sailor` or `company`.")
    is_active = graphene.Boolean(required=True, description="Always true for a request.")
    is_confirmed = graphene.Boolean(
        required=True, description="Always false for a request: the owner confirms by mail."
    )
    created_at = graphene.DateTime(required=True, description="The time of the request.")
    source = graphene.String(description="The landing page that the visitor came from, if any.")


class SubscribeNewsletterInput(graphene.InputObjectType):
    """What the form sends."""

    email = graphene.String(required=True, description="At most 254 characters.")
    user_type = graphene.String(required=True, description="`sailor` or `company`.")
    source = graphene.String(
        description="`landing-sailors` or `landing-companies`: where the visitor came from."
    )
    website = graphene.String(description="A field that no person sees; who fills it in is a program.")
    fill_time = graphene.Int(description="Milliseconds from showing the form to sending it.")


class SubscribeNewsletter(graphene.Mutation):
    """Ask for the newsletter. The answer is the same whether or not the address is on the list."""

    class Meta:
        name = "SubscribeNewsletterPayload"

    class Arguments:
        input = SubscribeNewsletterInput(required=True, description="What the form sends.")

    success = graphene.Boolean(required=True, description="Whether the request was taken.")
    message = graphene.String(required=True, description="What to tell the visitor, in their language.")
    subscription = graphene.Field(NewsletterSubscription, description="The request, as it was understood.")

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo, input: Any) -> "SubscribeNewsletter":
        request = services.submit_subscription(
            info.context,
            email=input.email,
            user_type=input.user_type,
            source=input.get("source"),
            website=input.get("website"),
            fill_time=input.get("fill_time"),
        )
        return SubscribeNewsletter(
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


class Mutation(graphene.ObjectType):
    """What can be done about the newsletter."""

    subscribe_newsletter = SubscribeNewsletter.Field(required=True)
