"""GraphQL fields of members: translate, call the service, answer."""

from typing import Any

import graphene
from django.utils.translation import get_language
from graphene_django import DjangoObjectType

from accounts import models, tokens
from accounts.services import credentials, links, membership, sign_in
from sailing.graphql.view import Context, member_required


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

    is_email_undeliverable = graphene.Boolean(
        required=True,
        description="Whether a mail server refused the address for good.",
        resolver=lambda member, _info: member.email_undeliverable_at is not None,
    )


class Account(graphene.ObjectType):
    """What only the signed-in member may know about the account."""

    pending_email = graphene.String(description="The new address that is still to be confirmed, if any.")
    pending_email_expires_at = graphene.DateTime(description="When the link in the mail to it expires.")


class PersonalData(graphene.ObjectType):
    """Everything that is stored about the signed-in member, as two documents with the same content.

    Data about newsletters is included only if the email is verified.
    """

    json = graphene.String(required=True, description="A JSON document.")
    html = graphene.String(
        required=True, description="A page in the language of the request, which needs no other file."
    )


class AuthResult(graphene.ObjectType):
    """The answer to signing up, signing in (spec section 3) and changing the password."""

    token = graphene.String(required=True, description="Value for the header `Authorization: Bearer`.")
    user = graphene.Field(User, required=True, description="The owner of the token.")


class SignUpInput(graphene.InputObjectType):
    """The values of the sign-up form."""

    first_name = graphene.String(required=True, description="2 to 150 characters.")
    last_name = graphene.String(required=True, description="2 to 150 characters.")
    email = graphene.String(required=True, description="At most 254 characters.")
    password = graphene.String(
        required=True, description="8 to 128 characters: lower and upper case, a number, one of @$!%*?&."
    )
    captain_license = graphene.Boolean(description="Whether the member has a captain license.")
    captain_license_number = graphene.String(description="2 to 64 characters; needed with a license.")
    favorite_position = graphene.String(description="One of the 14 positions, or blank.")


class SignInInput(graphene.InputObjectType):
    """The values of the sign-in form."""

    email = graphene.String(required=True, description="In any letter case.")
    password = graphene.String(required=True, description="6 to 128 characters.")


class ChangePasswordInput(graphene.InputObjectType):
    """The values of the form for a new password."""

    current_password = graphene.String(required=True, description="The password until now.")
    new_password = graphene.String(
        required=True, description="By the rules of the sign-up, and not the current password."
    )


class EmailChangeInput(graphene.InputObjectType):
    """The values of the form for a new address."""

    email = graphene.String(required=True, description="The new address, at most 254 characters.")
    current_password = graphene.String(required=True, description="The password of the member.")


class DeleteAccountInput(graphene.InputObjectType):
    """The values of the form that deletes an account."""

    current_password = graphene.String(required=True, description="The password of the member.")
    keep_newsletter = graphene.Boolean(
        required=True, description="Whether subscriptions stay. Those of an unverified address always do."
    )


class UpdateProfileInput(graphene.InputObjectType):
    """The profile fields to change. A missing or null field stays as it is."""

    first_name = graphene.String(description="2 to 150 characters.")
    last_name = graphene.String(description="2 to 150 characters.")
    nickname = graphene.String(description="At most 150 characters; blank clears it.")
    phone = graphene.String(description="At most 32 characters, like +420 (123) 456-789; blank clears it.")
    nationality = graphene.String(description="At most 150 characters; blank clears it.")


class Query(graphene.ObjectType):
    me = graphene.Field(User, required=True, description="The owner of the request's token.")
    account = graphene.Field(Account, required=True, description="The account of the request's member.")
    personal_data = graphene.Field(
        PersonalData, required=True, description="The data of the request's member, at most 10 times an hour."
    )

    @staticmethod
    @member_required
    def resolve_personal_data(root: None, info: graphene.ResolveInfo) -> Any:
        return membership.get_personal_data(info.context.user)

    @staticmethod
    @member_required
    def resolve_account(root: None, info: graphene.ResolveInfo) -> Account:
        pending = credentials.get_pending_email_change(client=info.context.client, user=info.context.user)
        if pending is None:
            return Account()
        return Account(pending_email=pending.email, pending_email_expires_at=pending.expires_at)

    @staticmethod
    @member_required
    def resolve_me(root: None, info: graphene.ResolveInfo) -> Any:
        return info.context.user


