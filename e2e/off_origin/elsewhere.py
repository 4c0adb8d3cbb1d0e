"""Ways to say "elsewhere", each of which some parser reads as another host or scheme.

Rules:
1. `{own}` is the site's host and port, `{other}` the stranger's, `{port}` the stranger's port. All
   lead to this machine, so that a client that is fooled really reaches the stranger.
"""

from e2e.off_origin.site import CrossingSite, Stranger

ELSEWHERE = {
    "another port": "http://{other}/land",
    "another scheme": "https://{own}/land",
    "another scheme and port": "https://{other}/land",
    "protocol-relative": "//{other}/land",
    "three slashes": "///{other}/land",
    "four slashes": "http:////{other}/land",
    "no slash": "http:{other}/land",
    "one slash": "http:/{other}/land",
    "slash and backslash": "/\\{other}/land",
    "two backslashes": "\\\\{other}\\land",
    "scheme and backslashes": "http:\\\\{other}\\land",
    "user-info": "http://{own}@{other}/land",
    "user-info of our own": "http://user:pw@{own}/land",
    "user-info behind a backslash": "http://{own}\\@{other}/land",
    "user-info in a fragment": "http://{own}#@{other}/land",
    "escaped dot": "http://{own}%2e{other}/land",
    "trailing dot": "http://127.0.0.1.:{port}/land",
    "a name for the same machine": "http://localhost:{port}/land",
    "a name with a trailing dot": "http://localhost.:{port}/land",
    "circled letters": "http://ⓛocalhost:{port}/land",
    "ideographic dots": "http://127。0。0。1:{port}/land",
    "fullwidth digits": "http://\uff11\uff12\uff17.0.0.1:{port}/land",
    "one number": "http://2130706433:{port}/land",
    "hexadecimal": "http://0x7f.1:{port}/land",
    "short": "http://127.1:{port}/land",
    "in an IPv6 address": "http://[::ffff:127.0.0.1]:{port}/land",
    "a tab in the scheme": "ht\ttp://{other}/land",
    "a tab in the host": "http://{own}\t@{other}/land",
    "a space": "http://{own} @{other}/land",
    "a file": "file:///etc/hostname",
    "FTP": "ftp://{other}/land",
    "a script": "javascript:location='http://{other}/land'",
}


def elsewhere(how: str, site: CrossingSite, other: Stranger) -> str:
    """One of ELSEWHERE by its name."""
    return filled(ELSEWHERE[how], site, other)


def filled(text: str, site: CrossingSite, other: Stranger) -> str:
    """A text with its holes filled."""
    for hole, value in (
        ("{own}", site.authority),
        ("{other}", other.authority),
        ("{port}", str(other.port)),
    ):
        text = text.replace(hole, value)
    return text
