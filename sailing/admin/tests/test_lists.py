"""Change lists and pages of Django admin with arbitrary parameters and keys."""

import json
import re

import pytest
from django.test import Client

from accounts.models import User
from newsletter.models import Subscription
from sailing.mail.models import MailState
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db


def create_rows() -> None:
    """Store one row for each list."""
    User.objects.create_user("member@example.com")
    Subscription.objects.create(email="jana@example.com", user_type="sailor")
    create_mail(MailState.FAILED)


@pytest.mark.parametrize(
    "query", ["import=x", "is_active__exact=7", "state=typo", "created_at__gte=x", "nonsense=1"]
)
@pytest.mark.parametrize("page", ["", "export/"])
def test_filter_that_is_not_valid_leads_to_the_whole_list(
    admin_client: Client, page: str, query: str
) -> None:
    create_rows()
    path = f"/admin/newsletter/subscription/{page}"
    response = admin_client.get(f"{path}?{query}", follow=True)
    assert response.redirect_chain == [(f"{path}?e=1", 302)]
    assert response.status_code == 200


def test_language_in_the_address_is_no_filter(admin_client: Client) -> None:
    create_rows()
    page = admin_client.get("/admin/accounts/user/?lang=cs&q=member", follow=True)
    assert not page.redirect_chain
    assert [user.email for user in page.context["cl"].result_list] == ["member@example.com"]
    assert 'lang="cs"' in page.content.decode()


def test_box_that_ticks_all_rows_has_a_label(admin_client: Client) -> None:
    create_rows()
    html = admin_client.get("/admin/newsletter/subscription/").content.decode()
    label = r'<label [^>]+><input [^>]+id="action-toggle"><span [^>]+>Select all on this page<'
    assert re.search(label, html)
    assert "0 of 1 selected" in html


def test_czech_count_of_ticked_rows_needs_no_cases(admin_client: Client) -> None:
    admin_client.cookies["django_language"] = "cs"
    script = admin_client.get("/admin/jsi18n/").content.decode()
    found = re.search(r"newcatalog = (\{.*?\});", script, re.DOTALL)
    assert found
    texts = json.loads(found[1])
    assert set(texts["%(sel)s of %(cnt)s selected"]) == {"Vybráno %(sel)s z celkem %(cnt)s"}
    assert texts["Remove all"] == "Odebrat vše"  # from Django's own catalogue


def test_filter_offers_the_blank_choice(admin_client: Client) -> None:
    create_rows()
    page = admin_client.get("/admin/newsletter/subscription/?source__exact=").content.decode()
    assert re.search(r'<li class="selected">\s*<a href="\?source__exact=">\s*The site</a>', page)


def test_unknown_value_of_a_filter_is_refused(admin_client: Client) -> None:
    for page, name in (
        ("newsletter/subscription", "state"),
        ("newsletter/subscription", "import"),
        ("mail/outboxemail", "state"),
        ("accounts/user", "account"),
        ("accounts/user", "email_state"),
    ):
        response = admin_client.get(f"/admin/{page}/?{name}=typo")
        assert response.headers["Location"] == f"/admin/{page}/?e=1", name
        assert admin_client.get(f"/admin/{page}/?{name}=").status_code == 200


def test_cells_have_the_labels_of_their_columns_for_a_phone(admin_client: Client) -> None:
    create_rows()
    page = admin_client.get("/admin/mail/outboxemail/").content.decode()
    assert re.search(r'<th data-label="To" class="field-recipient is-title">', page)
    assert re.search(r'<td data-label="Attempts" class="field-attempts is-number">\d', page)
    page = admin_client.get("/admin/accounts/user/?q=member@").content.decode()
    assert re.search(r'<td data-label="Name" class="field-name is-hidden">-<', page)
