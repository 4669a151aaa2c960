"""Members in GraphQL."""

from typing import Any

import graphene
from graphene_django import DjangoObjectType

from accounts import models
from sailing.errors import Unauthenticated


class User(DjangoObjectType):
    """A member, as they see themselves (spec section 3)."""

    class Meta:
        model = models.User
        fields = (
            "id",
            "email",
            "first_name",
            "last_name",
            "nickname",
            "phone",
            "nationality",
            "is_email_verified",
            "avatar",
            "created_at",
            "updated_at",
        )


class Query(graphene.ObjectType):
    """What can be read about members."""

    me = graphene.Field(User, required=True, description="The member whose token came with the request.")

    @staticmethod
    def resolve_me(root: None, info: graphene.ResolveInfo) -> Any:
        if not info.context.user.is_authenticated:
            raise Unauthenticated
        return info.context.user
