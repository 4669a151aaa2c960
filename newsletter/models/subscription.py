"""Subscriptions, the consent history, and the email tokens of subscribers."""

import uuid
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any, Never, Self

from django.conf import settings
from django.db import models
from django.db.models import Aggregate, Case, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from newsletter.first_names import MAX_FIRST_NAME_LENGTH, validate_first_name
from sailing.attribution import ATTRIBUTION_FIELDS, AttributionFields
from sailing.mail.addresses import MAX_EMAIL_LENGTH, normalize_email
from sailing.mail_links.tokens import EmailToken, LinkStatus

STATEMENT = _(
    "I want to receive the Sailing newsletter by email."
    " I can unsubscribe at any time with the link in each email."
)
"""The consent: shown in the form (its message catalogue repeats it), in the mail and on the confirm page."""

STATEMENT_VERSION = "2026-11-24"
"""The day on which the wording of the statement last changed, in any language."""


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
    """The state of a subscription, derived from its fields. Each subscription is in one state.

    PENDING: nothing is sent before the owner confirms. CONFIRMED: newsletters are sent. PAUSED: they are
    sent again after `paused_until`. UNSUBSCRIBED: by the owner, or by an admin. BOUNCED: the address does
    not work.
    """

    PENDING = "pending", _("Waiting")
    CONFIRMED = "confirmed", _("Confirmed")
    PAUSED = "paused", pgettext_lazy("subscriber", "Paused")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed")
    BOUNCED = "bounced", pgettext_lazy("subscriber", "Undeliverable")


SUBSCRIBED_STATES = (State.CONFIRMED, State.PAUSED)


def get_state_condition(state: State) -> Q:
    """Return the condition on the fields of the subscriptions whose `Subscription.state` is `state`."""
    if state is State.BOUNCED:
        return Q(bounced_at__isnull=False)
    if state is State.PENDING:
        first_time = Q(unsubscribed_at=None, is_active=True, is_confirmed=False)
        return Q(bounced_at=None) & (Q(asked_again_at__isnull=False) | first_time)
    answered = Q(bounced_at=None, asked_again_at=None)
    if state is State.UNSUBSCRIBED:
        return answered & (Q(unsubscribed_at__isnull=False) | Q(is_active=False))
    subscribed = answered & Q(unsubscribed_at=None, is_active=True, is_confirmed=True)
    now = timezone.now()
    if state is State.PAUSED:
        return subscribed & Q(paused_until__gt=now)
    return subscribed & (Q(paused_until=None) | Q(paused_until__lte=now))


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

    def with_state(self) -> Self:
        """Add `Subscription.state` as a column for `values_list`. Instances cannot have it."""
        values = [When(get_state_condition(state), then=Value(state.value)) for state in State]
        return self.annotate(state=Case(*values, output_field=models.CharField()))

    def with_interest_names(self) -> Self:
        """Add the English names of `Subscription.interests` as a column for `values_list`."""
        chosen: Any = Subscription.interests.through._default_manager.filter(subscription=OuterRef("pk"))
        names = chosen.order_by().values("subscription").annotate(names=_JoinedTexts("interest__name_en"))
        return self.annotate(interest_names=Subquery(names.values("names")))


class Interest(models.Model):
    """What readers may be interested in. They choose on the pages behind the links in mails.

    `is_offered`: whether they can choose it now. A retired one keeps the readers who have chosen it.
    """

    NAME_LENGTH = 60

    name_en = models.CharField(_("name in English"), max_length=NAME_LENGTH, unique=True)
    name_cs = models.CharField(_("name in Czech"), max_length=NAME_LENGTH, unique=True)
    position = models.PositiveSmallIntegerField(
        _("position"), default=0, help_text=_("Readers see the lowest number first.")
    )
    is_offered = models.BooleanField(
        _("readers can choose it"),
        default=True,
        help_text=_("Without the tick it is retired: only those who have chosen it already keep it."),
    )

    class Meta:
        verbose_name = _("interest")
        verbose_name_plural = _("interests")
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        """Return the name in the language of the page."""
        return str(getattr(self, f"name_{get_language()}", self.name_en))


