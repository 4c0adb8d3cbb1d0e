import copy

import pytest

from replay.attempt import Attempt, _minted


def test_only_the_trail_makes_an_attempt() -> None:
    with pytest.raises(TypeError, match="audit trail"):
        Attempt("call", "fingerprint", key=object())


def test_an_attempt_without_an_outcome_warns_when_it_is_dropped() -> None:
    held = [_minted("call", "fingerprint")]
    with pytest.warns(ResourceWarning, match="without an outcome"):
        held.clear()


def test_an_attempt_is_not_copied() -> None:
    attempt = _minted("call", "fingerprint")
    for act in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            act(attempt)
    attempt.close()
