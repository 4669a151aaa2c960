"""Fail if `frontend/schema.graphql` differs from the schema of the code. `make schema` updates it."""

import os
import sys
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")
django.setup()

from graphql import print_schema  # noqa: E402 - Django first

from sailing.schema import schema  # noqa: E402

path = Path("frontend/schema.graphql")
if path.read_text(encoding="utf-8").strip() != print_schema(schema.graphql_schema).strip():
    sys.exit(f"{path} is stale: run `make schema`.")
