"""The tokens in the personal links of a mail."""

import pytest
from pytest_django import DjangoAssertNumQueries

from newsletter.campaigns import tokens
from newsletter.campaigns.tests.factories import DeliveryFactory, issue_token

pytestmark = pytest.mark.django_db


def test_token_finds_its_delivery() -> None:
    delivery = DeliveryFactory()
    assert tokens.find(issue_token(delivery)) == delivery


def test_token_of_another_delivery_is_refused() -> None:
    first, second = DeliveryFactory(), DeliveryFactory()
    _key, _dot, secret = issue_token(first).partition(".")
    issue_token(second)
    assert tokens.find(tokens.build(second.pk, secret)) is None


def test_delivery_without_a_token_is_not_found() -> None:
    delivery = DeliveryFactory()
    assert tokens.find(tokens.build(delivery.pk, "")) is None


@pytest.mark.parametrize(
    "token", ["", ".", "1.", "-1.x", "š.x", "zzzzzzzzzzzzz.x", "1.\0", "x" * 5000, "1.š", "١.x"]
)
def test_malformed_token_is_refused(token: str) -> None:
    DeliveryFactory(pk=1)
    assert tokens.find(token) is None


def test_oversized_token_is_refused_before_the_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    delivery = DeliveryFactory()
    token = tokens.build(delivery.pk, "A" * (5 * tokens.MAX_LENGTH))
    with django_assert_num_queries(0):
        assert tokens.find(token) is None
