"""The scenarios: who meets whom, and what they say to each other."""

import asyncio
import dataclasses
import datetime
import itertools
import struct

from bumble import att, gatt, gatt_client, l2cap
from bumble.core import UUID
from bumble.keys import PairingKeys

from . import classic, devices, others
from .devices import Char
from .heart import Heart, Measurement, measurement
from .stage import Stage

SCENARIOS = []


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    start: datetime.datetime
    play: object


def scenario(name, start):
    """Register a scenario with the moment, in UTC, at which its virtual clock starts."""

    def register(play):
        moment = datetime.datetime.fromisoformat(start).replace(tzinfo=datetime.UTC)
        SCENARIOS.append(Scenario(name, moment, play))
        return play

    return register


@scenario("polar-h7", "2026-03-14T09:26:53.589793")
async def polar_h7(stage: Stage):
    """A whole session from power-on: two minutes of cooling down after a run."""
    await stage.phone(record="all")
    sensor = await stage.sensor(devices.polar_h7())
    session = await stage.connect(sensor)
    await _get_to_know(session)
    await _cool_down(session, count=120)
    await session.disconnect()


async def _get_to_know(session):
    await session.discover(included=True)
    await session.read("2A00", "2A29", "2A24", "2A26", "2A19", "2A38")
    await session.subscribe("2A37")


async def _cool_down(session, count):
    """From 96 to 54 beats a minute. At 30 s the strap asks for its favourite connection parameters."""
    heart = Heart(session.sensor.rng, 96, 54, trend_seconds=count * 0.8)

    async def ask_for_parameters():
        await asyncio.sleep(min(30, count / 3))
        await session.sensor_connection.update_parameters(312.5, 500, 0, 6000, use_l2cap=True)

    measurements = (heart.measure(contact="detected") for _ in range(count))
    await asyncio.gather(session.stream(measurements), ask_for_parameters())


@scenario("wahoo-tickr", "2026-03-15T17:03:11.250000")
async def wahoo_tickr(stage: Stage):
    """Energy Expended and its reset; a few seconds in the UINT16 format, one of them at 300 bpm."""
    energy = EnergyCounter(137)
    await stage.phone()
    sensor = await stage.sensor(devices.wahoo_tickr(energy.attribute()))
    session = await stage.connect(sensor)
    await session.exchange_mtu(517)
    await session.discover()
    await session.read("2A29", "2A24", "2A26", "2A19", "2A38")
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 142, 156, trend_seconds=40)
    await session.stream(_with_energy(heart, energy, 12))
    await session.client.write_value(session.proxy("2A39"), b"\x01", with_response=True)
    await session.stream(_with_energy(heart, energy, 28, wide=range(14, 19), glitch=16))
    await session.disconnect()


class EnergyCounter:
    """Energy Expended, in kilojoules, and the control point that resets it."""

    def __init__(self, spent):
        self.spent = spent
        self.seconds = 0

    def control(self, connection, value):
        if value != b"\x01":
            raise att.ATT_Error(0x80)
        self.spent = 0.0

    def attribute(self):
        """The value of the control point."""
        return gatt.CharacteristicValue(write=self.control)

    def now(self):
        """A second later."""
        self.seconds += 1
        self.spent += 0.72
        return int(self.spent)

    def due(self):
        """Every tenth measurement carries it."""
        spent = self.now()
        return spent if self.seconds % 10 == 0 else None


def _with_energy(heart, energy, count, wide=(), glitch=None):
    for index in range(count):
        value = heart.measure(energy=energy.due(), wide=index in wide)
        if index == glitch:
            value = _at_300_bpm(value)
        yield value


def _at_300_bpm(value):
    """300 is 0x012C; read with the wrong octet order it becomes 11265."""
    return measurement(300, value.contact, value.energy, value.rr, wide=True)


@scenario("scosche-rhythm-plus", "2026-03-16T06:41:07.700000")
async def scosche_rhythm_plus(stage: Stage):
    """An optical sensor: no RR-Intervals, no contact status. It goes on advertising, and it hangs up."""
    phone = await stage.phone()
    sensor = await stage.sensor(devices.scosche_rhythm_plus())
    session = await stage.connect(sensor)
    await session.exchange_mtu(185)
    await session.discover()
    await session.read("2A29", "2A24", "2A26", "2A19", "2A38")
    await session.subscribe("2A37")
    await sensor.advertise()
    heart = Heart(sensor.rng, 117, 131, trend_seconds=25)
    await session.stream(heart.measure(with_rr=False) for _ in range(12))
    await phone.start_scanning(active=False)
    await session.stream(heart.measure(with_rr=False) for _ in range(1))
    await phone.stop_scanning()
    await session.stream(heart.measure(with_rr=False) for _ in range(13))
    await session.hang_up()


