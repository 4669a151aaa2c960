"""Blocks: who writes them, and where they are inserted."""

import re
from html import unescape

import pytest
from django.test import Client

from newsletter.campaigns.models import Block
from sailing.admin.tests.helpers import group_client

pytestmark = pytest.mark.django_db

LIST = "/admin/campaigns/block/"
EDITOR = "/admin/campaigns/campaign/add/"
VALUES = {"name": "Closing", "body_en": "Fair winds!", "body_cs": ""}


@pytest.mark.parametrize("group", ["Managers", "Editors"])
def test_block_is_written_once_and_offered_in_its_language(group: str) -> None:
    client = group_client(group)
    assert client.post(f"{LIST}add/", VALUES).status_code == 302
    html = client.get(EDITOR).content.decode()
    english, czech = html.split('id="id_body_en-blocks"')[1].split('id="id_body_cs-blocks"')
    assert 'data-text="Fair winds!"' in english
    assert "Closing" not in czech
    assert "There is no block in this language yet" in czech


def test_list_shows_how_a_block_begins_in_plain_words_and_its_languages(admin_client: Client) -> None:
    Block.objects.create(name="Closing", body_cs="\n**Příznivý** vítr!\n\nVaše posádka")
    html = admin_client.get(LIST).content.decode()
    assert ">Příznivý vítr!</td>" in html
    assert ">Čeština</td>" in html


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (LIST, "Texts that you use again, such as"),
        ("/admin/campaigns/picture/", "Pictures that you add here or while writing"),
        ("/admin/campaigns/campaign/", "Campaigns appear here as soon as"),
        ("/admin/newsletter/leavinganswer/", "When readers unsubscribe and say why"),
    ],
)
def test_empty_list_says_what_appears_in_it(admin_client: Client, path: str, words: str) -> None:
    assert words in admin_client.get(path).content.decode()
    assert words not in admin_client.get(f"{path}?q=nothing").content.decode()


def test_page_of_a_block_has_a_toolbar_and_one_button_that_saves(admin_client: Client) -> None:
    block = Block.objects.create(**VALUES)
    html = admin_client.get(f"{LIST}{block.pk}/change/").content.decode()
    assert html.count('class="toolbar"') == 2
    assert "_save" in html
    assert "_continue" not in html


def test_viewers_read_blocks_only() -> None:
    block = Block.objects.create(**VALUES)
    client = group_client("Viewers")
    assert "Closing" in client.get(LIST).content.decode()
    page = client.get(f"{LIST}{block.pk}/change/").content.decode()
    assert "Fair winds!" in page
    assert "_save" not in page
    assert client.get(f"{LIST}add/").status_code == 403
    assert client.post(f"{LIST}{block.pk}/change/", {**VALUES, "name": "x"}).status_code == 403
    assert client.post(f"{LIST}{block.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Block.objects.get().name == "Closing"


def test_block_needs_a_text_and_a_name_of_its_own(admin_client: Client) -> None:
    for values in ({**VALUES, "body_en": " "}, {**VALUES, "name": ""}):
        assert admin_client.post(f"{LIST}add/", values).status_code == 200
    admin_client.post(f"{LIST}add/", VALUES)
    assert admin_client.post(f"{LIST}add/", VALUES).status_code == 200
    assert Block.objects.count() == 1


def test_history_of_a_block_is_a_list_of_what_was_done_the_newest_first(admin_client: Client) -> None:
    block = Block.objects.create(**VALUES)
    history = f"{LIST}{block.pk}/history/"
    assert "Nothing is recorded yet." in admin_client.get(history).content.decode()
    for name in ("Farewell", "Goodbye"):
        admin_client.post(f"{LIST}{block.pk}/change/", {**VALUES, "name": name})
    html = admin_client.get(history).content.decode()
    assert html.count('<li class="entry') == 2
    assert "<h1>Goodbye</h1>" in html
    assert "change-history" not in html
    entries = admin_client.get(history).context["entries"]
    assert [entry["text"] for entry in entries] == ["Changed Name."] * 2
    assert entries[0]["at"] > entries[1]["at"]


@pytest.mark.parametrize("group", ["Managers", "Viewers"])
def test_page_shows_the_block_in_a_mail(group: str) -> None:
    text = "## Berths\n\n**Fair winds**, {first_name|sailor}! [Settings]({preferences_url})"
    block = Block.objects.create(name="Closing", body_en=text)
    response = group_client(group).get(f"{LIST}{block.pk}/change/")
    english, czech = response.context["previews"]
    assert '<h1 class="mail-title">Your subject</h1>' in english["html"]
    assert "Closing" not in english["html"]
    assert '<h2 class="mail-h2">Berths</h2>' in english["html"]
    assert "<strong" in english["html"]
    assert "sailor!" in english["html"]
    assert "campaign.invalid" not in english["html"]
    assert czech["html"] == ""
    html = response.content.decode()
    assert html.count("srcdoc=") == 1
    assert "There is no text in this language yet." in html
    assert "img-src 'self' https:" in response.headers["Content-Security-Policy"]


def test_title_of_the_preview_is_in_the_language_of_the_text(admin_client: Client) -> None:
    block = Block.objects.create(**VALUES | {"body_cs": "Příznivý vítr!"})
    previews = admin_client.get(f"{LIST}{block.pk}/change/").context["previews"]
    titles = [re.findall(r'<h1 class="mail-title">([^<]*)', preview["html"]) for preview in previews]
    assert titles == [["Your subject"], ["Váš předmět"]]


def test_deleting_a_block_says_that_campaigns_keep_its_text(admin_client: Client) -> None:
    block = Block.objects.create(**VALUES)
    page = admin_client.get(f"{LIST}{block.pk}/delete/").content.decode()
    assert "Campaigns that already contain its text keep it." in page
    assert ">Keep it</a>" in page


def test_new_block_has_no_preview(admin_client: Client) -> None:
    assert "srcdoc=" not in admin_client.get(f"{LIST}add/").content.decode()


def test_preview_of_a_hostile_block_stays_text(admin_client: Client) -> None:
    block = Block.objects.create(name="<b>", body_en="<script>alert(1)</script><img src=x onerror=y>")
    page = admin_client.get(f"{LIST}{block.pk}/change/").content.decode()
    [mail] = re.findall(r'srcdoc="([^"]*)"', page)
    assert not re.search(r"<script|<b>|<[^>]*onerror=", unescape(mail))


def test_text_of_a_block_stays_text_in_the_editor(admin_client: Client) -> None:
    Block.objects.create(name="<b>", body_en='"><script>alert(1)</script>')
    html = admin_client.get(EDITOR).content.decode()
    assert "<script>alert" not in html
    assert "<b>&lt;b&gt;" not in html
