"""Connections with faults: how they begin, what they are run with, and how they end."""

import asyncio
import contextlib
import dataclasses

from bumble import hci, l2cap
from bumble.core import ProtocolError, TimeoutError
from bumble.hci import HCI_Error
from bumble.pairing import PairingConfig, PairingDelegate

from . import devices
from .faults import fault, good, start
from .heart import Heart
from .scenarios import bond, refused
from .stage import Stage

NOBODY, OUT_OF_RANGE, NO_ANSWER, UNACCEPTABLE, NEVER_HEARD = 0x02, 0x08, 0x22, 0x3B, 0x3E


def _strap():
    return devices.compact("HRM F1", "E2:4B:90:3D:15:F1")


@fault("supervision-timeout")
async def supervision_timeout(stage: Stage):
    """The runner is out of range."""
    session = await start(stage, _strap())
    heart = Heart(session.sensor.rng, 134)
    await session.stream(good(heart, 60))
    session.plant("supervision-timeout", event="disconnected")
    await session.break_off(OUT_OF_RANGE, after=0.72)


@fault("connection-not-established")
async def connection_not_established(stage: Stage):
    """Two attempts come to nothing, the third one succeeds."""
    await stage.phone()
    sensor = await stage.sensor(_strap())
    for number in range(2):
        failed = await stage.connect(sensor)
        if number == 0:
            failed.plant("connection-not-established", event="disconnected")
        await failed.break_off(NEVER_HEARD, after=0.09)
        await asyncio.sleep(1.5)
        await sensor.advertise()
    session = await stage.connect(sensor)
    await session.discover()
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 91)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("abnormal-disconnect")
async def abnormal_disconnect(stage: Stage):
    """The sensor's controller does not answer any more."""
    session = await start(stage, _strap())
    heart = Heart(session.sensor.rng, 78)
    await session.stream(good(heart, 60))
    session.plant("abnormal-disconnect", event="disconnected")
    await session.break_off(NO_ANSWER)


@fault("controller-failed")
async def controller_failed(stage: Stage):
    """The phone's controller fails, and two straps are lost with it; the phone resets it, and finds one of them again."""
    phone = await stage.phone()
    sessions = []
    for model in (_strap(), devices.compact("HRM F3", "E2:4B:90:3D:15:F3")):
        sensor = await stage.sensor(model)
        session = await stage.connect(sensor)
        await session.discover()
        await session.subscribe("2A37")
        sessions.append(session)
    hearts = [Heart(session.sensor.rng, rate) for session, rate in zip(sessions, (84, 121))]
    await asyncio.gather(*(session.stream(good(heart, 45)) for session, heart in zip(sessions, hearts)))
    await asyncio.sleep(0.4)

    begin = stage.recorder.records + 1
    phone.host.chip.send_hci_packet(hci.HCI_Event(event_code=hci.HCI_HARDWARE_ERROR_EVENT, parameters=b"\x0c"))
    await asyncio.sleep(0.12)
    for session in sessions:
        session.plant("controller-failed", records=(begin, begin))
        _lose(session)
    await phone.host.send_sync_command(hci.HCI_Reset_Command())

    await asyncio.sleep(2.0)
    await sessions[0].sensor.advertise()
    again = await stage.connect(sessions[0].sensor)
    await again.subscribe_by_handle("2A37")
    await again.stream(good(hearts[0], 30))
    await again.disconnect()


def _lose(session):
    """The phone's host knows what a reset ends, and the sensor's hears nothing any more: no log tells of either."""
    for end in (session.connection, session.sensor_connection):
        host = end.device.host
        links = host.chip.le_connections
        del links[next(peer for peer, link in links.items() if link.handle == end.handle)]
        gone = hci.HCI_Disconnection_Complete_Event(
            status=hci.HCI_ErrorCode.SUCCESS, connection_handle=end.handle, reason=OUT_OF_RANGE
        )
        host.on_hci_disconnection_complete_event(gone)


@fault("sensor-hung-up")
async def sensor_hung_up(stage: Stage):
    """The strap is taken off, and hangs up after four seconds without contact."""
    session = await start(stage, _strap())
    heart = Heart(session.sensor.rng, 102, 88)
    await session.stream(good(heart, 60))
    await session.stream(good(heart, 4, contact="not-detected", with_rr=False))
    session.plant("sensor-hung-up", event="disconnected")
    await session.hang_up()


