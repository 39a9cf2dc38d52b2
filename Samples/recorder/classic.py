"""ATT over BR/EDR, which Bumble does not offer by itself: its GATT client and server on its L2CAP channel."""

import asyncio

from bumble import att, gatt_client, hci, l2cap

from .stage import Session

# Public addresses have a maker's prefix: these are the ones kept for documentation (RFC 7042).
PHONE = "00:00:5E:00:53:10"
SENSOR = "00:00:5E:00:53:A7"
MTU = 185


async def connect(stage, phone, sensor):
    """A classic connection, a channel on PSM 0x001F, and both ends of ATT on it."""
    accepted = asyncio.get_running_loop().create_future()
    spec = l2cap.ClassicChannelSpec(psm=att.ATT_PSM, mtu=MTU)
    sensor.device.create_l2cap_server(spec, accepted.set_result)
    address = hci.Address(SENSOR, hci.Address.PUBLIC_DEVICE_ADDRESS)
    connection = await phone.connect_classic(address)
    channel = await connection.create_l2cap_channel(spec)
    server_channel = await accepted

    session = Session(sensor, connection, server_channel.connection, handle=connection.handle)
    session.address_type, session.att_mtu = "public", MTU
    session.client = _client_on(channel, connection)
    _server_on(server_channel, sensor.device.gatt_server)
    stage.sessions.append(session)
    return session


def _client_on(channel, connection):
    client = gatt_client.Client(connection)
    client.send_gatt_pdu = channel.write
    channel.sink = lambda pdu: client.on_gatt_pdu(att.ATT_PDU.from_bytes(pdu))
    connection.on_att_mtu_update(MTU)
    return client


def _server_on(channel, server):
    server.send_gatt_pdu = lambda bearer, pdu: channel.write(pdu)
    channel.sink = lambda pdu: server.on_gatt_pdu(channel.connection, att.ATT_PDU.from_bytes(pdu))
    channel.connection.on_att_mtu_update(MTU)
