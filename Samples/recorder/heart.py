"""A heart, and Heart Rate Measurement values as a sensor would encode them."""

import dataclasses
import math
import struct

_WIDE, _CONTACT, _CONTACT_SUPPORTED, _ENERGY, _RR = 0x01, 0x02, 0x04, 0x08, 0x10


@dataclasses.dataclass(frozen=True)
class Measurement:
    """One value of characteristic 2A37, and what a correct decoder makes of it."""

    raw: bytes
    bpm: int | None
    contact: str | None
    energy: int | None = None
    rr: tuple[int, ...] | None = ()
    error: bool = False

    def truth(self):
        return {
            "raw": self.raw.hex(),
            "octets": len(self.raw),
            "bpm": self.bpm,
            "contact": self.contact,
            "energy_kj": self.energy,
            "rr": None if self.rr is None else list(self.rr),
            "error": self.error,
        }


def measurement(bpm, contact="unsupported", energy=None, rr=(), wide=False):
    """A well-formed value."""
    flags = {"unsupported": 0, "not-detected": _CONTACT_SUPPORTED, "detected": _CONTACT_SUPPORTED | _CONTACT}[contact]
    flags |= (_WIDE if wide else 0) | (0 if energy is None else _ENERGY) | (_RR if rr else 0)
    raw = struct.pack("<BH" if wide else "<BB", flags, bpm)
    if energy is not None:
        raw += struct.pack("<H", energy)
    raw += struct.pack(f"<{len(rr)}H", *rr)
    return Measurement(raw, bpm, contact, energy, tuple(rr))


class Heart:
    """Beats with a slow trend, breathing and a little noise."""

    def __init__(self, rng, rate, end_rate=None, trend_seconds=60.0):
        self.rng = rng
        self.rate, self.end_rate = rate, rate if end_rate is None else end_rate
        self.trend_seconds = trend_seconds
        self.now = 0.0
        self.next_beat = 60.0 / rate
        self.last_beat = 0.0
        self.recent = [60.0 / rate] * 5

    def _interval(self, time):
        progress = min(time / self.trend_seconds, 1.0)
        rate = self.rate + (self.end_rate - self.rate) * progress + 2.0 * math.sin(time / 7.0)
        breathing = 1.0 + 0.025 * math.sin(2 * math.pi * time / 4.3)
        return 60.0 / rate * breathing * self.rng.gauss(1.0, 0.008)

    def beats(self, seconds):
        """The RR-Intervals, in 1/1024 s, that end within the next `seconds`."""
        self.now += seconds
        intervals = []
        while self.next_beat <= self.now:
            interval = self.next_beat - self.last_beat
            intervals.append(round(interval * 1024))
            self.recent = [*self.recent[1:], interval]
            self.last_beat = self.next_beat
            self.next_beat += self._interval(self.last_beat)
        return tuple(intervals)

    @property
    def bpm(self):
        return round(60.0 * len(self.recent) / sum(self.recent))

    def measure(self, seconds=1.0, contact="unsupported", energy=None, with_rr=True, wide=False):
        """What a sensor says after the next `seconds`."""
        rr = self.beats(seconds)
        return measurement(self.bpm, contact, energy, rr if with_rr else (), wide)