@fault("reconnect-loop")
async def reconnect_loop(stage: Stage):
    """The sensor hangs up every ten seconds or so, and the phone connects again, four times in all."""
    await stage.phone()
    sensor = await stage.sensor(_strap())
    for number in range(4):
        session = await stage.connect(sensor)
        if number == 0:
            await session.discover()
            await session.subscribe("2A37")
            session.plant("reconnect-loop", event="connected")
        else:
            await session.subscribe_by_handle("2A37")
        heart = Heart(sensor.rng, 96 + number)
        await session.stream(good(heart, 8))
        session.plant("sensor-hung-up", event="disconnected")
        await session.hang_up()
        await asyncio.sleep(1.2)
        await sensor.advertise()


@fault("encryption-failed")
async def encryption_failed(stage: Stage):
    """The strap is paired with, and then reset: it does not know the phone any more."""
    sensor, first = await bond(stage, devices.compact("HRM F1", "E2:4B:90:3D:15:F1", protected=True))
    heart = Heart(sensor.rng, 88)
    await first.stream(good(heart, 60))
    await first.disconnect()

    await sensor.device.keystore.delete_all()
    await asyncio.sleep(2.0)
    await sensor.advertise()
    second = await stage.connect(sensor)
    second.remember(first)
    second.plant("encryption-failed", event="encryption")
    with contextlib.suppress(HCI_Error):
        await second.connection.encrypt()
    await asyncio.sleep(0.4)
    await second.disconnect()


@fault("pairing-failed")
async def pairing_failed(stage: Stage):
    """The strap is not ready to be paired with: it refuses the phone's subscription, and then its pairing, twice."""
    await stage.phone()
    sensor = await stage.sensor(devices.compact("HRM F1", "E2:4B:90:3D:15:F1", protected=True))
    sensor.device.pairing_config_factory = lambda connection: PairingConfig(delegate=_Unwilling())
    session = await stage.connect(sensor)
    await session.discover()
    session.plant("access-refused", event="attError")
    session.plant("pairing-failed", event="pairing")
    for _ in range(2):
        await refused(session.subscribe("2A37"))
        with contextlib.suppress(ProtocolError):
            await session.connection.pair()
        await asyncio.sleep(4.0)
    await session.disconnect()


@fault("pairing-unfinished")
async def pairing_unfinished(stage: Stage):
    """The strap refuses the subscription and asks for security; nobody confirms that at the phone, and the strap hangs up."""
    await stage.phone()
    sensor = await stage.sensor(devices.compact("HRM F1", "E2:4B:90:3D:15:F1", protected=True))
    session = await stage.connect(sensor)
    await session.discover()
    session.plant("access-refused", event="attError")
    session.plant("pairing-unfinished", event="pairing")
    session.plant("sensor-hung-up")
    await refused(session.subscribe("2A37"))
    session.sensor_connection.request_pairing()
    await asyncio.sleep(25)
    await session.hang_up()


class _Unwilling(PairingDelegate):
    """Whoever decides at the strap, and pairs with nobody."""

    async def accept(self):
        return False


@fault("silent-connection")
async def silent_connection(stage: Stage):
    """The sensor's controller holds the connection, and its host has crashed."""
    await stage.phone()
    sensor = await stage.sensor(_strap())
    session = await stage.connect(sensor)
    sensor.device.gatt_server.on_gatt_pdu = lambda bearer, pdu: None
    session.plant("silent-connection")
    discovery = asyncio.create_task(session.discover())
    await asyncio.sleep(20)
    discovery.cancel()
    await session.disconnect()


# Connection parameters ----------------------------------------------------------------------------------


_FAVOURITE = (312.5, 500, 0, 6000)