def _field(output: Any, form: type[graphene.InputObjectType], description: str) -> graphene.Field:
    """Return a field that takes the values of a form."""
    argument = graphene.Argument(form, required=True, description="The values of the form.")
    return graphene.Field(output, required=True, input=argument, description=description)


class Mutation(graphene.ObjectType):
    sign_up = _field(
        AuthResult, SignUpInput, "Create a member and send a verification mail. The token is valid at once."
    )
    sign_in = _field(
        AuthResult, SignInInput, "Sign in. An unknown email and a wrong password get the same error."
    )
    update_profile = _field(User, UpdateProfileInput, "Change the profile of the signed-in member.")
    logout = graphene.Boolean(required=True, description="Revoke the token of the request.")
    resend_verification = graphene.Boolean(
        required=True, description="Send the verification mail again. False if the address is verified."
    )
    request_password_reset = graphene.Boolean(
        required=True,
        email=graphene.String(required=True, description="In any letter case."),
        description="Mail a link to choose a new password. Always true, with or without such a member.",
    )
    change_password = _field(
        AuthResult, ChangePasswordInput, "Change the password. All sessions end; the answer has a new token."
    )
    request_email_change = _field(
        graphene.Boolean, EmailChangeInput, "Mail a link to a new address, which counts once it is used."
    )
    cancel_email_change = graphene.Boolean(
        required=True, description="Withdraw the pending change of the address. False if there is none."
    )
    delete_account = _field(
        graphene.Boolean, DeleteAccountInput, "Delete the account at once. A verified address gets a mail."
    )
    sign_out_everywhere = graphene.Boolean(
        required=True, description="End all sessions of the signed-in member, this one too."
    )

    @staticmethod
    def resolve_sign_up(root: None, info: graphene.ResolveInfo, input: Any) -> AuthResult:
        user = sign_in.sign_up(client=info.context.client, values=input, language=get_language())
        return _issue_token(info.context, user)

    @staticmethod
    def resolve_sign_in(root: None, info: graphene.ResolveInfo, input: Any) -> AuthResult:
        return _issue_token(info.context, sign_in.sign_in(client=info.context.client, **input))

    @staticmethod
    @member_required
    def resolve_update_profile(root: None, info: graphene.ResolveInfo, input: Any) -> models.User:
        return membership.update_profile(client=info.context.client, user=info.context.user, values=input)

    @staticmethod
    def resolve_logout(root: None, info: graphene.ResolveInfo) -> bool:
        sign_in.sign_out(client=info.context.client, token=info.context.token)
        return True

    @staticmethod
    @member_required
    def resolve_resend_verification(root: None, info: graphene.ResolveInfo) -> bool:
        return links.resend_verification(client=info.context.client, user=info.context.user)

    @staticmethod
    def resolve_request_password_reset(root: None, info: graphene.ResolveInfo, email: str) -> bool:
        links.request_password_reset(client=info.context.client, email=email)
        return True

    @staticmethod
    @member_required
    def resolve_change_password(root: None, info: graphene.ResolveInfo, input: Any) -> AuthResult:
        context = info.context
        user = credentials.change_own_password(client=context.client, user=context.user, **input)
        return _issue_token(context, user)

    @staticmethod
    @member_required
    def resolve_request_email_change(root: None, info: graphene.ResolveInfo, input: Any) -> bool:
        credentials.request_email_change(client=info.context.client, user=info.context.user, **input)
        return True

    @staticmethod
    @member_required
    def resolve_cancel_email_change(root: None, info: graphene.ResolveInfo) -> bool:
        return credentials.cancel_email_change(client=info.context.client, user=info.context.user)

    @staticmethod
    @member_required
    def resolve_delete_account(root: None, info: graphene.ResolveInfo, input: Any) -> bool:
        membership.delete_account(client=info.context.client, user=info.context.user, **input)
        return True

    @staticmethod
    @member_required
    def resolve_sign_out_everywhere(root: None, info: graphene.ResolveInfo) -> bool:
        membership.end_own_sessions(client=info.context.client, user=info.context.user)
        return True


def _issue_token(context: Context, user: models.User) -> AuthResult:
    """Answer with a new token, and let the pages behind links in mails recognize the browser."""
    token = tokens.issue(user)
    context.cookies.append(tokens.build_cookie(token))
    return AuthResult(token=token, user=user)
