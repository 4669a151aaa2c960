"""Set up Django on import, for benchmarks that use the models."""

import os

import django

import tests.environment  # noqa: F401 - the settings of the tests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")
django.setup()
