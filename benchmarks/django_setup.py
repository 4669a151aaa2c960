"""Set up Django on import, with the settings of the tests."""

import os

import django

import tests.environment  # noqa: F401

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")
django.setup()
