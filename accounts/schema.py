"""GraphQL fields of members: translate, call the service, answer."""

from typing import Any

import graphene
from django.http import HttpRequest
from django.utils.translation import get_language
from graphene_django import DjangoObjectType

from accounts import device_cookie, models, services, tokens
from sailing.graphql.authentication import get_bearer_token


class User(DjangoObjectType):
    """The signed-in member (spec section 3)."""

    class Meta:
        model = models.User
        fields = (
            "id",
            "email",
            *models.User.PROFILE_FIELDS,
            "is_email_verified",
            "avatar",
            "created_at",
            "updated_at",
        )


class AuthResult(graphene.ObjectType):
    """The answer to signing up and signing in (spec section 3)."""

    token = graphene.String(required=True, description="Value for the header `Authorization: Bearer`.")
    user = graphene.Field(User, required=True, description="The owner of the token.")


class SignUpInput(graphene.InputObjectType):
    """The values of the sign-up form."""

    first_name = graphene.String(required=True, description="2 to 150 characters.")
    last_name = graphene.String(required=True, description="2 to 150 characters.")
    email = graphene.String(required=True, description="At most 254 characters.")
    password = graphene.String(
        required=True,
        description="8 to 128 characters, with lower and upper case, a number and one of @$!%*?&.",
    )
    captain_license = graphene.Boolean(description="Whether the member has a captain license.")
    captain_license_number = graphene.String(description="2 to 64 characters; needed with a license.")
    favorite_position = graphene.String(description="One of the 14 positions, or blank.")


class SignInInput(graphene.InputObjectType):
    """The values of the sign-in form."""

    email = graphene.String(required=True, description="In any letter case.")
    password = graphene.String(required=True, description="6 to 128 characters.")


def _profile_input(name: str) -> graphene.String:
    limit = models.User.get_max_length(name)
    rules = {
        "first_name": "2 to 150 characters.",
        "last_name": "2 to 150 characters.",
        "phone": "At most 32 characters: an optional plus, then at least 10 digits, spaces, hyphens or"
        " parentheses; blank clears it.",
    }
    return graphene.String(description=rules.get(name, f"At most {limit} characters; blank clears it."))


UpdateProfileInput = type(
    "UpdateProfileInput",
    (graphene.InputObjectType,),
    {
        "__doc__": "The profile fields to change. A missing or null field stays as it is.",
        **{name: _profile_input(name) for name in models.User.PROFILE_FIELDS},
    },
)


class SignUp(graphene.Mutation):
    """Create a member and send a verification mail. The token is valid at once."""

    class Arguments:
        input = SignUpInput(required=True, description="The values of the form.")

    Output = AuthResult

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo, input: Any) -> AuthResult:
        user = services.sign_up(request=info.context, values=input, language=get_language())
        return _issue_token(info.context, user)


class SignIn(graphene.Mutation):
    """Sign in. An unknown email and a wrong password get the same error."""

    class Arguments:
        input = SignInInput(required=True, description="The values of the form.")

    Output = AuthResult

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo, input: Any) -> AuthResult:
        user = services.sign_in(request=info.context, email=input.email, password=input.password)
        return _issue_token(info.context, user)


class UpdateProfile(graphene.Mutation):
    """Change the profile of the signed-in member."""

    class Arguments:
        input = UpdateProfileInput(required=True, description="The fields to change.")

    Output = User

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo, input: Any) -> models.User:
        request = info.context
        return services.update_profile(request=request, user=request.user, values=input)


class Logout(graphene.Mutation):
    """Revoke the token of the request."""

    Output = graphene.Boolean

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo) -> bool:
        services.sign_out(request=info.context, token=get_bearer_token(info.context))
        return True


class ResendVerification(graphene.Mutation):
    """Send the verification mail again. False if the address is verified already."""

    Output = graphene.Boolean

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo) -> bool:
        return services.resend_verification(request=info.context, user=info.context.user)


class Query(graphene.ObjectType):
    """Queries about members."""

    me = graphene.Field(User, required=True, description="The owner of the request's token.")

    @staticmethod
    def resolve_me(root: None, info: graphene.ResolveInfo) -> models.User:
        return services.require_member(info.context.user)


class Mutation(graphene.ObjectType):
    """Mutations of members."""

    sign_up = SignUp.Field(required=True)
    sign_in = SignIn.Field(required=True)
    update_profile = UpdateProfile.Field(required=True)
    logout = Logout.Field(required=True)
    resend_verification = ResendVerification.Field(required=True)


def _issue_token(request: HttpRequest, user: models.User) -> AuthResult:
    """Answer with a new token, and remember the browser of a member who has yet to verify the address."""
    token = tokens.issue(user)
    if not user.is_email_verified:
        device_cookie.remember(request, token)
    return AuthResult(token=token, user=user)
