"""The list of campaigns in Django admin, and the page on which a campaign is written."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import ADDITION, DELETION, LogEntry
from django.test import Client
from django.utils import timezone

from newsletter.campaigns.models import MAX_BODY_LENGTH, Campaign, CampaignState, CampaignText, Segment
from newsletter.campaigns.tests.admin_pages import LIST, get_path, get_state, read_form, save
from sailing.admin.tests.helpers import staff_client
from sailing.mail import installation

pytestmark = pytest.mark.django_db

ADD = f"{LIST}add/"
WRITE = ("view_campaign", "add_campaign", "change_campaign")


def create_campaign(*, subject: str = "Fair winds", body: str = "Hello *crew*", **values: Any) -> Campaign:
    """Store a campaign with an English and a Czech text."""
    campaign = Campaign.objects.create(**{"name": "June", **values})
    for language in ("en", "cs"):
        CampaignText.objects.create(campaign=campaign, language=language, subject=subject, body=body)
    return campaign


def sender_client() -> Client:
    """Return the client of an admin who may write and send."""
    return staff_client(*WRITE, "send_campaign", email="sender@example.com")


def list_names(client: Client, query: str = "") -> set[str]:
    response = client.get(f"{LIST}?{query}")
    assert response.status_code == 200
    return {campaign.name for campaign in response.context["cl"].result_list}


class TestList:
    def test_filters_and_search_find_campaigns(self, admin_client: Client) -> None:
        create_campaign(name="one", subject="Regatta", user_type="sailor")
        create_campaign(name="two", state=CampaignState.SENT)
        assert list_names(admin_client, "state__exact=sent") == {"two"}
        assert list_names(admin_client, "user_type__exact=sailor") == {"one"}
        assert list_names(admin_client, "user_type__exact=") == {"two"}
        assert list_names(admin_client, "q=regatta") == {"one"}
        assert list_names(admin_client) == {"one", "two"}
        assert "Sailors</td>" in admin_client.get(LIST).content.decode()

    def test_number_of_queries_does_not_grow_with_the_rows(
        self, admin_client: Client, django_assert_max_num_queries: Any
    ) -> None:
        for number in range(20):
            segment = Segment.objects.create(name=str(number))
            create_campaign(state=CampaignState.SENT, recipient_count=5, segment=segment)
        installation.is_copy()  # the first question makes the database the site's
        with django_assert_max_num_queries(10):
            admin_client.get(LIST)
        with django_assert_max_num_queries(10):
            admin_client.get("/admin/campaigns/segment/")


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

    def test_buttons_save_and_lead_on_and_the_message_names_the_draft(self, admin_client: Client) -> None:
        campaign = create_campaign()
        for button in ("save", "test", "send"):
            response = save(admin_client, campaign, name=f"by {button}", **{f"_{button}": "1"})
            page = "change" if button == "save" else button
            assert response.headers["Location"] == get_path(campaign, page)
            assert Campaign.objects.get().name == f"by {button}"
            editor = admin_client.get(get_path(campaign))
            [key] = re.findall('data-draft="(.*?)"', editor.content.decode())
            [message] = editor.context["messages"]
            assert message.tags == f"{key} success"


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
        again = second | {"version": response.context["form"]["version"].value()}
        assert admin_client.post(path, again).status_code == 200
        assert campaign.texts.get(language="en").subject == "From the first"
        assert LogEntry.objects.count() == 1

    def test_saving_is_refused_after_somebody_has_scheduled_or_sent_it(self, admin_client: Client) -> None:
        campaign = create_campaign()
        path = get_path(campaign)
        posted = read_form(admin_client, path, name="Late", body_en="Late text")
        Campaign.objects.update(state=CampaignState.SCHEDULED)  # without a new changed_at
        assert admin_client.post(path, posted).status_code == 200
        Campaign.objects.update(state=CampaignState.SENDING)
        html = admin_client.post(path, posted).content.decode()
        assert "sending has begun in the meantime" in html
        assert "Late text" in html
        assert Campaign.objects.get().name == "June"
        assert not campaign.texts.filter(body="Late text").exists()


class TestScheduled:
    @pytest.fixture
    def campaign(self) -> Campaign:
        later = timezone.now() + timedelta(days=1)
        return create_campaign(state=CampaignState.SCHEDULED, scheduled_at=later)

    def test_admin_who_may_send_can_change_it_without_errors(self, campaign: Campaign) -> None:
        client = staff_client(*WRITE, "send_campaign")
        assert save(client, campaign, subject_en="Better").status_code == 302
        html = save(client, campaign, subject_en="").content.decode()
        assert "because the campaign is scheduled" in html
        assert campaign.texts.get(language="en").subject == "Better"
        assert get_state(campaign) == CampaignState.SCHEDULED

    def test_admin_who_may_not_send_can_only_read_it(self, campaign: Campaign) -> None:
        client = staff_client(*WRITE)
        assert f'href="{ADD}" class="addlink">New campaign<' in client.get(LIST).content.decode()
        response = client.get(get_path(campaign))
        assert "only admins who may send" in response.content.decode()
        posted = read_form(sender_client(), get_path(campaign), name="Changed")
        assert client.post(get_path(campaign), posted).status_code == 403
        assert Campaign.objects.get().name == "June"


def test_campaign_is_read_only_after_sending_has_begun(admin_client: Client) -> None:
    html = admin_client.get(get_path(create_campaign(state=CampaignState.SENDING))).content.decode()
    assert 'id="campaign-form"' not in html
    assert "can no longer be changed" in html
    assert "Hello" in html


def test_pages_of_a_draft_have_the_tabs_that_the_admin_may_open() -> None:
    campaign, client = create_campaign(), staff_client("view_campaign", "send_campaign")
    tabs = ["change", "send", "results"]
    for name in tabs:
        html = client.get(get_path(campaign, name)).content.decode()
        below = html.partition("row-pages")[2]
        links = re.findall(r'<li><a href="([^"]*)"( aria-current="page")?>', below)
        assert [link for link, _current in links][: len(tabs)] == [get_path(campaign, each) for each in tabs]
        assert [link for link, current in links if current] == [get_path(campaign, name)]
        assert "<h1>June</h1>" in html


class TestDuplicate:
    def test_copy_is_a_draft_with_the_same_texts(self, admin_client: Client) -> None:
        campaign = create_campaign(state=CampaignState.SENT, recipient_count=3, user_type="company")
        admin_client.get(get_path(campaign, "duplicate"))
        assert Campaign.objects.count() == 1
        response = admin_client.post(get_path(campaign, "duplicate"))
        copy = Campaign.objects.exclude(pk=campaign.pk).get()
        assert response.headers["Location"] == get_path(copy)
        assert (copy.state, copy.recipient_count) == (CampaignState.DRAFT, 0)
        assert (copy.user_type, copy.created_by) == ("company", LogEntry.objects.get().user)
        assert copy.key != campaign.key
        texts = [set(each.texts.values_list("language", "subject", "body")) for each in (copy, campaign)]
        assert texts[0] == texts[1]
        assert LogEntry.objects.get().object_id == str(copy.pk)

    def test_copy_for_the_rest_leaves_out_who_got_an_ended_campaign(self, admin_client: Client) -> None:
        for state, is_left_out in ((CampaignState.SENT, True), (CampaignState.PAUSED, False)):
            campaign = create_campaign(state=state, started_at=timezone.now())
            admin_client.post(get_path(campaign, "duplicate"), {"rest": "1"})
            copy = Campaign.objects.latest("pk")
            assert copy.excluded_campaign == (campaign if is_left_out else None)


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

    @pytest.mark.parametrize(
        ("state", "recipients"),
        [(CampaignState.SENT, 3), (CampaignState.SCHEDULED, 0), (CampaignState.CANCELLED, 3)],
    )
    def test_other_campaigns_stay(self, admin_client: Client, state: CampaignState, recipients: int) -> None:
        campaign = create_campaign(state=state, recipient_count=recipients)
        assert admin_client.post(get_path(campaign, "delete"), {"post": "yes"}).status_code == 403
        assert Campaign.objects.exists()

    @pytest.mark.parametrize(
        ("model", "field"), [(Campaign, "excluded_campaign"), (Segment, "received_campaign")]
    )
    def test_campaign_that_another_one_or_a_segment_names_is_kept(
        self, admin_client: Client, model: Any, field: str
    ) -> None:
        campaign = create_campaign(state=CampaignState.CANCELLED)
        model.objects.create(name="Faithful", **{field: campaign})
        page = admin_client.post(get_path(campaign, "delete"), {"post": "yes"})
        assert "Faithful" in page.content.decode()
        assert Campaign.objects.filter(pk=campaign.pk).exists()
        assert not LogEntry.objects.exists()
