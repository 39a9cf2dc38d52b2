"""The stage of a scenario: sensors, a phone, what is recorded, and the truth about it."""

import asyncio
import dataclasses
import io
import random

from bumble import hci, snoop
from bumble.core import UUID, AdvertisingData
from bumble.device import ConnectionParametersPreferences, Device, DeviceConfiguration
from bumble.host import Host

from .devices import LOCATION_NAMES, Table
from .radio import Air, Chip, Queue

PHONE = "D3:4C:70:8E:21:5F"
_STRINGS = {"2A00": "name", "2A29": "manufacturer", "2A24": "model", "2A26": "firmware"}


class Recorder(snoop.Snooper):
    """Bumble's own two snoopers side by side."""

    def __init__(self):
        self.btsnoop, self.pcap = io.BytesIO(), io.BytesIO()
        self.snoopers = [snoop.BtSnooper(self.btsnoop), snoop.PcapSnooper(self.pcap)]
        self.records = 0

    def snoop(self, hci_packet, direction):
        self.records += 1
        for snooper in self.snoopers:
            snooper.snoop(hci_packet, direction)


class UnhurriedHost(Host):
    """A Bumble host that takes a moment before it sends something."""

    def __init__(self, chip, rng):
        self.chip = chip
        self.to_controller = Queue(rng, 0.0002, 0.0019)
        super().__init__(controller_source=chip, controller_sink=chip)

    def send_hci_packet(self, packet):
        self.to_controller.call(super().send_hci_packet, packet)


