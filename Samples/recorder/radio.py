"""The simulated radio link and the two controllers at its ends.

Bumble's controller and link do the work. What is added here makes a log look like one of a real chip:
packets take time, connection handles start where chips start them, advertising and scan response data
differ, long packets are fragmented towards the host, and a local disconnection says 0x16.
"""

import asyncio
import dataclasses

from bumble import controller, hci, ll
from bumble.core import PhysicalTransport
from bumble.link import LocalLink

FIRST_HANDLE = 0x0040


class Queue:
    """Calls functions after a random delay, in the order in which they were given."""

    def __init__(self, rng, shortest, longest):
        self.rng, self.shortest, self.longest = rng, shortest, longest
        self.last = 0.0

    def call(self, function, *arguments):
        loop = asyncio.get_running_loop()
        due = loop.time() + self.rng.uniform(self.shortest, self.longest)
        # asyncio does not promise an order for equal times.
        self.last = max(due, self.last + 0.00005)
        loop.call_at(self.last, function, *arguments)


class Air(LocalLink):
    """A link on which every packet waits for the next connection event."""

    def __init__(self, rng):
        super().__init__()
        # Bumble keeps a set, whose order changes from run to run.
        self.controllers = []
        self.rng = rng
        self.queues = {}

    def add_controller(self, controller):
        self.controllers.append(controller)

    def _queue(self, sender, receiver):
        return self.queues.setdefault((bytes(sender), bytes(receiver)), Queue(self.rng, 0.0075, 0.021))

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        low_energy = transport == PhysicalTransport.LE
        sender = sender_controller.random_address if low_energy else sender_controller.public_address
        self._queue(sender, destination_address).call(
            super().send_acl_data, sender_controller, destination_address, transport, data
        )

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        self._queue(sender_address, receiver_address).call(
            super().send_ll_control_pdu, sender_address, receiver_address, packet
        )

    def send_lmp_packet(self, sender_controller, receiver_address, packet):
        self._queue(sender_controller.public_address, receiver_address).call(
            super().send_lmp_packet, sender_controller, receiver_address, packet
        )


class Chip(controller.Controller):
    """Bumble's controller with a few habits of real ones."""

    acl_data_packet_length = 1021
    le_acl_data_packet_length = 251
    supported_max_tx_octets = 251
    supported_max_rx_octets = 251

    def __init__(self, name, link, rng, extended_advertising=False, buffer_length=251, public_address=None):
        super().__init__(name, link=link, public_address=public_address)
        self.rng = rng
        self.to_host = Queue(rng, 0.0003, 0.0011)
        self.le_acl_data_packet_length = buffer_length
        self.supported_max_tx_octets = self.supported_max_rx_octets = buffer_length
        self.disconnecting_here = False
        self.connect_indication = None
        self.reported = set()
        self.extended = extended_advertising
        if self.extended:
            command = hci.HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND
            self.supported_commands = {*self.supported_commands, command}
        else:
            self.le_features = self.le_features & ~hci.LeFeatureMask.LE_EXTENDED_ADVERTISING

    def allocate_connection_handle(self):
        """The lowest free handle from 0x40, as chips do: a handle is used again at once."""
        connections = [*self.le_connections.values(), *self.classic_connections.values()]
        used = {connection.handle for connection in connections}
        return next(handle for handle in range(FIRST_HANDLE, 0x0EFF) if handle not in used)

    def send_hci_packet(self, packet):
        if isinstance(packet, hci.HCI_LE_Connection_Complete_Event):
            packet = self._connection_complete(packet)
        if self.host:
            self.to_host.call(self.host.on_packet, bytes(packet))

    def _connection_complete(self, event):
        """Give a peripheral the parameters of its central, where Bumble makes some up.

        A chip with extended advertising reports a connection by the enhanced event.
        """
        fields = {field.name: getattr(event, field.name) for field in dataclasses.fields(event) if field.init}
        if event.role == hci.Role.PERIPHERAL:
            asked = self.connect_indication
            fields["connection_interval"] = asked.interval
            fields["peripheral_latency"] = asked.latency
            fields["supervision_timeout"] = asked.timeout
            fields["central_clock_accuracy"] = 1
        if not self.extended:
            return hci.HCI_LE_Connection_Complete_Event(**fields)
        return hci.HCI_LE_Enhanced_Connection_Complete_Event(
            **fields,
            local_resolvable_private_address=hci.Address.ANY,
            peer_resolvable_private_address=hci.Address.ANY,
        )

    def on_le_connect_ind(self, packet):
        self.connect_indication = packet
        super().on_le_connect_ind(packet)

    # A controller reports a disconnection that its own host asked for as 0x16, whatever reason the host
    # gave for the peer's benefit. Bumble repeats the host's reason.

    def on_hci_disconnect_command(self, command):
        self.disconnecting_here = True
        super().on_hci_disconnect_command(command)
        self.disconnecting_here = False

    def _reason_here(self, reason):
        ours = hci.HCI_ErrorCode.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR
        return ours if self.disconnecting_here else reason

    def on_le_disconnected(self, connection, reason):
        super().on_le_disconnected(connection, self._reason_here(reason))

    def on_classic_disconnected(self, peer_address, reason):
        super().on_classic_disconnected(peer_address, self._reason_here(reason))

    def on_link_acl_data(self, sender_address, transport, data):
        low_energy = transport == PhysicalTransport.LE
        connections = self.le_connections if low_energy else self.classic_connections
        connection = connections.get(sender_address)
        if connection is None:
            return
        size = self.le_acl_data_packet_length if low_energy else self.acl_data_packet_length
        for offset in range(0, len(data), size):
            part = data[offset : offset + size]
            boundary = 1 if offset else 2
            self.send_hci_packet(hci.HCI_AclDataPacket(connection.handle, boundary, 0, len(part), part))

    # Advertising: Bumble neither filters duplicates nor tells scan responses from advertising.

    def on_hci_le_set_scan_enable_command(self, command):
        self.reported.clear()
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_le_set_extended_scan_enable_command(self, command):
        self.reported.clear()
        return super().on_hci_le_set_extended_scan_enable_command(command)

    def on_advertising_pdu(self, pdu):
        address, wanted = pdu.advertiser_address, self.pending_le_connection
        repeated = self.filter_duplicates and address in self.reported
        self.reported.add(address)
        if isinstance(pdu, ll.AdvExtInd):
            if wanted or not repeated:
                super().on_advertising_pdu(pdu)
            return
        if self.le_scan_enable and not repeated:
            self._report(pdu)
        if wanted and wanted.peer_address == address:
            self.create_le_connection(address)

    def _report(self, pdu):
        event = hci.HCI_LE_Advertising_Report_Event
        advertiser = self.link.find_le_controller(pdu.advertiser_address).le_legacy_advertiser
        strength = self.rng.randint(-71, -58)
        kinds = [(event.EventType.ADV_IND, pdu.data)]
        if self.le_scan_type == 1:
            kinds.append((event.EventType.SCAN_RSP, advertiser.scan_response_data))
        for kind, data in kinds:
            report = event.Report(
                event_type=kind,
                address_type=pdu.advertiser_address.address_type,
                address=pdu.advertiser_address,
                data=data,
                rssi=strength,
            )
            self.send_hci_packet(event([report]))
