"""What the sensors look like: their addresses, advertising and GATT tables.

A table is plain data here; `Table` turns it into Bumble services and gives the handles that it asks for.
"""

import dataclasses
import struct

from bumble import att, gatt
from bumble.core import UUID

CHEST, FINGER, OTHER = 1, 3, 0
LOCATION_NAMES = ["Other", "Chest", "Wrist", "Finger", "Hand", "Ear Lobe", "Foot"]

_PROPERTIES = {
    "broadcast": 0x01,
    "read": 0x02,
    "write-without-response": 0x04,
    "write": 0x08,
    "notify": 0x10,
    "indicate": 0x20,
    "authenticated-signed-writes": 0x40,
    "extended-properties": 0x80,
}


@dataclasses.dataclass(frozen=True)
class Char:
    """A characteristic; its CCCD, where it needs one, is added behind the other descriptors."""

    uuid: str
    properties: str
    value: object = b""
    descriptors: tuple[tuple[str, bytes], ...] = ()
    protected: bool = False


@dataclasses.dataclass(frozen=True)
class Svc:
    """A service. `start` is its declaration's handle, None the next free one; `end` 0xFFFF is legal and common."""

    uuid: str
    chars: tuple[Char, ...]
    start: int | None = None
    end: int | None = None
    includes: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Model:
    """A sensor as it leaves the factory."""

    name: str
    address: str
    services: tuple[Svc, ...]
    battery: int | None = None
    manufacturer_data: bytes = b""
    max_mtu: int = 23
    advertised: tuple[int, ...] = (0x180D,)

    @property
    def advertising(self):
        """Flags, what it is, and the maker's data; the name has its place in the scan response."""
        parts = [(0x01, b"\x06"), (0x03, struct.pack(f"<{len(self.advertised)}H", *self.advertised))]
        if self.manufacturer_data:
            parts.append((0xFF, self.manufacturer_data))
        return _structures(parts)

    @property
    def scan_response(self):
        return _structures([(0x09, self.name.encode())])


def _structures(parts):
    return b"".join(bytes([len(data) + 1, kind]) + data for kind, data in parts)


# Services that many sensors share -----------------------------------------------------------------------


def generic_access(name, *, preferred=True, start=None):
    chars = [Char("2A00", "read", name.encode()), Char("2A01", "read", struct.pack("<H", 0x0341))]
    if preferred:
        # Preferred connection parameters: 312.5 to 500 ms, latency 0, 6 s.
        chars.append(Char("2A04", "read", struct.pack("<4H", 250, 400, 0, 600)))
    return Svc("1800", tuple(chars), start)


def generic_attribute(*extra, start=None):
    return Svc("1801", (Char("2A05", "indicate"), *extra), start)


def heart_rate(location, *extra, start=None, protected=False, read=None, includes=()):
    chars = [Char("2A37", "notify", read or b"", protected=protected)]
    if location is not None:
        chars.append(Char("2A38", "read", bytes([location]), protected=protected))
    return Svc("180D", (*chars, *extra), start, includes=includes)


def battery(level, *, notify=True, start=None):
    return Svc("180F", (Char("2A19", "read notify" if notify else "read", bytes([level])),), start)


def device_information(strings, *, start=None, extra=()):
    """`strings` maps the UUIDs of strings to their texts."""
    return Svc("180A", (*(Char(uuid, "read", text.encode()) for uuid, text in strings.items()), *extra), start)


# The three brands ---------------------------------------------------------------------------------------


def polar_h7():
    """Polar H7: a chest strap, no control point, a vendor service of its own."""
    name, level = "Polar H7 2C5A1D17", 87
    services = (
        generic_access(name),
        # The firmware leaves gaps between its services.
        generic_attribute(start=10),
        heart_rate(CHEST, start=14),
        device_information(
            {
                "2A29": "Polar Electro Oy",
                "2A24": "H7",
                "2A25": "2C5A1D17",
                "2A27": "39044024.07",
                "2A26": "1.4.0",
                "2A28": "H7 3.1.0",
            },
            extra=(Char("2A23", "read", bytes.fromhex("115a2cfeff1a9ee0")),),
            start=20,
        ),
        battery(level, notify=False, start=35),
        Svc(
            "6217FF4B-FB31-1140-AD5A-A45545D7ECF3",
            (
                Char("6217FF4C-C8EC-B1FB-1380-3AD986708E2D", "read", bytes(4)),
                Char("6217FF4D-91BB-91D0-7E2A-7CD3BDA8A1F3", "write indicate"),
            ),
            start=38,
        ),
    )
    # Company 0x006B, then flags (contact) and a rate: readable without a connection.
    return Model(name, "E0:9E:1A:2C:5A:1D", services, level, bytes.fromhex("6b00 0248"))


def wahoo_tickr(control_point):
    """Wahoo TICKR: a chest strap with Energy Expended, and a last service that ends at 0xFFFF."""
    name, level = "TICKR 5F3A", 92
    services = (
        generic_access(name, preferred=False),
        generic_attribute(),
        heart_rate(CHEST, Char("2A39", "write", control_point)),
        device_information({"2A29": "Wahoo Fitness", "2A24": "TICKR", "2A26": "2.4.1", "2A27": "2"}),
        battery(level),
        Svc(
            "A026EE01-0A7D-4AB3-97FA-F1500F9FEB8B",
            (
                Char("A026E002-0A7D-4AB3-97FA-F1500F9FEB8B", "write-without-response notify"),
                Char("A026E004-0A7D-4AB3-97FA-F1500F9FEB8B", "notify"),
            ),
            end=0xFFFF,
        ),
    )
    return Model(name, "C7:31:4E:90:5F:3A", services, level, bytes.fromhex("fc01 0203"), max_mtu=247)


