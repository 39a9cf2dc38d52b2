import CaptureAnalysis
import CaptureFiles
import Octets
import Testing
import TestSupport

/// What the sensor of a log is like, of all of it or of a part.
func comparedCapture(
  _ name: String, _ octets: [UInt8], _ filter: EventFilter = EventFilter()
) throws -> ComparedCapture {
  let recorder = BehaviourRecorder(filter)
  var analyzer = Analyzer(into: recorder.receiver)
  try deliver(octets, .whole) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
  return recorder.capture(path: name, facts: analyzer.facts)
}

/// The connections that two logs have in common.
func sharedConnections(
  _ first: [UInt8], _ second: [UInt8], _ choices: (SensorChoice, SensorChoice) = (.automatic, .automatic),
  _ filter: EventFilter = EventFilter()
) throws -> [SharedConnection] {
  let sides = [
    try choices.0.side(of: [try comparedCapture("first", first, filter)]),
    try choices.1.side(of: [try comparedCapture("second", second, filter)]),
  ]
  return Comparison(sides).shared
}

/// Which connections of two logs are one.
@Suite struct `Shared connections` {
  private func numbers(_ shared: [SharedConnection]) -> [[Int]] {
    shared.map { [$0.connections.first.summary.id, $0.connections.second.summary.id] }
  }

  /// A sensor sends the same to two phones, of which the second came later, and each lacks something.
  @Test func `of two phones, each has its own`() throws {
    var logs = BothLogs(phones: 2)
    logs.connect(0, at: 0)
    for second in 1..<100 {
      if second == 30 { logs.connect(1, at: 30_500) }
      let time = Int64(second) * 1000
      logs.measure(BothLogs.value(second), at: time, for: 0, arrives: second != 60)
      if second > 31 { logs.measure(BothLogs.value(second), at: time + 3, for: 1, arrives: second != 70) }
    }
    for phone in 0..<2 { logs.disconnect(phone, at: 100_000) }
    let sensor = logs.sensor.file()
    for phone in 0..<2 {
      let file = logs.phones[phone].file()
      #expect(numbers(try sharedConnections(file, sensor)) == [[1, phone + 1]])
      #expect(numbers(try sharedConnections(sensor, file)) == [[phone + 1, 1]])
      let other: SensorChoice = .connection(2 - phone)
      #expect(try sharedConnections(file, sensor, (.automatic, other)).isEmpty)
    }
    // Two phones of one sensor are no connection either.
    #expect(try sharedConnections(logs.phones[0].file(), logs.phones[1].file()).isEmpty)
  }

  /// A program sends the same on every connection.
  @Test func `of like ones, those that agree on the clocks`() throws {
    var logs = BothLogs()
    var time: Int64 = 0
    for connection in 0..<3 {
      logs.connect(at: time)
      for place in 0..<20 { logs.measure(BothLogs.value(place), at: time + 1000 * Int64(place + 1)) }
      logs.disconnect(at: time + 21_000)
      time += 25_000 + 3000 * Int64(connection)
    }
    let shared = try sharedConnections(logs.phones[0].file(), logs.sensor.file())
    #expect(numbers(shared) == [[1, 1], [2, 2], [3, 3]])
    #expect(shared.allSatisfy { abs($0.clock.offset - 7) < 0.05 })
  }

  /// Each of very many against each of another's is soon told to be none, where the controllers gave other handles.
  @Test func `of very many, none is another`() throws {
    func log(_ handle: UInt16) -> [UInt8] {
      var host = HostSide()
      for connection in 0..<700 {
        host.connected(handle)
        for second in 0..<8 { host.notified(on: handle, attribute: 16, [0, 60 + UInt8((connection + second) % 9)]) }
        host.disconnected(handle)
      }
      // What the first connection tells of the table holds for all.
      var first = HostSide()
      first.time -= 60_000_000
      first.connected(handle)
      first.discoverHeartRate(on: handle)
      first.disconnected(handle)
      return Container.btsnoopH4.file(first.packets + host.packets)
    }
    let sides = try [0x40, 0x41].map { handle in
      try SensorChoice.automatic.side(of: [try comparedCapture("\(handle)", log(handle))])
    }
    try #require(sides.allSatisfy { $0.connections.count == 701 })
    #expect(Comparison(sides, ignoring: Set(ComparisonAspects.names)).shared.isEmpty)
  }

  /// A program that counts, for so many seconds: nothing else tells two sessions apart.
  private func counting(from begin: Int64, _ count: Int, opened: Int64 = 0) -> BothLogs {
    var logs = BothLogs(sensorAhead: begin)
    logs.phonesAhead = begin
    logs.connect(at: opened)
    for second in 0..<count {
      logs.measure([0x06, UInt8(90 + second % 70)], at: opened + 1000 * Int64(second + 1) + Int64(second * 7 % 20))
    }
    logs.disconnect(at: opened + 1000 * Int64(count + 1))
    return logs
  }

