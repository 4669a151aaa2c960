"""The pages of an import in Django admin."""

import io
import json
import re
import threading
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs

from newsletter.imports import uploads
from newsletter.imports.models import ImportBatch
from newsletter.models import ConsentKind, State, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.jobs import files, runner
from sailing.jobs.models import Job, JobFile, JobState
from sailing.spreadsheets import reading
from sailing.spreadsheets.reading import describe_workbook_limits
from sailing.spreadsheets.tests.workbooks import workbook
from tests.jobs import run_pending_jobs
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

IMPORT = "/admin/imports/importbatch/import/"
BATCHES = "/admin/imports/importbatch/"
MAPPING = {"email": "column:0", "user_type": "column:1"}
CONSENT = {
    "is_confirmed": "on",
    "consent_date": "2025-05-31",
    "consent_origin": "Boat show",
    "consent_proof": "Signed sheets, binder 12",
}
ROWS = "email,user_type\nnew@example.com,sailor\nthere@example.com,sailor\nnobody,pirate\n"


def choose(client: Client, content: str | bytes, name: str = "list.csv") -> Any:
    """Post a file by the plain form and return the next page."""
    data = content.encode() if isinstance(content, str) else content
    page = client.post(IMPORT, {"file": SimpleUploadedFile(name, data)}, follow=True)
    return finish_reading(client, page)


def finish_reading(client: Client, page: Any) -> Any:
    """Let the job read the file, as the page waits for it; return the next page."""
    if page.template_name != "admin/newsletter/imports/reading.html":
        return page
    run_pending_jobs()
    following = client.get(get_path(page), follow=True)
    following.redirect_chain = [*page.redirect_chain, *following.redirect_chain]
    return following


def get_path(page: Any) -> str:
    """Return the path of a page after redirects."""
    return str(page.redirect_chain[-1][0])


def start(client: Client, content: str | bytes = ROWS, name: str = "list.csv", **mapping: str) -> str:
    """Choose a file, start its import, and return the path of its batch."""
    response = client.post(get_path(choose(client, content, name)), MAPPING | mapping)
    assert response.status_code == 302
    return str(response.headers["Location"])


def get_imports() -> QuerySet[Job]:
    """Return the jobs that import, without those that read a file before."""
    return Job.objects.filter(kind=uploads.IMPORT)


def messages(page: Any) -> list[str]:
    return [str(message) for message in page.context["messages"]]


def announce(client: Client, size: int, name: str = "large.csv") -> Any:
    return client.post(IMPORT, {"name": name, "size": size})


def send(client: Client, path: str, content: bytes) -> int:
    return client.post(path, content, content_type="application/octet-stream").status_code


