"""What captures are compared with: second recordings, and recordings of both ends of a connection."""

import asyncio
import dataclasses

from . import devices
from .heart import Heart
from .scenarios import SCENARIOS, scenario
from .stage import Stage

# The same sensors and hosts once more, with other hearts, other noise, on another day.
AGAIN = {
    "polar-h7": "2026-04-02T18:12:09.118250",
    "wahoo-tickr": "2026-04-03T07:45:31.902112",
    "scosche-rhythm-plus": "2026-04-04T12:00:58.330071",
}


@dataclasses.dataclass(frozen=True)
class OtherEnd:
    """How the second log of a connection differs from the first: its clock, and what never arrived."""

    # Seconds that its clock is ahead at the beginning, and how much faster it runs, in millionths.
    ahead: float
    drift: float
    # The measurements, from 0, that are in the sensor's log and not in the phone's.
    lost: tuple[int, ...]


OTHER_ENDS = {
    "Comparisons/both-ends": OtherEnd(ahead=2.4375, drift=0.0, lost=(17, 40, 41, 88)),
    "Comparisons/both-ends-drifting": OtherEnd(ahead=-7261.25, drift=60.0, lost=(5, 120, 121, 122, 233)),
}


def _register():
    first = {known.name: known for known in SCENARIOS}
    for name, start in AGAIN.items():
        # Randomness is seeded with the name: another name, another heart.
        scenario(f"Comparisons/{name}-again", start)(first[name].play)


_register()


@scenario("Comparisons/both-ends", "2026-04-05T09:30:00.250000")
async def both_ends(stage: Stage):
    """A chest strap with intervals, for two minutes."""
    await _both_ends(stage, devices.polar_h7(), 120, with_rr=True)


@scenario("Comparisons/both-ends-drifting", "2026-04-06T21:05:40.500000")
async def both_ends_drifting(stage: Stage):
    """An optical sensor: values without intervals, many of them the same as the one before, for four minutes."""
    await _both_ends(stage, devices.scosche_rhythm_plus(), 240, with_rr=False)


async def _both_ends(stage, model, count, with_rr):
    await stage.phone()
    sensor = await stage.sensor(model, record="second")
    session = await stage.connect(sensor)
    await session.discover()
    await session.read("2A29", "2A24", "2A19", "2A38")
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 72, 108, trend_seconds=count / 2)
    await session.stream(heart.measure(with_rr=with_rr) for _ in range(count))
    await asyncio.sleep(1)
    await session.disconnect()