@scenario("reconnection-without-discovery", "2026-03-17T12:15:40.031250")
async def reconnection_without_discovery(stage: Stage):
    """The phone keeps the table of the first connection: in the second it only writes the CCCD."""
    await stage.phone()
    sensor = await stage.sensor(devices.compact("HRM 204C", "D8:12:B3:77:20:4C", start=20, level=71))
    first = await stage.connect(sensor)
    await first.discover()
    await first.read("2A19", "2A38")
    await first.subscribe("2A37")
    heart = Heart(sensor.rng, 74)
    await first.stream(heart.measure(contact="detected") for _ in range(12))
    await first.disconnect()

    await asyncio.sleep(4.0)
    await sensor.advertise()
    second = await stage.connect(sensor)
    second.remember(first)
    await second.subscribe_by_handle("2A37")
    heart = Heart(sensor.rng, 79)
    await second.stream(heart.measure(contact="detected") for _ in range(15))
    await second.disconnect()


@scenario("three-sensors-crossed-handles", "2026-03-18T18:20:05.400000")
async def three_sensors(stage: Stage):
    """Three sensors at once. Each one's measurement has the handle of another one's battery level."""
    await stage.phone()
    straps = [
        devices.compact("HRM A 16", "CB:5D:90:11:6E:A1", start=14, battery_start=22, level=72),
        devices.compact("HRM B 24", "CB:5D:90:11:6E:B2", start=22, battery_start=30, level=64),
        devices.compact("HRM C 32", "CB:5D:90:11:6E:C3", start=30, battery_start=14, level=81),
    ]
    sessions = []
    for strap in straps:
        session = await stage.connect(await stage.sensor(strap))
        await session.exchange_mtu(247)
        await session.discover()
        await session.read("2A38")
        sessions.append(session)
    for session in sessions:
        await session.subscribe("2A37", "2A19")

    rates = zip(sessions, (66, 118, 154), (0.0, 0.31, 0.64), strict=True)
    await asyncio.gather(*(_ride(session, rate, delay) for session, rate, delay in rates))
    for session in sessions:
        await session.disconnect()


async def _ride(session, rate, delay):
    """Twelve measurements, and the battery level among them: the same, then one percent less."""
    heart = Heart(session.sensor.rng, rate)
    level = session.sensor.model.battery
    await asyncio.sleep(delay)
    for part in (level, level - 1):
        await session.stream(heart.measure(contact="detected") for _ in range(5))
        await session.send_battery(part)
    await session.stream(heart.measure(contact="detected") for _ in range(2))


@scenario("handle-reused", "2026-03-19T07:05:30.900000")
async def handle_reused(stage: Stage):
    """A strap leaves, another one comes and gets the same connection handle, but has another table."""
    await stage.phone()
    models = [
        devices.compact("HRM 31", "E6:40:2A:9B:00:31", start=14, battery_start=22, level=70),
        devices.compact("HRM 42", "E6:40:2A:9B:00:42", start=22, battery_start=14, level=58),
    ]
    for model, rate in zip(models, (88, 131), strict=True):
        sensor = await stage.sensor(model)
        session = await stage.connect(sensor)
        await session.discover()
        await session.read("2A38")
        await session.subscribe("2A37", "2A19")
        heart = Heart(sensor.rng, rate)
        await session.send_battery(model.battery)
        await session.stream(heart.measure(contact="detected") for _ in range(12))
        await session.disconnect()


