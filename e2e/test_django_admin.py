"""A real site that is not ours: Django's own admin, recorded in its real page and replayed."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.async_api import Page

from e2e.django_site import PASSWORD, USER, DjangoSite
from e2e.support import Reqcard

READBACK = {
    "url": "/api/groups",
    "path": ["groups"],
    "match": {"field": "name", "slot": "name"},
    "completesTask": True,
    "deadline": 3,
}


async def log_in(page: Page, _: Mapping[str, str] | None = None) -> None:
    """Sign in at the admin, as a person does in the browser of ``reqcard login``."""
    await page.fill("#id_username", USER)
    await page.fill("#id_password", PASSWORD)
    await page.click("input[type=submit]")
    await page.wait_for_selector("#user-tools")


async def add_group(page: Page, values: Mapping[str, str]) -> None:
    """Fill in the admin's own form for a new group."""
    await page.fill("#id_name", values["name"])
    await page.click("[name=_save]")
    await page.wait_for_selector(".messagelist .success")


@pytest.fixture
def django() -> Iterator[DjangoSite]:
    with DjangoSite() as site:
        yield site


def replay(
    reqcard: Reqcard, login: Path, name: str, *more: str
) -> subprocess.CompletedProcess[str]:
    return reqcard.run("replay", "add_group", f"name={name}", "--login", login, "--json", *more)


def recorded(django: DjangoSite, reqcard: Reqcard) -> Path:
    """Sign in and record in real Chromium; the login file, beside which the card lies."""
    login = reqcard.directory / "login.state"
    signed_in = reqcard.run(
        *("login", "--origin", django.origin, "--login", login, "--headless"),
        *("--start-url", f"{django.origin}/admin/", "--drive", "e2e.test_django_admin:log_in"),
    )
    assert signed_in.returncode == 0, signed_in.stderr
    assert login.stat().st_mode & 0o777 == 0o600
    done = reqcard.run(
        *("record", "--origin", django.origin, "--action", "add_group", "--headless"),
        *("--slot", "name=zebra keepers", "--readback", json.dumps(READBACK)),
        *("--start-url", f"{django.origin}/admin/auth/group/add/", "--login", login),
        *("--drive", "e2e.test_django_admin:add_group", "--json"),
    )
    assert done.returncode == 0, done.stderr
    card = json.loads(done.stdout)["content"]["data"]
    assert card["state"] == "confirmed"
    assert list(card["slots"]) == ["name"]
    assert card["unresolved"] == []
    return login


def test_adding_a_group_is_recorded_and_replayed_with_two_other_names(
    django: DjangoSite, tmp_path: Path
) -> None:
    reqcard = Reqcard(tmp_path)
    login = recorded(django, reqcard)
    trial = replay(reqcard, login, "heron watchers", "--trial")
    assert trial.returncode == 0, trial.stdout
    second = replay(reqcard, login, "otter friends")
    assert second.returncode == 0, second.stdout
    assert sorted(django.groups()) == ["heron watchers", "otter friends", "zebra keepers"]


def test_a_name_that_the_admin_refuses_is_an_application_error_and_stores_nothing(
    django: DjangoSite, tmp_path: Path
) -> None:
    reqcard = Reqcard(tmp_path)
    login = recorded(django, reqcard)
    again = replay(reqcard, login, "zebra keepers", "--trial")
    assert json.loads(again.stdout)["content"]["outcome"] == "application_error"
    assert again.returncode == 11
    assert django.groups() == ["zebra keepers"]
