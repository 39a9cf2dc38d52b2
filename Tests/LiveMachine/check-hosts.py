"""Checks what `hrsnoop live` made of two hosts in the virtual machine.

    check-hosts.py RESULTS PROGRAM

RESULTS is what the machine left behind (see guest/hosts). The measure of all is `sent`, the values that were set at the
sensor's host while the client was subscribed. Both hosts are of one computer, so each of the two connections is seen
twice, and every measurement with it.
"""

import struct

from checks import analyzed, check, check_endings, end, followed, measurements, results, text, told, tshark_frames

check_endings("hosts", "late")
said = text("hosts.errors").strip()
check("the follower had nothing to say", not said, said)
halves = [half.split() for half in text("sent").split("away")]
are_sent = len(halves) == 2 and all(len(half) >= 10 for half in halves)
check("values were sent in two connections", are_sent, " and ".join(str(len(half)) for half in halves))

# --- What was told while it happened -------------------------------------------------------------------------------
events = [event for _, event in followed("hosts")]
connected = [event for event in events if event["event"] == "connected"]
ends = {0: text("client").strip(), 1: text("sensor").strip()}
peers = [(event["adapter"], event["address"]) for event in connected]
are_right = sorted(peers) == sorted([*ends.items()] * 2)
check("two connections, each seen at both ends, each with the right peer", are_right, len(peers))
live = {event["connection"]: [] for event in connected}
for event in events:
    if event["event"] == "heart-rate":
        live[event["connection"]].append(event)
seen = {0: 0, 1: 0}
for event in connected:
    found = [measurement["raw"] for measurement in live[event["connection"]]]
    seen[event["adapter"]] += 1
    turn = seen[event["adapter"]]
    is_right = turn <= len(halves) and found == halves[turn - 1]
    check(f"what hci{event['adapter']} saw, the {turn}. time, is what was sent, each once", is_right, len(found))

# --- Who came late --------------------------------------------------------------------------------------------------
late = [event for _, event in followed("late")]
late_peers = {event["adapter"]: event["address"] for event in late if event["event"] == "connected"}
check("who came late has the right peers all the same", late_peers == ends, late_peers)
at_client = {event["connection"] for event in late if event["event"] == "connected" and event["adapter"] == 1}
found = [event["raw"] for event in late if event["event"] == "heart-rate" and event["connection"] in at_client]
# A bearer whose opening was not seen is known by what it carries, not at once.
is_end = len(found) >= 10 and halves[-1][-len(found) :] == found
check("… and the measurements of the client's host, but for the first", is_end, len(found))

# --- The file that it wrote ----------------------------------------------------------------------------------------
capture = analyzed("hosts.btsnoop")
for connection in capture["connections"]:
    number = connection["id"]
    check(f"analyze says of connection {number} what live said",
          measurements(connection) == [told(event) for event in live[number]])
provenances = [(connection["heart_rate"] or {}).get("provenance") for connection in capture["connections"]]
expected = ["discovered"] * 2 + ["earlier-connection"] * 2
check("… and that the second was not discovered anew", provenances == expected, ", ".join(map(str, provenances)))
locations = [(connection["heart_rate"] or {}).get("location") for connection in capture["connections"]]
check("… and where the sensor is worn", locations == [{"value": 1, "name": "Chest"}] * 4)
# Where both ends open enhanced bearers at once, these hosts do not agree on them, and lose requests on those they close.
quarrels = {"att-timeout", "att-response-mismatch", "att-parallel-requests"}
rules = {finding["rule"] for finding in capture["findings"]}
check("… and that nothing is wrong but how they open bearers", rules <= quarrels, ", ".join(sorted(rules)))
frames = tshark_frames("hosts.btsnoop")
check("tshark reads as many records", len(frames) == capture["records"], len(frames))


def records(octets):
    """The packets of a btsnoop file."""
    place = 16
    while place < len(octets):
        length = struct.unpack_from(">I", octets, place + 4)[0]
        yield octets[place + 24 : place + 24 + length]
        place += 24 + length


# Enhanced bearers have channels from 0x40 on; tshark 4.0 does not look into those.
packets = list(records((results / "hosts.btsnoop").read_bytes()))
told_packets = [(packets[event["frame"] - 1], event["raw"]) for told_events in live.values() for event in told_events]
channels = sorted({struct.unpack_from("<H", packet, 6)[0] for packet, _ in told_packets})
is_there = all(packet.endswith(bytes.fromhex(raw)) for packet, raw in told_packets)
check("each measurement is in the record that is told", is_there, "over channels " + ", ".join(map(hex, channels)))
end()
