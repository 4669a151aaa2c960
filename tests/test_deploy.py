"""What a host reads: Procfile, app.json, versions, the build's last step; and that the docs tell it all."""

import ast
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sailing import environment
from tests.processes import ROOT

DEPLOY = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
APP: dict[str, Any] = json.loads((ROOT / "app.json").read_text(encoding="utf-8"))
REQUIRED = {"SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL"}


def processes() -> dict[str, str]:
    lines = (ROOT / "Procfile").read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def read_by_settings() -> set[str]:
    """The variables that sailing/settings.py asks `sailing.environment` for."""
    tree = ast.parse((ROOT / "sailing" / "settings.py").read_text(encoding="utf-8"))
    return {
        str(call.args[0].value)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "environment"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }


def first_column(markdown: str, heading: str) -> list[str]:
    """What stands in backquotes at the beginning of each row of the table below a heading."""
    _before, _heading, below = markdown.partition(f"\n## {heading}\n")
    return re.findall(r"^\| `(\w+)`", below.partition("\n## ")[0], re.MULTILINE)


class TestVariables:
    def test_the_contract_is_what_the_settings_read(self) -> None:
        assert read_by_settings() == environment.VARIABLES

    @pytest.mark.parametrize(
        ("file", "heading"), [("README.md", "Settings"), ("docs/deploy.md", "Variables")]
    )
    def test_each_is_documented_once(self, file: str, heading: str) -> None:
        named = first_column((ROOT / file).read_text(encoding="utf-8"), heading)
        assert sorted(named) == sorted(environment.VARIABLES)

    def test_app_json_knows_no_others_and_all_that_are_required(self) -> None:
        assert set(APP["env"]) <= environment.VARIABLES
        given = {name for name, entry in APP["env"].items() if entry.get("required", True)}
        assert given | {"DATABASE_URL"} >= REQUIRED  # the add-on brings that
        assert [addon["plan"] for addon in APP["addons"]] == ["heroku-postgresql:essential-0"]

    def test_secrets_are_made_and_not_written_down(self) -> None:
        for name in ("SECRET_KEY", "JWT_SECRET_KEY"):
            assert APP["env"][name].get("generator") == "secret"
            assert "value" not in APP["env"][name]


class TestHost:
    def test_node_builds_before_python_collects(self) -> None:
        assert [pack["url"] for pack in APP["buildpacks"]] == ["heroku/nodejs", "heroku/python"]

    def test_each_process_has_a_size(self) -> None:
        assert set(APP["formation"]) == set(processes()) - {"release"}

    def test_one_dyno_sends_its_mails_itself(self) -> None:
        assert APP["formation"]["web"]["quantity"] == 1
        assert APP["formation"]["worker"]["quantity"] == 0
        assert APP["env"]["OUTBOX_THREAD"]["value"] == "true"

    @pytest.mark.parametrize("process", ["release", "worker"])
    def test_what_a_process_runs_is_there(self, process: str) -> None:
        for command in re.findall(r"manage\.py (\w+)", processes()[process]):
            subprocess.run([sys.executable, "manage.py", command, "--help"], cwd=ROOT, check=True)

    def test_the_versions_are_those_that_everything_else_names(self) -> None:
        python = (ROOT / ".python-version").read_text(encoding="utf-8").strip()
        assert python == f"{sys.version_info.major}.{sys.version_info.minor}"
        package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
        lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
        assert package["engines"] == lock["packages"][""]["engines"] == {"node": "^20.19.0"}


def test_a_build_ends_with_every_catalogue_compiled(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "bin", tmp_path / "bin")
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    sources = sorted(ROOT.glob("*/locale/*/LC_MESSAGES/django.po"))
    for source in sources:
        copy = tmp_path / source.relative_to(ROOT)
        copy.parent.mkdir(parents=True)
        shutil.copy(source, copy)
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    subprocess.run(
        [tmp_path / "bin" / "post_compile"], cwd=tmp_path, env={**os.environ, "PATH": programs}, check=True
    )
    compiled = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.mo"))
    assert compiled == [source.relative_to(ROOT).with_suffix(".mo") for source in sources]
    assert len(compiled) == 3


def test_the_budget_of_connections_is_what_the_processes_can_open() -> None:
    """Each thread of Django keeps a connection of its own."""
    configuration = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    senders = len(("outbox", "retention"))
    a_process = configuration["threads"] + len(("failures", "readiness"))
    web = configuration["workers"] * a_process
    sending_web = configuration["workers"] * (a_process + senders)
    worker = senders + len(("failures",))
    release = 1
    rows = dict(re.findall(r"^\| (.+?) \| (\d+) \|", DEPLOY, re.MULTILINE))
    told = {name: int(number) for name, number in rows.items()}
    assert told["a web dyno that sends its mails"] == sending_web
    assert told["a web dyno beside a worker dyno"] == web
    assert told["a worker dyno"] == worker
    assert told["the release phase"] == release
    assert told["1 web dyno"] == sending_web + release
    assert told["1 web dyno, 1 worker"] == web + worker + release
    assert told["2 web dynos, 1 worker"] == 2 * web + worker + release
    assert told["4 web dynos, 1 worker"] == 4 * web + worker + release
