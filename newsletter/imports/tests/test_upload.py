"""The pages before an import: choose a file, match its columns, and see what will happen."""

import json
import re
import threading
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from newsletter.imports import jobs, uploads
from newsletter.imports.models import ImportBatch
from newsletter.imports.tests.admin_pages import (
    IMPORT,
    MAPPING,
    ROWS,
    choose,
    get_path,
    messages,
    start,
    upload,
)
from newsletter.models import Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client
from sailing.jobs import files, runner
from sailing.jobs.models import Job, JobFile, JobState
from sailing.spreadsheets import reading as conversion
from sailing.spreadsheets.reading import describe_workbook_limits
from sailing.spreadsheets.tests.workbooks import workbook
from tests.jobs import run_pending_jobs

pytestmark = pytest.mark.django_db


def announce(client: Client, size: int, name: str = "large.csv") -> Any:
    return client.post(IMPORT, {"name": name, "size": size})


def send(client: Client, path: str, content: bytes) -> int:
    return client.post(path, content, content_type="application/octet-stream").status_code


class TestUpload:
    def test_slices_in_any_order_make_the_file(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(files, "CHUNK_BYTES", 30)
        content = ROWS.encode()
        slices = [content[start : start + 30] for start in range(0, len(content), 30)]
        answer = json.loads(announce(admin_client, len(content)).content)
        incomplete = admin_client.get(answer["next"], follow=True)
        assert get_path(incomplete) == IMPORT
        assert messages(incomplete) == ["The file did not arrive completely. Please choose it again."]
        for number in (1, 0, 0, 2):  # one is repeated, as after a lost answer
            assert send(admin_client, f"{answer['slices']}{number}/", slices[number]) == 204
        with files.open_uploaded(JobFile.objects.get()) as stored:
            assert stored.read() == content
        assert admin_client.get(answer["next"]).status_code == 200

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
        page = admin_client.post(IMPORT, {"file": SimpleUploadedFile("list.csv", b"x" * 2_700_000)})
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
        path = upload(admin_client, "Email,Type,First name,Shoe size\n" + people + more)
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

    @pytest.mark.parametrize("limit", [2, 3])
    def test_page_says_that_a_file_has_more_rows_than_are_imported(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch, limit: int
    ) -> None:
        monkeypatch.setattr(jobs, "MAX_ROWS", limit)
        path = upload(admin_client, ROWS)
        for _time in range(2):
            page = admin_client.get(path).content.decode()
            run_pending_jobs()
        assert f"{limit} rows, " in page
        assert ("The file has more than 2 rows." in page) is (limit == 2)

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

    @pytest.mark.parametrize(
        ("cell", "shown"), [("a_xD83D_b", "a b"), ("a_x0000_b", "a b"), ("a_x200B_b", "ab")]
    )
    def test_escape_that_no_database_stores_is_a_space_and_an_invisible_one_nothing(
        self, admin_client: Client, cell: str, shown: str
    ) -> None:
        page = choose(admin_client, f"Email,Type,Status\nnew@example.com,sailor,{cell}\n")
        assert f"State: “{shown}” is not known." in page.content.decode()

    def test_tampered_mapping_is_refused(self, admin_client: Client) -> None:
        path = upload(admin_client, ROWS)
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

    def test_other_jobs_run_while_a_workbook_is_converted_once(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(conversion, "WAIT_SECONDS", 0.001)
        monkeypatch.setattr(runner, "TURN_SECONDS", 0)
        file = {"file": SimpleUploadedFile("list.xlsx", workbook([["email"], ["new@example.com"]]))}
        admin_client.post(IMPORT, file, follow=True)
        turns, reading = runner.Turns(threading.Event()), Job.objects.filter(kind=uploads.READ)
        turns.run_round()
        assert reading.get().state == JobState.RUNNING
        while turns.run_round():
            pass
        assert reading.get().state == JobState.DONE
        # A worker that takes too long loses its job to another, which begins again.
        reading.update(state=JobState.WAITING, next_attempt_at=timezone.now())
        run_pending_jobs()
        assert JobFile.objects.count() == 2

    def test_page_waits_until_the_file_is_read_or_could_not_be(self, admin_client: Client) -> None:
        file = {"file": SimpleUploadedFile("list.csv", ROWS.encode())}
        path = str(admin_client.post(IMPORT, file).headers["Location"])
        for _time in range(2):
            page = admin_client.get(path).content.decode()
            assert "The file is being read." in page
            assert '<meta http-equiv="refresh"' in page
        Job.objects.filter(kind=uploads.READ).update(state=JobState.FAILED)
        failed = admin_client.get(path, follow=True)
        assert (get_path(failed), messages(failed)) == (IMPORT, ["The file could not be read."])

    @pytest.mark.parametrize("step", ["request_reading", "read_start"])
    def test_file_that_another_tab_discards_meanwhile_is_not_found(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch, step: str
    ) -> None:
        path = upload(admin_client, ROWS)
        run = getattr(uploads, step)

        def discard_afterwards(*arguments: Any) -> Any:
            found = run(*arguments)
            uploads.discard(JobFile.objects.get())
            return found

        monkeypatch.setattr(uploads, step, discard_afterwards)
        assert admin_client.post(path, MAPPING).status_code == 404
        assert not Job.objects.exists()
