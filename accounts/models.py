"""Members, their email tokens, and revoked bearer tokens."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from math import ceil
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from sailing.errors import RateLimited
from sailing.mail.addresses import MAX_EMAIL_LENGTH, normalize_email
from sailing.mail.links import EmailToken, LinkStatus

ERASED_ADMIN = "erased-admin"
"""The `email` of the placeholder that owns the admin history of erased admins: no address, so no sign-in."""

MAIL_PAUSE = timedelta(minutes=3)
"""Between two mails of one kind to one member."""


class FavoritePosition(models.TextChoices):
    """The positions aboard, stored and sent in the spelling of spec section 3."""

    BOWMAN = "Bowman", _("Bowman")
    MID_BOWMAN = "Mid bowman", _("Mid bowman")
    MASTMAN = "Mastman", _("Mastman")
    PITMAN = "Pitman", _("Pitman")
    JIB_TRIMMER = "Trimer of jib", _("Trimer of jib")
    GENNAKER_TRIMMER = "Trimer of gennaker", _("Trimer of gennaker")
    SPINNAKER_TRIMMER = "Trimer of spinnaker", _("Trimer of spinnaker")
    CO_TRIMMER = "Co-trimer", _("Co-trimer")
    MAINSAIL_TRIMMER = "Mainsail trimer", _("Mainsail trimer")
    HELMSMAN = "Helmsman", _("Helmsman")
    TACTICIAN = "Taktick", _("Taktick")
    COOK = "Chef in kitchen", _("Chef in kitchen")
    ENGINEER = "Engine engineer", _("Engine engineer")
    NAVIGATOR = "Navigator", _("Navigator")


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a member. Raises ValidationError for a bad address, IntegrityError for a taken one."""
        user = self.model(email=normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the member with an address in any spelling. Raises DoesNotExist."""
        try:
            return self.get(email=normalize_email(username or ""))
        except ValidationError as error:
            raise self.model.DoesNotExist from error


class User(AbstractBaseUser, PermissionsMixin):
    """A member (spec section 3) or an admin. `token_version`, `kept_jti`: see `end_sessions`.

    `was_email_verified`: an earlier address was verified, before an admin changed it.
    `email_undeliverable_at`: when a mail server refused the address for good. Until a link in a mail is used,
    only links that the member or an admin asks for are sent there.
    """

    email = models.EmailField(_("email"), max_length=MAX_EMAIL_LENGTH)
    first_name = models.CharField(_("first name"), max_length=150, blank=True)
    last_name = models.CharField(_("last name"), max_length=150, blank=True)
    nickname = models.CharField(_("nickname"), max_length=150, blank=True)
    phone = models.CharField(_("phone"), max_length=32, blank=True)
    nationality = models.CharField(_("nationality"), max_length=150, blank=True)
    avatar = models.URLField(_("avatar"), blank=True)
    captain_license = models.BooleanField(_("captain license"), default=False)
    captain_license_number = models.CharField(_("captain license number"), max_length=64, blank=True)
    favorite_position = models.CharField(
        _("favorite position"), max_length=32, choices=FavoritePosition, blank=True
    )
    language = models.CharField(
        _("language of emails"), max_length=8, choices=settings.LANGUAGES, default="en"
    )
    is_email_verified = models.BooleanField(_("email verified"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("admin"), default=False)
    token_version = models.PositiveIntegerField(default=0, editable=False)
    kept_jti = models.CharField(max_length=36, blank=True, default="", db_default="", editable=False)
    was_email_verified = models.BooleanField(default=False, db_default=False, editable=False)
    email_undeliverable_at = models.DateTimeField(
        _("email undeliverable since"), null=True, blank=True, editable=False
    )
    created_at = models.DateTimeField(_("member since"), auto_now_add=True)
    updated_at = models.DateTimeField(_("last updated"), auto_now=True)

    # Members edit them.
    PROFILE_FIELDS = ("first_name", "last_name", "nickname", "phone", "nationality")
    USERNAME_FIELD = "email"

    objects = UserManager()

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        permissions = [("export_user", "Can export members")]
        indexes = [
            models.Index(fields=["-created_at"], name="user_created_at"),
            models.Index(
                fields=["created_at"], condition=models.Q(is_email_verified=False), name="user_unverified"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["email"], name="user_email_unique"),
            # Makes the constraint above case-insensitive.
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_lower_case"),
        ]

    def __str__(self) -> str:
        return gettext("erased admin") if self.email == ERASED_ADMIN else self.email

    def clean(self) -> None:
        if self.email:  # the field itself refuses a blank one
            self.email = normalize_email(self.email)

    def set_password(self, raw_password: str | None) -> None:
        super().set_password(raw_password)
        self.end_sessions()

    def end_sessions(self, *, kept_jti: str = "") -> None:
        """Invalidate all bearer tokens but one, and all sessions in Django admin. Does not save."""
        self.token_version += 1
        self.kept_jti = kept_jti

    def close_links(self, *purposes: str) -> None:
        """Let the unused links of the member for some purposes work no more."""
        self.links.filter(purpose__in=purposes, used_at=None).update(used_at=timezone.now())

    def get_seconds_until_mail(self, purpose: str, *, email: str) -> int:
        """Return how long the next mail of a kind to an address must wait; 0 if it may be sent now."""
        last = self.links.filter(purpose=purpose, email=email).order_by("created_at").last()
        left = last.created_at + MAIL_PAUSE - timezone.now() if last else timedelta(0)
        return max(0, ceil(left.total_seconds()))

    def check_password(self, raw_password: str) -> bool:
        """Return whether the password is right; rehash it if the hasher's parameters have changed."""

        def upgrade(raw_password: str) -> None:
            # Django's own upgrade calls `set_password`, which would invalidate the member's tokens.
            with suppress(RateLimited):  # the next sign-in tries again
                upgraded = make_password(raw_password)
                # The filter on the old hash keeps a password that was changed meanwhile.
                User.objects.filter(pk=self.pk, password=self.password).update(password=upgraded)
                self.password = upgraded

        return check_password(raw_password, self.password, upgrade)

    def get_session_auth_hash(self) -> str:
        return self._session_hash(settings.SECRET_KEY)

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        yield from map(self._session_hash, settings.SECRET_KEY_FALLBACKS)

    def _session_hash(self, key: str) -> str:
        """Return the hash that binds an admin session to the password and the token version."""
        bound_to = f"{self.password} {self.token_version}"
        return salted_hmac("accounts.session", bound_to, secret=key, algorithm="sha256").hexdigest()

    @property
    def may_be_disowned(self) -> bool:
        """Whether "This was not me" may delete the account: no admin's, and no address was ever verified."""
        is_owned = self.is_email_verified or self.was_email_verified or self.email == ERASED_ADMIN
        return not (is_owned or self.is_staff or self.is_superuser)

    @property
    def is_unclaimed(self) -> bool:
        """Whether an admin added the member, who has not chosen a password yet."""
        return self.may_be_disowned and not self.has_usable_password()

    @classmethod
    def get_max_length(cls, name: str) -> int:
        field: Any = cls._meta.get_field(name)
        return int(field.max_length)

    def get_full_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    def get_short_name(self) -> str:
        return self.first_name


class LinkPurpose(models.TextChoices):
    VERIFY = "verify", _("Verify the email")
    RESET = "reset", _("Reset the password")
    CHANGE_EMAIL = "change-email", _("Confirm the new email")


class AccountLink(EmailToken):
    """The token of a link in a mail to a member.

    `email`: the mailbox that the mail went to. A link to verify it or to reset the password is void once the
    member's address is another. A link to change the address sets it.
    """

    OWNER = "user"
    LIFETIMES: ClassVar = dict.fromkeys(LinkPurpose, timedelta(hours=72))

    user = models.ForeignKey(User, models.CASCADE, related_name="links", null=True)
    purpose = models.CharField(max_length=16, choices=LinkPurpose)
    email = models.EmailField(max_length=MAX_EMAIL_LENGTH)

    def __str__(self) -> str:
        return f"{self.purpose} {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def status(self) -> LinkStatus:
        """The status of the link. Any new password makes a reset link DONE."""
        user, is_change = self.user, self.purpose == LinkPurpose.CHANGE_EMAIL
        if user is None:
            return LinkStatus.BLOCKED if is_change else LinkStatus.DISOWNED
        is_current = self.email == user.email
        if not user.is_active or not (is_current or is_change):
            return LinkStatus.SPENT
        if (is_change and is_current) or (self.purpose == LinkPurpose.VERIFY and user.is_email_verified):
            return LinkStatus.DONE
        if self.used_at:
            return LinkStatus.DONE if self.purpose == LinkPurpose.RESET else LinkStatus.SPENT
        return LinkStatus.EXPIRED if self.is_expired else LinkStatus.OPEN


class RevokedToken(models.Model):
    """A bearer token that was signed out; kept until it would have expired."""

    jti = models.CharField(max_length=36, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.jti
