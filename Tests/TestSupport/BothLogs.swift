/// Writes what the logs of a sensor and of its phones hold of their connections, each by its own clock.
///
/// Times are milliseconds from a beginning; a way takes 15 ms.
package struct BothLogs {
  package var phones: [HostSide]
  package var sensor = HostSide()
  /// How far the clocks of the phones are ahead, in milliseconds.
  package var phonesAhead: Int64 = 0
  /// How far that of the sensor is.
  package var sensorAhead: Int64

  package init(phones: Int = 1, sensorAhead: Int64 = 7000) {
    self.phones = Array(repeating: HostSide(), count: phones)
    self.sensorAhead = sensorAhead
  }

  private static let way: Int64 = 15

  private mutating func onPhone(_ phone: Int, at time: Int64, _ body: (inout HostSide) -> Void) {
    phones[phone].time = CapturedPacket.start + (time + phonesAhead) * 1000
    body(&phones[phone])
  }

  private mutating func onSensor(at time: Int64, _ body: (inout HostSide) -> Void) {
    sensor.time = CapturedPacket.start + (time + sensorAhead) * 1000
    body(&sensor)
  }

  /// The connection handle of a phone in the sensor's log; in its own, it is 0x40.
  private func handle(_ phone: Int) -> UInt16 { 0x10 + UInt16(phone) }

  /// A phone connects, discovers the heart rate service as `HostSide` does, and subscribes: that takes a quarter of a second.
  package mutating func connect(_ phone: Int = 0, at time: Int64) {
    let handle = handle(phone)
    onPhone(phone, at: time) { $0.connected(peer: 1) }
    onSensor(at: time) { $0.connected(handle, peer: UInt8(2 + phone), isPeripheral: true) }
    let requests = ["10 01 00 ff ff 00 28", "08 0e 00 13 00 03 28", "04 11 00 11 00", "12 11 00 01 00", "0a 13 00"]
    let responses = [
      "11 06 0e 00 13 00 0d 18", "09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a", "05 01 11 00 02 29", "13", "0b 01",
    ]
    for (place, pair) in zip(requests, responses).enumerated() {
      let start = time + 20 + 45 * Int64(place)
      onPhone(phone, at: start) { $0.sent(hex(pair.0)) }
      onSensor(at: start + Self.way) { $0.received(on: handle, hex(pair.0)) }
      onSensor(at: start + Self.way + 2) { $0.sent(on: handle, hex(pair.1)) }
      onPhone(phone, at: start + 2 * Self.way + 2) { $0.received(hex(pair.1)) }
    }
  }

  /// The sensor sends a measurement, which arrives, or does not.
  package mutating func measure(
    _ value: [UInt8], at time: Int64, for phone: Int = 0, arrives: Bool = true, after delay: Int64 = 15
  ) {
    let handle = handle(phone)
    onSensor(at: time) { $0.sent(on: handle, [0x1B, 16, 0] + value) }
    if arrives { onPhone(phone, at: time + delay) { $0.notified(value) } }
  }

  /// A phone ends its connection.
  package mutating func disconnect(_ phone: Int = 0, at time: Int64) {
    let handle = handle(phone)
    onPhone(phone, at: time) { $0.disconnected(reason: 0x16) }
    onSensor(at: time + Self.way) { $0.disconnected(handle, reason: 0x13) }
  }

  /// A value with an interval, as no other of the first thousand is.
  package static func value(_ place: Int) -> [UInt8] {
    [0x10, UInt8(60 + place * 7 % 23)] + UInt16(700 + place * 389 % 1009).little
  }
}