@dataclasses.dataclass
class Session:
    """One connection: both ends of it, and what the model knows of it."""

    sensor: "Sensor"
    connection: object
    sensor_connection: object
    role: str = "central"
    address_type: str = "random"
    discovered: bool = False
    closed_reason: int | None = None
    peer: dict = dataclasses.field(default_factory=dict)
    location: int | None = None
    encrypted: bool = False
    bonded: bool = False
    att_mtu: int = 23
    handle: int = 0
    measurements: list = dataclasses.field(default_factory=list)
    faults: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.client = self.connection.gatt_client

    def proxy(self, uuid):
        """The characteristic as the client discovered it."""
        return self.client.get_characteristics_by_uuid(UUID(uuid))[0]

    # What the phone does ---------------------------------------------------------------------------

    async def exchange_mtu(self, mtu):
        self.att_mtu = await self.client.request_mtu(mtu)

    async def discover(self, included=False):
        """All services, their characteristics, and the descriptors of each that has room for any."""
        for service in await self.client.discover_services():
            if included:
                await self.client.discover_included_services(service)
            await self.client.discover_characteristics([], service)
            for characteristic in service.characteristics:
                if characteristic.end_group_handle > characteristic.handle:
                    await self.client.discover_descriptors(characteristic)
                characteristic.descriptors_discovered = True
        self.discovered = True

    async def read(self, *uuids):
        """Read characteristics, and remember what they tell of the peer."""
        for uuid in uuids:
            self.learn(uuid, await self.client.read_value(self.proxy(uuid)))

    def learn(self, uuid, value):
        if uuid in _STRINGS:
            self.peer[_STRINGS[uuid]] = value.decode()
        elif uuid == "2A19":
            self.peer["battery_percent"] = value[0]
        elif uuid == "2A38":
            self.location = value[0]

    async def subscribe(self, *uuids):
        for uuid in uuids:
            await self.client.subscribe(self.proxy(uuid), lambda value: None)

    async def subscribe_by_handle(self, uuid):
        """Write a CCCD that was found in an earlier connection."""
        handle = self.sensor.table.cccd_handle(uuid)
        self.client.notification_subscribers[self.sensor.table.handle(uuid)] = {lambda value: None}
        await self.client.write_value(handle, b"\x01\x00", with_response=True)

    async def disconnect(self):
        """The phone ends the connection."""
        await self._end(self.connection, self.connection)

    async def hang_up(self):
        """The sensor ends the connection."""
        await self._end(self.sensor_connection, self.connection)

    async def break_off(self, reason, after=0.3):
        """Both controllers give the connection up after some silence, whatever the hosts want."""
        # What is on the air still arrives.
        await asyncio.sleep(after)
        ends = [self.connection, self.sensor_connection]
        self.handle, self.closed_reason = self.connection.handle, reason
        for end in ends:
            chip = end.device.host.chip
            linked = next(link for link in chip.le_connections.values() if link.handle == end.handle)
            chip.on_le_disconnected(linked, reason)
        while any(end.device.connections.get(end.handle) is end for end in ends):
            await asyncio.sleep(0.01)

    async def _end(self, who, seen_by):
        # What is on the air still arrives.
        await asyncio.sleep(0.3)
        reasons = []
        watched = self.sensor_connection if self.role == "peripheral" else seen_by
        watched.on("disconnection", reasons.append)
        self.handle = watched.handle
        await who.disconnect(hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        while not reasons or self.sensor.device.connections.get(self.sensor_connection.handle):
            await asyncio.sleep(0.01)
        self.closed_reason = int(reasons[0])

    def remember(self, earlier):
        """Take over what an earlier connection to the same sensor found out."""
        self.peer = dict(earlier.peer)
        self.location = earlier.location

    # What the sensor does --------------------------------------------------------------------------

    async def send(self, measurement, bearer=None):
        await self.sensor.notify(bearer or self.sensor_connection, "2A37", measurement.raw, self.bonded)
        self.measurements.append(measurement)

    async def stream(self, measurements, period=1.0, send=None):
        """Send measurements at the pace of a sensor's own clock, which is a little off."""
        send = send or self.send
        loop, rng = asyncio.get_running_loop(), self.sensor.rng
        start = loop.time()
        for index, measurement in enumerate(measurements, start=1):
            due = start + index * period * 1.00003 + rng.gauss(0.0, 0.0015)
            await asyncio.sleep(due - loop.time())
            await send(measurement)

    async def send_battery(self, level):
        await self.sensor.notify(self.sensor_connection, "2A19", bytes([level]))
        self.learn("2A19", bytes([level]))

    # The truth -------------------------------------------------------------------------------------

    def plant(self, rule, **place):
        """Write down a fault: the rule that has to find it, and where.

        `first` and `last` are the measurements at which the finding begins and ends, `within` two between which it
        lies, `event` the kind of event at whose record it begins or ends, `records` two, from 1, between which it
        begins; without any of them it is about the whole connection.
        """
        self.faults.append({"rule": rule, **place})

    def faults_truth(self):
        return {"measurements": [value.raw.hex() for value in self.measurements], "faults": self.faults}

    def truth(self):
        table = self.sensor.table
        seen = self.sensor.address if self.role == "central" else PHONE
        peer = {"address": seen, "address_type": self.address_type}
        # A sensor's own log tells nothing of the phone but its address.
        facts = self.peer if self.role == "central" else {}
        for key in ("name", "manufacturer", "model", "firmware", "battery_percent"):
            peer[key] = facts.get(key)
        return {
            "handle": self.handle,
            "role": self.role,
            "peer": peer,
            "discovered": self.discovered,
            "measurement_handle": table.handle("2A37"),
            "cccd_handle": table.cccd_handle("2A37"),
            "location_handle": table.handle("2A38"),
            "location": location_truth(self.location),
            "att_mtu": self.att_mtu,
            "encrypted": self.encrypted,
            "closed_reason": self.closed_reason,
            "services": table.truth(),
            "measurements": [measurement.truth() for measurement in self.measurements],
        }


def location_truth(value):
    return None if value is None else {"value": value, "name": LOCATION_NAMES[value]}


class Sensor:
    """A heart rate sensor: a Bumble device with the table of a model."""

    def __init__(self, stage, device, model, rng):
        self.stage, self.device, self.model, self.rng = stage, device, model, rng
        self.address = model.address
        self.table = Table(device.gatt_server, model.services)
        device.gatt_server.max_mtu = model.max_mtu

    async def advertise(self):
        data, response = self.model.advertising, self.model.scan_response
        if self.device.supports_le_extended_advertising:
            # Bumble's extended advertising has no scan response of its own.
            data, response = data + response, b""
        await self.device.start_advertising(advertising_data=data, scan_response_data=response)

    async def notify(self, bearer, uuid, value, bonded=False):
        """Notify a subscriber; one that is `bonded` may have subscribed in an earlier connection."""
        characteristic = self.table.characteristic(uuid)
        if not bonded and not self.is_subscribed(bearer, uuid):
            raise RuntimeError(f"{self.model.name}: nobody subscribed to {uuid}")
        await self.device.gatt_server.notify_subscriber(bearer, characteristic, value, force=True)

    def is_subscribed(self, bearer, uuid):
        handle = self.table.handle(uuid)
        return self.device.gatt_server.subscribers.get(bearer, {}).get(handle) == b"\x01\x00"


class Stage:
    """Sets a scenario up and gathers what it leaves behind."""

    def __init__(self, name):
        self.name = name
        self.rng = random.Random(name)
        self.air = Air(random.Random(f"{name} air"))
        self.recorder = Recorder()
        # The other end's, where a scenario records both.
        self.second_recorder = Recorder()
        self.sessions = []
        self.faults = []

    async def host(self, name, address, *, extended=False, buffer_length=251, record=None, public=None, **settings):
        """A Bumble host with its controller.

        `record`: from power-on ("all"), or from then on ("later"), or then on as the second one ("second").
        """
        rng = random.Random(f"{self.name} {address}")
        chip = Chip(name, self.air, rng, extended, buffer_length, public)
        config = DeviceConfiguration(
            name=name,
            address=hci.Address(address),
            gap_service_enabled=False,
            gatt_service_enabled=False,
            advertising_interval_min=400,
            advertising_interval_max=400,
            **settings,
        )
        host = UnhurriedHost(chip, rng)
        device = Device(config=config, host=host)
        if record == "all":
            host.snooper = self.recorder
        await device.power_on()
        if record == "later":
            host.snooper = self.recorder
        elif record == "second":
            host.snooper = self.second_recorder
        return device

    async def phone(self, record="later", **settings):
        self.phone_device = await self.host("Phone", PHONE, record=record, **settings)
        return self.phone_device

    async def sensor(self, model, *, advertise=True, **settings):
        device = await self.host(model.name, model.address, **settings)
        sensor = Sensor(self, device, model, random.Random(f"{self.name} {model.address} heart"))
        if advertise:
            await sensor.advertise()
        return sensor

    async def scan_for(self, sensor):
        """Scan until the sensor's advertising and scan response have been seen."""
        seen = asyncio.get_running_loop().create_future()

        def on_advertisement(advertisement):
            if str(advertisement.address).startswith(sensor.address) and not seen.done():
                seen.set_result(advertisement.data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME))

        self.phone_device.on("advertisement", on_advertisement)
        await self.phone_device.start_scanning(filter_duplicates=True)
        name = await seen
        await asyncio.sleep(0.05)
        await self.phone_device.stop_scanning()
        self.phone_device.remove_listener("advertisement", on_advertisement)
        return name

    async def connect(self, sensor, *, scan=True, role="central"):
        """Find a sensor and connect to it: 15 ms, no latency, 720 ms."""
        peer = {}
        if scan and (name := await self.scan_for(sensor)):
            peer["name"] = name
        wish = ConnectionParametersPreferences(
            connection_interval_min=15, connection_interval_max=30, max_latency=0, supervision_timeout=720
        )
        connection = await self.phone_device.connect(
            hci.Address(sensor.address), connection_parameters_preferences={hci.HCI_LE_1M_PHY: wish}
        )
        while not sensor.device.connections:
            await asyncio.sleep(0.005)
        session = Session(sensor, connection, list(sensor.device.connections.values())[-1], role, peer=peer)
        session.handle = (connection if role == "central" else session.sensor_connection).handle
        self.sessions.append(session)
        return session

    def plant(self, rule, **place):
        """Write down a fault of no connection; see `Session.plant`."""
        self.faults.append({"rule": rule, **place})

    def truth(self):
        return [session.truth() for session in self.sessions]

    def faults_truth(self):
        return [session.faults_truth() for session in self.sessions]
