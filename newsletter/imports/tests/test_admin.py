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
from structlog.testing import capture_logs

from newsletter.imports import services
from newsletter.imports.models import ImportBatch
from newsletter.models import ConsentKind, State, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.jobs import files
from sailing.jobs.models import Job, JobFile
from tests.jobs import run_pending_jobs
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

BATCHES = "/admin/imports/importbatch/"
IMPORT = f"{BATCHES}import/"
LIST = "/admin/newsletter/subscription/"
ROWS = "email,audience\nnew@example.com,sailor\nthere@example.com,sailor\nnobody,pirate\n"
CONSENT = {"is_confirmed": "on", "consent_date": "2025-05-31", "consent_proof": "Signed sheets, binder 12"}
CHOICES = {
    "column_0": "email",
    "column_1": "user_type",
    "language": "en",
    "leavers": "some",
    "origin": "Boat show",
}


def choose(client: Client, content: str | bytes, name: str = "list.csv") -> str:
    data = content.encode() if isinstance(content, str) else content
    return str(client.post(IMPORT, {"file": SimpleUploadedFile(name, data)}).headers["Location"])


def choose_roles(client: Client, path: str, **choices: str) -> str:
    """Say what the columns mean, and let the job count the rows; return the path of the totals."""
    response = client.post(path, CHOICES | choices)
    assert response.status_code == 302, response.context["form"].errors
    run_pending_jobs()
    return str(response.headers["Location"])


def import_file(client: Client, content: str | bytes, **choices: str) -> str:
    return start(client, choose_roles(client, choose(client, content), **choices))


def start(client: Client, totals: str) -> str:
    path = str(client.post(totals).headers["Location"])
    run_pending_jobs()
    return path


def send(client: Client, path: str, content: bytes) -> int:
    return client.post(path, content, content_type="application/octet-stream").status_code


def read(client: Client, path: str) -> str:
    return client.get(path, follow=True).content.decode()


