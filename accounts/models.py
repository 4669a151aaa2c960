"""Members, and the tokens that count no more."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from sailing.addresses import MAX_EMAIL_LENGTH, normalize_email

MAX_NAME_LENGTH = 150


class UserManager(BaseUserManager["User"]):
    """Makes members; `createsuperuser` uses it too."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a member. Raises ValidationError for a bad address, IntegrityError for a taken one."""
        user = self.model(email=normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store an admin with all permissions."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A member (spec section 3), or an admin. The email is the login; there is no user name."""

    email = models.EmailField(_("email"), max_length=MAX_EMAIL_LENGTH)
    first_name = models.CharField(_("first name"), max_length=MAX_NAME_LENGTH, blank=True)
    last_name = models.CharField(_("last name"), max_length=MAX_NAME_LENGTH, blank=True)
    nickname = models.CharField(_("nickname"), max_length=MAX_NAME_LENGTH, blank=True)
    phone = models.CharField(_("phone"), max_length=32, blank=True)
    nationality = models.CharField(_("nationality"), max_length=MAX_NAME_LENGTH, blank=True)
    avatar = models.URLField(_("avatar"), blank=True)
    is_email_verified = models.BooleanField(_("email verified"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("admin"), default=False)
    token_version = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(_("member since"), auto_now_add=True)
    updated_at = models.DateTimeField(_("last updated"), auto_now=True)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: list[str] = []  # type: ignore[misc]

    objects = UserManager()

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(fields=["email"], name="user_email_unique"),
            # With it, the constraint above makes an address one account whatever its letter case.
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_lower_case"),
        ]

    def __str__(self) -> str:
        return self.email

    def clean(self) -> None:
        if self.email:  # a blank one is refused by the field itself
            self.email = normalize_email(self.email)

    def set_password(self, raw_password: str | None) -> None:
        """Change the password; every token that was given out before stops counting."""
        super().set_password(raw_password)
        self.token_version += 1

    def get_full_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    def get_short_name(self) -> str:
        return self.first_name


class RevokedToken(models.Model):
    """A token that its owner signed out; kept until it would have expired."""

    jti = models.CharField(max_length=36, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.jti
