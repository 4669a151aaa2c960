"""GraphQL fields of the newsletter: translate, call the service, answer."""

import uuid
from typing import Any

import graphene
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from newsletter import services


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


class SubscribeNewsletter(graphene.Mutation):
    """Subscribe to the newsletter. The answer is the same whether or not the address is subscribed."""

    class Meta:
        name = "SubscribeNewsletterPayload"

    class Arguments:
        input = SubscribeNewsletterInput(required=True, description="The values of the form.")

    success = graphene.Boolean(required=True, description="Whether the request was accepted.")
    message = graphene.String(required=True, description="A message for the visitor, in their language.")
    subscription = graphene.Field(NewsletterSubscription, description="The request.")

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo, input: Any) -> "SubscribeNewsletter":
        request = services.subscribe(
            request=info.context,
            email=input.email,
            user_type=input.user_type,
            source=input.get("source"),
            website=input.get("website"),
            fill_time=input.get("fill_time"),
            language=get_language(),
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
    """Mutations of the newsletter."""

    subscribe_newsletter = SubscribeNewsletter.Field(required=True)
