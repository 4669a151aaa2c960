"""`manage.py check`: it is silent in production, and sends a mail when asked."""

import subprocess
import sys

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.processes import ROOT, environment, free_port


def test_production_settings_pass_the_deployment_checks() -> None:
    process = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level=WARNING"],
        cwd=ROOT,
        env=environment(
            SITE_URL="https://sailing.example", ALLOWED_HOSTS="sailing.example", TRUSTED_PROXY_COUNT="1"
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")


@pytest.mark.parametrize(
    ("provider", "secret", "warns"),
    [("postmark", "", True), ("postmark", "provider:secret", False), ("", "", False)],
)
def test_provider_without_a_way_to_report_is_a_warning(
    settings: Settings, capsys: pytest.CaptureFixture[str], provider: str, secret: str, warns: bool
) -> None:
    settings.EMAIL_PROVIDER, settings.EMAIL_WEBHOOK_SECRET = provider, secret
    call_command("check", deploy=True, tags=["security"])
    output = capsys.readouterr()
    assert ("EMAIL_WEBHOOK_SECRET" in output.out + output.err) is warns


def test_mail_is_sent_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check")
    assert not mail.outbox
    call_command("check", send_test_mail="jana@example.org")
    (message,) = mail.outbox
    assert (message.to, message.from_email) == (["jana@example.org"], "Sailing <hello@sailing.example>")
    assert "accepted a test mail to jana@example.org" in capsys.readouterr().out


def test_refused_mail_fails_with_the_reason(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "sailing.email.backend.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    with pytest.raises(CommandError, match="The test mail was not sent: ConnectionRefusedError"):
        call_command("check", send_test_mail="jana@example.org")
