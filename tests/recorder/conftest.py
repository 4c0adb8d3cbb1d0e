"""What every test of the recorder starts with."""

import warnings

with warnings.catch_warnings():
    # A library that mitmproxy loads for LDAP uses names that another has deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    import mitmproxy.addons  # noqa: F401
