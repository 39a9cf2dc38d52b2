package import CaptureFiles

/// Writes what goes over a host controller interface, packet by packet: connections, and what is said on them.
///
/// Time goes on by 10 ms with every packet.
package struct HostSide {
  /// The packets so far.
  package private(set) var packets: [CapturedPacket] = []
  /// When the next packet comes.
  package var time = CapturedPacket.start
  /// The adapter whose packets are written.
  package var adapter: UInt16 = 0
  /// How many octets the capture keeps of ACL packets; nil: all.
  package var keptACLOctets: Int?
  /// The Packet_Boundary_Flag of the host's starts: 00, or on BR/EDR links 10 as well.
  package var sentStart: UInt16 = 0b00

  /// What a time of zero in a btsnoop file comes to: days before the year 0, in microseconds since 1970.
  package static let neverSet = -BTSnoopBuilder.epoch

  /// A quiet controller.
  package init() {}

  /// A whole file of the packets.
  package func file(_ container: Container = .btsnoopH4) -> [UInt8] { container.file(packets) }

  /// Any packet.
  package mutating func add(_ content: RecordContent, _ direction: Direction, _ octets: [UInt8], kept: Int? = nil) {
    packets.append(CapturedPacket(content, direction, octets, kept: kept, time: time, adapter: adapter))
    time += 10_000
  }

  /// The capture keeps no more than so many octets of any ACL packet.
  package mutating func keepOnly(_ octets: Int) {
    for place in packets.indices where packets[place].content == .aclData { packets[place].kept = octets }
  }

  /// The capture keeps no more than so many octets of the last packet.
  package mutating func cutLast(to octets: Int) { packets[packets.count - 1].kept = octets }

  /// Waits.
  package mutating func wait(milliseconds: Int64) { time += milliseconds * 1000 }

  /// A command.
  package mutating func command(_ opcode: UInt16, _ parameters: [UInt8] = []) {
    add(.command, .sent, opcode.little + [UInt8(parameters.count)] + parameters)
  }

  /// An event.
  package mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
    add(.event, .received, [code, UInt8(parameters.count)] + parameters)
  }

  /// A Low Energy event.
  package mutating func leEvent(_ subevent: UInt8, _ parameters: [UInt8]) {
    event(0x3E, [subevent] + parameters)
  }
}

// MARK: - Connections

/// The forms in which a controller tells of a Low Energy connection.
package enum ConnectionCompleteForm: UInt8, CaseIterable, Sendable {
  case legacy = 0x01
  case enhanced = 0x0A
  case enhancedV2 = 0x29
}

extension HostSide {
  /// An address whose last octet tells devices apart.
  package static func address(_ last: UInt8) -> [UInt8] { [last, 0x11, 0x22, 0x33, 0x44, 0xC5] }

  /// A Low Energy connection was made, or not. The peer is `C5:44:33:22:11:` and the octet given, a random address.
  package mutating func connected(
    _ handle: UInt16 = 0x40, peer: UInt8 = 1, _ form: ConnectionCompleteForm = .legacy, status: UInt8 = 0,
    isPeripheral: Bool = false
  ) {
    var parameters = [status] + handle.little + [isPeripheral ? 1 : 0, 0x01] + Self.address(peer)
    if form != .legacy { parameters += Array(repeating: 0, count: 12) }
    parameters += UInt16(24).little + UInt16(3).little + UInt16(72).little + [0x00]
    if form == .enhancedV2 { parameters += [0xFF] + UInt16(0xFFFF).little }
    leEvent(form.rawValue, parameters)
  }

  /// The host asks for a Low Energy connection.
  package mutating func create(peer: UInt8 = 1) {
    command(0x200D, hex("60 00 30 00 00 01") + Self.address(peer) + hex("00 18 00 18 00 03 00 48 00 00 00 00 00"))
  }

  /// It has asked for twenty seconds, and gives up. Core 6.0, Vol 4, Part E, 7.8.13.
  package mutating func cancelCreation(isPublic: Bool = false) {
    event(0x0F, hex("00 01 0d 20"))
    wait(milliseconds: 20_000)
    command(0x200E)
    event(0x0E, hex("01 0e 20 00"))
    leEvent(0x01, hex("02 00 00 00") + [isPublic ? 0 : 1] + Self.address(1) + hex("00 00 00 00 00 00 00"))
  }

