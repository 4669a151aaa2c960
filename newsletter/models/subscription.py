"""Subscriptions: an address in one of the two audiences, its interests, and the tokens to confirm it."""

import re
import unicodedata
import uuid
from datetime import timedelta
from functools import reduce
from html import unescape
from operator import or_
from typing import Any, Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Aggregate, Case, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from sailing.attribution import ATTRIBUTION_FIELDS, AttributionFields
from sailing.input_limits import clean_line
from sailing.mail.addresses import MAX_EMAIL_LENGTH
from sailing.mail.links import EmailToken, LinkStatus

MAX_FIRST_NAME_LENGTH = 50
NAME_PUNCTUATION = " '’.&-\u200c\u200d"

CONFIRM_LIFETIME = timedelta(days=7)


class UserType(models.TextChoices):
    """The two audiences (spec section 6)."""

    SAILOR = "sailor", _("Sailor")
    COMPANY = "company", _("Company")


AUDIENCES = [(UserType.SAILOR.value, _("Sailors")), (UserType.COMPANY.value, _("Companies"))]
"""The audiences as choices, in the plural."""


class Source(models.TextChoices):
    """The landing page whose button led to the form (spec section 3)."""

    LANDING_SAILORS = "landing-sailors", _("Landing for sailors")
    LANDING_COMPANIES = "landing-companies", _("Landing for companies")


class State(models.TextChoices):
    """The state of a subscription, derived from its fields. Newsletters are sent to CONFIRMED ones alone."""

    PENDING = "pending", _("Waiting")
    CONFIRMED = "confirmed", _("Confirmed")
    PAUSED = "paused", pgettext_lazy("subscriber", "Paused")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed")
    BOUNCED = "bounced", pgettext_lazy("subscriber", "Undeliverable")


SUBSCRIBED_STATES = (State.CONFIRMED, State.PAUSED)


def get_state_condition(state: State) -> Q:
    """Return the condition on the fields of the subscriptions whose `Subscription.state` is `state`."""
    now = timezone.now()
    answered = Q(bounced_at=None, asked_again_at=None)
    subscribed = answered & Q(unsubscribed_at=None, is_active=True, is_confirmed=True)
    first_time = Q(unsubscribed_at=None, is_active=True, is_confirmed=False)
    conditions = {
        State.BOUNCED: Q(bounced_at__isnull=False),
        State.PENDING: Q(bounced_at=None) & (Q(asked_again_at__isnull=False) | first_time),
        State.UNSUBSCRIBED: answered & (Q(unsubscribed_at__isnull=False) | Q(is_active=False)),
        State.PAUSED: subscribed & Q(paused_until__gt=now),
        State.CONFIRMED: subscribed & (Q(paused_until=None) | Q(paused_until__lte=now)),
    }
    return conditions[state]


def clean_first_name(text: str) -> str:
    """Return a first name for mails, or a blank one if the text is none: an address, a number, markup."""
    # Mail programs turn "example.com" into a link.
    plain = re.sub(r"<[^<>]*>", " ", unescape(text)).replace(".", ". ")
    try:
        name = clean_line(" ".join(plain.split()), limit=MAX_FIRST_NAME_LENGTH)
    except ValidationError:
        return ""
    is_name = all(unicodedata.category(each)[0] in "LM" or each in NAME_PUNCTUATION for each in name)
    return name if is_name and any(map(str.isalpha, name)) else ""


def validate_first_name(text: str) -> None:
    if clean_first_name(text) != text:
        raise ValidationError(_("Please enter a first name, of letters only."))


class Interest(models.Model):
    """A topic that readers may choose. One that is no longer offered stays with those who chose it."""

    NAME_LENGTH = 60

    name_en = models.CharField(_("name in English"), max_length=NAME_LENGTH, unique=True)
    name_cs = models.CharField(_("name in Czech"), max_length=NAME_LENGTH, unique=True)
    position = models.PositiveSmallIntegerField(
        _("position"), default=0, help_text=_("Subscribers see the lowest number first.")
    )
    is_offered = models.BooleanField(
        _("subscribers can choose it"),
        default=True,
        help_text=_("If unchecked, it is retired: only those who already chose it keep it."),
    )

    class Meta:
        verbose_name = _("interest")
        verbose_name_plural = _("interests")
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        """Return the name in the language of the page."""
        return str(getattr(self, f"name_{get_language()}", self.name_en))


class _JoinedTexts(Aggregate):
    """The texts of a column in one, separated by "; ". Django has this for PostgreSQL alone."""

    function = "STRING_AGG"
    template = "%(function)s(%(expressions)s, '; ' ORDER BY %(expressions)s)"
    output_field = models.TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "GROUP_CONCAT(%(expressions)s, '; ')"
        return self.as_sql(compiler, connection, template=template, **context)


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    """Subscriptions, filtered by state."""

    def in_state(self, *states: State) -> Self:
        """Return the subscriptions whose `Subscription.state` is one of `states`."""
        return self.filter(reduce(or_, map(get_state_condition, states)))

    def find_own(self, email: str) -> "Subscription | None":
        """Return the oldest subscription by which an address gets newsletters, if any."""
        return self.in_state(*SUBSCRIBED_STATES).filter(email=email).order_by("created_at", "pk").first()

    def with_state(self) -> Self:
        """Add `Subscription.state` as a column for `values_list`. Instances cannot have it."""
        values = [When(get_state_condition(state), then=Value(state.value)) for state in State]
        return self.annotate(state=Case(*values, output_field=models.CharField()))

    def with_interest_names(self) -> Self:
        """Add the English names of `Subscription.interests` as a column for `values_list`."""
        chosen: Any = Subscription.interests.through._default_manager.filter(subscription=OuterRef("pk"))
        names = chosen.order_by().values("subscription").annotate(names=_JoinedTexts("interest__name_en"))
        return self.annotate(interest_names=Subquery(names.values("names")))


