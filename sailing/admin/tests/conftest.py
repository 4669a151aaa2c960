import pytest

from accounts.models import User
from sailing.admin.tests.helpers import PASSWORD


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("boss@example.com", PASSWORD)
