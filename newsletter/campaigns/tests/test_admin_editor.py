"""The list of campaigns in Django admin, and the page on which a campaign is written."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.http import QueryDict
from django.test import Client
from django.utils import timezone

from newsletter.campaigns import services
from newsletter.campaigns.models import MAX_BODY_LENGTH, Campaign, CampaignState, CampaignText
from sailing.admin.tests.helpers import staff_client

pytestmark = pytest.mark.django_db

LIST = "/admin/campaigns/campaign/"
ADD = f"{LIST}add/"
WRITE = ("view_campaign", "add_campaign", "change_campaign")
BEGUN = [CampaignState.SENDING, CampaignState.PAUSED, CampaignState.SENT, CampaignState.CANCELLED]


def create_campaign(*, subject: str = "Fair winds", body: str = "Hello *crew*", **values: Any) -> Campaign:
    """Store a campaign with an English and a Czech text."""
    campaign = Campaign.objects.create(**{"name": "June", **values})
    for language in ("en", "cs"):
        CampaignText.objects.create(campaign=campaign, language=language, subject=subject, body=body)
    return campaign


def get_path(campaign: Campaign, name: str = "change") -> str:
    return f"{LIST}{campaign.pk}/{name}/"


def read_form(client: Client, path: str, **changes: str) -> dict[str, str]:
    """Return what a browser would post from the form of a page, with some changes."""
    form = client.get(path).context["form"]
    values = {name: form[name].value() for name in form.fields}
    posted = {name: str(value) for name, value in values.items() if value not in (None, False)}
    return posted | changes


def save(client: Client, campaign: Campaign, **changes: str) -> Any:
    path = get_path(campaign)
    return client.post(path, read_form(client, path, **changes))


def sender_client() -> Client:
    """Return the client of an admin who may write and send."""
    return staff_client(*WRITE, "send_campaign", email="sender@example.com")


def list_names(client: Client, query: str = "") -> set[str]:
    response = client.get(f"{LIST}?{query}")
    assert response.status_code == 200
    return {campaign.name for campaign in response.context["cl"].result_list}


class TestList:
    def test_states_audiences_recipients_and_dates_are_shown(self, admin_client: Client) -> None:
        create_campaign(user_type="company", source="imported", language="cs")
        create_campaign(state=CampaignState.SENT, finished_at=timezone.now(), recipient_count=12345)
        html = admin_client.get(LIST).content.decode()
        for part in ("badge-off", "Draft", "badge-good", "Sent", "Companies, Čeština, Imported", "12,345"):
            assert part in html

    def test_filters_and_search_find_campaigns(self, admin_client: Client) -> None:
        create_campaign(name="one", user_type="sailor", subject="Regatta")
        create_campaign(name="two", state=CampaignState.SENT)
        assert list_names(admin_client, "state__exact=sent") == {"two"}
        assert list_names(admin_client, "user_type__exact=sailor") == {"one"}
        assert list_names(admin_client, "user_type__exact=") == {"two"}
        assert list_names(admin_client, "q=regatta") == {"one"}
        assert list_names(admin_client) == {"one", "two"}

    def test_number_of_queries_does_not_grow_with_the_rows(
        self, admin_client: Client, django_assert_max_num_queries: Any
    ) -> None:
        for _ in range(20):
            create_campaign(state=CampaignState.SENT, recipient_count=5)
        with django_assert_max_num_queries(9):
            admin_client.get(LIST)


class TestSaving:
    def test_new_campaign_is_stored_with_its_texts(self, admin_client: Client) -> None:
        posted = read_form(
            admin_client, ADD, name="June", subject_en="Fair winds", body_en="# Hello\r\n\r\nYou"
        )
        response = admin_client.post(ADD, posted)
        campaign = Campaign.objects.get()
        assert response.headers["Location"] == get_path(campaign)
        assert campaign.created_by is not None
        text = campaign.texts.get()
        assert (text.language, text.subject, text.body) == ("en", "Fair winds", "# Hello\n\nYou")
        assert LogEntry.objects.get().action_flag == ADDITION

    def test_history_names_the_changed_fields(self, admin_client: Client) -> None:
        campaign = create_campaign()
        save(admin_client, campaign, subject_cs="Dobrý vítr", is_public="on")
        entry = LogEntry.objects.get()
        assert entry.action_flag == CHANGE
        assert "Subject (Čeština)" in entry.get_change_message()

    def test_saving_without_changes_leaves_no_history(self, admin_client: Client) -> None:
        save(admin_client, create_campaign())
        assert not LogEntry.objects.exists()

    def test_line_breaks_of_browsers_count_once(self, admin_client: Client) -> None:
        body = ("x" * 9 + "\r\n") * (MAX_BODY_LENGTH // 10)
        assert save(admin_client, create_campaign(), body_en=body).status_code == 302

    def test_too_long_body_is_refused_and_stays_in_the_form(self, admin_client: Client) -> None:
        campaign = create_campaign()
        response = save(admin_client, campaign, body_en="long " * MAX_BODY_LENGTH)
        assert "body_en" in response.context["form"].errors
        assert "long long" in response.content.decode()
        assert campaign.texts.get(language="en").body == "Hello *crew*"

    def test_buttons_save_and_lead_on(self, admin_client: Client) -> None:
        campaign = create_campaign()
        for button in ("test", "send", "preview"):
            response = save(admin_client, campaign, name=f"by {button}", **{f"_{button}": "1"})
            assert response.headers["Location"] == get_path(campaign, button)
            assert Campaign.objects.get().name == f"by {button}"

    @pytest.mark.parametrize("button", ["save", "send"])
    def test_next_page_is_told_which_draft_of_the_browser_was_saved(
        self, admin_client: Client, button: str
    ) -> None:
        campaign = create_campaign()
        response = save(admin_client, campaign, draft="campaign-draft 1 new 2&3", **{f"_{button}": "1"})
        address, _, query = response.headers["Location"].partition("?")
        assert address == get_path(campaign, "change" if button == "save" else button)
        assert QueryDict(query).dict() == {"saved": "campaign-draft 1 new 2&3"}
        refused = save(admin_client, campaign, name="", draft="campaign-draft 1 new 2")
        assert refused.status_code == 200


class TestConflicts:
    def test_second_of_two_admins_is_refused(self, admin_client: Client) -> None:
        campaign = create_campaign()
        path = get_path(campaign)
        first = read_form(admin_client, path, subject_en="From the first")
        second = read_form(admin_client, path, subject_en="From the second")
        assert admin_client.post(path, first).status_code == 302
        response = admin_client.post(path, second)
        assert "was changed after you opened it" in response.content.decode()
        assert "From the second" in response.content.decode()
        assert campaign.texts.get(language="en").subject == "From the first"
        assert LogEntry.objects.count() == 1

    def test_refused_form_is_refused_again(self, admin_client: Client) -> None:
        campaign = create_campaign()
        path = get_path(campaign)
        old = read_form(admin_client, path, name="Old")
        save(admin_client, campaign, name="New")
        refused = admin_client.post(path, old).context["form"]
        assert admin_client.post(path, old | {"version": refused["version"].value()}).status_code == 200
        assert Campaign.objects.get().name == "New"

    def test_saving_is_refused_after_somebody_has_scheduled_it(self, admin_client: Client) -> None:
        campaign = create_campaign()
        path = get_path(campaign)
        posted = read_form(admin_client, path, name="Late")
        Campaign.objects.update(state=CampaignState.SCHEDULED)  # without a new changed_at
        assert admin_client.post(path, posted).status_code == 200
        assert Campaign.objects.get().name == "June"

    def test_saving_is_refused_after_sending_has_begun(self, admin_client: Client) -> None:
        campaign = create_campaign()
        path = get_path(campaign)
        posted = read_form(admin_client, path, name="Late", body_en="Late text")
        for state in BEGUN:
            Campaign.objects.update(state=state)  # as a service does, without a new changed_at
            response = admin_client.post(path, posted)
            assert "sending has begun in the meantime" in response.content.decode()
            assert "Late text" in response.content.decode()
            assert Campaign.objects.get().name == "June"
            assert not campaign.texts.filter(body="Late text").exists()


class TestScheduled:
    @pytest.fixture
    def campaign(self) -> Campaign:
        later = timezone.now() + timedelta(days=1)
        return create_campaign(state=CampaignState.SCHEDULED, scheduled_at=later)

    def test_admin_who_may_send_can_change_it(self, campaign: Campaign) -> None:
        client = staff_client(*WRITE, "send_campaign")
        assert save(client, campaign, subject_en="Better").status_code == 302
        assert campaign.texts.get(language="en").subject == "Better"
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.SCHEDULED

    def test_admin_who_may_not_send_can_only_read_it(self, campaign: Campaign) -> None:
        client = staff_client(*WRITE)
        assert f'href="{ADD}" class="addlink">New campaign<' in client.get(LIST).content.decode()
        response = client.get(get_path(campaign))
        assert "Only admins who may send" in response.content.decode()
        posted = read_form(sender_client(), get_path(campaign), name="Changed")
        assert client.post(get_path(campaign), posted).status_code == 403
        assert Campaign.objects.get().name == "June"

    def test_errors_are_refused(self, campaign: Campaign, admin_client: Client) -> None:
        response = save(admin_client, campaign, subject_en="")
        assert "because the campaign is scheduled" in response.content.decode()
        assert campaign.texts.get(language="en").subject == "Fair winds"


class TestPermissions:
    @pytest.mark.parametrize("state", BEGUN)
    def test_campaign_is_read_only_after_sending_has_begun(
        self, admin_client: Client, state: CampaignState
    ) -> None:
        campaign = create_campaign(state=state)
        html = admin_client.get(get_path(campaign)).content.decode()
        assert 'id="campaign-form"' not in html
        assert "can no longer be changed" in html
        assert "Hello" in html


@pytest.mark.parametrize(
    ("permissions", "tabs"),
    [
        (("view_campaign",), ["change", "history"]),
        (WRITE, ["change", "test", "history"]),
        (("view_campaign", "send_campaign"), ["change", "send", "history"]),
        ((*WRITE, "send_campaign"), ["change", "test", "send", "history"]),
    ],
)
def test_pages_of_a_draft_have_the_same_tabs(permissions: tuple[str, ...], tabs: list[str]) -> None:
    campaign, client = create_campaign(), staff_client(*permissions)
    for name in tabs:
        html = client.get(get_path(campaign, name)).content.decode()
        below = html.partition("campaign-pages")[2]
        links = re.findall(r'<li><a href="([^"]*)"( aria-current="page")?>', below)
        assert [link for link, _current in links][: len(tabs)] == [get_path(campaign, each) for each in tabs]
        assert [link for link, current in links if current] == [get_path(campaign, name)]
        assert "<h1>June</h1>" in html


def test_new_campaign_has_no_tabs_before_it_is_saved(admin_client: Client) -> None:
    assert "campaign-pages" not in admin_client.get(ADD).content.decode()


@pytest.mark.parametrize("name", ["", "history", "delete"])
def test_breadcrumbs_name_the_campaigns_once(admin_client: Client, name: str) -> None:
    campaign = create_campaign()
    html = admin_client.get(get_path(campaign, name) if name else LIST).content.decode()
    breadcrumbs = html.partition('class="breadcrumbs"')[2].partition("</div>")[0]
    assert breadcrumbs.count("Campaigns") == 1
    assert ("June" in breadcrumbs) is bool(name)
    assert f'href="{get_path(campaign)}"' in html


def test_list_shows_recipients_once_they_are_fixed(admin_client: Client) -> None:
    campaign = create_campaign(state=CampaignState.SENDING)
    campaign.deliveries.create(language="en")
    campaign.deliveries.create(language="cs")
    assert 'field-recipients">–<' in admin_client.get(LIST).content.decode()
    services.finish_preparation(campaign.pk)
    assert 'field-recipients">0 of 2 <' in admin_client.get(LIST).content.decode()


class TestDuplicate:
    def test_copy_is_a_draft_with_the_same_texts(self, admin_client: Client) -> None:
        campaign = create_campaign(state=CampaignState.SENT, recipient_count=3, user_type="company")
        response = admin_client.post(get_path(campaign, "duplicate"))
        copy = Campaign.objects.exclude(pk=campaign.pk).get()
        assert response.headers["Location"] == get_path(copy)
        assert (copy.state, copy.recipient_count) == (CampaignState.DRAFT, None)
        assert (copy.user_type, copy.created_by) == ("company", LogEntry.objects.get().user)
        assert copy.key != campaign.key
        texts = [set(each.texts.values_list("language", "subject", "body")) for each in (copy, campaign)]
        assert texts[0] == texts[1]
        assert LogEntry.objects.get().object_id == str(copy.pk)

    @pytest.mark.parametrize(
        ("state", "is_left_out"),
        [(CampaignState.SENT, True), (CampaignState.CANCELLED, True), (CampaignState.PAUSED, False)],
    )
    def test_copy_for_the_rest_leaves_out_who_got_an_ended_campaign(
        self, admin_client: Client, state: CampaignState, is_left_out: bool
    ) -> None:
        campaign = create_campaign(state=state, started_at=timezone.now())
        admin_client.post(get_path(campaign, "duplicate"), {"rest": "1"})
        copy = Campaign.objects.exclude(pk=campaign.pk).get()
        assert copy.excluded_campaign == (campaign if is_left_out else None)

    def test_get_copies_nothing(self, admin_client: Client) -> None:
        admin_client.get(get_path(create_campaign(), "duplicate"))
        assert Campaign.objects.count() == 1


class TestDelete:
    def test_draft_can_be_deleted(self, admin_client: Client) -> None:
        campaign = create_campaign()
        page = admin_client.get(get_path(campaign, "delete")).content.decode()
        assert "<h1>Delete “June”?</h1>" in page
        assert "Draft · English, Čeština. This cannot be undone." in page
        admin_client.post(get_path(campaign, "delete"), {"post": "yes"})
        assert not Campaign.objects.exists()
        assert not CampaignText.objects.exists()
        assert LogEntry.objects.get().action_flag == DELETION

    @pytest.mark.parametrize("state", [*BEGUN[:3], CampaignState.SCHEDULED])
    def test_other_campaigns_stay(self, admin_client: Client, state: CampaignState) -> None:
        campaign = create_campaign(state=state)
        assert admin_client.post(get_path(campaign, "delete"), {"post": "yes"}).status_code == 403
        assert Campaign.objects.exists()

    def test_refusal_of_the_service_is_shown_and_not_recorded(self, admin_client: Client) -> None:
        campaign = create_campaign(state=CampaignState.CANCELLED)
        campaign.deliveries.create(language="en")
        response = admin_client.post(get_path(campaign, "delete"), {"post": "yes"}, follow=True)
        assert [message.level_tag for message in response.context["messages"]] == ["error"]
        assert Campaign.objects.exists()
        assert not LogEntry.objects.exists()