class Subscription(AttributionFields):
    """One address in one audience.

    `first_name`: from an imported file; blank if it is not known.
    `is_active`: newsletters may be sent once the subscription is confirmed.
    `is_confirmed`: the owner of the mailbox confirmed.
    `asked_again_at`: somebody asked for a subscription that had ended, and its owner has not answered. It
    stays inactive until the owner confirms; what the owner said before (`is_confirmed`, `confirmed_at`,
    `unsubscribed_at`) is kept until then.
    `last_mail_at`: when the last mail that asks to confirm was sent, or will be.
    `reminded_at`: when the last "already aboard" mail was sent.
    `paused_until`: no newsletter is sent before that time.
    `is_imported`: it came from an imported file, not from a request on the site; `import_batch` says which.
    `interests`: what the owner chose, for all subscriptions of the address.
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
    created_at = models.DateTimeField(_("subscribed"), default=timezone.now, editable=False)
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, blank=True, editable=False)
    unsubscribed_at = models.DateTimeField(_("unsubscribed at"), null=True, blank=True, editable=False)
    asked_again_at = models.DateTimeField(_("asked again at"), null=True, blank=True, editable=False)
    bounced_at = models.DateTimeField(_("bounced at"), null=True, blank=True)
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

    def clean(self) -> None:
        self.email = normalize_email(self.email)

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


class ConsentKind(models.TextChoices):
    """What happened to a consent.

    The first events come from visitors and the owner, those below from admins and mail servers.
    DISOWNED: the owner said that somebody else made the request.
    PAUSED, RESUMED: the owner wanted no newsletter for a while, and again before the pause ended.
    EXPLAINED: the owner said why, after unsubscribing.
    COMPLAINED: the owner reported a newsletter as spam.
    IMPORTED_OPT_OUT: the owner had opted out before the import.
    IMPORTED_CONSENT: the owner had agreed before the import; an admin documented when, where and a proof.
    INVITED: an admin asked the owner to confirm. REMINDED: the request was repeated, once.
    ADDED, CORRECTED: an admin typed the address, or the right one in place of another.
    RESTORED: an admin undid the unsubscription by an admin.
    BOUNCED: a mail server said that the address does not work. REACHABLE: an admin knows that it does.
    """

    REQUESTED = "requested", _("Asked for the newsletter on the site")
    CONFIRMED = "confirmed", _("Confirmed by the owner")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed by the owner")
    DISOWNED = "disowned", _("Request denied by the owner: “This was not me”")
    PAUSED = "paused", _("Paused by the owner")
    RESUMED = "resumed", _("Pause ended by the owner")
    EXPLAINED = "explained", _("The owner said why")
    COMPLAINED = "complained", _("Reported as spam by the owner")
    IMPORTED_OPT_OUT = "imported-opt-out", _("Had unsubscribed before the import")
    IMPORTED_CONSENT = "imported-consent", _("Had agreed before the import, as an admin documented")
    INVITED = "invited", _("Asked to confirm by an admin")
    REMINDED = "reminded", _("Reminded to confirm")
    ADDED = "added", _("Added by an admin")
    CORRECTED = "corrected", _("Address corrected by an admin")
    ENDED_BY_ADMIN = "ended-by-admin", _("Unsubscribed by an admin")
    RESTORED = "restored", _("Unsubscription undone by an admin")
    PAUSED_BY_ADMIN = "paused-by-admin", _("Paused by an admin")
    RESUMED_BY_ADMIN = "resumed-by-admin", _("Pause ended by an admin")
    BOUNCED = "bounced", _("Emails came back: the address does not work")
    REACHABLE = "reachable", _("Marked as reachable by an admin")


class LeavingReason(models.TextChoices):
    """Why an owner unsubscribed, if they say so."""

    TOO_MANY = "too-many", _("Too many emails")
    NOT_FOR_ME = "not-for-me", _("Not what I am looking for")
    NOT_REQUESTED = "not-requested", _("I do not remember subscribing")
    OTHER = "other", _("Another reason")


ASKED_EVENTS = (ConsentKind.REQUESTED, ConsentKind.INVITED, ConsentKind.REMINDED)
"""Events with a mail that asks to confirm."""

OWNER_EVENTS = (ConsentKind.CONFIRMED, ConsentKind.UNSUBSCRIBED, ConsentKind.IMPORTED_OPT_OUT)
"""Events that only the owner of the mailbox can cause; the latest one counts."""


class AppendOnly(models.QuerySet["ConsentEvent"]):
    """Refuse bulk updates and deletions with TypeError."""

    def update(self, **kwargs: Any) -> Never:
        raise TypeError("A consent event is never changed.")

    def delete(self) -> Never:
        raise TypeError("A consent event is deleted only with its subscription.")


class ConsentEvent(models.Model):
    """The record that a consent was requested, given or withdrawn (GDPR article 7(1)).

    Append-only: an event is never changed, and is deleted only with its subscription. It has no IP address.
    `reason`, `comment`: why the owner unsubscribed; blank if they did not say. The comment of
    IMPORTED_CONSENT is the documentation, that of BOUNCED what the mail server said. `by`: the admin who did
    it.
    """

    COMMENT_LENGTH = 500

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="consent_events")
    kind = models.CharField(_("event"), max_length=16, choices=ConsentKind)
    at = models.DateTimeField(_("date"), default=timezone.now)
    language = models.CharField(_("language"), max_length=8)
    wording = models.CharField(_("version of the wording"), max_length=32)
    source = models.CharField(_("source"), max_length=32, choices=Source, blank=True)
    user_type = models.CharField(_("audience"), max_length=16, choices=UserType)
    reason = models.CharField(
        _("reason"), max_length=16, choices=LeavingReason, blank=True, default="", db_default=""
    )
    comment = models.CharField(_("comment"), max_length=COMMENT_LENGTH, blank=True, default="", db_default="")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        db_index=False,  # an index of its own, without the many events that no admin caused
        related_name="+",
    )

    objects = AppendOnly.as_manager()

    class Meta:
        verbose_name = _("consent event")
        verbose_name_plural = _("consent history")
        ordering = ["at", "pk"]
        indexes = [
            models.Index(fields=["-at"], condition=Q(reason__gt=""), name="consent_leaving_reason"),
            models.Index(fields=["by"], condition=Q(by__isnull=False), name="consent_by"),
            models.Index(fields=["at"], name="consent_at"),  # what happened on a day
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {timezone.localtime(self.at):%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("A consent event is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        raise TypeError("A consent event is deleted only with its subscription.")

    @classmethod
    def record(
        cls,
        subscription: Subscription,
        kind: ConsentKind,
        *,
        language: str,
        source: str | None = None,
        reason: str = "",
        comment: str = "",
        by_id: int | None = None,
    ) -> None:
        """Add an event, with the language in which the statement was shown.

        `source` is that of the recorded request; by default the subscription's. `by_id`: of the admin.
        """
        cls.objects.create(
            subscription=subscription,
            kind=kind,
            language=language,
            wording=STATEMENT_VERSION,
            source=subscription.source if source is None else source,
            user_type=subscription.user_type,
            reason=reason,
            comment=comment,
            by_id=by_id,
        )


class LeavingAnswer(ConsentEvent):
    """A consent event, shown to admins for the reason alone."""

    class Meta:
        proxy = True
        verbose_name = _("reason for leaving")
        verbose_name_plural = _("reasons for leaving")
        ordering = ["-at"]
        default_permissions = ()  # the permission to view subscribers counts


class LinkPurpose(models.TextChoices):
    """The purpose of a link in a newsletter mail."""

    CONFIRM = "confirm", _("Confirm")
    UNSUBSCRIBE = "unsubscribe", _("Unsubscribe")
    PREFERENCES = "preferences", _("Preferences")


class SubscriptionLink(EmailToken):
    """The token of a link in a newsletter mail."""

    OWNER = "subscription"
    LIFETIMES = {
        LinkPurpose.CONFIRM: CONFIRM_LIFETIME,
        LinkPurpose.UNSUBSCRIBE: None,
        LinkPurpose.PREFERENCES: None,
    }

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="links", null=True)
    purpose = models.CharField(max_length=16, choices=LinkPurpose)

    def __str__(self) -> str:
        return f"{self.purpose} {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def status(self) -> LinkStatus:
        subscription = self.subscription
        if subscription is None:
            return LinkStatus.DISOWNED
        if self.purpose == LinkPurpose.UNSUBSCRIBE:
            return LinkStatus.DONE if subscription.has_ended else LinkStatus.OPEN
        if self.used_at:
            is_subscribed = subscription.is_confirmed and subscription.is_active
            return LinkStatus.DONE if is_subscribed else LinkStatus.SPENT
        return LinkStatus.EXPIRED if self.is_expired else LinkStatus.OPEN
