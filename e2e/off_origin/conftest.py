import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.off_origin.cards import contract, promoted
from e2e.off_origin.site import CrossingSite, Stranger
from e2e.site import Site


@pytest.fixture(scope="module")
def running() -> Iterator[CrossingSite]:
    with CrossingSite() as site:
        yield site


@pytest.fixture
def site(running: CrossingSite) -> CrossingSite:
    running.reset()
    return running


@pytest.fixture
def other() -> Iterator[Stranger]:
    with Stranger() as stranger:
        yield stranger


@pytest.fixture
def login(tmp_path: Path) -> Path:
    cookie = {"name": "sid", "value": "CROSSING-4f1d0c", "domain": "127.0.0.1", "path": "/"}
    more = {"expires": -1, "httpOnly": True, "secure": False, "sameSite": "Lax"}
    file = tmp_path / "login.json"
    file.touch(mode=0o600)
    file.write_text(json.dumps({"cookies": [cookie | more], "origins": []}))
    return file


@pytest.fixture
def card(site: CrossingSite, tmp_path: Path) -> Path:
    return promoted(tmp_path / "cards.d", contract(site.origin))


@pytest.fixture
def fixture_site() -> Iterator[Site]:
    """The site of the other suites, which has pages to act on."""
    with Site() as running:
        yield running
