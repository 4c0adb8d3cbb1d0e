"""Prints the Chromium that tests and demo use, after installing one where there is none.

Order: what ``recorder.browser`` finds; Playwright's own download; Debian's package, as root.
"""

import os
import shutil
import subprocess
import sys

from cards.errors import NoBrowser
from recorder.browser import find_chromium


def main() -> int:
    try:
        print(find_chromium())
    except NoBrowser:
        return _install_and_print()
    return 0


def _install_and_print() -> int:
    for name, install in (("Playwright's", _from_playwright), ("Debian's", _from_debian)):
        print(f"Installing Chromium ({name}) …", file=sys.stderr)
        if not install():
            continue
        try:
            print(find_chromium())
        except NoBrowser:
            continue
        return 0
    print("No Chromium could be installed. Install one and set REQCARD_CHROMIUM.", file=sys.stderr)
    return 1


def _from_playwright() -> bool:
    return _runs([sys.executable, "-m", "playwright", "install", "chromium"], timeout=600)


def _from_debian() -> bool:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]
    return _runs(["apt-get", "update", "-qq"], env=quiet) and _runs(install, env=quiet)


def _runs(command: list[str], env: dict[str, str] | None = None, timeout: float = 900) -> bool:
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(
            command, env=env, stdout=quiet, stderr=quiet, timeout=timeout, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
