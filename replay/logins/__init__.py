"""Login files: Playwright's ``storage_state`` or a Netscape ``cookies.txt``, told by content.

Rules:
1. A file that others can read is refused, with the way out.
2. Rotated cookies go back into the file under a lock, merged into what it holds by then, aside
   and renamed, with mode 0600.
3. No message shows what a file holds, beyond the hosts that it is for.
"""

import stat
from pathlib import Path

from cards.errors import BadLogin
from cards.origin import Origin
from cards.store import write_aside
from replay.logins import netscape, storage_state
from verifier.login import CookieRecord, Login

_MAX_FILE = 64 * 1024 * 1024
_LOCK_S = 10
_RENEW = "Make one with: reqcard login --origin {origin} --login {file}"


def load_login(path: Path, origin: Origin) -> Login:
    """The login in a file.

    Args:
        path: the file.
        origin: where it will be used.

    Raises:
        BadLogin: it is missing, unreadable, readable by others, or for other origins.
    """
    renew = _RENEW.format(origin=origin, file=path)
    text = _read(path, renew)
    if text.lstrip().startswith("{"):
        cookies, local, session = storage_state.parse(text, path.name)
    else:
        cookies, local, session = netscape.parse(text, path.name), {}, {}
    login = Login(path.name, cookies, local, session)
    if not login.has_cookies_for(origin):
        hosts = sorted({cookie.domain for cookie in cookies})
        known = f"It is for: {', '.join(hosts[:5])}." if hosts else "It is empty."
        raise BadLogin(f"The login {path.name} holds nothing for {origin}. {known}", renew)
    return login


def save_rotated(path: Path, login: Login) -> None:
    """Write cookies that answers have changed back into their file.

    Raises:
        BadLogin: the file cannot be written.
    """
    from filelock import FileLock

    try:
        with FileLock(f"{path}.lock", timeout=_LOCK_S, mode=0o600):
            text = path.read_text(encoding="utf-8-sig")
            form = storage_state if text.lstrip().startswith("{") else netscape
            write_aside(path, form.merged(text, login.export()).encode(), mode=0o600)
    except (OSError, ValueError) as error:
        raise BadLogin(
            f"The rotated cookies can't be written to {path.name}: {type(error).__name__}."
        ) from None


def _read(path: Path, renew: str) -> str:
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(path.stat().st_mode)
            content = file.read(_MAX_FILE)
    except FileNotFoundError:
        raise BadLogin(f"There is no login file {path}.", renew) from None
    except OSError as error:
        raise BadLogin(f"The login {path} can't be read: {error.strerror}.", renew) from None
    if mode & 0o077:
        raise BadLogin(
            f"The login {path} can be read by others (mode {mode:04o}).", f"Do: chmod 600 {path}"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadLogin(f"The login {path.name} is no text.", renew) from None


__all__ = ["CookieRecord", "load_login", "save_rotated"]
