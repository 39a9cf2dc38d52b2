#!/usr/bin/env python3
"""Measures how well heart rates are found where discovery is not in the capture.

    Scripts/measure_inference.py [--binary PATH] [--publish]

Every recorded sample is written anew as phones write their logs: without the discovery, with or without the
advertising that came before it, whole or with ACL packets cut to 14 or 13 octets, and mixed with the notifications of
other characteristics. hrsnoop reads each variant, and what it calls a heart rate measurement is compared with what was
sent. With --publish the table goes into Documentation/Inference.md.
"""

import argparse
import collections
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Samples"))

from recorder.containers import Packet, read_btsnoop
from recorder.others import OTHERS

YEAR_0_TO_1970 = 0x00DCDDB30F2F8000
COMMAND, ACL, EVENT = 1, 2, 4
DISCOVERY = {0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x10, 0x11}
ATT = 4


def main():
    options = arguments()
    variants = list(all_variants())
    rows, points = collections.OrderedDict(), []
    with tempfile.TemporaryDirectory() as folder:
        for kind, name, packets, kept, truth in variants:
            path = pathlib.Path(folder) / "capture.btsnoop"
            path.write_bytes(btsnoop(packets, kept))
            row = rows.setdefault(kind, Row())
            row.judge(analyze(options.binary, path), truth, points, f"{kind}, {name}")
    text = table(rows) + "\n" + calibration(points)
    print(text)
    if options.publish:
        publish(text)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    binary = ROOT / ".build" / "release" / "hrsnoop"
    parser.add_argument("--binary", type=pathlib.Path, default=binary, metavar="PATH", help="the program (.build/release)")
    parser.add_argument("--publish", action="store_true", help="put the table into Documentation/Inference.md")
    return parser.parse_args()


def analyze(binary, path):
    run = subprocess.run([binary, "analyze", "--format", "json", path], check=True, capture_output=True)
    return json.loads(run.stdout)["captures"][0]["connections"]


# Variants of the samples.


def all_variants():
    for name, packets, truth in samples():
        bare = without_discovery(packets)
        quiet = without_advertising(bare)
        # Where one handle belongs to two connections, their making alone tells them apart.
        late = without_setup(quiet) if len({c["handle"] for c in truth}) == len(truth) else None
        yield "whole, with discovery", name, packets, None, truth
        for octets in (14, 13):
            yield f"ACL cut to {octets}, with discovery", name, packets, octets, truth
        yield "without discovery", name, bare, None, truth
        yield "without discovery, ACL cut to 14", name, bare, 14, truth
        yield "without discovery, ACL cut to 13", name, bare, 13, truth
        yield "nor advertising", name, quiet, None, truth
        yield "nor advertising, ACL cut to 14", name, quiet, 14, truth
        if late:
            yield "nor the connections' making", name, late, None, truth
            yield "nor the connections' making, ACL cut to 14", name, late, 14, truth
        yield "mixed with other notifications", name, mixed(quiet, truth), None, truth
        yield "mixed with other notifications, ACL cut to 14", name, mixed(quiet, truth), 14, truth
        yield "other notifications alone", name, without_heart_rate(mixed(quiet, truth), truth), None, none(truth)
        yield "other notifications alone, ACL cut to 14", name, without_heart_rate(mixed(quiet, truth), truth), 14, none(truth)


def samples():
    """The samples whose attribute protocol runs over the fixed channel of a Low Energy link, seen by the phone."""
    for path in sorted((ROOT / "Samples").glob("*.truth.json")):
        truth = json.loads(path.read_text())["connections"]
        name = path.name.removesuffix(".truth.json")
        capture = path.with_name(name + ".btsnoop")
        if not capture.exists() or name in ("br-edr-att", "eatt", "sensor-side"):
            continue
        yield name, read_btsnoop(capture.read_bytes()), truth


def none(truth):
    return [{**connection, "measurements": []} for connection in truth]


def pdus(packets):
    """The packets with, for each that begins an ATT PDU or continues one, the PDU's octets."""
    open_pdus = {}
    for packet in packets:
        if packet.kind != ACL:
            yield packet, None, None
            continue
        word, _ = struct.unpack_from("<HH", packet.data)
        handle, flag, data = word & 0xFFF, word >> 12 & 3, packet.data[4:]
        key = handle, packet.received
        if flag != 1:
            open_pdus[key] = data
        data = open_pdus.get(key, data)
        is_att = len(data) > 4 and struct.unpack_from("<H", data, 2)[0] == ATT
        yield packet, handle, data[4:] if is_att else None


def without_discovery(packets):
    def is_discovery(pdu):
        return pdu[0] in DISCOVERY or pdu[0] == 0x01 and len(pdu) > 1 and pdu[1] in DISCOVERY

    return [packet for packet, _, pdu in pdus(packets) if not pdu or not is_discovery(pdu)]


def without_advertising(packets):
    def is_report(packet):
        return packet.kind == EVENT and packet.data[0] == 0x3E and packet.data[2] in (0x02, 0x0D)

    return [packet for packet in packets if not is_report(packet)]