async def _asking_for_parameters(stage, answer, count, wish=_FAVOURITE):
    """At 30 s the strap asks for other parameters. `answer` is what the phone makes of it, if not what is usual."""
    session = await start(stage, devices.polar_h7())
    manager = stage.phone_device.l2cap_channel_manager
    if answer:
        manager.on_l2cap_connection_parameter_update_request = answer
    heart = Heart(session.sensor.rng, 87, 79)
    await session.stream(good(heart, 30))

    async def ask():
        try:
            await session.sensor_connection.update_parameters(*wish, use_l2cap=True)
        except ProtocolError:
            pass

    asking = asyncio.create_task(ask())
    await session.stream(good(heart, count))
    asking.cancel()
    return session


def _refuse(connection, cid, request):
    refusal = l2cap.L2CAP_Connection_Parameter_Update_Response(
        identifier=request.identifier, result=l2cap.L2CAP_CONNECTION_PARAMETERS_REJECTED_RESULT
    )
    connection.device.l2cap_channel_manager.send_control_frame(connection, cid, refusal)


@fault("parameter-update-rejected")
async def parameter_update_rejected(stage: Stage):
    """Refused, and the sensor puts up with it."""
    session = await _asking_for_parameters(stage, _refuse, 45)
    session.plant("parameter-update-rejected", event="parameterRequest")
    await session.disconnect()


@fault("parameter-update-then-lost")
async def parameter_update_then_lost(stage: Stage):
    """Refused, and the sensor does not put up with it: 0x3B, as a Polar H7 does."""
    session = await _asking_for_parameters(stage, _refuse, 25)
    session.plant("parameter-update-rejected", event="parameterRequest")
    session.plant("parameter-update-then-lost", event="disconnected")
    session.plant("abnormal-disconnect", event="disconnected")
    await session.break_off(UNACCEPTABLE)


def _grant_in_vain(connection, cid, request):
    """The phone says yes, and the sensor's controller does not take what the phone's asks for."""
    chip, manager = connection.device.host.chip, connection.device.l2cap_channel_manager

    def fail(command):
        chip._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        failure = hci.HCI_LE_Connection_Update_Complete_Event(
            status=UNACCEPTABLE,
            connection_handle=command.connection_handle,
            connection_interval=12,
            peripheral_latency=0,
            supervision_timeout=72,
        )
        asyncio.get_running_loop().call_later(0.045, chip.send_hci_packet, failure)

    chip.on_hci_le_connection_update_command = fail
    type(manager).on_l2cap_connection_parameter_update_request(manager, connection, cid, request)


@fault("parameter-update-failed")
async def parameter_update_failed(stage: Stage):
    """Granted, and then the controllers do not carry it out; the sensor puts up with it."""
    session = await _asking_for_parameters(stage, _grant_in_vain, 45)
    session.plant("parameter-update-failed", event="parameters")
    await session.disconnect()


@fault("parameter-update-unanswered")
async def parameter_update_unanswered(stage: Stage):
    """The phone says neither yes nor no."""
    session = await _asking_for_parameters(stage, lambda connection, cid, request: None, 45)
    session.plant("parameter-update-unanswered", event="parameterRequest")
    await session.disconnect()


@fault("parameters-illegal")
async def parameters_illegal(stage: Stage):
    """The sensor asks for a latency that uses up its timeout, and is refused."""
    session = await _asking_for_parameters(stage, _refuse, 45, wish=(450, 500, 4, 4000))
    session.plant("parameters-illegal", event="parameterRequest")
    session.plant("parameter-update-rejected", event="parameterRequest")
    await session.disconnect()


@fault("parameters-tight")
async def parameters_tight(stage: Stage):
    """The sensor gets what it asks for: 500 ms, and a timeout of 1.5 s."""
    session = await _asking_for_parameters(stage, None, 45, wish=(400, 500, 0, 1500))
    session.plant("parameters-tight", event="parameters")
    await session.disconnect()


@fault("interval-slower-than-measurements")
async def interval_slower(stage: Stage):
    """The sensor gets an interval of 2 s; its measurements then come two at a time."""
    session = await _asking_for_parameters(stage, None, 1, wish=(2000, 2000, 0, 6000))
    heart = Heart(session.sensor.rng, 83)
    at = len(session.measurements)
    session.plant("interval-slower-than-measurements", within=(at - 2, at + 39))
    for _ in range(20):
        await asyncio.sleep(2)
        for value in good(heart, 2):
            await session.send(value)
    await session.disconnect()


