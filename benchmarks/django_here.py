"""Sets Django up in the process that imports it, for what a measurement stores and reads by itself."""

import os

import django

import tests.environment  # noqa: F401 - the settings of the tests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")
django.setup()