  /// The host asks for a connection with anyone on the filter accept list.
  package mutating func createWithAcceptList() {
    command(0x200D, hex("60 00 30 00 01 00 00 00 00 00 00 00 00 18 00 18 00 03 00 48 00 00 00 00 00"))
  }

  /// A device is put on the filter accept list.
  package mutating func accept(peer: UInt8, status: UInt8 = 0) {
    command(0x2011, [0x01] + Self.address(peer))
    event(0x0E, hex("01 11 20") + [status])
  }

  /// A BR/EDR connection was made.
  package mutating func connectedClassic(_ handle: UInt16 = 0x40, peer: UInt8 = 1) {
    event(0x03, [0] + handle.little + Self.address(peer) + [0x01, 0x00])
  }

  /// A connection ended.
  package mutating func disconnected(_ handle: UInt16 = 0x40, reason: UInt8 = 0x13) {
    event(0x05, [0] + handle.little + [reason])
  }
}

// MARK: - Data

extension HostSide {
  /// A fragment as it is.
  package mutating func fragment(
    on handle: UInt16 = 0x40, _ direction: Direction, isContinuation: Bool = false, isBroadcast: Bool = false,
    _ data: [UInt8]
  ) {
    // The controller's starts are 10; both continue with 01. The Broadcast_Flag is above: 01.
    let boundary: UInt16 = (isContinuation ? 0b01 : direction == .sent ? sentStart : 0b10) | (isBroadcast ? 0b100 : 0)
    add(
      .aclData, direction, (handle | boundary << 12).little + UInt16(data.count).little + data, kept: keptACLOctets)
  }

