"""Members in GraphQL."""

from typing import Any

import graphene
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language
from graphene_django import DjangoObjectType

from accounts import device_cookie, models, services, tokens
from accounts.errors import InvalidCredentials
from accounts.validation import validated_credentials
from sailing.errors import Unauthenticated
from sailing.graphql.authentication import get_bearer_token
from sailing.ratelimit.limits import check_rate, limit_failures

MEMBER_RATE = "30/m"
"""Of each mutation for members; far more than a person needs."""


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


class AuthResult(graphene.ObjectType):
    """What signing up and signing in give (spec section 3)."""

    token = graphene.String(required=True, description="Goes into the header `Authorization: Bearer`.")
    user = graphene.Field(User, required=True, description="The member whom the token names.")


class SignUpInput(graphene.InputObjectType):
    """What the sign-up form sends."""

    first_name = graphene.String(required=True, description="2 to 150 characters.")
    last_name = graphene.String(required=True, description="2 to 150 characters.")
    email = graphene.String(required=True, description="At most 254 characters.")
    password = graphene.String(
        required=True,
        description="8 to 128 characters, with a lowercase, an uppercase letter, a number, one of @$!%*?&.",
    )
    captain_license = graphene.Boolean(description="Whether the member has a captain license.")
    captain_license_number = graphene.String(description="2 to 64 characters; needed with a license.")
    favorite_position = graphene.String(description="One of the 14 positions, or nothing.")


class SignInInput(graphene.InputObjectType):
    """What the sign-in form sends."""

    email = graphene.String(required=True, description="In any letter case.")
    password = graphene.String(required=True, description="6 to 128 characters.")


class UpdateProfileInput(graphene.InputObjectType):
    """What of a profile is to change; what is not given, or null, stays."""

    first_name = graphene.String(description="2 to 150 characters.")
    last_name = graphene.String(description="2 to 150 characters.")
    nickname = graphene.String(description="At most 150 characters; a blank one is none.")
    phone = graphene.String(
        description="At most 32 characters: a plus perhaps, then at least 10 digits, spaces, hyphens or"
        " parentheses; a blank one is none."
    )
    nationality = graphene.String(description="At most 150 characters; a blank one is none.")


class SignUp(graphene.Mutation):
    """Become a member. A mail asks to verify the address; the token works at once."""

    class Arguments:
        input = SignUpInput(required=True, description="What the form sends.")

    Output = AuthResult

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo, input: Any) -> AuthResult:
        check_rate(info.context, group="sign-up", rate=settings.SIGNUP_RATE)
        user = services.sign_up(values=input, language=get_language())
        return _signed_in(info.context, user)


class SignIn(graphene.Mutation):
    """Sign in. An unknown email and a wrong password are told in the same words."""

    class Arguments:
        input = SignInInput(required=True, description="What the form sends.")

    Output = AuthResult

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo, input: Any) -> AuthResult:
        credentials = validated_credentials(email=input.email, password=input.password)
        with limit_failures(
            info.context,
            group="sign-in",
            rate=settings.SIGNIN_RATE,
            value=credentials.email,
            failure=InvalidCredentials,
        ):
            user = services.sign_in(credentials=credentials)
        return _signed_in(info.context, user)


class UpdateProfile(graphene.Mutation):
    """Change one's own profile."""

    class Arguments:
        input = UpdateProfileInput(required=True, description="What is to change.")

    Output = User

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo, input: Any) -> models.User:
        check_rate(info.context, group="update-profile", rate=MEMBER_RATE)
        return services.update_profile(user=_member(info.context), values=input)


class Logout(graphene.Mutation):
    """Make the token that came with the request useless."""

    Output = graphene.Boolean

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo) -> bool:
        check_rate(info.context, group="logout", rate=MEMBER_RATE)
        services.sign_out(token=get_bearer_token(info.context))
        return True


class ResendVerification(graphene.Mutation):
    """Send the verification mail again. False: the address is verified already."""

    Output = graphene.Boolean

    @staticmethod
    def mutate(root: None, info: graphene.ResolveInfo) -> bool:
        check_rate(info.context, group="resend-verification", rate=MEMBER_RATE)
        return services.resend_verification(user=_member(info.context))


class Query(graphene.ObjectType):
    """What can be read about members."""

    me = graphene.Field(User, required=True, description="The member whose token came with the request.")

    @staticmethod
    def resolve_me(root: None, info: graphene.ResolveInfo) -> models.User:
        return _member(info.context)


class Mutation(graphene.ObjectType):
    """What can be done about members."""

    sign_up = SignUp.Field(required=True)
    sign_in = SignIn.Field(required=True)
    update_profile = UpdateProfile.Field(required=True)
    logout = Logout.Field(required=True)
    resend_verification = ResendVerification.Field(required=True)


def _signed_in(request: HttpRequest, user: models.User) -> AuthResult:
    """Give a new token. A browser that may yet verify the address remembers it."""
    token = tokens.issue(user)
    if not user.is_email_verified:
        device_cookie.remember(request, token)
    return AuthResult(token=token, user=user)


def _member(request: HttpRequest) -> models.User:
    """The member who asks. Raises Unauthenticated."""
    user = request.user
    if not isinstance(user, models.User):
        raise Unauthenticated
    return user
