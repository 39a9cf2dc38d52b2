#!/usr/bin/env python3
"""Writes a btsnoop file like that of a phone in a gym: generate.py RECORDS OUT

Five heart rate sensors are connected; others advertise; music plays over BR/EDR. The same number of records is always
the same file, and the beginning of a longer one. Everything that repeats is put together once: what is left for each
record is its header, so that ten million take seconds.
"""
import collections
import itertools
import random
import struct
import sys

RECORD = struct.Struct(">IIIIq")
# Microseconds from the year 0 to 2025-06-01, 17:00 UTC.
START = 0x00DCDDB30F2F8000 + 1_748_797_200_000_000
# So many packets lie between two reconnections of one sensor or another.
BETWEEN_RECONNECTIONS = 150_000
HEART_RATE, HEART_RATE_MEASUREMENT, BATTERY, BATTERY_LEVEL = 0x180D, 0x2A37, 0x180F, 0x2A19

dice = random.Random("hrsnoop")
# By connection handle: how many packets the controller was given, and has not reported to be sent.
given = collections.Counter()


# Packets: (flags of the btsnoop record, octets with the H4 type before them).


def command(opcode, parameters):
    return 2, struct.pack("<BHB", 1, opcode, len(parameters)) + parameters


def event(code, parameters):
    return 3, bytes([4, code, len(parameters)]) + parameters


def fragments(handle, received, pdu, size):
    """The ACL packets that carry an L2CAP PDU."""
    for start in range(0, len(pdu), size):
        piece = pdu[start : start + size]
        given[handle] += 0 if received else 1
        boundary = 1 if start else 2 if received else 0
        yield int(received), struct.pack("<BHH", 2, handle | boundary << 12, len(piece)) + piece


