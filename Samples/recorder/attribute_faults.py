"""Faults of dialogues: what phones and sensors ask, write and answer amiss, while the heart beats as it should.

Where no measurement tells the place of a fault, the records that were written while it was planted do.
"""

import asyncio
import contextlib
import dataclasses
import itertools
import struct

from bumble import att
from bumble.core import TimeoutError as RequestTimeout

from . import devices
from .devices import Char, Svc
from .faults import fault, good, start
from .heart import Heart
from .scenarios import EnergyCounter, refused
from .stage import Stage


def _strap(**services):
    """A strap, with other services in the place of those with these UUIDs; without them where there is None."""
    strap = devices.compact("HRM F2", "E2:4B:90:3D:15:F2", start=None)
    kept = (services.get(f"u{service.uuid}", service) for service in strap.services)
    return dataclasses.replace(strap, services=tuple(service for service in kept if service))


@contextlib.contextmanager
def _planting(session, *rules):
    """What these rules find begins with a record that is written meanwhile."""
    first = session.sensor.stage.recorder.records + 1
    yield
    last = session.sensor.stage.recorder.records
    for rule in rules:
        session.plant(rule, records=(first, last))


async def _discovered(stage, model):
    await stage.phone()
    sensor = await stage.sensor(model)
    session = await stage.connect(sensor)
    await session.discover()
    return session


async def _before_and_after(session, rate, act):
    """Measurements, something in the middle of a second, and more measurements."""
    heart = Heart(session.sensor.rng, rate)
    await session.stream(good(heart, 30))
    await asyncio.sleep(0.4)
    await act()
    await asyncio.sleep(0.6 - 0.3)
    heart.beats(1)
    await session.stream(good(heart, 30))
    await session.disconnect()


# Subscriptions ------------------------------------------------------------------------------------------


@fault("notification-without-subscription")
async def notification_without_subscription(stage: Stage):
    """The sensor notifies whoever connects."""
    session = await _discovered(stage, _strap())
    await session.read("2A38")
    # Not bonded, but sending as to somebody who is.
    session.bonded = True
    heart = Heart(session.sensor.rng, 90)
    session.plant("notification-without-subscription", first=0)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("subscription-without-notification")
async def subscription_without_notification(stage: Stage):
    """Nothing comes for 25 s after the subscription."""
    session = await _discovered(stage, _strap())
    await session.read("2A38")
    with _planting(session, "subscription-without-notification"):
        await session.subscribe("2A37")
    await asyncio.sleep(25)
    heart = Heart(session.sensor.rng, 85)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("never-subscribed")
async def never_subscribed(stage: Stage):
    """The phone discovers everything, reads, and waits."""
    session = await _discovered(stage, _strap())
    await session.read("2A38", "2A19")
    session.plant("never-subscribed")
    await asyncio.sleep(30)
    await session.disconnect()


@fault("measurements-switched-off")
async def measurements_switched_off(stage: Stage):
    """After half a minute the phone switches the measurements off, and stays connected."""
    session = await start(stage, _strap())
    heart = Heart(session.sensor.rng, 74)
    await session.stream(good(heart, 30))
    with _planting(session, "measurements-switched-off"):
        await session.client.write_value(session.sensor.table.cccd_handle("2A37"), b"\x00\x00", with_response=True)
    await asyncio.sleep(40)
    await session.disconnect()


@fault("heart-rate-missing")
async def heart_rate_missing(stage: Stage):
    """The phone remembers the strap's table and discovers nothing; its subscription is refused, and it does not pair."""
    await stage.phone()
    session = await stage.connect(await stage.sensor(devices.compact("HRM F2", "E2:4B:90:3D:15:F2", protected=True)))
    with _planting(session, "heart-rate-missing"):
        await refused(session.subscribe_by_handle("2A37"))
    await asyncio.sleep(20)
    await session.disconnect()


@fault("cccd-invalid")
async def cccd_invalid(stage: Stage):
    """The phone asks for indications of what can only be notified, and then does it right."""
    session = await _discovered(stage, _strap())
    with _planting(session, "cccd-invalid"):
        await session.client.write_value(session.sensor.table.cccd_handle("2A37"), b"\x02\x00", with_response=True)
    await session.subscribe("2A37")
    heart = Heart(session.sensor.rng, 76)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("access-refused")
