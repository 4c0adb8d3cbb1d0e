"""What may exist once exists once: ruff refuses a second HTTP client anywhere."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def ruff(file: str, source: str) -> str:
    tool = Path(sys.executable).with_name("ruff")
    return subprocess.run(
        [tool, "check", "--no-cache", "--output-format=concise", "--stdin-filename", file, "-"],
        cwd=ROOT,
        input=source,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


@pytest.mark.parametrize("file", ["replay/run.py", "recorder/seal.py", "reqcard/cli/replay.py"])
@pytest.mark.parametrize(
    "source",
    [
        "import httpx\n\nclient = httpx.AsyncClient()\n",
        "import httpx\n\nclient = httpx.Client()\n",
        "import httpx\n\nhttpx.post('https://app.example.test')\n",
        "from httpx import AsyncHTTPTransport\n",
        "import pickle\n",
    ],
)
def test_a_second_client_or_a_pickle_is_refused(file: str, source: str) -> None:
    assert "TID251" in ruff(file, source)