class Subscription(AttributionFields):
    """One address in one audience.

    `is_active`: newsletters may be sent once the subscription is confirmed, by the owner of the mailbox.
    `asked_again_at`: somebody asked for a subscription that had ended. It stays inactive until its owner
    confirms; what they said before (`is_confirmed`, `confirmed_at`, `unsubscribed_at`) is kept until then.
    `last_mail_at`: when the last mail that asks to confirm was stored. `reminded_at`: when the last "already
    aboard" mail was sent.
    `is_imported`: it came from an imported file, not from a request on the site; `import_batch` says which.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(_("email"), max_length=MAX_EMAIL_LENGTH)
    user_type = models.CharField(_("audience"), max_length=16, choices=UserType)
    first_name = models.CharField(
        _("first name"),
        max_length=MAX_FIRST_NAME_LENGTH,
        blank=True,
        default="",
        db_default="",
        validators=[validate_first_name],
    )
    source = models.CharField(_("source"), max_length=32, choices=Source, blank=True)
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES, default="en")
    is_active = models.BooleanField(_("active"), default=True)
    is_confirmed = models.BooleanField(_("confirmed"), default=False)
    is_imported = models.BooleanField(_("imported"), default=False, editable=False)
    import_batch = models.ForeignKey(
        "imports.ImportBatch",
        models.SET_NULL,
        verbose_name=_("import"),
        null=True,
        blank=True,
        editable=False,
        db_index=False,  # an index of its own, without the many that were not imported
        related_name="subscriptions",
    )
    interests = models.ManyToManyField(
        Interest, verbose_name=_("interests"), blank=True, related_name="subscriptions"
    )
    created_at = models.DateTimeField(_("added"), default=timezone.now, editable=False)
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, blank=True, editable=False)
    unsubscribed_at = models.DateTimeField(_("unsubscribed at"), null=True, blank=True, editable=False)
    asked_again_at = models.DateTimeField(_("asked again at"), null=True, blank=True, editable=False)
    bounced_at = models.DateTimeField(_("undeliverable since"), null=True, blank=True)
    last_mail_at = models.DateTimeField(_("last email at"), null=True, blank=True, editable=False)
    reminded_at = models.DateTimeField(_("reminded at"), null=True, blank=True, editable=False)
    paused_until = models.DateTimeField(_("paused until"), null=True, blank=True, editable=False)

    objects = SubscriptionQuerySet.as_manager()

    class Meta:
        verbose_name = _("subscriber")
        verbose_name_plural = _("subscribers")
        ordering = ["-created_at"]
        permissions = [("export_subscription", "Can export subscribers")]
        indexes = [
            models.Index(fields=["-created_at"], name="subscription_created_at"),
            models.Index(  # for the welcome series
                fields=["user_type", "confirmed_at"],
                condition=Q(confirmed_at__isnull=False),
                name="subscription_confirmed_at",
            ),
            models.Index(
                fields=["import_batch", "id"],
                condition=Q(import_batch__isnull=False),
                name="subscription_import_batch",
            ),
            # For segments. They hold no subscription without such a value, so they stay small.
            *(
                models.Index(
                    fields=[name, "id"], condition=Q((f"{name}__gt", "")), name=f"subscription_{name}"
                )
                for name in ATTRIBUTION_FIELDS
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["email", "user_type"], name="subscription_unique"),
            # Makes the constraint above case-insensitive.
            models.CheckConstraint(condition=Q(email=Lower("email")), name="subscription_email_lower_case"),
        ]

    def __str__(self) -> str:
        return f"{self.email} ({self.get_user_type_display()})"

    @property
    def state(self) -> State:
        if self.bounced_at:
            return State.BOUNCED
        if self.asked_again_at:
            return State.PENDING
        if self.unsubscribed_at or not self.is_active:
            return State.UNSUBSCRIBED
        if not self.is_confirmed:
            return State.PENDING
        return State.PAUSED if self.is_paused else State.CONFIRMED

    @property
    def is_subscribed(self) -> bool:
        """Whether newsletters are sent, apart from a pause."""
        return self.state in SUBSCRIBED_STATES

    @property
    def has_ended(self) -> bool:
        """Whether the owner ended the subscription, and nobody has asked for it since."""
        return self.unsubscribed_at is not None and self.asked_again_at is None

    @property
    def is_paused(self) -> bool:
        return self.paused_until is not None and self.paused_until > timezone.now()


class LinkPurpose(models.TextChoices):
    """The purpose of a stored link. The other links in mails are signed (`newsletter.tokens`)."""

    CONFIRM = "confirm", _("Confirm")


class SubscriptionLink(EmailToken):
    """The token of a link in a newsletter mail."""

    OWNER = "subscription"
    LIFETIMES = {LinkPurpose.CONFIRM: CONFIRM_LIFETIME}

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="links", null=True)
    purpose = models.CharField(max_length=16, choices=LinkPurpose)

    def __str__(self) -> str:
        return f"{self.purpose} {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def status(self) -> LinkStatus:
        if self.subscription is None:
            return LinkStatus.DISOWNED
        if self.used_at:
            is_subscribed = self.subscription.is_confirmed and self.subscription.is_active
            return LinkStatus.DONE if is_subscribed else LinkStatus.SPENT
        return LinkStatus.EXPIRED if self.is_expired else LinkStatus.OPEN
