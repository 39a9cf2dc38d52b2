"""Sensors with faults: each session is healthy but for what it is named after.

What is planted is written down where it is planted: the rule that has to find it, and the measurements, counted from 0
on each connection, at which the finding begins and ends.
"""

import asyncio
import contextlib
import dataclasses
import datetime
import itertools
import zlib

from . import devices
from .heart import Heart, Measurement, measurement
from .scenarios import SCENARIOS, Scenario, EnergyCounter
from .stage import Stage

_FIRST_DAY = datetime.datetime(2026, 4, 1, tzinfo=datetime.UTC)
_HALF_A_YEAR = 183 * 86_400


def fault(name):
    """Register a scenario. The name makes its time, so that a new one does not move the others."""

    def register(play):
        number = zlib.crc32(name.encode())
        moment = _FIRST_DAY + datetime.timedelta(seconds=number % _HALF_A_YEAR, microseconds=number % 1_000_000)
        SCENARIOS.append(Scenario(f"Faults/{name}", moment, play))
        return play

    return register


async def start(stage: Stage, model=None):
    """Phone and strap, from scanning to the subscription."""
    await stage.phone()
    sensor = await stage.sensor(model or devices.compact("HRM F0", "E2:4B:90:3D:15:F0"))
    session = await stage.connect(sensor)
    await session.discover()
    await session.read("2A19", "2A38")
    await session.subscribe("2A37")
    return session


@contextlib.contextmanager
def planting(session, *rules):
    """What these rules find is the measurements that are sent meanwhile."""
    first = len(session.measurements)
    yield
    for rule in rules:
        session.plant(rule, first=first, last=len(session.measurements) - 1)


def good(heart, count, **fields):
    """What a healthy strap says in so many seconds."""
    return (heart.measure(**{"contact": "detected"} | fields) for _ in range(count))


def changed(values, **fields):
    """The same values, but for some fields: a number, or what makes one of the old one."""
    for value in values:
        new = {"bpm": value.bpm, "contact": value.contact, "energy": value.energy, "rr": value.rr, "wide": False}
        for name, change in fields.items():
            new[name] = change(new[name]) if callable(change) else change
        yield measurement(**new)


def with_flags(value, *, add=0, remove=0):
    """Other flags in front of the same octets; a decoder that goes by the book makes the same of it."""
    raw = bytes([value.raw[0] & ~remove | add]) + value.raw[1:]
    return dataclasses.replace(value, raw=raw)


# Cadence ------------------------------------------------------------------------------------------------


@fault("notification-gap")
async def notification_gap(stage: Stage):
    """Eight seconds of silence, and the beats in them are lost."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 72)
    await session.stream(good(heart, 45))
    await _silence(session, heart, 8)
    await session.stream(good(heart, 40))
    await session.disconnect()


async def _silence(session, heart, seconds):
    """The measurement behind it comes so many seconds after the one before it, and tells its own second only."""
    at = len(session.measurements)
    session.plant("notification-gap", first=at - 1, last=at)
    heart.beats(seconds - 1)
    await asyncio.sleep(seconds - 1)


@fault("notification-burst")
async def notification_burst(stage: Stage):
    """Six measurements are held back on the air, and come at once: nothing is lost."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 84)
    await session.stream(good(heart, 45))
    at = len(session.measurements)
    session.plant("notification-gap", first=at - 1, last=at)
    session.plant("notification-burst", first=at, last=at + 5)
    await asyncio.sleep(6)
    for value in good(heart, 6):
        await session.send(value)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("notification-repeated")
async def notification_repeated(stage: Stage):
    """A measurement with one interval is sent again a tenth of a second later."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 66)
    await session.stream(good(heart, 40))
    value = next(value for value in good(heart, 9) if len(value.rr) == 1)
    await asyncio.sleep(1)
    await session.send(value)
    await asyncio.sleep(0.1)
    with planting(session, "notification-repeated"):
        await session.send(value)
    await asyncio.sleep(0.9)
    heart.beats(1)
    await session.stream(good(heart, 40))
    await session.disconnect()


@fault("notification-repeated-intervals")
async def notification_repeated_intervals(stage: Stage):
    """The same with two intervals: those come again as well."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 124)
    await session.stream(good(heart, 40))
    value = next(value for value in good(heart, 1))
    await asyncio.sleep(1)
    await session.send(value)
    await asyncio.sleep(0.1)
    with planting(session, "notification-repeated", "rr-repeated"):
        await session.send(value)
    await session.stream(good(heart, 40))
    await session.disconnect()