async def access_refused(stage: Stage):
    """The sensor wants to be paired with, and nobody does."""
    strap = devices.compact("HRM F2", "E2:4B:90:3D:15:F2", protected=True)
    session = await _discovered(stage, strap)
    with _planting(session, "access-refused"):
        await refused(session.read("2A38"))
    with _planting(session, "access-refused"):
        await refused(session.subscribe("2A37"))
    await asyncio.sleep(15)
    await session.disconnect()


# Energy and location ------------------------------------------------------------------------------------


class _Broken(EnergyCounter):
    """A control point that takes whatever is written to it, and does nothing."""

    def control(self, connection, value):
        pass


async def _with_control(stage, energy, value, rule=None):
    session = await start(stage, devices.wahoo_tickr(energy.attribute()))
    heart = Heart(session.sensor.rng, 126)

    def values(count):
        return (heart.measure(energy=energy.due()) for _ in range(count))

    await session.stream(values(25))
    await asyncio.sleep(0.3)
    with _planting(session, *([rule] if rule else [])):
        await session.client.write_value(session.proxy("2A39"), value, with_response=True)
    await asyncio.sleep(0.6)
    heart.beats(1)
    return session, values


@fault("control-point-response")
async def control_point_response(stage: Stage):
    """A value that nobody has defined is accepted."""
    session, values = await _with_control(stage, _Broken(75), b"\x02", "control-point-response")
    await session.stream(values(30))
    await session.disconnect()


@fault("energy-reset-ignored")
async def energy_reset_ignored(stage: Stage):
    """The reset is acknowledged, and the counter goes on."""
    session, values = await _with_control(stage, _Broken(75), b"\x01")
    # Every tenth of all measurements has energy; 25 came before.
    at = len(session.measurements) + 4
    session.plant("energy-reset-ignored", last=at)
    await session.stream(values(30))
    await session.disconnect()


@fault("energy-without-control-point")
async def energy_without_control_point(stage: Stage):
    """Energy Expended from a sensor on which nobody can reset it."""
    session = await start(stage, _strap())
    energy, heart = EnergyCounter(12), Heart(session.sensor.rng, 119)
    session.plant("energy-without-control-point")
    await session.stream(heart.measure(contact="detected", energy=energy.due()) for _ in range(60))
    await session.disconnect()


@fault("location-invalid")
async def location_invalid(stage: Stage):
    """A location that nobody has defined."""
    session = await _discovered(stage, _strap(u180D=devices.heart_rate(9)))
    with _planting(session, "location-invalid"):
        await session.read("2A38")
    await session.subscribe("2A37")
    heart = Heart(session.sensor.rng, 68)
    await session.stream(good(heart, 60))
    await session.disconnect()


# Tables -------------------------------------------------------------------------------------------------


@fault("measurement-not-notified")
async def measurement_not_notified(stage: Stage):
    """The measurement can be read, too."""
    service = devices.heart_rate(devices.CHEST)
    readable = Char("2A37", "read notify", b"\x06\x49")
    service = dataclasses.replace(service, chars=(readable, *service.chars[1:]))
    session = await _discovered(stage, _strap(u180D=service))
    with _planting(session, "measurement-not-notified"):
        await session.client.read_value(session.proxy("2A37"))
    await session.subscribe("2A37")
    heart = Heart(session.sensor.rng, 73)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("heart-rate-service-absent")
async def heart_rate_service_absent(stage: Stage):
    """A sensor that advertises the service and does not have it."""
    session = await _discovered(stage, _strap(u180D=None))
    session.plant("heart-rate-service-absent")
    await session.read("2A19")
    await asyncio.sleep(5)
    await session.disconnect()


@fault("discovery-unfinished")
async def discovery_unfinished(stage: Stage):
    """The phone is told of every service, and does not ask what is in them."""
    await stage.phone()
    sensor = await stage.sensor(_strap())
    session = await stage.connect(sensor)
    with _planting(session, "discovery-unfinished"):
        await session.client.discover_services()
    await asyncio.sleep(25)
    await session.disconnect()


@fault("measurement-absent")
async def measurement_absent(stage: Stage):
    """A sensor whose service holds a location, and no measurement."""
    session = await _discovered(stage, _strap(u180D=Svc("180D", (Char("2A38", "read", b"\x01"),))))
    session.plant("measurement-absent", event="service")
    await session.read("2A19", "2A38")
    await asyncio.sleep(5)
    await session.disconnect()