  /// A day of workouts is much to lay side by side: what was there at the same time comes first.
  @Test func `of many long ones, all are found`() throws {
    var host = HostSide()
    for connection in 0..<12 {
      host.subscribe()
      for place in 0..<7000 {
        host.notified(BothLogs.value(place &* 31 &+ connection &* 977))
        host.wait(milliseconds: 990)
      }
      host.disconnected()
      host.wait(milliseconds: 60_000)
    }
    let file = host.file()
    #expect(numbers(try sharedConnections(file, file)) == (1...12).map { [$0, $0] })
  }

  /// Of a session of another day, or of the same.
  @Test(arguments: [3 * 86_400_000 + 5000, 754_321] as [Int64])
  func `like sessions at different times are two`(later: Int64) throws {
    let first = counting(from: 0, 100)
    let phone = first.phones[0].file()
    #expect(try sharedConnections(phone, counting(from: later, 100).phones[0].file()).isEmpty)
    let shorter = counting(from: later, 80)
    #expect(try sharedConnections(phone, shorter.phones[0].file()).isEmpty)
    #expect(try sharedConnections(phone, shorter.sensor.file()).isEmpty)
    // But those of the same time are one, with any clock, as each log tells who sends.
    #expect(numbers(try sharedConnections(phone, first.sensor.file())) == [[1, 1]])
    #expect(numbers(try sharedConnections(phone, phone)) == [[1, 1]])
  }

  /// Two logs of one host, of which one has another clock: intervals do not come again.
  @Test func `intervals prove what rates do not`() throws {
    var (logs, later) = (BothLogs(), BothLogs())
    later.phonesAhead = 12_345_678
    for second in 0..<30 {
      if second == 0 {
        logs.connect(at: 0)
        later.connect(at: 0)
      }
      logs.measure(BothLogs.value(second), at: 1000 * Int64(second + 1))
      later.measure(BothLogs.value(second), at: 1000 * Int64(second + 1))
    }
    #expect(numbers(try sharedConnections(logs.phones[0].file(), later.phones[0].file())) == [[1, 1]])
  }

  /// A heart at rest: both logs hold how the connection began, or how it was discovered, at one time.
  @Test(arguments: [0, 1])
  func `of values that hardly change, the beginning proves it`(leftOut: Int) throws {
    var logs = BothLogs()
    logs.connect(at: 0)
    for second in 0..<40 { logs.measure([0, second < 20 ? 66 : second < 25 ? 65 : 66], at: 1000 * Int64(second + 1)) }
    let files = [logs.phones[0], logs.sensor].map { Container.btsnoopH4.file(Array($0.packets.dropFirst(leftOut))) }
    let shared = try sharedConnections(files[0], files[1])
    #expect(numbers(shared) == [[1, 1]] && shared.first?.matched == 40)
  }

  /// Of two connections on which the same was asked in another order, nothing proves that they are one.
  @Test(arguments: [false, true])
  func `of values that hardly change, only one beginning in the same order proves it`(isTurned: Bool) throws {
    var logs = BothLogs()
    logs.connect(at: 0)
    for second in 0..<40 { logs.measure([0, second < 20 ? 66 : second < 25 ? 65 : 66], at: 1000 * Int64(second + 1)) }
    var (phone, sensor) = (logs.phones[0].packets.dropFirst(), logs.sensor.packets.dropFirst())
    if isTurned {
      // Five questions and their answers, the last first.
      for place in 0..<10 { sensor[1 + place].octets = logs.sensor.packets[9 - place + 2 * (place % 2)].octets }
    }
    let files = [phone, sensor].map { Container.btsnoopH4.file(Array($0)) }
    #expect(numbers(try sharedConnections(files[0], files[1])) == (isTurned ? [] : [[1, 1]]))
  }

  /// What comes waits for the connection's next event, 30 ms at the most: half of that is no drift.
  @Test(arguments: [(120, false), (240, true)])
  func `have clocks that drift, once that is longer than a way may take`(count: Int, isTold: Bool) throws {
    var logs = BothLogs()
    logs.connect(at: 0)
    for second in 1...count {
      logs.sensorAhead = 7000 + Int64(second) / 10
      logs.measure(BothLogs.value(second), at: 1000 * Int64(second))
    }
    let shared = try #require(try sharedConnections(logs.phones[0].file(), logs.sensor.file()).first)
    #expect(shared.matched == count && (shared.clock.drift.map { (80...120).contains($0) } ?? false) == isTold)
    #expect((shared.clock.drift != nil) == isTold)
  }

  /// Two adapters of one computer.
  @Test func `in one capture, there is one clock`() throws {
    var logs = BothLogs(sensorAhead: 0)
    logs.sensor.adapter = 1
    logs.connect(at: 0)
    for second in 0..<30 { logs.measure(BothLogs.value(second), at: 1000 * Int64(second + 1), arrives: second != 9) }
    logs.disconnect(at: 32_000)
    let packets = (logs.phones[0].packets + logs.sensor.packets).sorted { $0.time < $1.time }
    let capture = try comparedCapture("both", Container.btsnoopMonitor.file(packets))
    let shared = Comparison(SensorChoice.allSides(of: [capture])).shared
    let only = try #require(shared.first)
    #expect(shared.count == 1 && only.hasOneClock && only.clock.offset == 0)
    #expect(only.matched == 29 && only.lone.first.count + only.lone.second.count == 1)
  }
}
