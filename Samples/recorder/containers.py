"""Writes recorded packets in the formats that capture tools use."""

import dataclasses
import struct

# btsnoop counts microseconds from the year 0.
_YEAR_0_TO_1970 = 0x00DCDDB30F2F8000
_COMMAND, _ACL, _EVENT = 0x01, 0x02, 0x04

HCI_H4, HCI_H4_WITH_DIRECTION, LINUX_MONITOR, ETHERNET = 187, 201, 254, 1


@dataclasses.dataclass(frozen=True)
class Packet:
    """One HCI packet: its time in microseconds since 1970, whether the host received it, its H4 type and the rest."""

    time: int
    received: bool
    kind: int
    data: bytes

    @property
    def h4(self):
        return bytes([self.kind]) + self.data


def read_btsnoop(octets):
    """The packets of a btsnoop file with data link 1002, as Bumble writes it."""
    if octets[:16] != b"btsnoop\0" + struct.pack(">II", 1, 1002):
        raise ValueError("not a btsnoop file of H4 packets")
    packets, offset = [], 16
    while offset < len(octets):
        _, length, flags, _, time = struct.unpack_from(">IIIIq", octets, offset)
        data = octets[offset + 24 : offset + 24 + length]
        packets.append(Packet(time - _YEAR_0_TO_1970, bool(flags & 1), data[0], data[1:]))
        offset += 24 + length
    return packets


def without_first_disconnection(packets):
    """Leave out the first Disconnect command, its Command Status and its Disconnection Complete."""
    command, status = b"\x06\x04", b"\x0f\x04\x00\x01\x06\x04"
    unwanted = [
        next(p for p in packets if p.kind == _COMMAND and p.data.startswith(command)),
        next(p for p in packets if p.kind == _EVENT and p.data.startswith(status)),
        next(p for p in packets if p.kind == _EVENT and p.data[0] == 0x05),
    ]
    return [packet for packet in packets if not any(packet is one for one in unwanted)]


def without_notifications(packets, lost):
    """Leave out some of the notifications that were received, counted from 0; each is one ACL packet."""
    notifications = [p for p in packets if p.kind == _ACL and p.received and p.data[6:9] == b"\x04\x00\x1b"]
    unwanted = [notifications[index] for index in lost]
    return [packet for packet in packets if not any(packet is one for one in unwanted)]


def by_another_clock(packets, ahead, drift):
    """The same packets as a clock stamps them that is ahead by seconds, and faster by millionths from then on."""
    start = packets[0].time
    return [
        dataclasses.replace(p, time=p.time + round(ahead * 1e6) + round((p.time - start) * drift / 1e6)) for p in packets
    ]


# btsnoop ------------------------------------------------------------------------------------------------


def _btsnoop(link, records):
    out = b"btsnoop\0" + struct.pack(">II", 1, link)
    for time, flags, data in records:
        out += struct.pack(">IIIIq", len(data), len(data), flags, 0, time + _YEAR_0_TO_1970) + data
    return out


def _snoop_flags(packet):
    return int(packet.received) | (0 if packet.kind == _ACL else 2)


def btsnoop_h4(packets):
    return _btsnoop(1002, ((p.time, _snoop_flags(p), p.h4) for p in packets))


def btsnoop_h1(packets):
    """Data link 1001: the flags alone tell commands, events and data apart."""
    return _btsnoop(1001, ((p.time, _snoop_flags(p), p.data) for p in packets))


# The Linux monitor --------------------------------------------------------------------------------------

_NEW_INDEX, _OPEN_INDEX, _INDEX_INFO, _SYSTEM_NOTE, _CLOSE_INDEX, _DELETE_INDEX = 0, 8, 10, 12, 9, 1
_NO_ADAPTER = 0xFFFF


def _monitor_opcode(packet):
    if packet.kind == _ACL:
        return 5 if packet.received else 4
    return {_COMMAND: 2, _EVENT: 3}[packet.kind]


def _monitor_records(packets, adapter_address, adapter=0):
    """What the kernel replays to a new listener, the packets, and the end of the adapter."""
    address = bytes.fromhex(adapter_address.replace(":", ""))[::-1]
    begin, end = packets[0].time - 1500, packets[-1].time + 250_000
    yield begin, _NO_ADAPTER, _SYSTEM_NOTE, b"recorded on a simulated link\0"
    yield begin + 4, adapter, _NEW_INDEX, struct.pack("<BB6s8s", 0, 1, address, b"hci0")
    yield begin + 6, adapter, _OPEN_INDEX, b""
    yield begin + 7, adapter, _INDEX_INFO, address + struct.pack("<H", 0xFFFF)
    for packet in packets:
        yield packet.time, adapter, _monitor_opcode(packet), packet.data
    yield end, adapter, _CLOSE_INDEX, b""
    yield end + 3, adapter, _DELETE_INDEX, b""


def btsnoop_monitor(packets, adapter_address):
    """Data link 2001, as btmon writes it: adapter and opcode share the flags."""
    records = _monitor_records(packets, adapter_address)
    return _btsnoop(2001, ((time, adapter << 16 | opcode, data) for time, adapter, opcode, data in records))


