"""Change lists of Django admin."""

import re

import pytest
from django.test import Client

from accounts.models import User
from accounts.tests.factories import MemberFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing.jobs.models import Job, JobFile
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db


def test_cells_have_the_labels_of_their_columns_for_a_phone_and_blank_values_a_filter(
    admin_client: Client,
) -> None:
    SubscriptionFactory()
    page = admin_client.get("/admin/newsletter/subscription/?source__exact=").content.decode()
    assert "0 of 1 selected" in page
    assert re.search(r'<li class="selected">\s*<a href="\?source__exact=">\s*The site</a>', page)
    create_mail()
    page = admin_client.get("/admin/mail/outboxemail/").content.decode()
    assert '<th data-label="To" class="field-recipient is-title">' in page
    assert '<td data-label="Attempts" class="field-attempts is-number">' in page
    User.objects.create_user("member@example.com")
    page = admin_client.get("/admin/accounts/user/?q=member@").content.decode()
    assert '<td data-label="Name" class="field-name is-hidden">-<' in page


@pytest.mark.parametrize(
    ("page", "query"),
    [
        *(("newsletter/subscription", f"{key}=typo") for key in ("state", "import", "segment", "nonsense")),
        ("newsletter/subscription", "created_at__gte=x"),
        *(("accounts/user", f"{key}=typo") for key in ("account", "email_state")),
    ],
)
def test_filter_that_is_not_valid_never_stands_for_the_whole_list(
    admin_user: User, page: str, query: str
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(admin_user)
    MemberFactory.create_batch(2)
    SubscriptionFactory.create_batch(2)
    action = "unsubscribe" if "newsletter" in page else "deactivate"
    for path in (f"/admin/{page}/?{query}", f"/admin/{page}/export/?{query}"):
        assert client.get(path).status_code != 200
        client.post(path, {"action": action, "select_across": "1", "_selected_action": "any"})
    assert not Job.objects.exists()
    assert not JobFile.objects.exists()