def without_setup(packets):
    """The log begins after the connections were made: commands and events about them are gone."""
    return [packet for packet in packets if packet.kind == ACL]


def without_heart_rate(packets, truth):
    handles = {connection["measurement_handle"] for connection in truth}

    def is_measurement(pdu):
        return pdu and pdu[0] == 0x1B and len(pdu) > 3 and struct.unpack_from("<H", pdu, 1)[0] in handles

    return [packet for packet, _, pdu in pdus(packets) if not is_measurement(pdu)]


def mixed(packets, truth):
    """With other characteristics of the same devices notifying beside their heart rates."""
    streams = {}
    out = []
    for packet, handle, pdu in pdus(packets):
        is_start = packet.kind == ACL and packet.data[1] >> 4 & 3 != 1
        if pdu and pdu[0] == 0x1B and packet.received and is_start:
            known = streams.setdefault(handle, [make(random.Random(f"{handle}{uuid}")) for uuid, make in OTHERS.items()])
            for index, stream in enumerate(known):
                time = packet.time - 200 * (len(known) - index)
                out.append(notification(time, handle, 0x0100 + 8 * index, next(stream)))
        out.append(packet)
    return out


def notification(time, handle, attribute, value):
    att = struct.pack("<BH", 0x1B, attribute) + value
    l2cap = struct.pack("<HH", len(att), ATT) + att
    return Packet(time, True, ACL, struct.pack("<HH", handle | 2 << 12, len(l2cap)) + l2cap)


def btsnoop(packets, kept):
    out = b"btsnoop\0" + struct.pack(">II", 1, 1002)
    for packet in packets:
        data = packet.h4
        short = data[: 1 + kept] if kept and packet.kind == ACL else data
        flags = int(packet.received) | (0 if packet.kind == ACL else 2)
        out += struct.pack(">IIIIq", len(data), len(short), flags, 0, packet.time + YEAR_0_TO_1970) + short
    return out


# Judgement.


class Row:
    def __init__(self):
        self.captures = self.sent = self.found = self.wrong = self.false = 0

    def judge(self, connections, truth, points, where):
        self.captures += 1
        true_handles = {(index, c["measurement_handle"]) for index, c in enumerate(truth) if c["measurements"]}
        for index, expected in enumerate(truth):
            self.sent += len(expected["measurements"])
            actual = connections[index]["heart_rate"] if index < len(connections) else None
            right = actual and actual["measurement_handle"] == expected["measurement_handle"]
            for one, other in zip(expected["measurements"], actual["measurements"] if right else []):
                if (one["bpm"], one["contact"], len(one["rr"] or [])) == (other["bpm"], other["contact"], other["rr_count"]):
                    self.found += 1
                elif one["error"] or other["bpm"] is None:
                    # A broken value is told as it is, and so is one whose second octet of the rate is cut away.
                    self.found += other["raw"] == one["raw"][: len(other["raw"])]
                else:
                    self.wrong += 1
        for index, connection in enumerate(connections):
            session = connection["heart_rate"]
            if session and session["measurements"] and (index, session["measurement_handle"]) not in true_handles:
                self.false += len(session["measurements"])
                print(f"false: {where}: connection {connection['id']} handle {session['measurement_handle']} {session['confidence']} {session['evidence']}", file=sys.stderr)
            if session and session["provenance"] == "inferred":
                points.append((session["confidence"], (index, session["measurement_handle"]) in true_handles))
            for candidate in connection["candidates"]:
                points.append((candidate["confidence"], (index, candidate["handle"]) in true_handles))

    @property
    def recall(self):
        return self.found / self.sent if self.sent else 1.0

    @property
    def precision(self):
        called = self.found + self.wrong + self.false
        return self.found / called if called else 1.0


def table(rows):
    lines = ["| capture | captures | measurements | found | wrong value | called so, but none | recall | precision |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for kind, row in rows.items():
        lines.append(
            f"| {kind} | {row.captures} | {row.sent} | {row.found} | {row.wrong} | {row.false} | {row.recall:.3f} | {row.precision:.3f} |")
    return "\n".join(lines) + "\n"


def calibration(points):
    lines = ["| confidence | attributes | mean confidence | of these heart rates |", "|---|--:|--:|--:|"]
    for low, high in ((0.02, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.99), (0.99, 1.01)):
        inside = [point for point in points if low <= point[0] < high]
        mean = f"{sum(point[0] for point in inside) / len(inside):.2f}" if inside else "–"
        share = f"{sum(point[1] for point in inside) / len(inside):.2f}" if inside else "–"
        lines.append(f"| {low} to {min(high, 1)} | {len(inside)} | {mean} | {share} |")
    error = sum((confidence - is_true) ** 2 for confidence, is_true in points) / len(points)
    return "\n".join(lines) + f"\n\nMean square of the error (Brier score): {error:.4f}.\n"


def publish(text):
    path = ROOT / "Documentation" / "Inference.md"
    begin, end = "<!-- figures -->\n", "<!-- end of figures -->\n"
    document = path.read_text()
    head, tail = document.split(begin)[0], document.split(end)[1]
    path.write_text(head + begin + "\n" + text + "\n" + end + tail)


if __name__ == "__main__":
    main()
