"""What else sensors notify: endless streams of values, by the characteristics that they belong to."""

import math
import struct


def battery(rng):
    level = rng.randrange(40, 100)
    while True:
        level -= rng.random() < 0.05
        yield bytes([max(level, 1)])


def cycling_power(rng):
    turns, moment = rng.randrange(1000), rng.randrange(60000)
    while True:
        turns, moment = turns + 1, moment + rng.randrange(1200, 1600) & 0xFFFF
        # Wheel revolutions present: the flags' first octet is 0x10, as a heart rate's with RR-Intervals.
        yield struct.pack("<HhIH", 0x0010, rng.randrange(90, 260), turns, moment)


def cycling_speed(rng):
    turns, moment = rng.randrange(1000), 0
    while True:
        turns, moment = turns + rng.randrange(2, 5), moment + 1024 & 0xFFFF
        yield struct.pack("<BIHHH", 3, turns, moment, turns // 3 & 0xFFFF, moment)


def running(rng):
    while True:
        yield struct.pack("<BHB", 4, rng.randrange(600, 1000), rng.randrange(75, 95))


def thermometer(rng):
    while True:
        yield struct.pack("<Bi", 0, (0xFE << 24 | rng.randrange(3600, 3750)) - (1 << 32))


def small_numbers(rng):
    """A vendor's stream that looks like small numbers that change slowly."""
    value = rng.randrange(60, 120)
    while True:
        value = min(max(value + rng.randrange(-2, 3), 40), 180)
        yield bytes([0, value])


def random_octets(rng):
    while True:
        yield rng.randbytes(rng.choice((2, 4, 6, 8, 20)))


def raw_signal(rng):
    """A vendor's raw signal: a counter and samples."""
    count = 0
    while True:
        count = count + 1 & 0xFF
        yield bytes([count]) + b"".join(struct.pack("<h", int(900 * math.sin(count / 7 + i))) for i in range(9))


VENDOR = "7E5A00{:02X}-1C2D-4E3F-8A9B-0C1D2E3F4A5B"

OTHERS = {
    "2A19": battery,
    "2A63": cycling_power,
    "2A5B": cycling_speed,
    "2A53": running,
    "2A1E": thermometer,
    VENDOR.format(1): small_numbers,
    VENDOR.format(2): random_octets,
    VENDOR.format(3): raw_signal,
}
