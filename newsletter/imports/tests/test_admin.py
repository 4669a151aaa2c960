"""The pages of an import in Django admin: upload, columns with consent, totals, result, undo."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs

from newsletter.imports import services
from newsletter.imports.models import ImportBatch
from newsletter.imports.tests.helpers import (
    CHOICES,
    IMPORT,
    choose,
    choose_columns,
    get_messages,
    import_file,
)
from newsletter.models import ConsentKind, State, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import bulk_actions
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.jobs import files, queue
from sailing.jobs.models import Job, JobFile, JobState
from tests.jobs import run_pending_jobs
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

BATCHES = "/admin/imports/importbatch/"
LIST = "/admin/newsletter/subscription/"
ROWS = "email,audience\nnew@example.com,sailor\nthere@example.com,sailor\nnobody,pirate\n"
CONSENT = {"is_confirmed": "on", "consent_date": "2025-05-31", "consent_proof": "Signed sheets, binder 12"}


def announce(client: Client, size: int) -> Any:
    return client.post(IMPORT, {"name": "large.csv", "size": size})


def send(client: Client, path: str, content: bytes) -> int:
    return client.post(path, content, content_type="application/octet-stream").status_code


def get_counts(page: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>([^<]+)</dt><dd>([\d,]+)</dd>", page))


class TestUpload:
    def test_slices_in_any_order_make_the_file(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(files, "CHUNK_BYTES", 30)
        content = ROWS.encode()
        slices = [content[start : start + 30] for start in range(0, len(content), 30)]
        answer = json.loads(announce(admin_client, len(content)).content)
        incomplete = admin_client.get(answer["next"], follow=True)
        assert get_messages(incomplete) == ["The file did not arrive completely. Please choose it again."]
        for number in (1, 0, 0, 2):  # one is repeated, as after a lost answer
            assert send(admin_client, f"{answer['next']}slices/{number}/", slices[number]) == 204
        with files.open_uploaded(JobFile.objects.get()) as stored:
            assert stored.read() == content
        assert admin_client.get(answer["next"]).status_code == 200

    @pytest.mark.parametrize(
        ("size", "problem"),
        [(0, "The file is empty."), (200_000_001, "Choose a file of at most 200 MB.")],
    )
    def test_what_cannot_be_imported_is_refused_before_the_upload(
        self, admin_client: Client, size: int, problem: str
    ) -> None:
        response = announce(admin_client, size)
        assert (response.status_code, json.loads(response.content)) == (400, {"problem": problem})

    def test_workbook_gets_one_sentence_in_the_language_of_the_admin(self, admin_client: Client) -> None:
        admin_client.cookies["django_language"] = "cs"
        file = {"file": SimpleUploadedFile("list.xlsx", b"PK\x03\x04")}
        page = admin_client.post(IMPORT, file, follow=True).content.decode()
        assert "Uložit jako, typ „CSV UTF-8“" in page
        assert not JobFile.objects.exists()

    def test_large_file_without_javascript_is_named_when_none_arrives(self, admin_client: Client) -> None:
        page = admin_client.post(IMPORT)
        assert page.context["form"].errors["file"] == [
            "Choose a file of at most 10 MB. Larger ones need JavaScript."
        ]

    def test_only_the_admin_who_chose_a_file_sends_it_and_sees_its_totals(self, admin_client: Client) -> None:
        answer = json.loads(announce(admin_client, 5).content)
        other = staff_client("add_subscription", "view_subscription")
        assert send(other, f"{answer['next']}slices/0/", b"12345") == 404
        assert other.get(answer["next"]).status_code == 404
        totals = choose_columns(admin_client, choose(admin_client, ROWS))
        assert other.get(totals).status_code == other.post(totals).status_code == 404
        job = Job.objects.get(kind=services.CHECK)
        assert other.get(f"{BATCHES}bad-rows/{job.pk}/").status_code == 404
        file = JobFile.objects.get(job=job, name="list.csv")
        assert send(admin_client, f"{IMPORT}{file.pk}/slices/0/", b"x" * file.size) == 400


class TestColumns:
    def test_page_shows_values_and_asks_for_what_may_say_who_left(self, admin_client: Client) -> None:
        path = choose(admin_client, "E-mail,Typ,Unsub?\nnew@example.com,sailor,maybe\n", "list.csv")
        page = admin_client.get(path).content.decode()
        columns = admin_client.get(path).context["form"].list_columns()
        assert [values for _field, values in columns] == [["new@example.com"], ["sailor"], ["maybe"]]
        assert "It seems to say who must not be emailed." in page
        response = admin_client.post(path, CHOICES | {"column_2": ""})
        assert response.context["form"].errors.keys() == {"column_2"}
        assert '<a href="#id_column_2">Unsub?</a>' in response.content.decode()
        assert admin_client.post(path, CHOICES | {"column_2": "ignored"}).status_code == 302

    def test_audience_is_asked_and_the_language_is_that_of_the_admin(self, admin_client: Client) -> None:
        admin_client.cookies["django_language"] = "cs"
        form = admin_client.get(choose(admin_client, "Email\nnew@example.com\n")).context["form"]
        assert (form["user_type"].field.choices[0], form["language"].value()) == (("", "Vyberte"), "cs")

    @pytest.mark.parametrize("name", ["unsubscribes of campaign 12.csv", "Odhlášení.csv", "inactive.csv"])
    def test_file_named_after_those_who_left_needs_a_choice(self, admin_client: Client, name: str) -> None:
        path = choose(admin_client, ROWS, name)
        page = admin_client.get(path)
        assert page.context["form"].fields["leavers"].choices[0][0] == ""
        assert admin_client.post(path, CHOICES | {"leavers": ""}).context["form"].errors.keys() == {"leavers"}
        totals = choose_columns(admin_client, path, leavers="all")
        assert get_counts(admin_client.get(totals).content.decode())["New, unsubscribed"] == "2"

    @pytest.mark.parametrize(
        ("choices", "problem"),
        [
            ({"column_0": "ignored"}, ["__all__"]),
            ({"column_0": "user_type"}, ["__all__", "column_1"]),
            ({"column_1": "ignored"}, ["user_type"]),
            ({"column_1": "pirate"}, ["column_1", "user_type"]),
            ({"origin": ""}, ["origin"]),
            ({"origin": "a\u202eb"}, ["origin"]),
            ({"language": "de"}, ["language"]),
            (CONSENT | {"consent_date": ""}, ["consent_date"]),
            (CONSENT | {"consent_proof": ""}, ["consent_proof"]),
            (CONSENT | {"consent_date": "2999-01-01"}, ["consent_date"]),
            (CONSENT | {"column_2": "ignored"}, ["column_2"]),
        ],
    )
    def test_what_is_missing_or_tampered_is_named_and_nothing_is_counted(
        self, admin_client: Client, choices: dict[str, str], problem: list[str]
    ) -> None:
        path = choose(admin_client, "Email,Type,Status\nnew@example.com,sailor,active\n")
        response = admin_client.post(path, CHOICES | {"column_2": "subscribed"} | choices)
        assert sorted(response.context["form"].errors) == problem
        assert not Job.objects.exists()

    def test_encoding_is_named_and_chosen_with_the_cells_in_view(self, admin_client: Client) -> None:
        content = "email,Jméno\n" + "".join(
            f"a{row}@x.cz,{name}\n" for row, name in enumerate(["Tomáš", "Jiří"])
        )
        path = choose(admin_client, content.encode("iso8859-2"))
        page = admin_client.get(path).content.decode()
        assert "It is read as Windows-1250." in page
        assert "Tomáą" in page
        assert "Tomáš" in page
        page = admin_client.get(f"{path}?encoding=ISO+8859-2").content.decode()
        assert '<input type="hidden" name="encoding" value="ISO 8859-2">' in page
        choices = {"column_1": "first_name", "user_type": "sailor", "encoding": "ISO 8859-2"}
        admin_client.post(choose_columns(admin_client, path, **choices))
        run_pending_jobs()
        assert set(Subscription.objects.values_list("first_name", flat=True)) == {"Tomáš", "Jiří"}

    def test_file_without_rows_is_deleted_and_chosen_again(self, admin_client: Client) -> None:
        path = choose(admin_client, "email,audience\n")
        page = admin_client.get(path, follow=True)
        assert get_messages(page) == ["The file has column names, but no rows below them."]
        assert admin_client.get(path).status_code == 404


class TestTotals:
    def test_they_are_counted_before_anything_is_stored(self, admin_client: Client) -> None:
        SubscriptionFactory(email="there@example.com")
        path = choose(admin_client, ROWS)
        totals = str(admin_client.post(path, CHOICES).headers["Location"])
        page = admin_client.get(totals).content.decode()
        assert "All rows are being checked. Nothing is stored yet." in page
        assert "Start the import" not in page
        run_pending_jobs()
        progress = admin_client.get(re.findall('data-poll="(.*?)"', page)[0]).content.decode()
        assert "3 of 3 rows" in progress
        assert "data-running" not in progress
        page = admin_client.get(totals).content.decode()
        assert get_counts(page) == {
            "Rows": "3",
            "New, unconfirmed": "1",
            "On the list already": "1",
            "Left out": "1",
        }
        assert "<strong>1 row:</strong> Not a valid email address." in page
        assert '<td data-label="email">nobody</td>' in page
        assert Subscription.objects.count() == 1
        assert not ImportBatch.objects.exists()

    def test_columns_keep_what_was_chosen_until_the_import_and_lead_to_it_afterwards(
        self, admin_client: Client
    ) -> None:
        path = choose(admin_client, "Email,Type,Note\nnew@example.com,sailor,x\n")
        choices = {"column_2": "first_name", "language": "cs", "leavers": "all"} | CONSENT
        totals = choose_columns(admin_client, path, **choices)
        page = admin_client.get(totals).content.decode()
        for choice in ("Boat show", "May\xa031,\xa02025", "Signed sheets, binder 12", "Čeština"):
            assert f"<dd>{choice}</dd>" in page
        form = admin_client.get(path).context["form"]
        shown = {name: str(form[name].value()) for name in CHOICES | choices}
        assert shown == CHOICES | choices
        batch = admin_client.post(totals).headers["Location"]
        assert admin_client.get(path).headers["Location"] == batch

    def test_file_that_is_no_longer_stored_is_chosen_again(self, admin_client: Client) -> None:
        totals = choose_columns(admin_client, choose(admin_client, ROWS))
        JobFile.objects.all().delete()
        page = admin_client.post(totals, follow=True)
        assert get_messages(page) == ["The file is no longer stored. Please import it again."]


class TestBatch:
    def test_result_stays_after_its_job_and_file(self, admin_client: Client) -> None:
        path = import_file(admin_client, ROWS)
        job = f"/admin/jobs/job/{Job.objects.get(kind=services.IMPORT).pk}/change/"
        assert f'href="{path}">Open the import</a>' in admin_client.get(job).content.decode()
        assert "Open the import" not in staff_client("view_job").get(job).content.decode()
        for has_file in (True, False):
            page = admin_client.get(path).content.decode()
            assert get_counts(page) == {
                "Rows": "3",
                "New, unconfirmed": "2",
                "On the list already": "0",
                "Left out": "1",
            }
            assert "<strong>1 row:</strong> Not a valid email address." in page
            assert ("The list of these rows is no longer available" in page) is not has_file
            if has_file:
                rows = b"".join(admin_client.get(re.findall('"([^"]*bad-rows/[^"]*)"', page)[0])).decode()
                assert '"nobody","pirate"' in rows
            Job.objects.all().delete()
        assert "2 added · 1 left out" in admin_client.get(BATCHES).content.decode()

    def test_running_import_shows_its_progress_and_can_be_stopped(self, admin_client: Client) -> None:
        path = str(
            admin_client.post(choose_columns(admin_client, choose(admin_client, ROWS))).headers["Location"]
        )
        page = admin_client.get(path).content.decode()
        assert "data-running" in page
        assert "0 of 3 rows" in page
        admin_client.post(re.findall('action="([^"]*cancel/)"', page)[0])
        run_pending_jobs()
        assert Job.objects.get(kind=services.IMPORT).state == JobState.CANCELLED
        assert not Subscription.objects.exists()

    def test_people_are_asked_by_the_action_of_the_list_until_the_import_is_undone(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bulk_actions, "STEP_ROWS", 2)
        people = "".join(f"person{number}@example.com,sailor\n" for number in range(5))
        path = import_file(admin_client, f"email,audience\n{people}", origin="Boat show in Prague, 2025")
        page = admin_client.get(path).content.decode()
        assert "5 subscribers have not confirmed" in page
        query = re.findall(rf'href="({LIST}\?import=[^"]*state=pending)"', page)[0].replace("&amp;", "&")
        key = str(Subscription.objects.earliest("pk").pk)
        action = {"action": "ask_again", "select_across": "1", "_selected_action": key}
        admin_client.post(query, dict(admin_client.post(query, action).context["fields"]))
        queue.run_next_step()
        assert len(mails()) == 2
        for mail in mails():
            assert ": Boat show in Prague, 2025. We now have a newsletter" in mail.text
            assert "Boat show in Prague, 2025" in mail.html
            assert "asked for" not in mail.text + mail.html
            assert "This was not me" in mail.text
            assert "/newsletter/manage/" not in mail.text + mail.html  # nobody subscribed yet
        admin_client.post(path.replace("change", "undo"))
        run_pending_jobs()
        assert not mails()
        assert not Subscription.objects.exists()

    def test_import_is_undone_by_a_button_and_logged_without_addresses(
        self, admin_client: Client, admin_user: Any
    ) -> None:
        with capture_logs() as lines:
            path = import_file(admin_client, ROWS)
            undo = path.replace("change", "undo")
            admin_client.get(undo)
            assert ImportBatch.objects.get().undone_at is None
            after = admin_client.post(undo, follow=True)
        assert get_messages(after) == ["The subscribers of this import are being removed."]
        assert "<h2>Being undone</h2>" in after.content.decode()
        run_pending_jobs()
        page = admin_client.get(path).content.decode()
        assert "<h2>Undone</h2>" in page
        assert get_counts(page)["Removed"] == "2"
        assert "Yes, remove them" not in page
        events = [(line["event"], line.get("admin")) for line in lines]
        assert {("import_started", admin_user.pk), ("import_undone", admin_user.pk)} <= set(events)
        assert "example.com" not in str(lines)
        entries = LogEntry.objects.order_by("pk").values_list("change_message", flat=True)
        assert list(entries) == ["Imported.", "Undone."]

    @pytest.mark.parametrize("is_own", [True, False])
    def test_import_of_another_admin_is_undone_with_the_permission_to_erase_alone(
        self, admin_client: Client, is_own: bool
    ) -> None:
        path = import_file(admin_client, ROWS)
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
        path = import_file(admin_client, self.CONTENT, column_2="subscribed", **CONSENT)
        subscription = Subscription.objects.get(is_confirmed=True)
        assert (subscription.email, subscription.state) == ("yes@example.com", State.CONFIRMED)
        assert subscription.confirmed_at
        assert timezone.localdate(subscription.confirmed_at).isoformat() == "2025-05-31"
        (event,) = subscription.consent_events.all()
        assert (event.kind, event.by, event.wording) == (ConsentKind.IMPORTED_CONSENT, admin_user, "")
        assert event.comment == "2025-05-31: Boat show. Signed sheets, binder 12"
        page = admin_client.get(f"{LIST}{subscription.pk}/change/").content.decode()
        assert "Had agreed before the import, as an admin documented" in page
        assert event.comment in page
        assert not mails()
        assert LogEntry.objects.latest("pk").change_message == "Imported as confirmed."
        page = admin_client.get(path).content.decode()
        assert all(text in page for text in ("May\xa031,\xa02025", "Boat show", "Signed sheets, binder 12"))
        assert get_counts(page)["New, confirmed"] == "1"

    def test_group_without_its_permission_asks_everybody(self) -> None:
        client = group_client("Managers")
        assert "Have they agreed already?" not in client.get(choose(client, self.CONTENT)).content.decode()
        import_file(client, ROWS, **CONSENT)
        assert {each.state for each in Subscription.objects.all()} == {State.PENDING}


@pytest.mark.parametrize("language", ["en", "cs"])
def test_exported_file_is_imported_unchanged(admin_client: Client, language: str) -> None:
    admin_client.cookies["django_language"] = language
    for email in ("=cmd@example.com", "'=cmd@example.com", "o'brien@example.com", "'plain@example.com"):
        SubscriptionFactory(email=email)
    SubscriptionFactory(email="gone@example.com", is_active=False)
    stored = set(Subscription.objects.values_list("email", flat=True))
    admin_client.post(f"{LIST}export/")
    run_pending_jobs()
    exported = b"".join(admin_client.get(f"{LIST}export/{Job.objects.latest('pk').pk}/file/"))
    Subscription.objects.all().delete()
    path = choose(admin_client, exported)
    guessed = {field.name: field.value() for field in admin_client.get(path).context["form"] if field.value()}
    admin_client.post(choose_columns(admin_client, path, **guessed))
    run_pending_jobs()
    assert set(Subscription.objects.values_list("email", flat=True)) == stored
    (ended,) = Subscription.objects.in_state(State.UNSUBSCRIBED)
    assert ended.email == "gone@example.com"


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent / "cases").iterdir()), ids=lambda path: path.stem
)
def test_reported_files_import_nobody_whom_their_column_does_not_clear(
    admin_client: Client, path: Path
) -> None:
    page = choose(admin_client, path.read_bytes(), path.name)
    guessed = {field.name: field.value() for field in admin_client.get(page).context["form"] if field.value()}
    totals = choose_columns(admin_client, page, **CHOICES | guessed | {"user_type": "sailor"} | CONSENT)
    admin_client.post(totals)
    run_pending_jobs()
    expected = {
        "unknown-status-beside-unsub-time": {"state": 1, "added-opted-out": 3},
        "contacts-one-byte": {"added-confirmed": 8, "added-opted-out": 1, "letters": 1},
        "refused-as-no-table": {"added-confirmed": 8, "added-opted-out": 1, "letters": 1},
        "cut-in-a-letter": {"added-confirmed": 21, "letters": 1},
        "iso-8859-2": {"added-confirmed": 7},
    }
    assert ImportBatch.objects.get().counts == expected[path.stem]
