"""What is stored about an invitation (see `sailing.privacy`). Neither side is told who the other is.

It is deleted with either subscription, so erasing a person needs nothing more.
"""

from django.utils.translation import gettext_lazy as _

from newsletter.invitations.models import Invitation
from sailing.privacy import personal_data

personal_data.sections += [
    personal_data.Section(
        "newsletter_invitation",
        _("The invitation by which you came"),
        Invitation,
        lambda email: Invitation.objects.filter(subscription__email=email).order_by("pk"),
        exclude=("subscription", "code", "inviter", "mailbox"),
    )
]
