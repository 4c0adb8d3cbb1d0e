"""A small real web site on loopback, made to misbehave on request.

Rules:
1. It is a stage for end-to-end tests, the demo and the bench. It never ships.
2. It knows nothing of the project: it imports none of its packages, so it can be a witness.
3. It counts what arrived before it acts: what a switch does later cannot change the count.
"""

from e2e.site.seen import Seen
from e2e.site.site import Site
from e2e.site.switches import Behaviour, ReadbackBehaviour

__all__ = ["Behaviour", "ReadbackBehaviour", "Seen", "Site"]
