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


def test_editor_writes_a_block_once_and_is_offered_it_in_its_language() -> None:
    client = group_client("Editors")
    assert "srcdoc=" not in client.get(f"{LIST}add/").content.decode()  # nothing to preview yet
    assert client.post(f"{LIST}add/", VALUES).status_code == 302
    html = client.get(EDITOR).content.decode()
    english, czech = html.split('id="id_body_en-blocks"')[1].split('id="id_body_cs-blocks"')
    assert 'data-text="Fair winds!"' in english
    assert "Closing" not in czech
    assert "There is no block in this language yet" in czech


def test_list_shows_how_a_block_begins_in_plain_words_and_its_languages(admin_client: Client) -> None:
    html = admin_client.get(LIST).content.decode()
    assert "Texts that you use again, such as" in html
    assert "Texts that you use again, such as" not in admin_client.get(f"{LIST}?q=x").content.decode()
    Block.objects.create(name="Closing", body_cs="\n**Příznivý** vítr!\n\nVaše posádka")
    html = admin_client.get(LIST).content.decode()
    assert ">Příznivý vítr!</td>" in html
    assert ">Čeština</td>" in html


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
    response = admin_client.get(history)
    html = response.content.decode()
    assert html.count('<li class="entry') == 2
    assert "<h1>Goodbye</h1>" in html
    newest, oldest = response.context["entries"]
    assert newest["text"] == oldest["text"] == "Changed Name."
    assert newest["at"] > oldest["at"]


def test_page_shows_the_block_in_a_mail_of_its_language(admin_client: Client) -> None:
    text = "## Berths\n\n**Fair winds**, {first_name|sailor}! [Settings]({preferences_url})"
    block = Block.objects.create(name="Closing", body_en=text)
    response = admin_client.get(f"{LIST}{block.pk}/change/")
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
    assert html.count('class="toolbar"') == 2
    assert "There is no text in this language yet." in html
    assert "img-src 'self' https:" in response.headers["Content-Security-Policy"]
    Block.objects.update(body_cs="Příznivý vítr!")
    _english, czech = admin_client.get(f"{LIST}{block.pk}/change/").context["previews"]
    assert '<h1 class="mail-title">Váš předmět</h1>' in czech["html"]


def test_hostile_block_stays_text_in_its_preview_and_in_the_editor(admin_client: Client) -> None:
    block = Block.objects.create(name="<b>", body_en='"><script>alert(1)</script><img src=x onerror=y>')
    page = admin_client.get(f"{LIST}{block.pk}/change/").content.decode()
    [mail] = re.findall(r'srcdoc="([^"]*)"', page)
    assert not re.search(r"<script|<b>|<[^>]*onerror=", unescape(mail))
    html = admin_client.get(EDITOR).content.decode()
    assert "<script>alert" not in html
    assert "<b>&lt;b&gt;" not in html