class TestUpload:
    CONTENT = b"email,user_type\n" + b"a@example.com,sailor,,,,,,,,,,,,,,,,,,,,,,,,\n" * 60_000

    def slices(self) -> list[bytes]:
        return [
            self.CONTENT[start : start + files.CHUNK_BYTES]
            for start in range(0, len(self.CONTENT), files.CHUNK_BYTES)
        ]

    def test_slices_in_any_order_make_the_file(self, admin_client: Client) -> None:
        assert len(self.slices()) == 3
        answer = json.loads(announce(admin_client, len(self.CONTENT)).content)
        for number in (2, 0, 1, 1):  # one is repeated, as after a lost answer
            assert send(admin_client, f"{answer['slices']}{number}/", self.slices()[number]) == 204
        file = JobFile.objects.get()
        with files.open_uploaded(file) as stored:
            assert stored.read() == self.CONTENT
        assert admin_client.get(answer["next"]).status_code == 200
        run_pending_jobs()
        assert "about 60,000 rows" in admin_client.get(answer["next"]).content.decode()

    def test_incomplete_file_is_chosen_again(self, admin_client: Client) -> None:
        answer = json.loads(announce(admin_client, len(self.CONTENT)).content)
        send(admin_client, f"{answer['slices']}0/", self.slices()[0])
        page = admin_client.get(answer["next"], follow=True)
        assert get_path(page) == IMPORT
        assert messages(page) == ["The file did not arrive completely. Please choose it again."]

    def test_file_of_a_wrong_size_is_refused(self, admin_client: Client) -> None:
        for size, name, problem in (
            (0, "list.csv", "The file is empty."),
            (200_000_001, "list.csv", "Choose a file of at most 200 MB."),
            (20_000_001, "list.XLSX", describe_workbook_limits()),
        ):
            response = announce(admin_client, size, name)
            assert response.status_code == 400
            assert json.loads(response.content) == {"problem": problem}
        assert announce(admin_client, 20_000_000, "list.xlsx").status_code == 200
        assert announce(admin_client, 20_000_001, "list.csv").status_code == 200

    def test_large_file_without_javascript_is_refused(self, admin_client: Client) -> None:
        page = choose(admin_client, b"x" * 2_700_000)
        assert page.context["form"].errors["file"] == [
            "Choose a file of at most 2.5 MB. Larger ones need JavaScript."
        ]

    def test_slices_are_taken_from_the_admin_who_chose_the_file_only(self, admin_client: Client) -> None:
        answer = json.loads(announce(admin_client, 5).content)
        other = staff_client("add_subscription", "view_subscription")
        assert send(other, f"{answer['slices']}0/", b"12345") == 404
        assert other.get(answer["next"]).status_code == 404

    def test_slice_of_a_started_import_is_refused(self, admin_client: Client) -> None:
        start(admin_client)
        file = JobFile.objects.get()
        assert send(admin_client, f"{IMPORT}{file.pk}/slices/0/", b"x" * file.size) == 400


