"""The files that a host reads: Procfile, app.json, deploy/, .github/, versions."""

import json
import os
import re
import runpy
import subprocess
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml
from django.core.management import get_commands
from django.test import Client
from pytest_django import Settings

from sailing import __version__, environment
from sailing.server.worker import MAX_BODY_SIZE
from tests.processes import ROOT


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


APP: dict[str, Any] = json.loads(read("app.json"))
REQUIRED = {
    *("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "EMAIL_URL"),
    *("DEFAULT_FROM_EMAIL", "OPERATOR_NAME", "OPERATOR_ADDRESS", "CONTACT_EMAIL"),
}
GUIDES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def read_procfile() -> dict[str, str]:
    return dict(line.split(": ", 1) for line in read("Procfile").splitlines())


def list_documented(path: str, heading: str) -> list[str]:
    """Return the code spans that begin the rows of the table below a heading."""
    _before, _heading, below = read(path).partition(f"\n## {heading}\n")
    rows = re.findall(r"^\| (`[^|]*`) \|", below.partition("\n## ")[0], re.MULTILINE)
    return [name for row in rows for name in re.findall(r"\w+", row)]


def find_blocks() -> Iterator[Any]:
    """Yield the language and the text of each code block in the guides that a program can check."""
    for file in GUIDES:
        text = file.read_text(encoding="utf-8")
        blocks = re.findall(r"^ *```(yaml|json|sh)\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
        for number, (language, block) in enumerate(blocks, 1):
            yield pytest.param(language, dedent(block), id=f"{file.relative_to(ROOT)}:{number}")


def list_anchors(file: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a guide."""
    headings = re.findall(r"^#+ (.*)", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


class TestExamples:
    """What an operator copies from the guides."""

    @pytest.mark.parametrize(("language", "text"), list(find_blocks()))
    def test_example_is_valid(self, language: str, text: str) -> None:
        if language == "sh":
            subprocess.run(["bash", "-n"], input=text, text=True, check=True)
        else:
            assert yaml.safe_load(text) if language == "yaml" else json.loads(text)

    @pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: str(guide.relative_to(ROOT)))
    def test_links_lead_to_files_and_headings(self, guide: Path) -> None:
        text = guide.read_text(encoding="utf-8")
        for path, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", text):
            linked = guide.parent / path if path else guide
            assert linked.exists(), path
            assert not anchor or anchor in list_anchors(linked), anchor

    @pytest.mark.parametrize("file", ["workflows/test.yml", "workflows/verify.yml", "dependabot.yml"])
    def test_file_of_github_is_valid(self, file: str) -> None:
        settings = yaml.safe_load(read(f".github/{file}"))
        targets = re.findall(r"^([\w-]+):", read("Makefile"), re.MULTILINE)
        for job in settings.get("jobs", {}).values():
            for command in (step["run"] for step in job["steps"] if "run" in step):
                subprocess.run(["bash", "-n"], input=command, text=True, check=True)
                assert set(re.findall(r"^make ([\w-]+)", command)) <= set(targets)

    def test_alert_rules_use_metrics_that_exist(self, client: Client, settings: Settings, db: None) -> None:
        settings.METRICS_TOKEN = "token"
        lines = client.get("/metrics", headers={"Authorization": "Bearer token"}).content.decode()
        (group,) = yaml.safe_load(read("deploy/alerts.yml"))["groups"]
        for rule in group["rules"]:
            for metric in re.findall(r"sailing_\w+", rule["expr"]):
                assert f"# TYPE {metric} gauge" in lines


def test_each_variable_is_documented_once_and_the_example_of_a_server_is_complete() -> None:
    assert sorted(list_documented("README.md", "Settings")) == sorted(environment.VARIABLES)
    assert set(list_documented("docs/deploy.md", "Variables")) <= environment.VARIABLES
    (example,) = re.findall(r"cat > /etc/sailing.env <<END\n(.*?)\nEND\n", read("docs/server.md"), re.DOTALL)
    assert REQUIRED <= {line.partition("=")[0] for line in example.splitlines()} <= environment.VARIABLES


class TestHost:
    def test_app_json_has_all_required_variables_and_every_process_and_sends_mails_without_a_worker(
        self,
    ) -> None:
        variables, processes = APP["env"], read_procfile()
        assert set(variables) <= environment.VARIABLES
        required = {name for name, entry in variables.items() if entry.get("required", True)}
        assert required | {"DATABASE_URL"} >= REQUIRED  # set by the add-on
        generated = {name for name, entry in variables.items() if entry.get("generator") == "secret"}
        assert generated >= {"SECRET_KEY", "JWT_SECRET_KEY"}
        assert [pack["url"] for pack in APP["buildpacks"]] == ["heroku/nodejs", "heroku/python"]
        assert set(APP["formation"]) == set(processes) - {"release"}
        assert APP["formation"]["worker"]["quantity"] == 0
        assert variables["EMBEDDED_WORKER"]["value"] == "true"
        commands = re.findall(r"manage\.py (\w+)", processes["release"])
        assert commands == ["check", "migrate"]  # names risky settings first
        assert {*commands, *re.findall(r"manage\.py (\w+)", processes["worker"])} <= get_commands().keys()

    @pytest.mark.parametrize(("proxies", "bind", "seconds"), [(0, "127.0.0.1", 5), (1, "[::1]", 100)])
    def test_server_listens_where_it_is_told_and_its_idle_connections_outlast_those_of_the_proxy(
        self, settings: Any, proxies: int, bind: str, seconds: int
    ) -> None:
        settings.TRUSTED_PROXY_COUNT, settings.BIND = proxies, bind
        config = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
        assert (config["bind"], config["keepalive"]) == (f"{bind}:8000", seconds)
        assert config["control_socket_disable"]  # shared by the sites of one user

    def test_versions_agree(self) -> None:
        """Those that are allowed are those that are tested, and the host has one of them."""
        engines = json.loads(read("package.json"))["engines"]
        assert engines == json.loads(read("package-lock.json"))["packages"][""]["engines"]
        workflow = yaml.safe_load(read(".github/workflows/test.yml"))
        tested = workflow["jobs"]["test"]["strategy"]["matrix"]["include"]
        node_versions = re.findall(r"\^(\d+)", engines["node"])
        assert {entry["node"].partition(".")[0] for entry in tested} == set(node_versions)
        python_versions = [entry["python"] for entry in tested]
        assert read(".python-version").strip() in python_versions
        assert f"You need Python {python_versions[0]} to {python_versions[-1]}," in read("README.md")
        assert re.findall(r"^## \[(\d.*)\]", read("CHANGELOG.md"), re.MULTILINE)[0] == __version__


class TestServer:
    """The files of docs/server.md. `make verify` checks their syntax."""

    def test_units_run_the_processes_of_the_procfile_confined_alike_and_let_them_finish(self) -> None:
        graceful_timeout = runpy.run_path(str(ROOT / "gunicorn.conf.py"))["graceful_timeout"]
        confinement = r"^(?:\w+Privileges|CapabilityB|Protect|Private|Restrict).*"
        limits = []
        for name, started in {**read_procfile(), "backup": "backup /var/lib/sailing"}.items():
            if name == "release":
                continue
            unit = read(f"deploy/sailing-{name}.service")
            limits.append(re.findall(confinement, unit, re.MULTILINE))
            (command,) = re.findall(r"^ExecStart=/srv/sailing/current/.venv/bin/(.*)$", unit, re.MULTILINE)
            if name == "backup":
                assert command.endswith(started)
                assert "StateDirectory=sailing\n" in unit
            else:
                assert started.endswith(command)
                assert int(re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)[0]) > graceful_timeout
        assert len(limits[0]) == 7
        assert limits == limits[:1] * 3

    def test_proxies_connect_to_the_socket_and_accept_what_the_site_accepts(self) -> None:
        (address,) = re.findall(r"^ListenStream=(.*)$", read("deploy/sailing-web.socket"), re.MULTILINE)
        nginx = read("deploy/nginx.conf")
        assert f"server {address};" in nginx
        (megabytes,) = re.findall(r"client_max_body_size (\d+)m;", nginx)
        assert int(megabytes) * 1024**2 >= MAX_BODY_SIZE
        assert f"reverse_proxy {address} " in read("deploy/Caddyfile")
        assert f"http://{address}/readyz" in read("deploy/release")

    def test_release_takes_the_steps_of_the_procfile_and_runs_with_a_site_and_a_worker(self) -> None:
        release = read("deploy/release")
        for step in read_procfile()["release"].split(" && "):
            assert f"as_sailing {step}\n" in release.partition("/srv/sailing/current")[0]
        _before, _restart, after = release.partition("systemctl restart sailing-web sailing-worker\n")
        worker = after.index("systemctl is-active --quiet sailing-worker")
        assert after.index("/readyz") < worker < after.index("runs in $release")

    def test_release_that_fails_leaves_nothing(self, tmp_path: Path) -> None:
        """Otherwise it would count as one of those that are kept to go back to."""
        release = read("deploy/release")
        programs = {
            "release": release.replace("/srv/sailing", str(tmp_path)),
            "runuser": '#!/bin/sh\nshift 3\nexec "$@"\n',
            "git": "#!/bin/sh\ntar -c -T /dev/null\n",
            "npm": "#!/bin/sh\nexit 3\n",
        }
        for name, text in programs.items():
            (tmp_path / name).write_text(text)
            (tmp_path / name).chmod(0o755)
        programs_first = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        ended = subprocess.run([tmp_path / "release"], env=os.environ | programs_first, check=False)
        assert ended.returncode == 3
        assert not list((tmp_path / "releases").iterdir())

    def test_root_runs_nothing_of_the_site(self) -> None:
        """The site's own user must not become root by what it writes into its folders."""
        release = read("deploy/release")
        assert not re.search(r"^(export .*)?PATH=", release, re.MULTILINE)
        assert re.search(r"\| as_sailing xargs -0 -r rm -rf --$", release, re.MULTILINE)
        assert "/srv/sailing/source" not in release
        guide = read("docs/server.md")
        commands = "".join(re.findall(r"^```sh\n(.*?)^```", guide, re.DOTALL | re.MULTILINE))
        as_root = [line for line in commands.splitlines() if not line.startswith("runuser -u sailing")]
        assert not [line for line in as_root if re.search(r"/srv/sailing/\w+/", line)]
