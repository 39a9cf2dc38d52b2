"""Virtual time and repeatable randomness, so that every run writes the same octets.

Import this module before anything of Bumble.
"""

import asyncio
import datetime
import random
import secrets
import selectors
import sys
import types

# Bumble has its own elliptic curve code beside the one of the `cryptography` package. Only the former
# takes its keys from `secrets`, which `repeatable` replaces.
sys.modules["bumble.crypto.cryptography"] = None

from bumble import snoop  # noqa: E402


class _SkippingSelector(selectors.SelectSelector):
    """Moves the clock on instead of waiting."""

    def __init__(self):
        super().__init__()
        self.now = 0.0

    def select(self, timeout=None):
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None:
            raise RuntimeError("nothing is left to wait for: the scenario is stuck")
        self.now += max(timeout, 0.0)
        return []


class VirtualClockLoop(asyncio.SelectorEventLoop):
    """An event loop in which ten minutes pass in no time."""

    def __init__(self):
        self._skipping = _SkippingSelector()
        super().__init__(self._skipping)

    def time(self):
        return self._skipping.now


def run(coroutine, start: datetime.datetime, seed: str):
    """Run a coroutine in virtual time that begins at `start`."""
    with asyncio.Runner(loop_factory=VirtualClockLoop) as runner:
        _set_snoop_clock(runner.get_loop(), start)
        _make_repeatable(seed)
        return runner.run(coroutine)


def _set_snoop_clock(loop, start):
    """Bumble's snoopers ask `datetime` for the time of a packet: let it answer in virtual time."""

    class Now:
        @staticmethod
        def now(tz=None):
            return start + datetime.timedelta(seconds=loop.time())

    snoop.datetime = types.SimpleNamespace(datetime=Now, timedelta=datetime.timedelta, UTC=datetime.UTC)


def _make_repeatable(seed):
    random.seed(seed)
    source = random.Random(f"{seed} secrets")
    secrets.token_bytes = source.randbytes
    secrets.randbelow = source.randrange
