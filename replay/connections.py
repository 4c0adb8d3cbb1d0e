"""The sites that a replayer talks to, kept between replays, and the login that it uses there.

Rules:
1. A login file that somebody renewed meanwhile is read again.
2. Cookies that answers have rotated go back into their file as soon as a step has ended.
"""

from pathlib import Path

from cards.contract import Contract
from cards.origin import Origin
from replay.logins import load_login, save_rotated
from verifier.http import Site
from verifier.login import Login


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
        self._sites: dict[Origin, Site] = {}
        self._read_at: dict[Origin, int] = {}

    async def site(self, contract: Contract) -> Site:
        """The site of a card, with its login.

        Raises:
            BadLogin: the login file is missing, unreadable, or for other origins.
        """
        origin = Origin.parse(contract.origin)
        written = self._written()
        known = self._sites.get(origin)
        if known is not None and self._read_at[origin] == written:
            return known
        login = self._login_for(origin)
        if known is not None:
            await known.aclose()
        self._sites[origin] = Site(origin, login, ca=self._ca)
        self._read_at[origin] = written
        return self._sites[origin]

    def keep_rotated(self) -> None:
        """Write rotated cookies back into the login file.

        Raises:
            BadLogin: it cannot be written.
        """
        if self._file is None:
            return
        for origin, site in self._sites.items():
            if site.login.rotated:
                save_rotated(self._file, site.login)
                site.login.kept()
                self._read_at[origin] = self._written()

    async def aclose(self) -> None:
        """Close every connection."""
        for site in self._sites.values():
            await site.aclose()
        self._sites.clear()

    def _login_for(self, origin: Origin) -> Login:
        if self._file is not None:
            return load_login(self._file, origin)
        return self._login or Login.anonymous()

    def _written(self) -> int:
        try:
            return 0 if self._file is None else self._file.stat().st_mtime_ns
        except OSError:
            return 0
