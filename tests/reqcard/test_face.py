import subprocess
import sys
from pathlib import Path

import pytest

import reqcard


@pytest.mark.parametrize("name", reqcard.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(reqcard, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = reqcard.nothing


def test_a_package_that_shadows_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text("")
    program = "import reqcard; reqcard.check_siblings()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "'cards' of request-cards is shadowed" in done.stderr
