"""What is stored about a subscriber (see `sailing.privacy`)."""

from django.utils.translation import gettext_lazy as _

from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from sailing.privacy import erasure, personal_data

CONTENTS = _("the subscription, its interests, its consent history and its email links")
erasure.registered[Subscription] = erasure.PersonalDataModel(CONTENTS, is_erased_with_person=True)
personal_data.sections += [
    personal_data.Section(
        "newsletter_subscriptions",
        _("Newsletter subscriptions"),
        Subscription,
        lambda email: (
            Subscription.objects.filter(email=email)
            .select_related("import_batch")
            .prefetch_related("interests")
        ),
        # The name of the file is for admins.
        values={"import_batch": lambda row: row.import_batch and row.import_batch.created_at},
    ),
    personal_data.Section(
        "newsletter_consents",
        _("History of the newsletter consent"),
        ConsentEvent,
        lambda email: ConsentEvent.objects.filter(subscription__email=email),
        exclude=("subscription", "by"),
    ),
    personal_data.Section(
        "newsletter_links",
        _("Links in emails about the newsletter"),
        SubscriptionLink,
        lambda email: SubscriptionLink.objects.filter(subscription__email=email).order_by("pk"),
        exclude=("token_hash", "subscription"),
    ),
]