def get_counts(page: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>([^<]+)</dt><dd>([\d,]+)</dd>", page))


def guess(client: Client, path: str) -> dict[str, str]:
    return {field.name: field.value() for field in client.get(path).context["form"] if field.value()}


class TestUpload:
    def test_slices_make_the_file(self, admin_client: Client) -> None:
        content, size = ROWS.encode() * 40_000, files.CHUNK_BYTES
        slices = [content[start : start + size] for start in range(0, len(content), size)]
        announced = admin_client.post(IMPORT, {"name": "large.csv", "size": len(content)})
        path = json.loads(announced.content)["next"]
        assert "did not arrive completely. Please choose it" in read(admin_client, path)
        for number in (1, 0, 0, 2):  # one is repeated, as after a lost answer
            assert send(admin_client, f"{path}slices/{number}/", slices[number]) == 204
        with files.open_uploaded(JobFile.objects.get()) as stored:
            assert stored.read() == content
        assert admin_client.get(path).status_code == 200

    def test_what_cannot_be_imported_is_refused_and_not_kept(self, admin_client: Client) -> None:
        for size, problem in ((0, "The file is empty."), (200_000_001, "Choose a file of at most 200 MB.")):
            response = admin_client.post(IMPORT, {"name": "large.csv", "size": size})
            assert (response.status_code, json.loads(response.content)) == (400, {"problem": problem})
        form = admin_client.post(IMPORT).context["form"]  # too large for a form: no file arrives
        assert form.errors["file"] == ["Choose a file of at most 10 MB. Larger ones need JavaScript."]
        file = {"file": SimpleUploadedFile("list.xlsx", b"PK\x03\x04")}
        assert "type “CSV UTF-8”" in admin_client.post(IMPORT, file, follow=True).content.decode()
        path = choose(admin_client, "email,audience\n")
        assert "The file has column names, but no rows below them." in read(admin_client, path)
        assert not JobFile.objects.exists()

    def test_only_the_admin_who_chose_a_file_sends_it_and_sees_its_totals(self, admin_client: Client) -> None:
        path = json.loads(admin_client.post(IMPORT, {"name": "large.csv", "size": 5}).content)["next"]
        other = staff_client("add_subscription", "view_subscription", "view_job")
        assert send(other, f"{path}slices/0/", b"12345") == other.get(path).status_code == 404
        totals = choose_roles(admin_client, choose(admin_client, ROWS))
        assert other.get(totals).status_code == other.post(totals).status_code == 404
        job = Job.objects.get(kind=services.CHECK)
        assert other.get(f"{BATCHES}bad-rows/{job.pk}/").status_code == 404
        pages = [read(client, f"/admin/jobs/job/{job.pk}/change/") for client in (admin_client, other)]
        assert ["Open the import" in page for page in pages] == [True, False]
        file = JobFile.objects.get(job=job, name="list.csv")
        assert send(admin_client, f"{IMPORT}{file.pk}/slices/0/", b"x" * file.size) == 400


class TestColumns:
    def test_page_shows_values_and_asks_for_what_may_say_who_left(self, admin_client: Client) -> None:
        path = choose(admin_client, "E-mail,Typ,Unsub?\nnew@example.com,sailor,maybe\n")
        page = admin_client.get(path)
        columns = page.context["form"].list_columns()
        assert [values for _field, values in columns] == [["new@example.com"], ["sailor"], ["maybe"]]
        assert "It seems to say who must not be emailed." in page.content.decode()
        response = admin_client.post(path, CHOICES | {"column_2": ""})
        assert response.context["form"].errors.keys() == {"column_2"}
        assert '<a href="#id_column_2">Unsub?</a>' in response.content.decode()
        assert admin_client.post(path, CHOICES | {"column_2": "ignored"}).status_code == 302

    @pytest.mark.parametrize("name", ["unsubscribes of campaign 12.csv", "Odhlášení.csv", "inactive.csv"])
    def test_file_named_after_those_who_left_needs_a_choice(self, admin_client: Client, name: str) -> None:
        path = choose(admin_client, ROWS, name)
        assert admin_client.post(path, CHOICES | {"leavers": ""}).context["form"].errors.keys() == {"leavers"}
        totals = choose_roles(admin_client, path, leavers="all")
        assert get_counts(read(admin_client, totals))["New, unsubscribed"] == "2"

    def test_what_is_missing_is_named(self, admin_client: Client) -> None:
        path = choose(admin_client, "Email,Type,Status\nnew@example.com,sailor,active\n")
        for choices, problem in (
            ({"column_0": "user_type"}, ["__all__", "column_1"]),
            ({"column_1": "pirate"}, ["column_1", "user_type"]),
            ({"origin": ""}, ["origin"]),
            (CONSENT | {"consent_proof": ""}, ["consent_proof"]),
            (CONSENT | {"consent_date": "2999-01-01"}, ["consent_date"]),
            (CONSENT | {"column_2": "ignored"}, ["column_2"]),
        ):
            response = admin_client.post(path, CHOICES | {"column_2": "subscribed"} | choices)
            assert sorted(response.context["form"].errors) == problem
        assert not Job.objects.exists()

    def test_encoding_is_named_and_chosen_with_the_cells_in_view(self, admin_client: Client) -> None:
        path = choose(admin_client, "email,Jméno\na@x.cz,Tomáš\nb@x.cz,Jiří\n".encode("iso8859-2"))
        page = read(admin_client, path)
        for shown in ("It is read as Windows-1250.", "Tomáą", "Tomáš"):
            assert shown in page
        page = read(admin_client, f"{path}?encoding=ISO+8859-2")
        assert '<input type="hidden" name="encoding" value="ISO 8859-2">' in page
        choices = {"column_1": "first_name", "user_type": "sailor", "encoding": "ISO 8859-2"}
        start(admin_client, choose_roles(admin_client, path, **choices))
        assert set(Subscription.objects.values_list("first_name", flat=True)) == {"Tomáš", "Jiří"}


def test_rows_are_counted_before_they_are_stored_and_the_result_stays(admin_client: Client) -> None:
    SubscriptionFactory(email="there@example.com")
    totals = str(admin_client.post(choose(admin_client, ROWS), CHOICES).headers["Location"])
    page = read(admin_client, totals)
    assert "All rows are being checked. Nothing is stored yet." in page
    assert "Start the import" not in page
    run_pending_jobs()
    assert "3 of 3 rows" in read(admin_client, re.findall('data-poll="(.*?)"', page)[0])
    page = read(admin_client, totals)
    assert 'Audience: write “sailor” or “company”.</td><th scope="row">nobody</th>' in page
    assert not ImportBatch.objects.exists()
    path = start(admin_client, totals)
    job = f"/admin/jobs/job/{Job.objects.get(kind=services.IMPORT).pk}/change/"
    assert f'href="{path}">Open the import</a>' in read(admin_client, job)
    assert "Open the import" not in read(staff_client("view_job"), job)
    (bad_rows,) = re.findall('"([^"]*bad-rows/[^"]*)"', read(admin_client, path))
    assert '"nobody","pirate"' in b"".join(admin_client.get(bad_rows)).decode()
    Job.objects.all().delete()
    result = read(admin_client, path)
    for each in (page, result):
        counts = {"Rows": "3", "New, unconfirmed": "1", "On the list, unchanged": "1", "Left out": "1"}
        assert get_counts(each) == counts
        assert ("<strong>1 row:</strong> Not a valid email address." in each) is (each == result)
    assert "The list of these rows is no longer available" in result
    assert "1 added · 1 left out" in read(admin_client, BATCHES)


@pytest.mark.parametrize(("leavers", "is_offered"), [("some", False), ("all", True)])
def test_import_is_offered_only_if_it_would_store_something(
    admin_client: Client, leavers: str, is_offered: bool
) -> None:
    SubscriptionFactory(email="there@example.com", unsubscribed=True)
    path = choose(admin_client, "email,audience\nthere@example.com,sailor\n")
    page = read(admin_client, choose_roles(admin_client, path, leavers=leavers))
    assert ("Start the import" in page) is is_offered
    assert ("The import would change nothing" in page) is not is_offered


class TestUndo:
    def test_import_is_undone_and_logged_without_address(self, admin_client: Client, admin_user: Any) -> None:
        with capture_logs() as lines:
            path = import_file(admin_client, ROWS)
            after = admin_client.post(path.replace("change", "undo"), follow=True).content.decode()
        assert "The subscribers of this import are being removed." in after
        assert "<h2>Being undone</h2>" in after
        run_pending_jobs()
        page = read(admin_client, path)
        assert "<h2>Undone</h2>" in page
        assert get_counts(page)["Removed"] == "2"
        assert "Yes, remove them" not in page
        assert "Undone" in read(admin_client, BATCHES)
        events = {(line["event"], line.get("admin")) for line in lines}
        assert {("import_started", admin_user.pk), ("import_undone", admin_user.pk)} <= events
        assert "example.com" not in str(lines)
        entries = LogEntry.objects.order_by("pk").values_list("change_message", flat=True)
        assert list(entries) == ["Imported.", "Undone."]

    @pytest.mark.parametrize("is_own", [True, False])
    def test_import_of_another_is_undone_by_who_may_erase(self, admin_client: Client, is_own: bool) -> None:
        path = import_file(admin_client, ROWS)
        client, undo = staff_client("view_subscription", "add_subscription"), path.replace("change", "undo")
        if is_own:
            ImportBatch.objects.update(created_by=get_user_model().objects.get(email="staff@example.com"))
        assert ("undo/" in read(client, path)) is is_own
        client.get(undo)
        assert ImportBatch.objects.get().undone_at is None
        assert client.post(undo).status_code == (302 if is_own else 403)
        assert bool(ImportBatch.objects.get().undone_at) is is_own


class TestDocumentedConsent:
    def test_documentation_of_consent_is_in_the_history(self, admin_client: Client, admin_user: Any) -> None:
        content = "Email,Type,Status\ny@x.cz,sailor,active\nw@x.cz,sailor,unconfirmed\nn@x.cz,sailor,left\n"
        path = choose(admin_client, content)
        totals = choose_roles(admin_client, path, column_2="subscribed", **CONSENT)
        form = admin_client.get(path).context["form"]  # which keeps what was chosen
        assert {name: str(form[name].value()) for name in CHOICES | CONSENT} == CHOICES | CONSENT
        batch = str(admin_client.post(totals).headers["Location"])
        assert admin_client.get(path).headers["Location"] == batch
        run_pending_jobs()
        subscription = Subscription.objects.get(is_confirmed=True)
        assert (subscription.email, str(subscription.confirmed_at)[:10]) == ("y@x.cz", "2025-05-31")
        (event,) = subscription.consent_events.all()
        assert (event.kind, event.by, event.wording) == (ConsentKind.IMPORTED_CONSENT, admin_user, "")
        assert event.comment == "2025-05-31: Boat show. Signed sheets, binder 12"
        assert event.comment in read(admin_client, f"{LIST}{subscription.pk}/change/")
        assert not mails()
        assert LogEntry.objects.latest("pk").change_message == "Imported as confirmed."
        for page in (read(admin_client, batch), read(admin_client, totals)):
            assert "May\xa031,\xa02025" in page
            assert "Signed sheets, binder 12" in page
        JobFile.objects.all().delete()
        response = admin_client.post(totals, follow=True)
        assert "This check is out of date. Please import the file again." in response.content.decode()

    def test_group_without_its_permission_asks_everybody(self) -> None:
        client = group_client("Managers")
        assert "Have they already agreed?" not in read(client, choose(client, ROWS))
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
    start(admin_client, choose_roles(admin_client, path, **guess(admin_client, path)))
    assert set(Subscription.objects.values_list("email", flat=True)) == stored
    (ended,) = Subscription.objects.in_state(State.UNSUBSCRIBED)
    assert ended.email == "gone@example.com"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("unknown-status-beside-unsub-time", {"state": 1, "added-opted-out": 3}),
        ("contacts-one-byte", {"added-confirmed": 8, "added-opted-out": 1, "letters": 1}),
        ("refused-as-no-table", {"added-confirmed": 8, "added-opted-out": 1, "letters": 1}),
        ("cut-in-a-letter", {"added-confirmed": 21, "letters": 1}),
        ("iso-8859-2", {"added-confirmed": 7}),
    ],
)
def test_reported_files_import_nobody_by_mistake(admin_client: Client, name: str, counts: Any) -> None:
    path = choose(admin_client, (Path(__file__).parent / f"cases/{name}.csv").read_bytes())
    choices = CHOICES | guess(admin_client, path) | {"user_type": "sailor"} | CONSENT
    start(admin_client, choose_roles(admin_client, path, **choices))
    assert ImportBatch.objects.get().counts == counts
