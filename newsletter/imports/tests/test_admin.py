"""The page of an import in Django admin, its buttons, and the consent that an admin documents."""

import io
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs

from newsletter.imports import uploads
from newsletter.imports.models import ImportBatch
from newsletter.imports.tests.admin_pages import (
    BATCHES,
    MAPPING,
    ROWS,
    choose,
    import_file,
    messages,
    start,
    upload,
)
from newsletter.models import ConsentKind, State, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.jobs.models import Job, JobFile, JobState
from tests.jobs import run_pending_jobs
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

CONSENT = {
    "is_confirmed": "on",
    "consent_date": "2025-05-31",
    "consent_origin": "Boat show",
    "consent_proof": "Signed sheets, binder 12",
}


def get_imports() -> QuerySet[Job]:
    """Return the jobs that import, without those that read a file before."""
    return Job.objects.filter(kind=uploads.IMPORT)


class TestBatch:
    def test_import_stores_the_good_rows_and_offers_the_others(self, admin_client: Client) -> None:
        SubscriptionFactory(email="there@example.com")
        path = start(admin_client)
        page = admin_client.get(path).content.decode()
        assert "data-running" in page
        run_pending_jobs()
        page = admin_client.get(path).content.decode()
        assert "data-running" not in page
        assert re.findall(r"<dd>(\d+)</dd>", page) == ["1", "1", "1"]
        rows = b"".join(admin_client.get(path.replace("change", "bad-rows"))).decode()
        assert '"nobody","pirate"' in rows
        assert '<span class="badge badge-good">Done</span>' in admin_client.get(BATCHES).content.decode()
        Job.objects.all().delete()  # after their retention
        assert admin_client.get(path).status_code == 200
        assert "1 added · 1 left out" in admin_client.get(BATCHES).content.decode()

    def test_reasons_stay_after_the_file_of_the_left_out_rows(self, admin_client: Client) -> None:
        path = import_file(admin_client, f"{ROWS}odd,sailor\nlast@example.com,pirate\n")
        address, audience = "Not a valid email address.", "Audience: write sailor or company."
        problems = [f"{address} {audience}", address, audience]
        for has_file in (True, False):
            page = admin_client.get(path).content.decode()
            assert "3 rows left out" in page
            assert re.findall(r"<li><strong>(\d) rows?:</strong> ([^<]+)</li>", page) == [
                ("2", "Not a valid email address."),
                ("1", "Audience: write sailor or company."),
            ]
            assert ("bad-rows/" in page) is has_file
            assert re.findall(r'<td data-label="Problem">([^<]+)</td>', page) == (
                problems if has_file else []
            )
            assert ('<td data-label="email">last@example.com</td>' in page) is has_file
            assert ("The list of these rows is no longer available" in page) is not has_file
            JobFile.objects.all().delete()

    def test_double_click_starts_one_import(self, admin_client: Client) -> None:
        path = upload(admin_client, ROWS)
        first, second = (admin_client.post(path, MAPPING) for _click in range(2))
        assert first.headers["Location"] == second.headers["Location"]
        assert get_imports().count() == ImportBatch.objects.count() == LogEntry.objects.count() == 1

    def test_running_import_shows_its_progress_and_can_be_stopped(self, admin_client: Client) -> None:
        path = start(admin_client)
        get_imports().update(finished_rows=500, total_rows=2000)
        part = admin_client.get(path.replace("change", "status")).content.decode()
        assert "500 of 2,000 rows" in part
        assert 'max="2000" value="500"' in part
        assert "<html" not in part
        page = admin_client.post(path.replace("change", "cancel"), follow=True)
        assert messages(page) == ["It stops after the current step. What has been done stays."]
        run_pending_jobs()
        assert get_imports().get().state == JobState.CANCELLED
        assert not Subscription.objects.exists()

    def test_request_to_confirm_is_written_tried_and_sent(
        self, admin_client: Client, admin_user: Any
    ) -> None:
        path = import_file(admin_client, f"{ROWS}jana@example.com,sailor\n", language="value:cs")
        page = admin_client.get(path).content.decode()
        assert "Ask 3 subscribers to confirm" in page
        assert "within 1 hour" in page
        invite = path.replace("change", "invite")
        page = admin_client.get(invite).content.decode()
        assert "Your address is on an earlier list of" not in page  # nobody reads English
        assert "Vaši adresu máme v dřívějším seznamu" in page
        texts = {
            "subject_cs": "Od\r\nveletrhu lodí",
            "text_cs": "Dobrý den,\n\npotkali jsme se v Praze & okolí.",
        }
        page = admin_client.post(invite, {**texts, "save": "1"}, follow=True).content.decode()
        assert page.count("potkali jsme se v Praze &amp;amp; okolí.") == 1  # in the preview
        assert " style=" not in page.partition("srcdoc=")[2].partition("</iframe>")[0]
        assert not mails()
        tried = admin_client.post(invite, {**texts, "test": "1"}, follow=True)
        assert messages(tried) == [f"A test is on its way to {admin_user.email}."]
        (mail,) = mails()
        assert (mail.subject, mail.recipient) == ("[Test] Od veletrhu lodí", admin_user.email)
        after = admin_client.post(invite, {**texts, "send": "1"}, follow=True)
        assert messages(after) == ["The emails go out from now on."]
        run_pending_jobs()
        asked = mails()[1:]
        assert {mail.recipient for mail in asked} == {
            f"{name}@example.com" for name in ("new", "there", "jana")
        }
        for mail in asked:
            assert mail.subject == "Od veletrhu lodí"
            assert "Dobrý den,\n\npotkali jsme se v Praze & okolí." in mail.text
            assert "potkali jsme se v Praze &amp; okolí." in mail.html
            assert "dřívějším seznamu" not in mail.text + mail.html

    def test_request_is_saved_before_it_is_tried_or_sent(self, admin_client: Client) -> None:
        invite = import_file(admin_client).replace("change", "invite")
        assert "Testing and sending save your text first." in admin_client.get(invite).content.decode()
        for button, subject in (("test", "From Prague"), ("send", "From the boat show")):
            admin_client.post(invite, {"subject_en": subject, button: "1"})
            run_pending_jobs()
            assert ImportBatch.objects.get().request_texts == {"en": {"subject": subject}}
            assert mails()[-1].subject.removeprefix("[Test] ") == subject

    def test_request_that_readers_would_see_as_markup_is_not_sent(self, admin_client: Client) -> None:
        path = import_file(admin_client)
        for text in ("Ahoy {first_name|sailor}", "Ahoy <b>you</b>", "x" * 1001):
            page = admin_client.post(path.replace("change", "invite"), {"text_en": text, "send": "1"})
            assert page.context["form"].errors["text_en"]
        run_pending_jobs()
        assert not mails()
        assert ImportBatch.objects.get().request_texts == {}

    def test_page_says_whom_of_the_added_the_request_reaches(self, admin_client: Client) -> None:
        path = import_file(
            admin_client, "email,user_type\none@example.com,company\ntwo@example.com,company\n"
        )
        invite = admin_client.get(path.replace("change", "invite")).content.decode()
        assert "Newsletter for companies" in invite
        assert "Newsletter for sailors" not in invite
        others = "The others that the import added unconfirmed were asked, have confirmed or have left since."
        assert others not in admin_client.get(path).content.decode()
        Subscription.objects.filter(email="one@example.com").update(is_confirmed=True)
        assert others in admin_client.get(path).content.decode()
        Subscription.objects.update(is_confirmed=True)
        page = admin_client.get(path).content.decode()
        assert "Nobody from this import is waiting to be asked to confirm." in page
        assert admin_client.get(path.replace("change", "invite")).headers["Location"] == path

    def test_import_is_undone_by_a_button_and_not_by_a_link(self, admin_client: Client) -> None:
        path = import_file(admin_client)
        before = list(ImportBatch.objects.values())
        for action in ("cancel", "invite", "undo"):
            admin_client.get(path.replace("change", action))
        assert list(ImportBatch.objects.values()) == before
        after = admin_client.post(path.replace("change", "undo"), follow=True)
        assert messages(after) == ["The subscribers of this import are being removed."]
        run_pending_jobs()
        assert not Subscription.objects.exists()
        page = admin_client.get(path).content.decode()
        assert "Removed again" in page
        assert "Undo the import" not in page

    def test_job_links_to_its_import(self, admin_client: Client) -> None:
        path = start(admin_client)
        page = f"/admin/jobs/job/{get_imports().get().pk}/change/"
        link = f'href="{path}">Open the import</a>'
        assert link in admin_client.get(page).content.decode()
        assert link not in staff_client("view_job").get(page).content.decode()

    def test_everything_is_logged_without_addresses(self, admin_client: Client, admin_user: Any) -> None:
        with capture_logs() as lines:
            path = import_file(admin_client)
            for action in ("invite", "undo"):
                admin_client.post(path.replace("change", action), {"send": "1"})
        events = [line for line in lines if str(line["event"]).startswith("import_")]
        assert [line["event"] for line in events] == ["import_started", "import_invited", "import_undone"]
        assert {line["admin"] for line in events} == {admin_user.pk}
        assert "example.com" not in str(lines)
        assert [entry.change_message for entry in LogEntry.objects.order_by("pk")] == [
            "Imported.",
            "Asked to confirm.",
            "Undone.",
        ]