@scenario("eatt", "2026-03-20T15:45:00.100000")
async def eatt(stage: Stage):
    """Enhanced ATT: two more bearers beside the first, and several values in one notification.

    Extended advertising too, as such sensors have it.
    """
    phone = await stage.phone(extended=True)
    sensor = await stage.sensor(_eatt_strap(), advertise=False, extended=True)
    channel = l2cap.LeCreditBasedChannelSpec(psm=att.EATT_PSM, mtu=185, mps=64, max_credits=24)
    sensor.device.gatt_server.register_eatt(channel)
    await _bond_beforehand(phone, sensor)
    await sensor.advertise()
    session = await stage.connect(sensor)
    await session.connection.encrypt()
    session.encrypted = True
    heart = Heart(sensor.rng, 97)

    # The unenhanced bearer first: what can the sensor do, and three measurements.
    await session.discover()
    await session.read("2B3A", "2A38")
    await session.client.write_value(session.proxy("2B29"), b"\x06", with_response=True)
    await session.subscribe("2A37", "2A19")
    await session.stream(heart.measure(contact="detected") for _ in range(3))
    await asyncio.sleep(0.5)
    await session.client.unsubscribe(session.proxy("2A37"))

    # Then two enhanced bearers: one for requests, one for notifications.
    asking, told = await gatt_client.Client.connect_eatt(session.connection, channel, count=2)
    for client in (asking, told):
        client.bearer.att_mtu = min(client.bearer.mtu, client.bearer.peer_mtu)
    table = sensor.table
    for uuid in ("2A37", _PULSE_WAVE):
        told.notification_subscribers[table.handle(uuid)] = {lambda value: None}
        await told.write_value(table.cccd_handle(uuid), b"\x01\x00", with_response=True)
    # Longer than one K-frame.
    await asking.read_value(table.handle("2A28"))
    bearer = next(b for b in sensor.device.gatt_server.subscribers if sensor.is_subscribed(b, _PULSE_WAVE))
    await _send_over_eatt(session, bearer, heart)
    await session.disconnect()


_PULSE_WAVE = "8C6F0002-5B1E-4E0A-9E35-0D6A4F3B7C21"


def _eatt_strap():
    strap = devices.compact("HRM E7", "F1:77:0C:42:90:E7", level=93)
    access, heart, battery = strap.services
    features = devices.generic_attribute(Char("2B29", "read write", bytes(1)), Char("2B3A", "read", b"\x01"))
    wave = devices.Svc("8C6F0001-5B1E-4E0A-9E35-0D6A4F3B7C21", (Char(_PULSE_WAVE, "notify"),))
    versions = "hrm-e7 3.4.1 (release build of 2026-01-30, bootloader 1.9.0, radio 5.2.0, sensor front end 7.1)"
    software = devices.device_information({"2A28": versions})
    services = (access, features, dataclasses.replace(heart, start=None), battery, software, wave)
    return dataclasses.replace(strap, services=services)


async def _bond_beforehand(phone, sensor):
    """Give both sides the key of a bond that was made before the recording."""
    key = PairingKeys(ltk=PairingKeys.Key(value=bytes(range(0x51, 0x61))))
    await phone.keystore.update(str(sensor.device.random_address), key)
    await sensor.device.keystore.update(str(phone.random_address), key)


async def _send_over_eatt(session, bearer, heart):
    """Plain notifications, and every third time one with the battery level and a piece of pulse wave."""
    turn = itertools.count()

    async def send(value):
        if next(turn) % 3:
            await session.send(value, bearer)
            return
        wave = session.sensor.rng.randbytes(50)
        handles = [session.sensor.table.handle(uuid) for uuid in ("2A19", "2A37", _PULSE_WAVE)]
        values = zip(handles, (b"\x5d", value.raw, wave), strict=True)
        # Bumble has no Multiple Handle Value Notification; its channel carries any ATT PDU.
        bearer.write(b"\x23" + b"".join(struct.pack("<HH", h, len(v)) + v for h, v in values))
        session.measurements.append(value)
        session.learn("2A19", b"\x5d")

    await session.stream((heart.measure(contact="detected") for _ in range(18)), send=send)
    # The first bearer still works.
    await session.send_battery(92)


@scenario("fragments-27-mtu-185", "2026-03-21T10:10:10.500000")
async def fragments(stage: Stage):
    """Controllers with room for 27 octets, an MTU of 185, and a sensor that reports every 15 seconds."""
    await stage.phone(buffer_length=27)
    config = Char("5A2E0002-73B1-4D6C-A9F0-3C1B5D7E9F11", "read write", bytes(20))
    strap = devices.compact("HRM-LOG 9", "CA:03:5F:D2:81:09", level=77)
    vendor = devices.Svc("5A2E0001-73B1-4D6C-A9F0-3C1B5D7E9F11", (config,))
    about = devices.device_information(
        {"2A29": "Example Instruments GmbH", "2A24": "Log 9", "2A28": "application 4.11.2, radio 1.30.7, boot 2.0"}
    )
    strap = dataclasses.replace(strap, max_mtu=185, services=(*strap.services, about, vendor))
    sensor = await stage.sensor(strap, buffer_length=27)
    session = await stage.connect(sensor)
    await session.exchange_mtu(247)
    await session.discover()
    await session.read("2A29", "2A24", "2A28", "2A19", "2A38")
    await session.client.write_value(session.proxy(config.uuid), bytes(range(60)), with_response=True)
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 84, 148, trend_seconds=200)
    await session.stream((heart.measure(15.0, contact="detected") for _ in range(16)), period=15.0)
    await session.disconnect()