def scosche_rhythm_plus():
    """Scosche Rhythm+: optical, worn on the forearm: no RR-Intervals, no contact status."""
    name, level = "RHYTHM+4471", 64
    services = (
        generic_access(name, preferred=False),
        device_information({"2A29": "Scosche Industries", "2A24": "R+", "2A26": "2.20"}),
        battery(level),
        heart_rate(OTHER),
    )
    return Model(name, "F4:5E:0B:6C:44:71", services, level)


def compact(name, address, *, start=14, battery_start=None, level=80, protected=False):
    """A strap with the least that the profile asks for, where a capture should stay small."""
    services = [
        generic_access(name, preferred=False),
        heart_rate(CHEST, start=start, protected=protected),
        battery(level, start=battery_start),
    ]
    # The handles of a table only ever rise.
    if battery_start is not None and battery_start < start:
        services[1:] = reversed(services[1:])
    return Model(name, address, tuple(services), level)


def multisport_watch(vendor):
    """A watch that measures everything at once, and notifies all of it."""
    name, level = "Multisport 3C21", 71
    services = (
        generic_access(name, preferred=False),
        Svc("1816", (Char("2A5B", "notify"),)),
        Svc("1818", (Char("2A63", "notify"),)),
        Svc("1814", (Char("2A53", "notify"),)),
        Svc("1809", (Char("2A1E", "notify"),)),
        Svc(vendor.format(0), tuple(Char(vendor.format(number), "notify") for number in (1, 2, 3))),
        heart_rate(None),
        battery(level),
    )
    return Model(name, "D3:6A:40:7B:3C:21", services, level)


# Tables in Bumble ---------------------------------------------------------------------------------------


class _Numbering:
    """Gives the next handle. Bumble's own leaves no gaps between services; firmware does."""

    def __init__(self, server):
        self.server, self.floor = server, 1

    def __call__(self):
        last = self.server.attributes[-1].handle if self.server.attributes else 0
        return max(self.floor, last + 1)


class Table:
    """The GATT database of one device, in Bumble and for the truth file."""

    def __init__(self, server, services):
        self.server = server
        self.numbering = server.next_handle = _Numbering(server)
        self.built = {}
        for service in services:
            self._add(service)

    def _add(self, service):
        built = gatt.Service(
            service.uuid,
            [self._characteristic(char) for char in service.chars],
            included_services=[self.built[uuid] for uuid in service.includes],
        )
        self.numbering.floor = service.start or 1
        self.server.add_service(built)
        if service.end is not None:
            built.end_group_handle = service.end
        self.built[service.uuid] = built

    def _characteristic(self, char):
        flags = att.Attribute.Permissions
        properties = 0
        for word in char.properties.split():
            properties |= _PROPERTIES[word]
        protection = flags.READ_REQUIRES_AUTHENTICATION | flags.WRITE_REQUIRES_AUTHENTICATION
        permissions = flags.READABLE | flags.WRITEABLE
        if char.protected:
            permissions |= protection
        built = gatt.Characteristic(
            char.uuid,
            gatt.Characteristic.Properties(properties),
            permissions,
            char.value,
            [gatt.Descriptor(uuid, flags.READABLE, value) for uuid, value in char.descriptors],
        )
        if char.protected and "notify" in char.properties:
            # The CCCD that Bumble adds by itself is open to everybody.
            built.descriptors.append(gatt.Descriptor("2902", permissions, self.server.make_descriptor_value(built)))
        return built

    def characteristic(self, uuid):
        wanted = UUID(uuid)
        return next((a for a in self._characteristics() if a.uuid == wanted), None)

    def handle(self, uuid):
        found = self.characteristic(uuid)
        return found and found.handle

    def cccd_handle(self, uuid):
        found = self.characteristic(uuid)
        if found is None:
            return None
        descriptors = _descriptors(self.server, found)
        return next((d.handle for d in descriptors if _short(d.type) == "2902"), None)

    def _characteristics(self):
        return (a for a in self.server.attributes if isinstance(a, gatt.Characteristic))

    def truth(self):
        services = sorted(self.built.values(), key=lambda service: service.handle)
        return [self._service_truth(service) for service in services]

    def _service_truth(self, service):
        return {
            "uuid": _short(service.uuid),
            "start": service.handle,
            "end": service.end_group_handle,
            "characteristics": [
                {
                    "uuid": _short(char.uuid),
                    "declaration": char.handle - 1,
                    "handle": char.handle,
                    "properties": [word for word, bit in _PROPERTIES.items() if char.properties & bit],
                    "descriptors": [
                        {"uuid": _short(d.type), "handle": d.handle} for d in _descriptors(self.server, char)
                    ],
                }
                for char in service.characteristics
            ],
        }


def _descriptors(server, char):
    return [
        a
        for a in server.attributes
        if isinstance(a, gatt.Descriptor) and char.handle < a.handle <= char.end_group_handle
    ]


def _short(uuid):
    return uuid.to_hex_str("-")