class Sensor:
    """One connected sensor: its handles, and how it speaks."""

    def __init__(self, number, has_contact=True, has_energy=False, intervals=(1, 2), wide=False, buffer=251):
        self.handle = 0x40 + number
        self.address = bytes([number, 0x4D, 0x59, 0x47, 0x31, 0xD2])
        # Each one's measurement has the handle that is the next one's battery level.
        self.measurement = 0x10 + 8 * number
        self.battery = 0x10 + 8 * ((number + 4) % 5)
        self.vendor = 0x60 + number
        self.flags = (0x06 if has_contact else 0) | (0x08 if has_energy else 0) | (0x01 if wide else 0)
        self.intervals = intervals
        self.buffer = buffer
        self.rate = 90 + 13 * number
        self.energy = 0

    def att(self, received, pdu):
        frame = struct.pack("<HH", len(pdu), 4) + pdu
        return list(fragments(self.handle, received, frame, self.buffer))

    def sent(self, pdu):
        return self.att(False, pdu)

    def received(self, pdu):
        return self.att(True, pdu)

    def value(self):
        """The next measurement: a rate that wanders, and the intervals of the beats since the last one."""
        self.rate = min(190, max(48, self.rate + dice.choice((-2, -1, 0, 0, 1, 2))))
        intervals = [61_440 // self.rate + dice.randint(-25, 25) for _ in range(dice.choice(self.intervals))]
        flags = self.flags | (0x10 if intervals else 0)
        value = struct.pack("<BH" if flags & 1 else "<BB", flags, self.rate)
        if flags & 8:
            self.energy = (self.energy + 1) % 2000
            value += struct.pack("<H", self.energy)
        return value + struct.pack(f"<{len(intervals)}H", *intervals)

    def connection(self):
        """From the command to connect to the subscription."""
        yield command(0x200D, struct.pack("<HHBB6s B6H", 96, 48, 0, 1, self.address, 0, 24, 40, 0, 400, 0, 0))
        yield event(0x0F, struct.pack("<BBH", 0, 1, 0x200D))
        yield event(0x3E, struct.pack("<BBHBB6s3HB", 1, 0, self.handle, 0, 1, self.address, 36, 0, 400, 1))
        measurement, battery = self.measurement, self.battery
        services = sorted([(measurement - 2, measurement + 1, HEART_RATE), (battery - 2, battery + 1, BATTERY)])
        pdus = [
            (0, struct.pack("<BH", 0x02, 517)),
            (1, struct.pack("<BH", 0x03, 247)),
            (0, struct.pack("<B3H", 0x10, 1, 0xFFFF, 0x2800)),
            (1, b"\x11\x06" + b"".join(struct.pack("<3H", *service) for service in services)),
            (0, struct.pack("<B3H", 0x10, services[-1][1] + 1, 0xFFFF, 0x2800)),
            (1, struct.pack("<BBHB", 0x01, 0x10, services[-1][1] + 1, 0x0A)),
        ]
        for start, end, service in services:
            value, kind = start + 2, HEART_RATE_MEASUREMENT if service == HEART_RATE else BATTERY_LEVEL
            pdus += [
                (0, struct.pack("<B3H", 0x08, start, end, 0x2803)),
                (1, b"\x09\x07" + struct.pack("<HBHH", value - 1, 0x10, value, kind)),
                (0, struct.pack("<BHH", 0x04, value + 1, value + 1)),
                (1, b"\x05\x01" + struct.pack("<HH", value + 1, 0x2902)),
            ]
        pdus += [(0, struct.pack("<BHH", 0x12, measurement + 1, 1)), (1, b"\x13")]
        for received, pdu in pdus:
            yield from self.att(bool(received), pdu)

    def end(self):
        return [event(0x05, struct.pack("<BHB", 0, self.handle, 0x08))]


SENSORS = [
    Sensor(0),
    Sensor(1, has_contact=False, intervals=(0, 1, 1, 2)),
    Sensor(2, has_energy=True),
    Sensor(3, intervals=(4, 8, 11), buffer=27),
    Sensor(4, wide=True, intervals=(0,), has_contact=False),
]
MUSIC = 0x0005


def advertisement():
    address, rssi = dice.randbytes(6), dice.randrange(150, 220)
    data = b"\x02\x01\x06" + bytes([dice.randrange(8, 27), 0xFF]) + dice.randbytes(26)
    data = data[: 4 + data[3]]
    if dice.random() < 0.5:
        return [event(0x3E, bytes([2, 1, 0, 1]) + address + bytes([len(data)]) + data + bytes([rssi]))]
    report = struct.pack("<BBHB6s", 0x0D, 1, 0x13, 1, address) + bytes([1, 0, 0xFF, 0x7F, rssi]) + bytes(9)
    return [event(0x3E, report + bytes([len(data)]) + data)]


def completed_packets():
    """Of one connection, all that it was given: what was not given, no controller reports."""
    handle = dice.choice([handle for handle, count in given.items() if count] or [None])
    return [event(0x13, struct.pack("<BHH", 1, handle, given.pop(handle)))] if handle else []


def music():
    size = dice.randrange(600, 680)
    return list(fragments(MUSIC, False, struct.pack("<HH", size, 0x0043) + dice.randbytes(size), 1021))


def measurement():
    sensor = dice.choice(SENSORS)
    return sensor.received(struct.pack("<BH", 0x1B, sensor.measurement) + sensor.value())


def vendor_data():
    sensor = dice.choice(SENSORS)
    # Behind a buffer of 27 octets a notification of an MTU of 247 takes ten fragments.
    return sensor.received(struct.pack("<BH", 0x1B, sensor.vendor) + dice.randbytes(dice.choice((8, 20, 20, 180))))


def battery():
    sensor = dice.choice(SENSORS)
    request = sensor.sent(struct.pack("<BH", 0x0A, sensor.battery))
    return request + sensor.received(bytes([0x0B, dice.randrange(20, 101)]))


def write():
    sensor = dice.choice(SENSORS)
    if dice.random() < 0.5:
        return sensor.sent(struct.pack("<BH", 0x52, sensor.vendor) + dice.randbytes(16))
    return sensor.sent(struct.pack("<BH", 0x12, sensor.vendor) + dice.randbytes(6)) + sensor.received(b"\x13")


def signal_strength():
    sensor = dice.choice(SENSORS)
    answer = struct.pack("<BHBHb", 1, 0x1405, 0, sensor.handle, -dice.randrange(40, 90))
    return [command(0x1405, struct.pack("<H", sensor.handle)), event(0x0E, answer)]


# How often each happens, of a hundred.
HABITS = {
    advertisement: 38, completed_packets: 14, music: 13, measurement: 16, vendor_data: 8, battery: 3, write: 6,
    signal_strength: 2,
}


def traffic():
    """Packets without end."""
    scenes = [scene() for scene in dice.choices(list(HABITS), HABITS.values(), k=40_000)]
    reconnections = itertools.cycle(SENSORS)
    for sensor in SENSORS:
        yield from sensor.connection()
    since = 0
    for scene in itertools.cycle(scenes):
        yield from scene
        since += len(scene)
        if since >= BETWEEN_RECONNECTIONS:
            since = 0
            sensor = next(reconnections)
            yield from sensor.end()
            yield from sensor.connection()


def main():
    count, path = int(sys.argv[1]), sys.argv[2]
    steps = itertools.cycle([int(dice.expovariate(1 / 900)) + 1 for _ in range(5003)])
    time = START
    pack = RECORD.pack
    with open(path, "wb", 1 << 20) as file:
        file.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        pieces = []
        for (flags, packet), step in zip(itertools.islice(traffic(), count), steps):
            time += step
            pieces.append(pack(len(packet), len(packet), flags, 0, time))
            pieces.append(packet)
            if len(pieces) > 16_384:
                file.write(b"".join(pieces))
                pieces.clear()
        file.write(b"".join(pieces))


if __name__ == "__main__":
    main()
