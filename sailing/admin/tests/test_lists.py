"""Change lists of Django admin."""

import re

import pytest
from django.test import Client

from accounts.models import User
from newsletter.tests.factories import SubscriptionFactory
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db


def test_list_has_a_label_at_the_box_that_ticks_all_rows_and_a_filter_for_blank_values(
    admin_client: Client,
) -> None:
    SubscriptionFactory()
    page = admin_client.get("/admin/newsletter/subscription/?source__exact=").content.decode()
    label = r'<label [^>]+><input [^>]+id="action-toggle"><span [^>]+>Select all on this page<'
    assert re.search(label, page)
    assert "0 of 1 selected" in page
    assert re.search(r'<li class="selected">\s*<a href="\?source__exact=">\s*The site</a>', page)


def test_cells_have_the_labels_of_their_columns_for_a_phone(admin_client: Client) -> None:
    create_mail()
    page = admin_client.get("/admin/mail/outboxemail/").content.decode()
    assert re.search(r'<th data-label="To" class="field-recipient is-title">', page)
    assert re.search(r'<td data-label="Attempts" class="field-attempts is-number">\d', page)
    User.objects.create_user("member@example.com")
    page = admin_client.get("/admin/accounts/user/?q=member@").content.decode()
    assert re.search(r'<td data-label="Name" class="field-name is-hidden">-<', page)