@scenario("sensor-side", "2026-03-22T09:26:53.589793")
async def sensor_side(stage: Stage):
    """As polar-h7, shorter, and logged by the sensor's host."""
    await stage.phone(record=None)
    sensor = await stage.sensor(devices.polar_h7(), record="later")
    session = await stage.connect(sensor, role="peripheral")
    await _get_to_know(session)
    await _cool_down(session, count=36)
    await session.disconnect()


@scenario("pairing", "2026-03-23T20:30:00.750000")
async def pairing(stage: Stage):
    """Refused with 0x05, paired (LE Secure Connections, Just Works), bonded; later only encrypted again."""
    sensor, first = await bond(stage, devices.compact("HRM P", "DD:62:18:A5:3C:70", level=66, protected=True))
    heart = Heart(sensor.rng, 92)
    await first.stream(heart.measure(contact="detected") for _ in range(12))
    await first.disconnect()

    await asyncio.sleep(2.0)
    await sensor.advertise()
    second = await stage.connect(sensor)
    second.remember(first)
    # The bond keeps the CCCD: the sensor notifies as soon as the link is encrypted.
    second.bonded = True
    await second.connection.encrypt()
    second.encrypted = True
    heart = Heart(sensor.rng, 86)
    await second.stream(heart.measure(contact="detected") for _ in range(10))
    await second.disconnect()


async def bond(stage: Stage, strap):
    """Phone and strap, from scanning over the refusal and the pairing to the subscription."""
    await stage.phone()
    sensor = await stage.sensor(strap)
    session = await stage.connect(sensor)
    await session.discover()
    await refused(session.read("2A38"))
    await session.connection.pair()
    session.encrypted = True
    await asyncio.sleep(0.3)
    await session.read("2A38", "2A19")
    await session.subscribe("2A37")
    return sensor, session


async def refused(request, code=0x05):
    try:
        await request
    except att.ATT_Error as error:
        if error.error_code == code:
            return
        raise
    raise RuntimeError("this access was meant to be refused")


@scenario("br-edr-att", "2026-03-24T11:00:20.200000")
async def br_edr_att(stage: Stage):
    """ATT on a classic L2CAP channel, PSM 0x001F."""
    phone = await stage.phone(classic_enabled=True, le_enabled=False, public=classic.PHONE)
    strap = devices.compact("HRM Classic", classic.SENSOR, level=55)
    sensor = await stage.sensor(strap, advertise=False, classic_enabled=True, le_enabled=False, public=classic.SENSOR)
    session = await classic.connect(stage, phone, sensor)
    await session.discover()
    await session.read("2A00", "2A19", "2A38")
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 101)
    await session.stream(heart.measure(contact="detected") for _ in range(20))
    await session.disconnect()


@scenario("malformed", "2026-03-25T13:37:00.300000")
async def malformed(stage: Stage):
    """Broken values among good ones."""
    await stage.phone()
    sensor = await stage.sensor(devices.compact("HRM broken", "C0:FF:EE:15:BA:D1"))
    session = await stage.connect(sensor)
    await session.discover()
    await session.read("2A38")
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 76)
    # Every other value is broken: a good one tells the beats of two seconds.
    good = iter(lambda: heart.measure(2.0, contact="detected"), None)
    values = itertools.chain.from_iterable(zip(good, _broken_values()))
    await session.stream(itertools.chain(values, itertools.islice(good, 3)))
    await session.disconnect()