  /// An L2CAP PDU, split into fragments of the lengths given; the last takes what is left.
  package mutating func l2cap(
    on handle: UInt16 = 0x40, _ direction: Direction, channel: UInt16, _ payload: [UInt8], split: [Int] = []
  ) {
    var rest = (UInt16(payload.count).little + channel.little + payload)[...]
    var isContinuation = false
    for length in split {
      fragment(on: handle, direction, isContinuation: isContinuation, Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
      isContinuation = true
    }
    if !rest.isEmpty || split.isEmpty { fragment(on: handle, direction, isContinuation: isContinuation, Array(rest)) }
  }

  /// Two enhanced bearers are asked for, 40 and 41 here, and given, 50 and 51 there: 185 octets are taken here, 100 there.
  package mutating func openEnhancedBearers() {
    l2cap(.sent, channel: 5, hex("17 07 0c 00 27 00 b9 00 40 00 0a 00 40 00 41 00"))
    l2cap(.received, channel: 5, hex("18 07 0c 00 64 00 40 00 0a 00 00 00 50 00 51 00"))
  }

  /// The channel of ATT over BR/EDR is asked for, by its number here, and given, by its number there.
  package mutating func openClassicATT(on handle: UInt16 = 0x40, here: UInt16 = 0x40, there: UInt16) {
    l2cap(on: handle, .sent, channel: 1, hex("02 01 04 00 1f 00") + here.little)
    l2cap(on: handle, .received, channel: 1, hex("03 01 08 00") + there.little + here.little + hex("00 00 00 00"))
  }

  /// An ATT PDU that the host sends over the unenhanced bearer.
  package mutating func sent(on handle: UInt16 = 0x40, _ pdu: [UInt8], split: [Int] = []) {
    l2cap(on: handle, .sent, channel: 0x0004, pdu, split: split)
  }

  /// An ATT PDU that it receives.
  package mutating func received(on handle: UInt16 = 0x40, _ pdu: [UInt8], split: [Int] = []) {
    l2cap(on: handle, .received, channel: 0x0004, pdu, split: split)
  }

  /// A notification from the peer.
  package mutating func notified(
    on handle: UInt16 = 0x40, attribute: UInt16 = 16, _ value: [UInt8], split: [Int] = []
  ) {
    received(on: handle, [0x1B] + attribute.little + value, split: split)
  }

  /// So many measurements, a second apart, whose rates change by a beat or two.
  package mutating func measured(_ count: Int) {
    for place in 0..<count {
      wait(milliseconds: 990)
      notified([0, UInt8(60 + place % 3)])
    }
  }

  /// Heart rates that rise, and begin anew at 110; a second or so apart, in times that nobody has rounded, or to so many µs.
  package mutating func notifyRates(_ count: Int, rounding: Int64 = 1) {
    for second in 0..<Int64(count) {
      notified([0x00, UInt8(60 + second % 50)])
      time += 980_000 + second * 7919 % 20_011
      time -= time % rounding
    }
  }

  /// A write that the peer acknowledges.
  package mutating func write(on handle: UInt16 = 0x40, attribute: UInt16, _ value: [UInt8]) {
    sent(on: handle, [0x12] + attribute.little + value)
    received(on: handle, [0x13])
  }

  /// Connects, discovers the heart rate service 14 to 19, and subscribes to its measurements, 16.
  package mutating func subscribe() {
    connected()
    discoverHeartRate()
    write(attribute: 17, [1, 0])
  }

  /// Connects, discovers heart rate services 14 to 19 and 40 to 45, and subscribes to the measurements of both, 16 and 42.
  package mutating func subscribeToTwoServices() {
    connected()
    discoverHeartRate()
    discoverHeartRate(first: 40)
    write(attribute: 17, [1, 0])
    write(attribute: 43, [1, 0])
  }

  /// The peer discovers the local host's heart rate service, 14 to 19: measurement 16, location 19.
  package mutating func showHeartRate() {
    received(hex("10 01 00 ff ff 00 28"))
    sent(hex("11 06 0e 00 13 00 0d 18"))
    received(hex("08 0e 00 13 00 03 28"))
    sent(hex("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a"))
  }

  /// The heart rate service is discovered, 14 to 19: measurement 16, its configuration 17, location 19.
  /// With `first`, everything begins at another handle; with a control point, that is 21.
  package mutating func discoverHeartRate(
    on handle: UInt16 = 0x40, first: UInt16 = 14, hasControlPoint: Bool = false
  ) {
    let last = first + (hasControlPoint ? 7 : 5)
    let controlPoint = hasControlPoint ? (first + 6).little + [0x08] + (first + 7).little + hex("39 2a") : []
    sent(on: handle, [0x10] + hex("01 00 ff ff 00 28"))
    received(on: handle, [0x11, 0x06] + first.little + last.little + hex("0d 18"))
    sent(on: handle, [0x08] + first.little + last.little + hex("03 28"))
    received(
      on: handle,
      [0x09, 0x07] + (first + 1).little + [0x10] + (first + 2).little + hex("37 2a") + (first + 4).little + [0x02]
        + (first + 5).little + hex("38 2a") + controlPoint)
    sent(on: handle, [0x04] + (first + 3).little + (first + 3).little)
    received(on: handle, [0x05, 0x01] + (first + 3).little + hex("02 29"))
  }

  /// A connection on which the heart rate service is discovered.
  package static var discovered: HostSide {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    return host
  }

  /// The characteristics from 1 on are looked for, of which the first is the peer's name, 2 and 3; and it is read.
  package mutating func readName(_ name: String) {
    sent(hex("08 01 00 ff ff 03 28"))
    received(hex("09 07 02 00 02 03 00 00 2a"))
    sent(hex("0a 03 00"))
    received([0x0B] + Array(name.utf8))
  }

  /// The battery service is discovered behind it, 20 to 23: level 22, its configuration 23.
  package mutating func discoverBattery() {
    sent(hex("10 14 00 ff ff 00 28"))
    received(hex("11 06 14 00 17 00 0f 18"))
    sent(hex("08 14 00 17 00 03 28"))
    received(hex("09 07 15 00 12 16 00 19 2a"))
    sent(hex("04 17 00 17 00"))
    received(hex("05 01 17 00 02 29"))
  }
}
