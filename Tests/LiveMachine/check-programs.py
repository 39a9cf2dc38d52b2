"""Checks what `hrsnoop live` made of the connection in the virtual machine.

    check-programs.py RESULTS PROGRAM

RESULTS is what the machine left behind (see guest/programs). The measure of all is client.log, what the client program
received. Both controllers belong to one computer, so every measurement is seen twice: once as the sensor's host sends
it, once as the client's host receives it.
"""

import re

from checks import analyzed, check, check_endings, end, followed, measurements, text, told, tshark_frames


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


check_endings("first", "late")
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
capture = analyzed("first.btsnoop")
for connection in capture["connections"]:
    adapter = connection["adapter"]
    found = measurements(connection)
    live = [told(event) for _, event in first.measurements[adapter]]
    check(f"analyze says of it what live said, hci{adapter}", found == live, f"{len(found)} measurements")

frames = tshark_frames("first.btsnoop")
check("tshark reads as many records", len(frames) == capture["records"], len(frames))
frames = tshark_frames("first.btsnoop", "-Y", "btatt.opcode == 0x1b")
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

end()
