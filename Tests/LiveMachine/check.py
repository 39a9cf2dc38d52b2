"""Checks what `hrsnoop live` made of the connection in the virtual machine.

    check.py RESULTS PROGRAM

RESULTS is what the machine left behind (see guest/scenario). The measure of all is client.log, what the client program
received. Both controllers belong to one computer, so every measurement is seen twice: once as the sensor's host sends
it, once as the client's host receives it.
"""

import json
import pathlib
import re
import subprocess
import sys

results, program = pathlib.Path(sys.argv[1]), sys.argv[2]
passed = failed = 0


def check(what, is_so, figures=""):
    """Tells one outcome."""
    global passed, failed
    passed, failed = passed + bool(is_so), failed + (not is_so)
    print(f"{'ok    ' if is_so else 'FAILED'}  {what}{f': {figures}' if figures else ''}")


def text(name):
    path = results / name
    return path.read_text(errors="replace") if path.exists() else ""


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def followed(name):
    """The events of a follower, each with the moment its line was written."""
    for line in text(f"{name}.ndjson").splitlines():
        stamp, _, event = line.partition(" ")
        yield float(stamp), json.loads(event)


class Follower:
    """What one `hrsnoop live` told, by adapter."""

    def __init__(self, name):
        self.events = [event for _, event in followed(name)]
        connected = [event for event in self.events if event["event"] == "connected"]
        self.adapters = {event["connection"]: event["adapter"] for event in connected}
        self.peers = {event["adapter"]: event["address"] for event in connected}
        self.measurements = {0: [], 1: []}
        self.notifications = {0: [], 1: []}
        for stamp, event in followed(name):
            if event["event"] == "heart-rate":
                self.measurements[self.adapters[event["connection"]]].append((stamp, event))
            if event["event"] in ("heart-rate", "notification"):
                self.notifications[self.adapters[event["connection"]]].append(event["raw"])

    def values(self, adapter):
        return [event["raw"] for _, event in self.measurements[adapter]]


print(text("scenario.log").strip())
check("the scenario came to its end", text("scenario.status").strip() == "0")
for name in "first", "late":
    status = text(f"{name}.status").strip()
    check(f"the {name} follower ended well", status == "0", f"exit code {status}")
# Who comes late says which connections are there already, and nothing else is said.
said = {name: text(f"{name}.errors").strip().splitlines() for name in ("first", "late")}
addresses = [text(name).strip() for name in ("client", "sensor")]
is_told = len(said["late"]) == 1 and all(address in said["late"][0] for address in addresses)
check("only who came late had something to say", not said["first"] and is_told, said["first"] + said["late"])

notified = re.findall(r"^([\d.]+) .*Handle Value Not/Ind: .* bytes\): ([0-9a-f ]+)", text("client.log"), re.M)
received = [(float(stamp), value.replace(" ", "")) for stamp, value in notified]
values = [value for _, value in received]
check("the client received measurements", len(values) >= 15, len(values))

# --- The follower that was there all the time ----------------------------------------------------------------------
first = Follower("first")
names = [event["name"] for event in first.events if event["event"] == "adapter" and event["name"]]
check("both controllers were seen to appear", sorted(names) == ["hci0", "hci1"], ", ".join(names))
peers = dict(enumerate(addresses))
check("both ends of the connection have the right peer", first.peers == peers, first.peers)
for adapter, who in (1, "client"), (0, "sensor"):
    found = first.values(adapter)
    check(f"what the {who}'s host saw is what the client received, each once", found == values, len(found))
    delays = [stamp - arrival for (stamp, _), (arrival, _) in zip(first.measurements[adapter], received)]
    # One may be late: the moment at which the late follower starts takes all of the emulated processors.
    in_time, worst = sum(delay <= 0.05 for delay in delays), max(delays, default=0) * 1000
    is_prompt = delays and in_time >= len(delays) - 1
    check("… within 50 ms of the client's having it", is_prompt, f"{in_time} of {len(delays)}, {worst:.1f} ms at worst")

# --- The file that it wrote ----------------------------------------------------------------------------------------
file = str(results / "first.btsnoop")
capture = json.loads(run(program, "--format", "json", file))["captures"][0]
is_whole = capture["complete"] and not capture["skipped_octets"]
check("the written file is whole", is_whole, f"{capture['records']} records")


def told(measurement):
    return {key: measurement[key] for key in ("frame", "time", "raw", "bpm", "contact", "energy_kj", "rr", "error")}


for connection in capture["connections"]:
    adapter = connection["adapter"]
    analyzed = [told(measurement) for measurement in (connection["heart_rate"] or {"measurements": []})["measurements"]]
    live = [told(event) for _, event in first.measurements[adapter]]
    check(f"analyze says of it what live said, hci{adapter}", analyzed == live, f"{len(analyzed)} measurements")


def tshark_frames(*options):
    return [int(frame) for frame in run("tshark", "-r", file, *options, "-T", "fields", "-e", "frame.number").split()]


frames = tshark_frames()
check("tshark reads as many records", len(frames) == capture["records"], len(frames))
frames = tshark_frames("-Y", "btatt.opcode == 0x1b")
live = sorted(event["frame"] for adapter in (0, 1) for _, event in first.measurements[adapter])
check("tshark finds notifications in the same records", frames == live, len(frames))

# --- The follower that came late -----------------------------------------------------------------------------------
late = Follower("late")
check("who came late has the right peers all the same", late.peers == peers, late.peers)


def check_end(what, found):
    """What came from a moment on is the end of what came in all."""
    check(what, len(found) >= 8 and values[-len(found):] == found, len(found))


check_end("… and every measurement of the client's host from then on", late.values(1))
# What this computer's own server has, no map tells: its values are notifications until they are taken for heart rates.
check_end("… and every value of the sensor's host", late.notifications[0])

print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