class TestMapping:
    def test_preview_says_what_will_happen_and_writes_nothing(self, admin_client: Client) -> None:
        SubscriptionFactory(email="there@example.com")
        SubscriptionFactory(email="left@example.com")
        SubscriptionFactory(email="confirmed@example.com", confirmed=True)
        page = choose(
            admin_client,
            "E-mail;Typ;Aktivní\nnew@example.com;sailor;\nthere@example.com;sailor;\n"
            "new@example.com;jachtař;\nno@example.com;firma;ne\nleft@example.com;sailor;ne\n"
            "confirmed@example.com;sailor;ne\nnobody;pirát;\n",
        ).content.decode()
        badges = re.findall(
            r'<span class="badge badge-\w+(?: [\w-]+)?">(.*?)</span>', page.partition("<tbody>")[2]
        )
        assert badges == [
            "Will be added unconfirmed",
            "On the list already",
            "Repeated in the file",
            "Will be added as unsubscribed",
            "On the list, will get no newsletter",
            "Will be left out",
            "Will be left out",
        ]
        assert "The owner has confirmed on this site" in page
        assert "Not a valid email address." in page
        assert Subscription.objects.count() == 3

    def test_page_shows_totals_of_the_whole_file_before_anything_is_stored(
        self, admin_client: Client
    ) -> None:
        SubscriptionFactory(email="there@example.com")
        people = "".join(f"person{number}@example.com,sailor,Eva,x\n" for number in range(30))
        more = "there@example.com,sailor,,\nperson7@example.com,sailor,,\nnobody,sailor,,\n"
        path = get_path(choose(admin_client, "Email,Type,First name,Shoe size\n" + people + more))
        page = admin_client.get(path).content.decode()
        assert "about 33 rows" in page
        assert page.count("Will be added unconfirmed") == 20  # of the first rows
        assert "All rows are being checked." in page
        assert re.search(r"<button[^>]* disabled>Start the import", page)
        run_pending_jobs()
        part = admin_client.get(re.findall('data-poll="(.*?)"', page)[0]).content.decode()
        shown = admin_client.get(path).content.decode()
        for text in (part, shown):
            assert "33 rows, 32 with a valid address." in " ".join(text.split())
            assert re.findall(r"<dt>([^<]+)</dt><dd>(\d+)</dd>", text) == [
                ("Will be added unconfirmed", "30"),
                ("Will be added", "30"),
                ("On the list already", "1"),
                ("Repeated in the file", "1"),
                ("Will be added as unsubscribed", "0"),
                ("Will be left out", "1"),
            ]
            assert "<strong>1 row:</strong> Not a valid email address." in text
        assert "<li>Shoe size</li>" in shown.partition("Columns of the file that are not imported")[2]
        assert re.search(r"<button[^>]* disabled>Start the import", shown) is None
        assert Subscription.objects.count() == 1

    def test_totals_are_those_of_the_last_choice_of_columns_for_the_admin_who_made_it(
        self, admin_client: Client
    ) -> None:
        path = get_path(choose(admin_client, ROWS))
        for _time in range(2):
            admin_client.get(path, MAPPING | {"user_type": "value:company"})
        earlier, check = Job.objects.filter(kind=uploads.CHECK).order_by("pk")
        assert (earlier.state, check.state) == (JobState.CANCELLED, JobState.WAITING)
        assert admin_client.get(f"{path}totals/{check.pk}/").status_code == 200
        assert staff_client("add_subscription").get(f"{path}totals/{check.pk}/").status_code == 404

    def test_totals_are_counted_again_after_another_import(self, admin_client: Client) -> None:
        path = get_path(choose(admin_client, ROWS))
        start(admin_client, ROWS)
        run_pending_jobs()
        admin_client.get(path)
        run_pending_jobs()
        page = " ".join(admin_client.get(path).content.decode().split())
        assert "<dt>On the list already</dt><dd>2</dd>" in page

    def test_file_whose_rows_cannot_be_counted_can_be_imported_all_the_same(
        self, admin_client: Client
    ) -> None:
        path = get_path(choose(admin_client, ROWS))
        Job.objects.filter(kind=uploads.CHECK).update(
            state=JobState.FAILED, error="An unexpected error.", finished_at=timezone.now()
        )
        page = admin_client.get(path).content.decode()
        assert "An unexpected error." in page
        assert re.search(r"<button[^>]* disabled>Start the import", page) is None

    def test_import_that_seems_to_hold_opt_outs_needs_a_choice(self, admin_client: Client) -> None:
        page = choose(admin_client, ROWS, "unsubscribed.csv")
        # The browser would refuse to update the preview.
        assert re.search(
            r'<input type="checkbox" name="nobody_left"(?![^>]* required)', page.content.decode()
        )
        path = get_path(page)
        page = admin_client.post(path, MAPPING)
        assert "Choose the state, or confirm that nobody has left." in page.content.decode()
        assert not ImportBatch.objects.exists()
        assert admin_client.post(path, {**MAPPING, "nobody_left": "on"}).status_code == 302

    def test_columns_that_are_not_recognised_are_asked_for(self, admin_client: Client) -> None:
        page = choose(admin_client, "kontakt,co\nnew@example.com,sailor\n")
        assert "Choose one to see what will happen." in page.content.decode()
        path = get_path(page)
        response = admin_client.post(path, {"email": "column:0", "user_type": ""})
        assert response.context["form"].errors["user_type"]
        assert not ImportBatch.objects.exists()
        page = admin_client.get(path, {"email": "column:0", "user_type": "value:company"})
        assert "Will be added" in page.content.decode()

    def test_tampered_mapping_is_refused(self, admin_client: Client) -> None:
        path = get_path(choose(admin_client, ROWS))
        for reference in ("column:9", "value:pirate", "x"):
            response = admin_client.post(path, MAPPING | {"user_type": reference})
            assert response.context["form"].errors["user_type"]
        assert admin_client.get(path, MAPPING | {"user_type": "column:9"}).status_code == 200

    def test_unreadable_file_is_chosen_again(self, admin_client: Client) -> None:
        admin_client.cookies["django_language"] = "cs"
        page = choose(admin_client, b"%PDF-1.7 ...")
        assert get_path(page) == IMPORT
        (message,) = messages(page)
        assert message.startswith("Tohle není tabulka, ale PDF")
        assert not Job.objects.exists()

    def test_other_jobs_run_while_a_workbook_is_converted(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(reading, "WAIT_SECONDS", 0.001)
        monkeypatch.setattr(runner, "TURN_SECONDS", 0)
        file = {"file": SimpleUploadedFile("list.xlsx", workbook([["email"], ["new@example.com"]]))}
        admin_client.get(get_path(admin_client.post(IMPORT, file, follow=True)))
        turns = runner.Turns(threading.Event())
        turns.run_round()
        assert Job.objects.get(kind=uploads.READ).state == JobState.RUNNING
        while turns.run_round():
            pass
        assert Job.objects.get(kind=uploads.READ).state == JobState.DONE

    def test_page_waits_until_the_file_is_read(self, admin_client: Client) -> None:
        file = {"file": SimpleUploadedFile("list.csv", ROWS.encode())}
        path = get_path(admin_client.post(IMPORT, file, follow=True))
        for _time in range(2):
            page = admin_client.get(path).content.decode()
            assert "The file is being read." in page
            assert '<meta http-equiv="refresh"' in page
        assert Job.objects.filter(kind=uploads.READ).count() == 1

    def test_workbook_is_converted_once(self, admin_client: Client) -> None:
        """A worker that takes too long loses its job to another, which begins again."""
        choose(admin_client, workbook([["email"], ["new@example.com"]]), "list.xlsx")
        reading = Job.objects.filter(kind=uploads.READ)
        reading.update(state=JobState.WAITING, next_attempt_at=timezone.now())
        run_pending_jobs()
        assert JobFile.objects.count() == 2

    def test_file_whose_reading_failed_is_chosen_again(self, admin_client: Client) -> None:
        file = {"file": SimpleUploadedFile("list.csv", ROWS.encode())}
        path = get_path(admin_client.post(IMPORT, file, follow=True))
        Job.objects.filter(kind=uploads.READ).update(state=JobState.FAILED)
        page = admin_client.get(path, follow=True)
        assert (get_path(page), messages(page)) == (IMPORT, ["The file could not be read."])

    @pytest.mark.parametrize("step", ["request_reading", "read_start"])
    def test_file_that_another_tab_discards_meanwhile_is_not_found(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch, step: str
    ) -> None:
        path = get_path(choose(admin_client, ROWS))
        run = getattr(uploads, step)

        def discard_afterwards(*arguments: Any) -> Any:
            found = run(*arguments)
            uploads.discard(JobFile.objects.get())
            return found

        monkeypatch.setattr(uploads, step, discard_afterwards)
        assert admin_client.post(path, MAPPING).status_code == 404
        assert not Job.objects.exists()


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
        Job.objects.all().delete()  # after their retention
        assert admin_client.get(path).status_code == 200
        assert "1 added · 1 left out" in admin_client.get(BATCHES).content.decode()

    def test_reasons_stay_after_the_file_of_the_left_out_rows(self, admin_client: Client) -> None:
        path = start(admin_client, f"{ROWS}odd,sailor\nlast@example.com,pirate\n")
        run_pending_jobs()
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

    def test_progress_is_a_part_of_its_own(self, admin_client: Client) -> None:
        start(admin_client)
        get_imports().update(state=JobState.RUNNING, finished_rows=500, total_rows=2000)
        part = admin_client.get(f"{BATCHES}{ImportBatch.objects.get().pk}/status/").content.decode()
        assert "500 of 2,000 rows" in part
        assert 'max="2000" value="500"' in part
        assert "<html" not in part

    def test_double_click_starts_one_import(self, admin_client: Client) -> None:
        path = get_path(choose(admin_client, ROWS))
        first, second = (admin_client.post(path, MAPPING) for _click in range(2))
        assert first.headers["Location"] == second.headers["Location"]
        assert get_imports().count() == ImportBatch.objects.count() == LogEntry.objects.count() == 1

    def test_running_import_can_be_stopped(self, admin_client: Client) -> None:
        path = start(admin_client)
        page = admin_client.post(path.replace("change", "cancel"), follow=True)
        assert messages(page) == ["It stops after the current step. What has been done stays."]
        run_pending_jobs()
        assert get_imports().get().state == JobState.CANCELLED
        assert not Subscription.objects.exists()

    def test_request_to_confirm_is_written_tried_and_sent(
        self, admin_client: Client, admin_user: Any
    ) -> None:
        path = start(admin_client, f"{ROWS}jana@example.com,sailor\n", language="value:cs")
        run_pending_jobs()
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
        assert page.count("potkali jsme se v Praze &amp; okolí.") == 1
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
        invite = start(admin_client).replace("change", "invite")
        run_pending_jobs()
        assert "Testing and sending save your text first." in admin_client.get(invite).content.decode()
        for button, subject in (("test", "From Prague"), ("send", "From the boat show")):
            admin_client.post(invite, {"subject_en": subject, button: "1"})
            run_pending_jobs()
            assert ImportBatch.objects.get().request_texts == {"en": {"subject": subject}}
            assert mails()[-1].subject.removeprefix("[Test] ") == subject

    def test_request_that_readers_would_see_as_markup_is_not_sent(self, admin_client: Client) -> None:
        path = start(admin_client)
        run_pending_jobs()
        for text in ("Ahoy {first_name|sailor}", "Ahoy <b>you</b>", "x" * 1001):
            page = admin_client.post(path.replace("change", "invite"), {"text_en": text, "send": "1"})
            assert page.context["form"].errors["text_en"]
        run_pending_jobs()
        assert not mails()
        assert ImportBatch.objects.get().request_texts == {}

    def test_preview_is_for_the_audience_of_the_import(self, admin_client: Client) -> None:
        path = start(admin_client, "email,user_type\na@example.com,company\n")
        run_pending_jobs()
        page = admin_client.get(path.replace("change", "invite")).content.decode()
        assert "Newsletter for companies" in page
        assert "Newsletter for sailors" not in page

    def test_page_says_whom_of_the_added_the_request_reaches(self, admin_client: Client) -> None:
        path = start(admin_client, "email,user_type\none@example.com,sailor\ntwo@example.com,sailor\n")
        run_pending_jobs()
        others = "The others that the import added unconfirmed were asked, have confirmed or have left since."
        assert others not in admin_client.get(path).content.decode()
        Subscription.objects.filter(email="one@example.com").update(is_confirmed=True)
        assert others in admin_client.get(path).content.decode()
        Subscription.objects.update(is_confirmed=True)
        page = admin_client.get(path).content.decode()
        assert "Nobody from this import is waiting to be asked to confirm." in page
        assert admin_client.get(path.replace("change", "invite")).headers["Location"] == path

    def test_import_is_undone(self, admin_client: Client) -> None:
        path = start(admin_client)
        run_pending_jobs()
        after = admin_client.post(path.replace("change", "undo"), follow=True)
        assert messages(after) == ["The subscribers of this import are being removed."]
        run_pending_jobs()
        assert not Subscription.objects.exists()
        page = admin_client.get(path).content.decode()
        assert "Removed again" in page
        assert "Undo the import" not in page

    def test_links_change_nothing(self, admin_client: Client) -> None:
        path = start(admin_client)
        run_pending_jobs()
        before = list(ImportBatch.objects.values())
        for action in ("cancel", "invite", "undo"):
            admin_client.get(path.replace("change", action))
        assert list(ImportBatch.objects.values()) == before
        assert get_imports().count() == 1

    def test_job_links_to_its_import(self, admin_client: Client) -> None:
        path = start(admin_client)
        page = f"/admin/jobs/job/{get_imports().get().pk}/change/"
        link = f'href="{path}">Open the import</a>'
        assert link in admin_client.get(page).content.decode()
        assert link not in staff_client("view_job").get(page).content.decode()

    def test_everything_is_logged_without_addresses(self, admin_client: Client, admin_user: Any) -> None:
        with capture_logs() as lines:
            path = start(admin_client)
            run_pending_jobs()
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
        path = start(admin_client)
        run_pending_jobs()
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
        page = choose(admin_client, self.CONTENT)
        assert "Have they agreed already?" in page.content.decode()
        assert "Will be added as confirmed" in page.content.decode()  # hidden until the box is ticked
        path = start(admin_client, self.CONTENT, state="column:2", **CONSENT)
        run_pending_jobs()
        states = dict(Subscription.objects.values_list("email", "is_confirmed"))
        assert states == {"yes@example.com": True, "wait@example.com": False, "no@example.com": False}
        subscription = Subscription.objects.get(email="yes@example.com")
        assert subscription.state is State.CONFIRMED
        assert subscription.confirmed_at
        assert timezone.localdate(subscription.confirmed_at).isoformat() == "2025-05-31"
        (event,) = subscription.consent_events.all()
        assert (event.kind, event.by, event.wording) == (ConsentKind.IMPORTED_CONSENT, admin_user, "")
        assert event.comment == "2025-05-31: Boat show. Signed sheets, binder 12"
        page = admin_client.get(path).content.decode()
        expected = ("1 added as confirmed", "May 31, 2025", "Boat show", "Signed sheets, binder 12")
        for text in expected:
            assert text in page
        page = admin_client.get(f"/admin/newsletter/subscription/{subscription.pk}/change/").content.decode()
        assert "Had agreed before the import, as an admin documented" in page
        assert event.comment in page
        assert not mails()
        assert LogEntry.objects.latest("pk").change_message == "Imported as confirmed."

    @pytest.mark.parametrize(
        ("states", "consent", "headings", "counts"),
        [
            (["active", "pending"], {}, ["Ask 2 subscribers to confirm"], {"Added unconfirmed": 2}),
            (["active", "active"], CONSENT, ["2 added as confirmed"], {"Added as confirmed": 2}),
            (
                ["active", "pending", "pending", "left"],
                CONSENT,
                ["1 added as confirmed", "Ask the other 2 to confirm"],
                {
                    "Added as confirmed": 1,
                    "Added unconfirmed": 2,
                    "Added as unsubscribed or undeliverable": 1,
                },
            ),
            (
                ["pending"],
                CONSENT,
                ["Ask 1 subscriber to confirm"],
                {"Added as confirmed": 0, "Added unconfirmed": 1},
            ),
        ],
    )
    def test_headings_and_counts_say_the_same(
        self,
        admin_client: Client,
        states: list[str],
        consent: dict[str, str],
        headings: list[str],
        counts: dict[str, int],
    ) -> None:
        rows = [f"{number}@example.com,sailor,{state}\n" for number, state in enumerate(states)]
        path = start(admin_client, "Email,Type,Status\n" + "".join(rows), state="column:2", **consent)
        run_pending_jobs()
        page = admin_client.get(path).content.decode()
        assert re.findall(r"<h2>\s*(.*(?:confirm|confirmed))\s*</h2>", page) == headings
        found = dict(re.findall(r"<dt>([^<]*)</dt><dd>(\d+)</dd>", page))
        assert {name: int(number) for name, number in found.items()} == {
            **counts,
            "On the list already": 0,
            "Left out": 0,
        }

    def test_what_proves_it_stays_in_the_form_and_is_in_no_address(self, admin_client: Client) -> None:
        path = get_path(choose(admin_client, self.CONTENT))
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
        start(client, "email,user_type\nlast@example.com,sailor\n", **CONSENT)
        run_pending_jobs()
        assert Subscription.objects.get().state is State.PENDING

    def test_nobody_is_confirmed_without_date_origin_and_proof(self, admin_client: Client) -> None:
        path = get_path(choose(admin_client, self.CONTENT))
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

    @pytest.mark.parametrize("may_confirm", [True, False])
    def test_choice_of_the_file_mentions_it_to_those_who_may(self, may_confirm: bool) -> None:
        client = staff_client("add_subscription", *(["confirm_importbatch"] if may_confirm else []))
        page = client.get(f"{BATCHES}import/").content.decode()
        assert ("Unless you document their consent in the next step" in page) is may_confirm
        assert ("New addresses come in unconfirmed" in page) is not may_confirm

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
        start(admin_client, exported, f"list.{file_format}", user_type="column:2", state="column:3")
        run_pending_jobs()
        assert set(Subscription.objects.values_list("email", flat=True)) == stored
        (ended,) = Subscription.objects.in_state(State.UNSUBSCRIBED)
        assert ended.email == "gone@example.com"