def _broken_values():
    """What precedes the fault keeps its value; what the fault hides is unknown."""

    def broken(raw, bpm=None, contact="detected", energy=None, rr=None):
        return Measurement(bytes.fromhex(raw), bpm, contact, energy, rr, error=True)

    # Too short for the flags.
    yield broken("", contact=None)
    yield broken("16")
    yield broken("174c", contact="detected")
    yield broken("1e4c", bpm=76)
    yield broken("1e4c2a", bpm=76)
    # Energy is there, but the RR-Intervals it announces are not.
    yield broken("1e4c2a01", bpm=76, energy=298, rr=())
    # RR bit with no RR, and an odd octet behind one.
    yield broken("1648", bpm=72, rr=())
    yield broken("164c150341", bpm=76, rr=(789,))
    # An octet that no flag announces.
    yield broken("064c2a", bpm=76, rr=())
    # Reserved flag bits are a finding, not an error: the value is decoded as if they were clear.
    yield Measurement(bytes.fromhex("f64c1503"), 76, "detected", None, (789,))
    # Contact status without contact support: legal, and means "not supported".
    yield Measurement(bytes.fromhex("124c1503"), 76, "unsupported", None, (789,))


@scenario("long-reads", "2026-03-26T08:08:08.800000")
async def long_reads(stage: Stage):
    """Every way to read, write and discover that GATT has, with an MTU of 23."""
    await stage.phone()
    sensor = await stage.sensor(_talkative_strap())
    session = await stage.connect(sensor)
    client = session.client
    # Discovery by UUID, then everything else.
    await client.discover_service(UUID("180D"))
    client.services.clear()
    await session.discover(included=True)
    # Reading by type tells the handles of 2A38 and of 2A37, which must not be read, without any discovery.
    session.learn("2A38", (await client.read_characteristics_by_uuid(UUID("2A38"), None))[0])
    await client.read_characteristics_by_uuid(UUID("2A37"), None)
    # Longer than MTU - 1: Read, then Read Blob.
    await session.read("2A29", "2A26")
    handles = [session.proxy(uuid).handle for uuid in ("2A38", "2A19")]
    values = await client.send_request(att.ATT_Read_Multiple_Request(set_of_handles=handles))
    session.learn("2A19", values.set_of_values[1:])
    # Longer than MTU - 3: Prepare Write and Execute Write.
    await client.write_value(session.proxy(_NOTE), b"left side of the chest, under the strap", with_response=True)
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 70)
    await session.stream(heart.measure(contact="detected") for _ in range(16))
    await session.disconnect()


_NOTE = "3F1D0002-94C2-4A7B-8E55-61B2C0D4E8F3"


def _talkative_strap():
    def not_readable(connection):
        raise att.ATT_Error(0x02)

    maker = "Gesellschaft fuer Herzfrequenzmessung mbH & Co. KG"
    units = (("3F1D0003-94C2-4A7B-8E55-61B2C0D4E8F3", b"\x01"), ("2901", b"Where it is worn"))
    services = (
        devices.generic_access("HRM L", preferred=False),
        # The service that another one includes has to be there first.
        devices.battery(88),
        devices.heart_rate(
            devices.FINGER, start=0x0120, read=gatt.CharacteristicValue(read=not_readable), includes=("180F",)
        ),
        devices.device_information({"2A29": maker, "2A26": "2026.03.26-rc1+build.4711"}, start=0x0200),
        devices.Svc("3F1D0001-94C2-4A7B-8E55-61B2C0D4E8F3", (Char(_NOTE, "read write", b"", units),), start=0x1000),
    )
    return devices.Model("HRM L", "EB:29:D4:08:57:1A", services)


@scenario("other-notifications", "2026-03-28T08:15:20.481516")
async def other_notifications(stage: Stage):
    """Cycling, running, temperature, battery and a vendor's streams beside the heart rate, all about once a second."""
    await stage.phone()
    sensor = await stage.sensor(devices.multisport_watch(others.VENDOR))
    session = await stage.connect(sensor)
    await session.discover()
    await session.subscribe("2A37", *others.OTHERS)
    heart = Heart(sensor.rng, 121, 134, trend_seconds=20)
    values = {uuid: make(sensor.rng) for uuid, make in others.OTHERS.items()}

    async def all_others():
        await asyncio.sleep(0.31)
        for _ in range(24):
            for uuid, stream in values.items():
                value = next(stream)
                await sensor.notify(session.sensor_connection, uuid, value)
                session.learn(uuid, value)
                await asyncio.sleep(0.02)
            await asyncio.sleep(1.0 - 0.02 * len(values))

    await asyncio.gather(session.stream(heart.measure() for _ in range(24)), all_others())
    await session.disconnect()