@fault("several-heart-rate-services")
async def several_heart_rate_services(stage: Stage):
    """Two services, of which the first one notifies."""
    strap = _strap()
    strap = dataclasses.replace(strap, services=(*strap.services, devices.heart_rate(devices.OTHER)))
    session = await start(stage, strap)
    session.plant("several-heart-rate-services")
    heart = Heart(session.sensor.rng, 94)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("stale-handles")
async def stale_handles(stage: Stage):
    """Service Changed is indicated and confirmed, and the phone reads a handle of before."""
    strap = _strap()
    session = await start(stage, dataclasses.replace(strap, services=(*strap.services, devices.generic_attribute())))
    await session.client.subscribe(session.proxy("2A05"), lambda value: None, prefer_notify=False)

    async def act():
        await asyncio.sleep(20.5)
        server, table = session.sensor.device.gatt_server, session.sensor.table
        value = struct.pack("<HH", 0x0001, 0xFFFF)
        await server.indicate_subscriber(session.sensor_connection, table.characteristic("2A05"), value)
        await asyncio.sleep(3)
        with _planting(session, "stale-handles"):
            await session.read("2A38")

    heart = Heart(session.sensor.rng, 71)
    await asyncio.gather(session.stream(good(heart, 60)), act())
    await session.disconnect()


@fault("measurement-moved")
async def measurement_moved(stage: Stage):
    """Services move amid the connection, which is indicated; the phone discovers them anew, and does not subscribe again."""
    strap = _strap()
    session = await start(stage, dataclasses.replace(strap, services=(devices.generic_attribute(), *strap.services)))
    await session.client.subscribe(session.proxy("2A05"), lambda value: None, prefer_notify=False)
    heart = Heart(session.sensor.rng, 71)
    await session.stream(good(heart, 40))
    await asyncio.sleep(0.5)
    server, table = session.sensor.device.gatt_server, session.sensor.table
    moved = [dataclasses.replace(service, start=60 if service.uuid == "180D" else None) for service in strap.services]
    server.attributes = [entry for entry in server.attributes if entry.handle <= table.cccd_handle("2A05")]
    devices.Table(server, moved)
    value = struct.pack("<HH", table.cccd_handle("2A05") + 1, 0xFFFF)
    session.plant("notification-gap")
    await server.indicate_subscriber(session.sensor_connection, table.characteristic("2A05"), value)
    with _planting(session, "measurement-moved"):
        await session.discover()
    await asyncio.sleep(30)
    await session.disconnect()


async def _changing_table(stage, places):
    """Two connections to one strap. Its services are elsewhere the second time, and nobody has been told."""
    await stage.phone()
    for number, begin in enumerate(places):
        sensor = await stage.sensor(devices.compact("HRM F2", "E2:4B:90:3D:15:F2", start=begin))
        session = await stage.connect(sensor)
        with _planting(session, *(["database-changed"] if number else [])):
            await session.discover()
        await session.subscribe("2A37")
        heart = Heart(sensor.rng, 80 + number)
        await session.stream(good(heart, 40))
        await session.disconnect()
        stage.air.controllers.remove(sensor.device.host.chip)
        await asyncio.sleep(40)


@fault("database-changed")
async def database_changed(stage: Stage):
    """New firmware moves the heart rate service by two handles, and tells nobody."""
    await _changing_table(stage, (14, 16))


@fault("database-changed-apart")
async def database_changed_apart(stage: Stage):
    """The same, to where no service was."""
    await _changing_table(stage, (14, 40))


@fault("database-disordered")
async def database_disordered(stage: Stage):
    """The sensor tells its services in falling order when they are asked for once more."""
    session = await start(stage, _strap())
    services = sorted(session.sensor.table.built.values(), key=lambda service: -service.handle)
    entries = (struct.pack("<HH", s.handle, s.end_group_handle) + s.uuid.to_bytes() for s in services)
    answer = b"\x11\x06" + b"".join(itertools.islice(entries, 2))

    async def act():
        server = session.sensor.device.gatt_server
        handle, server.on_gatt_pdu = server.on_gatt_pdu, lambda bearer, pdu: server.send_gatt_pdu(bearer, answer)
        with _planting(session, "database-disordered"):
            session.client.send_gatt_pdu(bytes.fromhex("100100ffff0028"))
            await asyncio.sleep(0.3)
        server.on_gatt_pdu = handle

    await _before_and_after(session, 92, act)


