"""Fill a card, send it once, say what happened; and the ways to ask for that."""

from replay.once import replay_once
from replay.result import Result
from replay.run import Replayer
from replay.trial import Trial

__all__ = ["Replayer", "Result", "Trial", "replay_once"]
