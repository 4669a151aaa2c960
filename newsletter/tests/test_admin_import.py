"""The import of subscribers: preview, all or nothing, no invented consent."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection
from django.db.models import QuerySet
from django.test import Client
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter import services
from newsletter.admin import resources
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address
from sailing.admin import formats
from sailing.retention import purge_expired
from tests.mailbox import latest, mails, press_button

pytestmark = pytest.mark.django_db

IMPORT = "/admin/newsletter/subscription/import/"
CONFIRM = "/admin/newsletter/subscription/process_import/"
CSV, JSON = "0", "1"


def choose(client: Client, content: str | bytes, file_format: str = CSV) -> Any:
    """Post the first step; return the page with the preview or the errors."""
    data = content.encode() if isinstance(content, str) else content
    file = SimpleUploadedFile("subscribers.csv", data)
    response = client.post(IMPORT, {"import_file": file, "format": file_format, "resource": "0"})
    assert response.status_code == 200
    return response


def confirm(client: Client, preview: Any) -> list[str]:
    """Post the second step with the hidden fields of the first; return the messages of the next page."""
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', preview.content.decode()))
    response = client.post(CONFIRM, fields, follow=True)
    assert response.status_code == 200
    return [str(message) for message in response.context["messages"]]


def import_file(client: Client, content: str, file_format: str = CSV) -> list[str]:
    return confirm(client, choose(client, content, file_format))


def get_problems(page: Any) -> list[tuple[int, dict[str, list[str]]]]:
    return [(row.number, row.field_specific_errors) for row in page.context["result"].invalid_rows]


def test_preview_writes_nothing(admin_client: Client) -> None:
    page = choose(admin_client, "email,user_type,is_active\nnew@example.com,sailor,no\n")
    assert "New: 1. Skipped, because they are on the list already: 0." in page.content.decode()
    assert not Subscription.objects.exists()
    assert not ConsentEvent.objects.exists()


def test_import_adds_normalized_rows(admin_client: Client) -> None:
    content = (
        "\ufeffEmail , User_Type,source,language,note\r\n"
        " New.One@Example.COM ,Sailor,landing-sailors,cs,hello\r\n"
        "firma@člun.cz,COMPANY,,,\r\n"
    )
    assert import_file(admin_client, content) == [
        "Import finished: 2 new, 0 updated, 0 deleted and 0 skipped subscribers."
    ]
    stored = Subscription.objects.order_by("language").values_list("email", "user_type", "source", "language")
    assert list(stored) == [
        ("new.one@example.com", "sailor", "landing-sailors", "cs"),
        ("firma@xn--lun-eqa.cz", "company", "", "en"),
    ]


@pytest.mark.parametrize(
    ("file_format", "content"),
    [
        (CSV, "email,user_type\nA@example.com,sailor\na@example.com,company\n=b@člun.cz,sailor\n"),
        (CSV, "email;user_type\nA@example.com;sailor\na@example.com;company\n'=b@člun.cz;sailor\n"),
        (
            JSON,
            json.dumps(
                [
                    {"email": "A@example.com", "user_type": "sailor"},
                    {"email": "a@example.com", "user_type": "company"},
                    {"email": "=b@člun.cz", "user_type": "sailor"},
                ]
            ),
        ),
    ],
)
def test_importing_a_file_again_adds_nothing(admin_client: Client, file_format: str, content: str) -> None:
    import_file(admin_client, content, file_format)
    before = list(Subscription.objects.order_by("pk").values())
    assert len(before) == 3
    assert import_file(admin_client, content, file_format) == [
        "Import finished: 0 new, 0 updated, 0 deleted and 3 skipped subscribers."
    ]
    assert list(Subscription.objects.order_by("pk").values()) == before


def test_duplicate_row_is_imported_once(admin_client: Client) -> None:
    import_file(admin_client, "email,user_type\ntwin@example.com,sailor\nTWIN@example.com,sailor\n")
    assert Subscription.objects.count() == 1


def test_imported_subscribers_are_pending_without_consent_events(admin_client: Client) -> None:
    import_file(
        admin_client,
        "email,user_type,is_confirmed,confirmed_at,created_at\n"
        "new@example.com,sailor,1,2020-01-01,2020-01-01\n",
    )
    subscription = Subscription.objects.get()
    assert subscription.state is State.PENDING
    assert not subscription.is_confirmed
    assert subscription.confirmed_at is None
    assert not ConsentEvent.objects.exists()
    assert not mails()


@pytest.mark.parametrize("state", [{}, {"confirmed": True}, {"unsubscribed": True}, {"bounced": True}])
def test_existing_subscribers_are_not_changed(admin_client: Client, state: dict[str, bool]) -> None:
    SubscriptionFactory(email="there@example.com", **state)
    before = Subscription.objects.values().get()
    import_file(
        admin_client,
        "email,user_type,source,language,is_active,is_confirmed,unsubscribed_at,bounced_at\n"
        "There@example.com,sailor,landing-companies,cs,1,1,,\n",
    )
    assert Subscription.objects.values().get() == before


def test_inactive_row_is_imported_as_unsubscribed(admin_client: Client) -> None:
    import_file(
        admin_client, "email,user_type,is_active\nno@example.com,sailor,no\nyes@example.com,sailor,yes\n"
    )
    assert Subscription.objects.get(email="no@example.com").state is State.UNSUBSCRIBED
    assert not Subscription.objects.get(email="no@example.com").is_active
    assert Subscription.objects.get(email="yes@example.com").state is State.PENDING
    (event,) = ConsentEvent.objects.all()
    assert (event.subscription.email, event.kind) == ("no@example.com", ConsentKind.IMPORTED_OPT_OUT)
    assert event.wording == ""


def test_imported_opt_out_is_undone_by_the_owner_only(admin_client: Client, subscribe: Subscribe) -> None:
    import_file(admin_client, "email,user_type,is_active\nno@example.com,sailor,no\n")
    subscribe(email="no@example.com")
    subscription = Subscription.objects.get()
    assert subscription.state is State.PENDING
    assert not services.activate(subscription=subscription)

    press_button(confirm_address(latest()))
    subscription.refresh_from_db()
    assert subscription.is_active


class TestInvalidFiles:
    def test_invalid_rows_are_reported_and_nothing_is_imported(self, admin_client: Client) -> None:
        page = choose(
            admin_client,
            "email,user_type,source,language,is_active\n"
            "good@example.com,sailor,,,\n"
            "not-an-address,sailor,,,\n"
            ",pirate,moon,de,perhaps\n"
            f"{'a' * 250}@example.com,sailor,,,\n",
        )
        assert get_problems(page) == [
            (2, {"email": ["Please enter a valid email address"]}),
            (
                3,
                {
                    "email": ["Email is required"],
                    "user_type": ["Write sailor or company."],
                    "source": ["Write landing-sailors, landing-companies or nothing."],
                    "language": ["Write en, cs or nothing."],
                    "is_active": ["Write yes, no or nothing."],
                },
            ),
            (4, {"email": ["Email must be at most 254 characters"]}),
        ]
        assert "Confirm import" not in page.content.decode()
        assert "user_type: Write sailor or company." in page.content.decode()
        assert not Subscription.objects.exists()

    def test_invalid_row_is_shown_unchanged(self, admin_client: Client) -> None:
        page = choose(admin_client, "email,user_type,is_active\nX@example.com,Pirate,YES\n")
        (row,) = page.context["result"].invalid_rows
        assert row.values == ("X@example.com", "Pirate", "---", "---", "YES")

    def test_html_in_a_file_is_escaped(self, admin_client: Client) -> None:
        page = choose(admin_client, "email,user_type\n<script>alert(1)</script>,sailor\n").content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page

    @pytest.mark.parametrize("heading", ["email", "a@example.com,sailor"])
    def test_missing_columns_are_reported(self, admin_client: Client, heading: str) -> None:
        page = choose(admin_client, f"{heading}\nb@example.com\n").content.decode()
        assert "The file needs the columns email and user_type." in page
        assert "Traceback" not in page

    @pytest.mark.parametrize(
        ("language", "message"),
        [
            ("en", "The file has more than 2 rows. Please split it."),
            ("cs", "Soubor má více než 2 řádků. Rozdělte ho prosím."),
        ],
    )
    @pytest.mark.parametrize("file_format", [CSV, JSON])
    def test_too_many_rows_are_refused(
        self,
        admin_client: Client,
        monkeypatch: pytest.MonkeyPatch,
        settings: Settings,
        language: str,
        message: str,
        file_format: str,
    ) -> None:
        monkeypatch.setattr(formats, "MAX_ROWS", 2)
        admin_client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        rows = [{"email": f"{number}@example.com", "user_type": "sailor"} for number in range(3)]
        lines = "".join(f"{row['email']},{row['user_type']}\n" for row in rows)
        content = f"email,user_type\n{lines}" if file_format == CSV else json.dumps(rows)
        page = choose(admin_client, content, file_format)
        assert page.context["form"].errors["import_file"] == [message]

    def test_json_of_empty_objects_is_refused(self, admin_client: Client) -> None:
        page = choose(admin_client, f"[{','.join(['{}'] * 10_000)}]", JSON)
        assert page.context["form"].errors["import_file"] == [
            "The file must be a list of objects with the same keys."
        ]

    def test_order_of_json_keys_does_not_matter(self, admin_client: Client) -> None:
        import_file(
            admin_client,
            '[{"email": "a@example.com", "user_type": "sailor"},'
            ' {"user_type": "company", "email": "b@example.com"}]',
            JSON,
        )
        stored = Subscription.objects.order_by("email").values_list("email", "user_type")
        assert list(stored) == [("a@example.com", "sailor"), ("b@example.com", "company")]

    @pytest.mark.parametrize(
        ("content", "file_format"),
        [
            (b"", CSV),
            (b"email,user_type\n", CSV),
            (b"email,user_type\na@example.com,sailor,and,more\n", CSV),
            (b"\xff\xfe\x00", CSV),
            (b"no json", JSON),
            (b"[1, 2]", JSON),
            (b"[]", JSON),
            (b"{}", JSON),
            (b'[{"email": "a@example.com", "user_type": "sailor"}, {"email": "b@example.com"}]', JSON),
            (b"[" * 100_000, JSON),
        ],
    )
    def test_malformed_file_is_refused(self, admin_client: Client, content: bytes, file_format: str) -> None:
        page = choose(admin_client, content, file_format)
        assert page.context["form"].errors["import_file"]
        assert not Subscription.objects.exists()

    def test_too_large_file_is_refused(self, admin_client: Client) -> None:
        page = choose(admin_client, b"email,user_type\n" + b"a@example.com,sailor\n" * 150_000)
        assert page.context["form"].errors["import_file"] == ["Choose a file of at most 2.5 MB."]


class TestConfirm:
    def test_file_is_deleted_after_the_import(self, admin_client: Client) -> None:
        page = choose(admin_client, "email,user_type\nnew@example.com,sailor\n")
        confirm(admin_client, page)
        assert confirm(admin_client, page) == [
            "The file is no longer here: it was imported already, or chosen too long ago. "
            "Please choose the file again."
        ]
        assert Subscription.objects.count() == 1

    def test_retention_deletes_the_file_after_an_hour(
        self, admin_client: Client, admin_user: Any, time_machine: TimeMachineFixture
    ) -> None:
        def count_files() -> int:
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM cache")
                return int(cursor.fetchone()[0])

        time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)
        admin_client.force_login(admin_user)
        choose(admin_client, "email,user_type,is_active\nnew@example.com,sailor,no\n")
        purge_expired()
        assert count_files() == 1
        time_machine.shift(timedelta(hours=1, seconds=2))
        purge_expired()
        assert count_files() == 0

    def test_expired_file_is_not_imported(self, admin_client: Client) -> None:
        page = choose(admin_client, "email,user_type\nnew@example.com,sailor\n")
        cache.clear()
        confirm(admin_client, page)
        assert not Subscription.objects.exists()

    def test_failure_rolls_back_the_import(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(resources.SubscriptionImport._meta, "batch_size", 1)
        page = choose(admin_client, "email,user_type\none@example.com,sailor\ntwo@example.com,sailor\n")
        create = QuerySet.bulk_create

        def fail_for_the_second_row(self: Any, objects: Any, *args: Any, **kwargs: Any) -> Any:
            if any(getattr(item, "email", "") == "two@example.com" for item in objects):
                raise IntegrityError("duplicate key")
            return create(self, objects, *args, **kwargs)

        monkeypatch.setattr(QuerySet, "bulk_create", fail_for_the_second_row)
        assert confirm(admin_client, page) == [
            "Nothing was imported: something changed meanwhile. Please choose the file again."
        ]
        assert not Subscription.objects.exists()

    @pytest.mark.parametrize("tampered", [{"format": "x"}, {"format": "9"}, {"import_file_name": ""}])
    def test_tampered_fields_are_refused(self, admin_client: Client, tampered: dict[str, str]) -> None:
        fields = {"import_file_name": "x", "original_file_name": "x", "format": "0", "resource": "0"}
        response = admin_client.post(CONFIRM, fields | tampered)
        assert response.status_code == 200
        assert not Subscription.objects.exists()

    def test_import_is_recorded_in_the_history(self, admin_client: Client) -> None:
        import_file(admin_client, "email,user_type\nnew@example.com,sailor\n")
        history = f"/admin/newsletter/subscription/{Subscription.objects.get().pk}/history/"
        assert "new through import_export" in admin_client.get(history).content.decode()


def test_exported_file_is_imported_unchanged(admin_client: Client) -> None:
    for email in ("=cmd@example.com", "'=cmd@example.com", "o'brien@example.com", "'plain@example.com"):
        SubscriptionFactory(email=email)
    stored = set(Subscription.objects.values_list("email", flat=True))
    form = {"format": CSV, "resource": "0"}
    exported = b"".join(admin_client.post("/admin/newsletter/subscription/export/", form)).decode()
    Subscription.objects.all().delete()
    import_file(admin_client, exported)
    assert set(Subscription.objects.values_list("email", flat=True)) == stored


@pytest.mark.parametrize(
    "row",
    [
        {"email": "a\ud800@example.com", "user_type": "sailor"},
        {"email": "a@example.com", "user_type": "\udfff"},
        {"email": "a@example.com", "user_type": "sailor", "sour\ud800ce": ""},
    ],
)
def test_lone_surrogate_is_refused(admin_client: Client, row: dict[str, str]) -> None:
    page = choose(admin_client, json.dumps([row]), JSON)
    assert page.context["form"].errors["import_file"] == [
        "The file contains an incomplete character (such as \\ud800)."
    ]
    assert not Subscription.objects.exists()