# PDUs ---------------------------------------------------------------------------------------------------


@fault("mtu-exchanged-twice")
async def mtu_exchanged_twice(stage: Stage):
    """The phone asks for another MTU after the first."""
    await stage.phone()
    sensor = await stage.sensor(dataclasses.replace(_strap(), max_mtu=185))
    session = await stage.connect(sensor)
    await session.exchange_mtu(185)
    await session.discover()
    session.client.mtu_exchange_done = False
    with _planting(session, "mtu-exchanged-twice"):
        await session.exchange_mtu(517)
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 107)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("att-parallel-requests")
async def att_parallel_requests(stage: Stage):
    """The phone reads two values at once."""
    session = await start(stage, _strap())

    async def act():
        with _planting(session, "att-parallel-requests"):
            for uuid in ("2A38", "2A19"):
                request = att.ATT_Read_Request(attribute_handle=session.sensor.table.handle(uuid))
                session.client.send_gatt_pdu(bytes(request))
            await asyncio.sleep(0.3)

    await _before_and_after(session, 89, act)


@fault("att-timeout")
async def att_timeout(stage: Stage):
    """The sensor never answers a read; its measurements go on until the phone gives up."""
    session = await start(stage, _strap())
    heart = Heart(session.sensor.rng, 82)
    await session.stream(good(heart, 30))
    session.sensor.device.gatt_server.on_gatt_pdu = lambda bearer, pdu: None

    async def read():
        with _planting(session, "att-timeout"):
            try:
                await session.read("2A19")
            except RequestTimeout:
                pass

    await asyncio.gather(read(), session.stream(good(heart, 35)))
    await session.disconnect()


@fault("att-response-mismatch")
async def att_response_mismatch(stage: Stage):
    """The sensor answers a read that nobody asked for."""
    session = await start(stage, _strap())

    async def act():
        with _planting(session, "att-response-mismatch"):
            answer = att.ATT_Read_Response(attribute_value=b"\x50")
            session.sensor.device.gatt_server.send_gatt_pdu(session.sensor_connection, bytes(answer))
            await asyncio.sleep(0.3)

    await _before_and_after(session, 99, act)


@fault("indication-unconfirmed")
async def indication_unconfirmed(stage: Stage):
    """The phone confirms late, and the sensor does not wait for it before it indicates again."""
    strap = _strap()
    session = await start(stage, dataclasses.replace(strap, services=(*strap.services, devices.generic_attribute())))
    await session.client.subscribe(session.proxy("2A05"), lambda value: None, prefer_notify=False)

    confirm = session.client.send_confirmation
    session.client.send_confirmation = lambda pdu: asyncio.get_running_loop().call_later(0.12, confirm, pdu)

    async def act():
        handle = session.sensor.table.handle("2A05")
        with _planting(session, "indication-unconfirmed"):
            for _ in range(2):
                # A range beyond all services: nothing has changed for anybody.
                pdu = att.ATT_Handle_Value_Indication(
                    attribute_handle=handle, attribute_value=struct.pack("<HH", 0xF000, 0xFFFF)
                )
                session.sensor.device.gatt_server.send_gatt_pdu(session.sensor_connection, bytes(pdu))
            await asyncio.sleep(0.3)

    await _before_and_after(session, 65, act)


@fault("pdu-exceeds-mtu")
async def pdu_exceeds_mtu(stage: Stage):
    """An MTU of 23, and a sensor that sends the intervals of eight seconds at once."""
    session = await start(stage, _strap())
    server, handle = session.sensor.device.gatt_server, session.sensor.table.handle("2A37")

    async def send(value):
        server.send_gatt_pdu(session.sensor_connection, struct.pack("<BH", 0x1B, handle) + value.raw)
        session.measurements.append(value)

    heart = Heart(session.sensor.rng, 104)
    session.plant("pdu-exceeds-mtu", first=0)
    await session.stream((heart.measure(8.0, contact="detected") for _ in range(12)), period=8.0, send=send)
    await session.disconnect()
