"""The sites that a replayer talks to, kept between replays, and the login that it uses there.

Rules:
1. One login file is one login, whatever the origins: two of them would each write the other's
   cookies back as they were.
2. A login file that somebody renewed meanwhile is read again, and what stands in it then is never
   written over: only cookies that answers have changed go back, and the file's own change wins.
3. A site is not closed while a run uses it.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from cards.contract import Contract
from cards.origin import Origin
from replay.logins import load_login, save_rotated
from verifier.http import Site
from verifier.login import CookieRecord, Login

_Key = tuple[str, str, str]
_Cookies = Mapping[_Key, CookieRecord]


@dataclass(slots=True)
class _Kept:
    site: Site
    users: int = 0
    retired: bool = False


@dataclass(slots=True)
class _OfFile:
    """A login as its file had it.

    Attributes:
        origin: for which it was read.
        at: when the file was written, in nanoseconds.
        cookies: what it held then.
    """

    login: Login
    origin: Origin
    at: int
    cookies: _Cookies


class Connections:
    """Sites by origin.

    Args:
        login: a file, a login in memory, or nobody's.
        ca: more certificate authorities to trust.
    """

    def __init__(self, login: Path | Login | None, ca: Path | None) -> None:
        self._file = login if isinstance(login, Path) else None
        self._login = login if isinstance(login, Login) else None
        self._ca = ca
        self._of_file: _OfFile | None = None
        self._sites: dict[Origin, _Kept] = {}

    @property
    def signed_in(self) -> bool:
        """Whether somebody's login is used."""
        return self._file is not None or self._login is not None

    @asynccontextmanager
    async def using(self, contract: Contract) -> AsyncIterator[Site]:
        """The site of a card, with its login, open at least until the block ends.

        Raises:
            BadLogin: the login file is missing, unreadable, or for other origins.
        """
        origin = Origin.parse(contract.origin)
        if self._is_renewed():
            self._of_file = None
            await self._retire_all()
        if origin not in self._sites:
            self._sites[origin] = _Kept(Site(origin, self._login_for(origin), ca=self._ca))
        kept = self._sites[origin]
        kept.users += 1
        try:
            yield kept.site
        finally:
            kept.users -= 1
            if kept.retired and not kept.users:
                await kept.site.aclose()

    def keep_rotated(self) -> None:
        """Write rotated cookies back into the login file.

        Raises:
            BadLogin: it cannot be written.
        """
        file, known = self._file, self._of_file
        if file is None or known is None or not known.login.rotated:
            return
        ours = _by_key(known.login)
        if self._is_renewed():
            theirs = _by_key(load_login(file, known.origin))
            merged = Login(known.login.label, _merged(known.cookies, ours, theirs).values())
            save_rotated(file, merged)  # and read again by the next run
        else:
            save_rotated(file, known.login)
            known.at = self._written()
        known.cookies = ours
        known.login.kept()

    async def aclose(self) -> None:
        """Close every connection."""
        await self._retire_all()

    async def _retire_all(self) -> None:
        retired, self._sites = self._sites, {}
        for kept in retired.values():
            kept.retired = True
            if not kept.users:
                await kept.site.aclose()

    def _login_for(self, origin: Origin) -> Login:
        if self._file is None:
            return self._login or Login.anonymous()
        written = self._written()
        login = load_login(self._file, origin)
        if self._of_file is None:
            self._of_file = _OfFile(login, origin, written, _by_key(login))
        return self._of_file.login

    def _is_renewed(self) -> bool:
        return self._of_file is not None and self._of_file.at != self._written()

    def _written(self) -> int:
        try:
            return 0 if self._file is None else self._file.stat().st_mtime_ns
        except OSError:
            return 0


def _by_key(login: Login) -> dict[_Key, CookieRecord]:
    return {(cookie.domain, cookie.path, cookie.name): cookie for cookie in login.export()}


def _merged(base: _Cookies, ours: _Cookies, theirs: _Cookies) -> dict[_Key, CookieRecord]:
    merged = dict(theirs)
    for key in base.keys() | ours.keys():
        changed_by_us = base.get(key) != ours.get(key)
        if not changed_by_us or theirs.get(key) != base.get(key):
            continue
        if key in ours:
            merged[key] = ours[key]
        else:
            merged.pop(key, None)
    return merged