class TestPermissions:
    @pytest.mark.parametrize("is_own", [True, False])
    def test_import_of_another_admin_is_undone_with_the_permission_to_erase_alone(
        self, admin_client: Client, is_own: bool
    ) -> None:
        path = import_file(admin_client)
        client = staff_client("view_subscription", "add_subscription")
        if is_own:
            ImportBatch.objects.update(created_by=get_user_model().objects.get(email="staff@example.com"))
        assert ("undo/" in client.get(path).content.decode()) is is_own
        assert client.post(path.replace("change", "undo")).status_code == (302 if is_own else 403)
        assert bool(ImportBatch.objects.get().undone_at) is is_own


class TestDocumentedConsent:
    CONTENT = (
        "Email,Type,Status\nyes@example.com,sailor,active\nwait@example.com,sailor,unconfirmed\n"
        "no@example.com,sailor,left\n"
    )

    def test_people_come_in_as_confirmed_with_the_documentation_in_their_history(
        self, admin_client: Client, admin_user: Any
    ) -> None:
        page = choose(admin_client, self.CONTENT).content.decode()
        assert "Have they agreed already?" in page
        assert "Will be added as confirmed" in page  # hidden until the box is ticked
        path = import_file(admin_client, self.CONTENT, state="column:2", **CONSENT)
        subscription = Subscription.objects.get(is_confirmed=True)
        assert subscription.email == "yes@example.com"
        assert subscription.state is State.CONFIRMED
        assert subscription.confirmed_at
        assert timezone.localdate(subscription.confirmed_at).isoformat() == "2025-05-31"
        (event,) = subscription.consent_events.all()
        assert (event.kind, event.by, event.wording) == (ConsentKind.IMPORTED_CONSENT, admin_user, "")
        assert event.comment == "2025-05-31: Boat show. Signed sheets, binder 12"
        page = admin_client.get(f"/admin/newsletter/subscription/{subscription.pk}/change/").content.decode()
        assert "Had agreed before the import, as an admin documented" in page
        assert event.comment in page
        assert not mails()
        assert LogEntry.objects.latest("pk").change_message == "Imported as confirmed."
        page = admin_client.get(path).content.decode()
        for text in (
            "May\xa031,\xa02025",
            "Boat show",
            "Signed sheets, binder 12",
        ):
            assert text in page
        headings = re.findall(r"<h2>\s*(.*(?:confirm|confirmed))\s*</h2>", page)
        assert headings == ["1 added as confirmed", "Ask the other 1 to confirm"]
        assert dict(re.findall(r"<dt>([^<]*)</dt><dd>(\d+)</dd>", page)) == {
            "Added as confirmed": "1",
            "Added unconfirmed": "1",
            "Added as unsubscribed or undeliverable": "1",
            "On the list already": "0",
            "Left out": "0",
        }

    def test_import_of_which_nobody_was_confirmed_asks_them_without_mentioning_others(
        self, admin_client: Client
    ) -> None:
        content = "Email,Type,Status\nwait@example.com,sailor,pending\n"
        path = import_file(admin_client, content, state="column:2", **CONSENT)
        assert "Ask 1 subscriber to confirm" in admin_client.get(path).content.decode()

    def test_what_proves_it_stays_in_the_form_and_is_in_no_address(self, admin_client: Client) -> None:
        path = upload(admin_client, self.CONTENT)
        page = admin_client.get(path).content.decode()
        assert re.findall(r'<form method="(\w+)"[^>]* id="mapping"', page) == ["post"]
        assert "formmethod" not in page
        assert 'type="submit" name="preview"' in page
        chosen = {**MAPPING, "state": "column:2", "other_language": "cs"}
        response = admin_client.post(
            path, {**chosen, **CONSENT, "csrfmiddlewaretoken": "secret", "preview": "x"}
        )
        assert response.headers["Location"] == f"{path}?{urlencode(chosen)}"
        shown = admin_client.get(response.headers["Location"])
        assert shown.context["form"].get_mapping().items() >= chosen.items()
        assert CONSENT.items() <= shown.context["consent"].data.items()
        assert not ImportBatch.objects.exists()
        ignored = admin_client.get(path, {**MAPPING, "consent_proof": "From an address"}).content.decode()
        assert "From an address" not in ignored
        admin_client.post(path, {**chosen, **CONSENT})
        assert "Signed sheets" not in str(dict(admin_client.session))

    def test_group_without_its_permission_asks_everybody(self) -> None:
        client = group_client("Managers")
        page = choose(client, self.CONTENT).content.decode()
        assert "These people have agreed already" not in page
        assert "Will be added as confirmed" not in page
        import_file(client, "email,user_type\nlast@example.com,sailor\n", **CONSENT)
        assert Subscription.objects.get().state is State.PENDING

    def test_nobody_is_confirmed_without_date_origin_and_proof(self, admin_client: Client) -> None:
        path = upload(admin_client, self.CONTENT)
        needed = "Without it, the people have to be asked."
        for name, value, problem in (
            ("consent_date", "", needed),
            ("consent_origin", "", needed),
            ("consent_proof", "", needed),
            ("consent_date", "2999-01-01", "Nobody can have agreed in the future."),
        ):
            page = admin_client.post(path, {**MAPPING, **CONSENT, name: value})
            assert page.context["consent"].errors == {name: [problem]}
        assert not ImportBatch.objects.exists()

    def test_it_needs_its_own_permission_until_the_end(self, admin_client: Client, admin_user: Any) -> None:
        client = staff_client("add_subscription", "confirm_importbatch")
        start(client, self.CONTENT, **CONSENT)
        get_user_model().objects.get(email="staff@example.com").user_permissions.remove(
            Permission.objects.get(codename="confirm_importbatch")
        )
        run_pending_jobs()
        assert get_imports().get().state == JobState.FAILED
        assert not Subscription.objects.exists()


def test_exported_file_is_imported_unchanged(admin_client: Client) -> None:
    for email in ("=cmd@example.com", "'=cmd@example.com", "o'brien@example.com", "'plain@example.com"):
        SubscriptionFactory(email=email)
    SubscriptionFactory(email="gone@example.com", is_active=False)
    stored = set(Subscription.objects.values_list("email", flat=True))
    for file_format in ("csv", "xlsx"):
        admin_client.post("/admin/newsletter/subscription/export/", {"format": file_format})
        run_pending_jobs()
        path = f"/admin/newsletter/subscription/export/{Job.objects.latest('pk').pk}/file/"
        exported = b"".join(admin_client.get(path))
        Subscription.objects.all().delete()
        assert io.BytesIO(exported).read(2) in (b"PK", b"\xef\xbb")
        import_file(admin_client, exported, f"list.{file_format}", user_type="column:2", state="column:3")
        assert set(Subscription.objects.values_list("email", flat=True)) == stored
        (ended,) = Subscription.objects.in_state(State.UNSUBSCRIBED)
        assert ended.email == "gone@example.com"