# What the capture shows of a link -----------------------------------------------------------------------


@fault("service-not-advertised")
async def service_not_advertised(stage: Stage):
    """The sensor lists its battery only."""
    session = await start(stage, dataclasses.replace(_strap(), advertised=(0x180F,)))
    session.plant("service-not-advertised")
    heart = Heart(session.sensor.rng, 70)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("sensor-seen-not-connected")
async def sensor_seen_not_connected(stage: Stage):
    """Two straps advertise, and the phone connects to the other one."""
    await stage.phone()
    await stage.sensor(_strap())
    other = await stage.sensor(devices.compact("HRM F3", "E2:4B:90:3D:15:F3"))
    begin = stage.recorder.records + 1
    await stage.phone_device.start_scanning(filter_duplicates=False)
    await asyncio.sleep(14)
    await stage.phone_device.stop_scanning()
    stage.plant("sensor-seen-not-connected", records=(begin, stage.recorder.records))
    session = await stage.connect(other, scan=False)
    await session.discover()
    await session.subscribe("2A37")
    heart = Heart(other.rng, 86)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("connection-given-up")
async def connection_given_up(stage: Stage):
    """The sensor is switched off, and the phone looks for it twice, in vain."""
    session = await start(stage, _strap())
    heart = Heart(session.sensor.rng, 92)
    await session.stream(good(heart, 60))
    await session.disconnect()
    await session.sensor.device.stop_advertising()
    chip = stage.phone_device.host.chip

    def cancel(command):
        """What Bumble's controller leaves out: the attempt is over, and its end is told."""
        wanted, chip.pending_le_connection = chip.pending_le_connection, None
        end = hci.HCI_LE_Connection_Complete_Event(
            status=NOBODY,
            connection_handle=0,
            role=0,
            peer_address_type=wanted.peer_address_type,
            peer_address=wanted.peer_address,
            connection_interval=0,
            peripheral_latency=0,
            supervision_timeout=0,
            central_clock_accuracy=0,
        )
        asyncio.get_running_loop().call_later(0.002, chip.send_hci_packet, end)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    chip.on_hci_le_create_connection_cancel_command = cancel
    begin = stage.recorder.records + 1
    for _ in range(2):
        await asyncio.sleep(1.5)
        with contextlib.suppress(TimeoutError):
            await stage.phone_device.connect(hci.Address(session.sensor.address), timeout=12)
    stage.plant("connection-given-up", records=(begin, stage.recorder.records))


@fault("setup-missing")
async def setup_missing(stage: Stage):
    """The log begins when the phone is connected already, and discovers."""
    phone = await stage.phone(record=None)
    sensor = await stage.sensor(_strap())
    session = await stage.connect(sensor)
    await asyncio.sleep(0.5)
    phone.host.snooper = stage.recorder
    session.plant("setup-missing", event="connected")
    await session.discover()
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 114)
    await session.stream(good(heart, 60))
    await session.disconnect()


@fault("fragment-orphaned")
async def fragment_orphaned(stage: Stage):
    """Controllers with room for 27 octets; the second fragment of one measurement gets lost."""
    phone = await stage.phone(buffer_length=27)
    sensor = await stage.sensor(dataclasses.replace(_strap(), max_mtu=185), buffer_length=27)
    session = await stage.connect(sensor)
    await session.exchange_mtu(185)
    await session.discover()
    await session.subscribe("2A37")
    heart = Heart(sensor.rng, 77)

    async def stream(count):
        await session.stream((heart.measure(10.0, contact="detected") for _ in range(count)), period=10.0)

    await stream(6)
    await asyncio.sleep(0.5)
    chip = phone.host.chip
    send = chip.send_hci_packet
    chip.send_hci_packet = lambda packet: None if getattr(packet, "pb_flag", 0) == 1 else send(packet)
    begin = stage.recorder.records + 1
    await stream(1)
    await asyncio.sleep(0.5)
    chip.send_hci_packet = send
    # It never got through.
    session.measurements.pop()
    await stream(6)
    session.plant("fragment-orphaned", records=(begin, stage.recorder.records))
    await session.disconnect()
