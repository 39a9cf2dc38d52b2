#!/usr/bin/env python3
"""Record every sample capture again, octet for octet: python3 record.py [NAME...]"""

import json
import logging
import pathlib
import sys

# Leave nothing behind but captures and truth files.
sys.dont_write_bytecode = True

from recorder import clock  # first: it decides which cryptography Bumble uses
from recorder import containers
from recorder import attribute_faults, comparisons, faults, link_faults  # noqa: F401: their scenarios join the others
from recorder.scenarios import SCENARIOS
from recorder.stage import PHONE, Stage

HERE = pathlib.Path(__file__).resolve().parent

# Further containers, written from the packets that Bumble's btsnoop writer recorded.
CONTAINERS = {
    "wahoo-tickr": {
        "nanoseconds.big-endian.pcap": containers.pcap_nanoseconds_big_endian,
        "two-sections.pcapng": containers.pcapng_two_sections,
    },
    "scosche-rhythm-plus": {
        "h4.pcap": containers.pcap_h4,
        "monitor.btsnoop": lambda packets: containers.btsnoop_monitor(packets, PHONE),
        "monitor.pcap": lambda packets: containers.pcap_monitor(packets, PHONE),
        "le.pklg": lambda packets: containers.packetlogger(packets, "<"),
        "be.pklg": lambda packets: containers.packetlogger(packets, ">"),
        "h1.btsnoop": containers.btsnoop_h1,
    },
}


# What a log without the end of its first connection looks like: the packets that tell of it are left out.
WITHOUT_DISCONNECTION = {"handle-reused": "handle-reused-no-disconnection"}


def record(scenario):
    """Play a scenario and return its files by name."""

    async def play():
        stage = Stage(scenario.name)
        await scenario.play(stage)
        return stage

    stage = clock.run(play(), scenario.start, scenario.name)
    btsnoop = stage.recorder.btsnoop.getvalue()
    captures = {f"{scenario.name}.btsnoop": btsnoop}
    if scenario.name == "polar-h7":
        captures["polar-h7.pcap"] = stage.recorder.pcap.getvalue()
    packets = containers.read_btsnoop(btsnoop)
    for ending, write in CONTAINERS.get(scenario.name, {}).items():
        captures[f"{scenario.name}.{ending}"] = write(packets)
    is_fault = scenario.name.startswith("Faults/")
    truth = stage.faults_truth() if is_fault else stage.truth()
    files = captures | truth_file(scenario.name, captures, truth, stage.faults)
    if other := comparisons.OTHER_ENDS.get(scenario.name):
        return both_ends(scenario.name, other, stage)
    if variant := WITHOUT_DISCONNECTION.get(scenario.name):
        files |= without_first_disconnection(variant, packets, stage.truth())
    return files


def both_ends(name, other, stage):
    """The phone's log without what was lost on the way, the sensor's by another clock, and what was done to them."""
    values = [measurement.raw for measurement in stage.sessions[0].measurements]
    phone = containers.read_btsnoop(stage.recorder.btsnoop.getvalue())
    sensor = containers.read_btsnoop(stage.second_recorder.btsnoop.getvalue())
    captures = {
        f"{name}.phone.btsnoop": containers.btsnoop_h4(containers.without_notifications(phone, other.lost)),
        f"{name}.sensor.btsnoop": containers.btsnoop_h4(containers.by_another_clock(sensor, other.ahead, other.drift)),
    }
    truth = {
        "captures": [pathlib.PurePath(capture).name for capture in captures],
        "ahead_s": other.ahead,
        "drift_ppm": other.drift,
        "lost": [values[index].hex() for index in other.lost],
        "measurements": len(values),
    }
    return captures | {f"{name}.truth.json": layout(truth).encode() + b"\n"}


def without_first_disconnection(name, packets, connections):
    kept = containers.without_first_disconnection(packets)
    connections[0]["closed_reason"] = None
    captures = {f"{name}.btsnoop": containers.btsnoop_h4(kept)}
    return captures | truth_file(name, captures, connections)


def truth_file(name, captures, connections, faults=()):
    names = [pathlib.PurePath(capture).name for capture in captures]
    truth = {"captures": names, "connections": connections}
    if faults:
        truth["faults"] = faults
    return {f"{name}.truth.json": layout(truth).encode() + b"\n"}


def layout(value, indent=""):
    """JSON whose small values stay on one line: one measurement, one line."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(line) <= 160:
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        opening, closing = "{}"
        parts = [f"{json.dumps(key)}: {layout(part, deeper)}" for key, part in value.items()]
    else:
        opening, closing = "[]"
        parts = [layout(part, deeper) for part in value]
    separator = ",\n" + deeper
    return f"{opening}\n{deeper}{separator.join(parts)}\n{indent}{closing}"


def main(names):
    # Bumble warns of what these scenarios do on purpose.
    logging.getLogger("bumble").setLevel(logging.ERROR)
    unknown = set(names) - {scenario.name for scenario in SCENARIOS}
    if unknown:
        sys.exit(f"no such scenario: {', '.join(sorted(unknown))}")
    for scenario in SCENARIOS:
        if names and scenario.name not in names:
            continue
        for file, octets in record(scenario).items():
            path = HERE / file
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(octets)
            print(f"{len(octets):7} {file}")


if __name__ == "__main__":
    main(sys.argv[1:])
