#!/usr/bin/env python3
"""Writes the first inputs of the fuzzers: seeds.py SAMPLES CORPUS

Whole captures, small pieces of them, and the single packets and values in them, each in the form that a fuzzer takes.
"""
import pathlib
import struct
import sys

# Enough to begin with: a fuzzer is slow on long inputs and finds its own way from short ones.
LONGEST = 6000


def packets(btsnoop):
    """The H4 packets of a btsnoop file, with whether each was received."""
    position = 16
    while position + 24 <= len(btsnoop):
        included, flags = struct.unpack_from(">4xII", btsnoop, position)
        yield btsnoop[position + 24 : position + 24 + included], bool(flags & 1)
        position += 24 + included


def btsnooz(btsnoop, version):
    """The records of a btsnoop file as Android keeps them in memory."""
    types = {(1, False): 0x20, (2, True): 0x11, (2, False): 0x21, (4, True): 0x10}
    for packet, received in packets(btsnoop):
        if packet and (packet[0], received) in types:
            lengths = struct.pack("<H", len(packet)) * version
            yield lengths + struct.pack("<IB", 10_000, types[packet[0], received]) + packet[1:]


def step(kind, octets):
    """A step of a conversation; see Sources/FuzzSupport/Conversation.swift."""
    length = [len(octets)] if len(octets) < 0xF0 else [0xF0 | len(octets) >> 8, len(octets) & 0xFF]
    return bytes([kind, *length]) + octets


def conversation_steps(btsnoop):
    kinds = {1: (0, 0), 2: (2, 3), 4: (1, 1)}
    for packet, received in packets(btsnoop):
        if packet and packet[0] in kinds:
            yield step(kinds[packet[0]][received], packet[1:])


def att_pdus(btsnoop):
    for packet, _ in packets(btsnoop):
        if packet[:1] == b"\x02" and packet[7:9] == b"\x04\x00" and packet[2] >> 4 & 3 != 1:
            yield packet[9:]


class Corpus:
    def __init__(self, folder):
        self.folder = folder
        self.count = 0

    def add(self, fuzzer, octets):
        target = self.folder / fuzzer
        target.mkdir(parents=True, exist_ok=True)
        (target / f"seed-{self.count:05}").write_bytes(octets)
        self.count += 1


def add_capture(corpus, path):
    octets = path.read_bytes()
    corpus.add("FuzzCapture", octets[:LONGEST])
    corpus.add("FuzzCapture", octets[:700])
    corpus.add("FuzzContainers", b"\x0b" + octets[:LONGEST])
    if not octets.startswith(b"btsnoop") or octets[8:16] != struct.pack(">II", 1, 1002):
        return
    corpus.add("FuzzContainers", b"\x00" + octets[16:2000])
    for version in (1, 2):
        records = b"".join(btsnooz(octets, version))[:2000]
        corpus.add("FuzzContainers", bytes([0x0B + version]) + records)
        corpus.add("FuzzContainers", b"\x0b" + octets[:16] + records)
    for fuzzer in ("FuzzReports", "FuzzComparison"):
        corpus.add(fuzzer, octets[:LONGEST])
    steps = list(conversation_steps(octets))
    for first in range(0, len(steps), 30):
        script = b"".join(steps[first : first + 30])
        # A connection and its discovery come first, where the piece itself has none.
        for prefix in (b"", step(6, b"") + step(11, b"")):
            corpus.add("FuzzConversation", prefix + script)
            for fuzzer in ("FuzzReports", "FuzzComparison"):
                corpus.add(fuzzer, prefix + script)
    for pdu in {pdu for pdu in att_pdus(octets)}:
        corpus.add("FuzzPackets", b"\x00\x00" + pdu)
        if pdu[:1] == b"\x1b":
            corpus.add("FuzzHeartRate", pdu[3:])
    for packet, _ in packets(octets):
        if packet[:1] == b"\x04":
            corpus.add("FuzzPackets", b"\x04\x00" + packet[1:])
            if packet[1:2] == b"\x3e" and packet[3] in (0x02, 0x0D):
                corpus.add("FuzzPackets", b"\x05\x00" + packet[4:])
        elif packet[:1] == b"\x01":
            corpus.add("FuzzPackets", b"\x03\x00" + packet[1:])
        elif packet[7:9] in (b"\x05\x00", b"\x01\x00"):
            corpus.add("FuzzPackets", b"\x01\x00" + packet[9:])


def main():
    samples, folder = map(pathlib.Path, sys.argv[1:])
    corpus = Corpus(folder)
    for path in sorted(samples.iterdir()):
        if path.suffix in (".btsnoop", ".pcap", ".pcapng", ".pklg"):
            add_capture(corpus, path)
    values = [
        "10 10 00 37 2a", "02 00", "54 49 43 4b 52 c3 a4", "06 00 06 00 00 00 48 00", "64", "01", "02 e5 06 01 00 03 02",
    ]
    for value in map(bytes.fromhex, values):
        for kind in range(17):
            corpus.add("FuzzValues", bytes([kind]) + value)
    for text in ("2A37", "0x0001ABCD", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"):
        corpus.add("FuzzValues", b"\x11" + text.encode())
    for length in (2, 4, 16):
        corpus.add("FuzzValues", b"\x12" + bytes(range(length)))


if __name__ == "__main__":
    main()
