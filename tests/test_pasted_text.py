"""What phones, chats and mail programs leave around a copied address or name is removed or refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from accounts.tests.factories import PASSWORD
from accounts.validation import validate_email, validate_profile, validate_sign_up
from newsletter.forms import SubscriptionForm, read_form
from newsletter.imports.vocabulary import clean_cell
from sailing.errors import BadUserInput
from sailing.mail.addresses import normalize_email

TABLE = json.loads(Path("tests/pasted.json").read_text())


def subscribe(address: str) -> str:
    email: str = read_form(SubscriptionForm({"email": address, "user_type": "sailor"}))["email"]
    return email


def import_cell(address: str) -> str:
    return normalize_email(clean_cell(address))


def sign_up(name: str) -> str:
    values = {"first_name": name, "last_name": name, "email": "jana@example.org", "password": PASSWORD}
    return str(validate_sign_up(values)["first_name"])


def update_profile(name: str) -> str:
    return validate_profile({"last_name": name})["last_name"]


def read(do: Callable[[str], str], pasted: str) -> str | None:
    try:
        return do(pasted)
    except (BadUserInput, ValidationError):
        return None


@pytest.mark.parametrize(("pasted", "address"), TABLE["addresses"], ids=ascii)
@pytest.mark.parametrize("do", [validate_email, subscribe, import_cell], ids=lambda do: do.__name__)
def test_pasted_address_is_unwrapped_or_refused(do: Any, pasted: str, address: str | None) -> None:
    assert read(do, pasted) == address


@pytest.mark.parametrize(("pasted", "name"), TABLE["names"], ids=ascii)
@pytest.mark.parametrize("do", [sign_up, update_profile], ids=lambda do: do.__name__)
def test_pasted_name_is_cleaned_or_refused(do: Any, pasted: str, name: str | None) -> None:
    assert read(do, pasted) == name


@pytest.mark.parametrize("pasted", ["\u202a+420\u00a0777\u202f123 456\u202c", "+420 777 123 456\ufeff"])
def test_pasted_phone_number_is_cleaned(pasted: str) -> None:
    assert validate_profile({"phone": pasted}) == {"phone": "+420 777 123 456"}
