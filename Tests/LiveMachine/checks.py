"""What the checks of all scenarios need. Each is called with RESULTS, what the machine left behind, and PROGRAM."""

import json
import pathlib
import subprocess
import sys

results, program = pathlib.Path(sys.argv[1]), sys.argv[2]
passed = failed = 0


def check(what, is_so, figures=""):
    """Tells one outcome."""
    global passed, failed
    passed, failed = passed + bool(is_so), failed + (not is_so)
    print(f"{'ok    ' if is_so else 'FAILED'}  {what}{f': {figures}' if figures else ''}")


def end():
    """Tells all outcomes."""
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def text(name):
    path = results / name
    return path.read_text(errors="replace") if path.exists() else ""


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_endings(*followers):
    """The scenario and those who followed it ended well."""
    print(text("scenario.log").strip())
    check("the scenario came to its end", text("scenario.status").strip() == "0")
    for name in followers:
        status = text(f"{name}.status").strip()
        check(f"the {name} follower ended well", status == "0", f"exit code {status}")


def followed(name):
    """The events of a follower, each with the moment its line was written."""
    for line in text(f"{name}.ndjson").splitlines():
        stamp, _, event = line.partition(" ")
        yield float(stamp), json.loads(event)


def analyzed(file):
    """What `analyze` makes of a file that a follower wrote, which has to be whole."""
    capture = json.loads(run(program, "--format", "json", str(results / file)))["captures"][0]
    is_whole = capture["complete"] and not capture["skipped_octets"]
    check("the written file is whole", is_whole, f"{capture['records']} records")
    return capture


def measurements(connection):
    """The measurements of a connection as `analyze` tells them, as far as `live` tells them too."""
    return [told(measurement) for measurement in (connection["heart_rate"] or {"measurements": []})["measurements"]]


def told(measurement):
    return {key: measurement[key] for key in ("frame", "time", "raw", "bpm", "contact", "energy_kj", "rr", "error")}


def tshark_frames(file, *options):
    columns = ("-T", "fields", "-e", "frame.number")
    return [int(frame) for frame in run("tshark", "-r", str(results / file), *options, *columns).split()]