# Contact ------------------------------------------------------------------------------------------------


@fault("contact-lost")
async def contact_lost(stage: Stage):
    """For four seconds; no beats are counted meanwhile."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 77)
    await session.stream(good(heart, 45))
    with planting(session, "contact-lost"):
        await session.stream(good(heart, 4, contact="not-detected", with_rr=False))
    await session.stream(good(heart, 45))
    await session.disconnect()


@fault("heart-rate-off-body")
async def heart_rate_off_body(stage: Stage):
    """The strap is taken off and repeats the last rate until the phone goes."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 81)
    await session.stream(good(heart, 60))
    with planting(session, "heart-rate-off-body", "contact-lost"):
        await session.stream(measurement(heart.bpm, "not-detected") for _ in range(15))
    await session.disconnect()


@fault("contact-status-without-support")
async def contact_status_without_support(stage: Stage):
    """In every value."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 69)
    with planting(session, "contact-status-without-support"):
        await session.stream(with_flags(value, add=0x02) for value in good(heart, 60, contact="unsupported"))
    await session.disconnect()


@fault("contact-support-changed")
async def contact_support_changed(stage: Stage):
    """The sensor can tell contact, and then cannot."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 93)
    await session.stream(good(heart, 40))
    at = len(session.measurements)
    session.plant("contact-support-changed", first=at, last=at)
    await session.stream(good(heart, 40, contact="unsupported"))
    await session.disconnect()


# Rates --------------------------------------------------------------------------------------------------


@fault("heart-rate-zero")
async def heart_rate_zero(stage: Stage):
    """Before the first rate, which is only worth knowing, and for six seconds in the middle."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 75)
    heart.beats(3)
    with planting(session, "heart-rate-zero"):
        await session.stream(measurement(0, "detected") for _ in range(3))
    await session.stream(good(heart, 45))
    heart.beats(6)
    with planting(session, "heart-rate-zero"):
        await session.stream(measurement(0, "detected") for _ in range(6))
    await session.stream(good(heart, 45))
    await session.disconnect()


@fault("heart-rate-frozen")
async def heart_rate_frozen(stage: Stage):
    """The rate stands still for 50 s, while the heart and its intervals go on from 72 to 96."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 72, 96, trend_seconds=70)
    values = list(good(heart, 30))
    await session.stream(values)
    frozen = values[-1].bpm
    at = len(session.measurements)
    session.plant("heart-rate-frozen", first=_same_rate_from(values), last=at + 49)
    session.plant("rr-contradicts-heart-rate", within=(at, at + 49))
    await session.stream(changed(good(heart, 50), bpm=frozen))
    await session.stream(good(heart, 30))
    await session.disconnect()


def _same_rate_from(values):
    """The first of the last ones that have the last one's rate: frozen or not, they look the same."""
    return len(values) - sum(1 for _ in itertools.takewhile(lambda v: v.bpm == values[-1].bpm, reversed(values)))