def pcap_monitor(packets, adapter_address):
    """Link type 254, as libpcap reads it from the device bluetooth-monitor."""
    records = _monitor_records(packets, adapter_address)
    return _pcap(
        "<",
        LINUX_MONITOR,
        1,
        ((time, struct.pack(">HH", adapter, opcode) + data) for time, adapter, opcode, data in records),
    )


# pcap ---------------------------------------------------------------------------------------------------


def _pcap(order, link, ticks_per_us, records):
    """`ticks_per_us`: 1 for microseconds, 1000 for nanoseconds."""
    magic = 0xA1B2C3D4 if ticks_per_us == 1 else 0xA1B23C4D
    out = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 262144, link)
    for time, data in records:
        seconds, fraction = divmod(time, 1_000_000)
        out += struct.pack(order + "IIII", seconds, fraction * ticks_per_us, len(data), len(data)) + data
    return out


def _with_direction(packet):
    return struct.pack(">I", packet.received) + packet.h4


def pcap_h4(packets):
    """Link type 187: nothing says who sent a packet."""
    return _pcap("<", HCI_H4, 1, ((p.time, p.h4) for p in packets))


def pcap_nanoseconds_big_endian(packets):
    """Link type 201, written by a big-endian machine with a nanosecond clock."""
    return _pcap(">", HCI_H4_WITH_DIRECTION, 1000, ((p.time, _with_direction(p)) for p in packets))


# pcapng -------------------------------------------------------------------------------------------------


def _block(order, kind, body):
    body += bytes(-len(body) % 4)
    length = len(body) + 12
    return struct.pack(order + "II", kind, length) + body + struct.pack(order + "I", length)


def _options(order, *options):
    out = b""
    for code, value in options:
        out += struct.pack(order + "HH", code, len(value)) + value + bytes(-len(value) % 4)
    return out + bytes(4)


def _section(order, comment):
    body = struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1) + _options(order, (1, comment))
    return _block(order, 0x0A0D0D0A, body)


def _interface(order, link, *options):
    return _block(order, 1, struct.pack(order + "HHI", link, 0, 262144) + _options(order, *options))


def _enhanced_packet(order, interface, ticks, data, *options):
    body = struct.pack(order + "IIIII", interface, ticks >> 32, ticks & 0xFFFFFFFF, len(data), len(data))
    body += data + bytes(-len(data) % 4)
    return _block(order, 6, body + (_options(order, *options) if options else b""))


def _simple_packet(order, data):
    return _block(order, 3, struct.pack(order + "I", len(data)) + data)


def _arp_request(number):
    """A frame of the other interface: locally administered addresses, documentation networks."""
    sender, target = bytes([192, 0, 2, 1]), bytes([192, 0, 2, 10 + number])
    mac = bytes.fromhex("02000000000a")
    return b"\xff" * 6 + mac + bytes.fromhex("0806000108000604 0001") + mac + sender + bytes(6) + target


def pcapng_two_sections(packets):
    """Two sections, the second one big-endian, each with an Ethernet interface beside the Bluetooth one.

    The Bluetooth interface counts nanoseconds from an offset; the Ethernet interface counts microseconds and
    has Simple Packet Blocks, which have no time, among its Enhanced ones.
    """
    offset = packets[0].time // 1_000_000 - 3600
    middle = len(packets) // 2
    return _pcapng_section("<", packets[:middle], offset, b"first half") + _pcapng_section(
        ">", packets[middle:], offset, b"second half, big-endian"
    )


def _pcapng_section(order, packets, offset, comment):
    out = _section(order, comment)
    out += _interface(order, ETHERNET, (2, b"eth0"))
    out += _interface(
        order,
        HCI_H4_WITH_DIRECTION,
        (2, b"bluetooth0"),
        (9, b"\x09"),
        (14, struct.pack(order + "q", offset)),
    )
    for index, packet in enumerate(packets):
        if index % 40 == 10:
            out += _enhanced_packet(order, 0, packet.time - 200, _arp_request(index % 200))
        if index % 40 == 30:
            out += _simple_packet(order, _arp_request(index % 200))
        ticks = (packet.time - offset * 1_000_000) * 1000
        comments = [(1, b"first of its section")] if index == 0 else []
        out += _enhanced_packet(order, 1, ticks, _with_direction(packet), *comments)
    return out


# Apple PacketLogger -------------------------------------------------------------------------------------


def _packetlogger_kind(packet):
    if packet.kind == _ACL:
        return 3 if packet.received else 2
    return {_COMMAND: 0, _EVENT: 1}[packet.kind]


def packetlogger(packets, order):
    """`order` is "<" for current systems, ">" for older ones. A note of three days before leads, as notes do."""
    note = (packets[0].time - 3 * 86_400_000_000, 0xFC, b"recorded on a simulated link\0")
    records = [note, *((p.time, _packetlogger_kind(p), p.data) for p in packets)]
    out = b""
    for time, kind, data in records:
        seconds, fraction = divmod(time, 1_000_000)
        out += struct.pack(order + "IIIB", 9 + len(data), seconds, fraction, kind) + data
    return out
