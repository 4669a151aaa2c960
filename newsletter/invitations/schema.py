"""GraphQL fields of invitations: translate, call the service, answer."""

from typing import Any

import graphene

from newsletter.invitations import services
from sailing.graphql.authentication import member_required


class InvitationMilestone(graphene.ObjectType):
    """What a number of people brings."""

    threshold = graphene.Int(required=True, description="How many people have to come.")
    name = graphene.String(required=True, description="What it brings, in the language of the request.")


class Invitation(graphene.ObjectType):
    """The invitation link of a subscriber. It names nobody who came by it."""

    url = graphene.String(required=True, description="The link to pass on.")
    count = graphene.Int(
        required=True, description="How many people came by it, confirmed a day ago and are still subscribed."
    )
    milestones = graphene.List(
        graphene.NonNull(InvitationMilestone),
        required=True,
        description="What the number brings, the lowest first.",
    )


class Query(graphene.ObjectType):
    """Queries of invitations."""

    invitation = graphene.Field(
        Invitation,
        description="The invitation link of the signed-in member. Null unless the address is verified and"
        " gets the newsletter, and while invitations are turned off.",
    )

    @staticmethod
    @member_required
    def resolve_invitation(root: None, info: graphene.ResolveInfo) -> Any:
        return services.get_member_summary(client=info.context.client, user=info.context.user)