@fault("heart-rate-frozen-alone")
async def heart_rate_frozen_alone(stage: Stage):
    """An optical sensor, without intervals, whose rate stands still for 75 s."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 104, 118, trend_seconds=120)
    values = list(good(heart, 30, contact="unsupported", with_rr=False))
    await session.stream(values)
    at = len(session.measurements)
    session.plant("heart-rate-frozen", first=_same_rate_from(values), last=at + 74)
    await session.stream(measurement(values[-1].bpm) for _ in range(75))
    heart.beats(75)
    await session.stream(good(heart, 20, contact="unsupported", with_rr=False))
    await session.disconnect()


@fault("heart-rate-jump")
async def heart_rate_jump(stage: Stage):
    """An optical sensor counts twice for 20 s; later it locks onto steps, at one and a half times the rate."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 61)

    def optical(count):
        return good(heart, count, contact="unsupported", with_rr=False)

    await session.stream(optical(40))
    at = len(session.measurements)
    session.plant("heart-rate-jump", first=at, last=at + 19)
    await session.stream(changed(optical(20), bpm=lambda bpm: bpm * 2))
    await session.stream(optical(40))
    at = len(session.measurements)
    session.plant("heart-rate-jump", first=at, last=at)
    await session.stream(changed(optical(40), bpm=lambda bpm: bpm * 3 // 2))
    await session.disconnect()


@fault("heart-rate-implausible")
async def heart_rate_implausible(stage: Stage):
    """Above 240 for three seconds, and at 9 for two."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 88)
    for count, bpm in ((3, 249), (2, 9)):
        await session.stream(good(heart, 40))
        at = len(session.measurements)
        session.plant("heart-rate-implausible", first=at, last=at + count - 1)
        session.plant("heart-rate-jump", first=at, last=at + count - 1)
        await session.stream(changed(good(heart, count), bpm=bpm))
    await session.stream(good(heart, 30))
    await session.disconnect()


@fault("heart-rate-byte-swapped")
async def heart_rate_byte_swapped(stage: Stage):
    """A sensor that sends UINT16 rates with the high octet first."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 74, 90)
    with planting(session, "heart-rate-byte-swapped"):
        await session.stream(changed(good(heart, 90), bpm=lambda bpm: bpm << 8, wide=True))
    await session.disconnect()


@fault("needless-uint16")
async def needless_uint16(stage: Stage):
    """A sensor that sends every rate as a UINT16."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 112)
    with planting(session, "needless-uint16"):
        await session.stream(good(heart, 60, wide=True))
    await session.disconnect()


# Intervals ----------------------------------------------------------------------------------------------


@fault("rr-repeated")
async def rr_repeated(stage: Stage):
    """Every fifteen seconds or so, the intervals of a notification come again at the head of the next one."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 126)
    values = list(good(heart, 90))
    places = [place for place in range(20, 90, 15) if len(values[place - 1].rr) >= 2]
    for place in places:
        before = values[place - 1].rr
        (values[place],) = changed([values[place]], rr=lambda rr, before=before: before + rr)
    session.plant("rr-repeated", first=places[0], last=places[-1])
    await session.stream(values)
    await session.disconnect()


@fault("rr-repeated-alone")
async def rr_repeated_alone(stage: Stage):
    """One interval of a slow heart, eight seconds long."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 60)
    await session.stream(good(heart, 40))
    value = next(value for value in good(heart, 9) if len(value.rr) == 1)
    with planting(session, "rr-repeated"):
        await session.stream(changed(good(heart, 8), rr=value.rr))
    await session.stream(good(heart, 40))
    await session.disconnect()


@fault("rr-in-milliseconds")
async def rr_in_milliseconds(stage: Stage):
    """Three minutes of a sensor that takes milliseconds for the unit."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 68, 84, trend_seconds=180)
    session.plant("rr-in-milliseconds")
    await session.stream(changed(good(heart, 180), rr=lambda rr: [round(x * 1000 / 1024) for x in rr]))
    await session.disconnect()


@fault("rr-contradicts-heart-rate")
async def rr_contradicts_heart_rate(stage: Stage):
    """For 45 s the rate is 15 % below what the intervals make."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 98)
    await session.stream(good(heart, 40))
    at = len(session.measurements)
    session.plant("rr-contradicts-heart-rate", within=(at, at + 44))
    await session.stream(changed(good(heart, 45), bpm=lambda bpm: round(bpm * 0.85)))
    await session.stream(good(heart, 40))
    await session.disconnect()


@fault("rr-overflow")
async def rr_overflow(stage: Stage):
    """Behind eight seconds of silence a notification takes nine intervals, all that an MTU of 23 has room for.

    The others are lost.
    """
    session = await start(stage)
    heart = Heart(session.sensor.rng, 122)
    await session.stream(good(heart, 40))
    at = len(session.measurements)
    session.plant("notification-gap", first=at - 1, last=at)
    session.plant("rr-overflow", first=at, last=at + 1)
    await asyncio.sleep(7)
    await session.stream(changed([heart.measure(8.0, contact="detected")], rr=lambda rr: rr[:9]))
    await session.stream(good(heart, 40))
    await session.disconnect()


@fault("rr-out-of-range")
async def rr_out_of_range(stage: Stage):
    """An interval of 1 among the good ones, and one of 65535 in place of one."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 79)
    await session.stream(good(heart, 35))
    for rr in (lambda rr: (*rr, 1), lambda rr: (65535, *rr[1:])):
        with planting(session, "rr-out-of-range"):
            await session.stream(changed(good(heart, 1), rr=rr))
        await session.stream(good(heart, 40))
    await session.disconnect()


@fault("rr-fill-value")
async def rr_fill_value(stage: Stage):
    """Every sixth notification tells an interval of 512 where another one was."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 73)
    values = list(good(heart, 100))
    places = range(10, 100, 6)
    for place in places:
        (values[place],) = changed([values[place]], rr=lambda rr: (512, *rr[1:]))
    session.plant("rr-fill-value", first=places[0], last=places[-1])
    await session.stream(values)
    await session.disconnect()


@fault("rr-vanished")
async def rr_vanished(stage: Stage):
    """No intervals for 25 s, with contact, while the rate goes on."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 86, 94)
    await session.stream(good(heart, 45))
    with planting(session, "rr-vanished"):
        await session.stream(good(heart, 25, with_rr=False))
    await session.stream(good(heart, 45))
    await session.disconnect()


@fault("rr-missed-beat")
async def rr_missed_beat(stage: Stage):
    """Two beats in a minute and a half are not noticed: which hearts and sensors do, and is worth knowing only."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 74)
    values = list(good(heart, 90))
    places = (30, 62)
    for place in places:
        # Both intervals are told when the second one is over.
        rr = [interval for value in values[place : place + 2] for interval in value.rr]
        values[place : place + 2] = [
            *changed(values[place : place + 1], rr=()),
            *changed(values[place + 1 : place + 2], rr=(rr[0] + rr[1], *rr[2:])),
        ]
    session.plant("rr-missed-beat", within=(places[0], places[-1] + 3))
    await session.stream(values)
    await session.disconnect()


@fault("rr-sum-mismatch")
async def rr_sum_mismatch(stage: Stage):
    """A sensor that puts one interval into each notification, at 120 beats a minute."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 120)
    session.plant("rr-sum-mismatch")
    await session.stream(changed(good(heart, 90), rr=lambda rr: rr[-1:]))
    await session.disconnect()


@fault("rr-synthesised")
async def rr_synthesised(stage: Stage):
    """An optical sensor that makes its intervals from the rate."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 70, 92, trend_seconds=100)
    session.plant("rr-synthesised")
    values = good(heart, 110, contact="unsupported")
    await session.stream(measurement(v.bpm, rr=[round(61_440 / v.bpm)] * len(v.rr)) for v in values)
    await session.disconnect()


# Energy -------------------------------------------------------------------------------------------------


@fault("energy-decreased")
async def energy_decreased(stage: Stage):
    """The counter starts anew, and nobody has reset it."""
    energy = EnergyCounter(310)
    session = await start(stage, devices.wahoo_tickr(energy.attribute()))
    heart = Heart(session.sensor.rng, 140)
    await session.stream(heart.measure(energy=energy.due()) for _ in range(40))
    energy.spent = 0.0
    at = len(session.measurements)
    # Every tenth measurement carries it.
    session.plant("energy-decreased", first=at + 9, last=at + 9)
    await session.stream(heart.measure(energy=energy.due()) for _ in range(40))
    await session.disconnect()


@fault("energy-every-measurement")
async def energy_every_measurement(stage: Stage):
    """Energy in each of sixty measurements."""
    energy = EnergyCounter(52)
    session = await start(stage, devices.wahoo_tickr(energy.attribute()))
    heart = Heart(session.sensor.rng, 128)
    with planting(session, "energy-every-measurement"):
        await session.stream(heart.measure(energy=energy.now()) for _ in range(60))
    await session.disconnect()


# Octets -------------------------------------------------------------------------------------------------


@fault("measurement-malformed")
async def measurement_malformed(stage: Stage):
    """An interval without its second octet, and a value that ends behind its flags."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 71)
    for length in (-1, 1):
        await session.stream(good(heart, 35))
        value = next(value for value in good(heart, 9) if value.rr)
        with planting(session, "measurement-malformed"):
            await session.stream([Measurement(value.raw[:length], None, "detected", error=True)])
    await session.stream(good(heart, 35))
    await session.disconnect()


@fault("measurement-reserved-flags")
async def measurement_reserved_flags(stage: Stage):
    """Three values in the middle have bits that nobody has defined."""
    session = await start(stage)
    heart = Heart(session.sensor.rng, 83)
    await session.stream(good(heart, 40))
    with planting(session, "measurement-reserved-flags"):
        await session.stream(with_flags(value, add=0xE0) for value in good(heart, 3))
    await session.stream(good(heart, 40))
    await session.disconnect()
