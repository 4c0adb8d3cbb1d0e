"""A small site on loopback in which everything that is said carries its own marker.

Rules:
1. Every value is made anew for each answer, so that a value found later tells which answer leaked.
2. The site takes a write only with the live values of the latest page: what a replay filled in is
   checked, so that a test of secrecy is a test of something that works.
"""

from e2e.canary_site.site import CanarySite
from e2e.canary_site.stage import Failure

__all__ = ["CanarySite", "Failure"]
