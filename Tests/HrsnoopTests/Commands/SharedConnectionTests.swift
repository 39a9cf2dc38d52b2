import Foundation
import Testing
import TestSupport

/// One connection in two captures: recorded on both ends, with what never arrived known.
@Suite struct `A connection in both captures` {
  private struct BothEnds: Decodable {
    let captures: [String]
    let aheadS: Double
    let driftPpm: Double
    let lost: [String]
    let measurements: Int
  }

  private static let folder = Sample.named("polar-h7.btsnoop").path.dropLast("polar-h7.btsnoop".count)

  private func truth(_ name: String) throws -> BothEnds {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let url = URL(filePath: "\(Self.folder)Comparisons/\(name).truth.json")
    return try decoder.decode(BothEnds.self, from: Data(contentsOf: url))
  }

  private func shared(_ paths: [String]) async throws -> [JSON] {
    let outcome = try await Program.run(["diff", "--format", "json"] + paths)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return try #require(try outcome.json()["shared_connections"]?.array)
  }

  /// Which measurements were lost, by their places in the sensor's own log: `Samples/recorder/comparisons.py`.
  private static let lost = ["both-ends": [17, 40, 41, 88], "both-ends-drifting": [5, 120, 121, 122, 233]]

  @Test(arguments: ["both-ends", "both-ends-drifting"])
  func `what was lost on the air is named, by clocks that differ`(name: String) async throws {
    let truth = try truth(name)
    let paths = truth.captures.map { "\(Self.folder)Comparisons/\($0)" }
    let shared = try #require(try await shared(paths).first)
    #expect(shared["matched"]?.int == truth.measurements - truth.lost.count)
    let only = try #require(shared["only"]?.array)
    #expect(only.first?.array == [])
    let lone = try #require(only.last?.array)
    #expect(lone.map { $0["raw"]?.string } == truth.lost)

    let analysis = try await Program.run(["--format", "json", paths[1]]).json()
    let connection = try #require(analysis["captures"]?.array?.first?["connections"]?.array?.first)
    let all = try #require(connection["heart_rate"]?["measurements"]?.array)
    let frames = try #require(Self.lost[name]).map { all[$0]["frame"] }
    #expect(lone.map { $0["frame"] } == frames)

    let clock = try #require(shared["clock"])
    // What went the one way and what went the other tells how far it may be off.
    let uncertainty = try #require(clock["uncertainty_s"]?.number)
    #expect(uncertainty < 0.01)
    #expect(abs(try #require(clock["offset_s"]?.number) - truth.aheadS) <= uncertainty)
    #expect(abs((clock["drift_ppm"]?.number ?? 0) - truth.driftPpm) < 20)
  }

  /// The other way round the sides change their places, and nothing else.
  @Test func `in either order`() async throws {
    let truth = try truth("both-ends")
    let paths = truth.captures.map { "\(Self.folder)Comparisons/\($0)" }
    let shared = try #require(try await shared(paths.reversed()).first)
    #expect(shared["only"]?.array?.map { $0.array?.count } == [truth.lost.count, 0])
    #expect(abs(try #require(shared["clock"]?["offset_s"]?.number) + truth.aheadS) < 0.01)
    let text = try await Program.run(["diff"] + paths)
    #expect(text.output.contains("4 measurements that 2 sent never reached 1: lost on the way."))
  }

  /// As if the clock of the sensor had never been set: what was lost is told by how long it had run.
  @Test(arguments: ["text", "markdown"])
  func `of a clock that was never set`(format: String) async throws {
    let paths = try truth("both-ends").captures.map { "\(Self.folder)Comparisons/\($0)" }
    let undated = Self.countingFromZero([UInt8](try Data(contentsOf: URL(filePath: paths[1]))))
    try await TemporaryFolder.with { folder in
      let path = try folder.file("sensor.btsnoop", undated)
      let lines = try await Program.run(["diff", "--format", format, paths[0], path]).lines
      let lone = lines.filter { $0.contains("only in 2") }
      #expect(lone.count == Self.lost["both-ends"]?.count)
      #expect(lone.allSatisfy { $0.contains(#/ \+\d+\.\d{3} s\b/#) && !$0.contains(#/\d\d:\d\d:/#) }, "\(lone)")
    }
  }

  /// A btsnoop file with its times taken from the first one on.
  private static func countingFromZero(_ file: [UInt8]) -> [UInt8] {
    var (file, place) = (file, 16)
    var first: UInt64?
    func number(_ range: Range<Int>) -> UInt64 { file[range].reduce(0) { $0 << 8 | UInt64($1) } }
    while place + 24 <= file.count {
      let (length, time) = (Int(number(place + 4..<place + 8)), number(place + 16..<place + 24))
      let passed = time - (first ?? time)
      first = first ?? time
      for octet in 0..<8 { file[place + 16 + octet] = UInt8(truncatingIfNeeded: passed >> (8 * (7 - octet))) }
      place += 24 + length
    }
    return file
  }

  /// A sensor without RR-Intervals whose rate hardly ever changes, and a quarter of whose measurements is lost: most runs of
  /// them look like others.
  @Test func `like measurements, of which many are lost`() async throws {
    var (phone, sensor) = (HostSide(), HostSide())
    phone.connected()
    phone.discoverHeartRate()
    phone.write(attribute: 17, [1, 0])
    sensor.connected(isPeripheral: true)
    sensor.showHeartRate()
    sensor.received(hex("12 11 00 01 00"))
    sensor.sent([0x13])
    let start = phone.time + 1_000_000
    var state = 4
    func random(_ count: Int) -> Int {
      state = (state &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
      return (state >> 16) % count
    }
    var (rate, lost) = (70 as UInt8, 0)
    for second in 0..<240 {
      let change = random(12)
      rate = change == 0 ? rate - 1 : change == 11 ? rate + 1 : rate
      let (sent, delay, isLost) = (980 * second + random(20), 3 + random(38), random(100) < 27)
      sensor.time = start + 1_500_000 + Int64(sent * 1000 - sent / 10)
      sensor.sent([0x1B, 16, 0, 0, rate])
      phone.time = start + Int64(sent + delay) * 1000
      if isLost { lost += 1 } else { phone.notified([0, rate]) }
    }
    let files = (phone.file(), sensor.file())
    try await TemporaryFolder.with { [lost] folder in
      let paths = [try folder.file("phone.btsnoop", files.0), try folder.file("sensor.btsnoop", files.1)]
      let shared = try #require(try await shared(paths).first)
      #expect(shared["matched"]?.int == 240 - lost)
      #expect(shared["only"]?.array?.map { $0.array?.count } == [0, lost])
      #expect(abs(try #require(shared["clock"]?["offset_s"]?.number) - 1.5) < 0.05)
      #expect(abs(try #require(shared["clock"]?["drift_ppm"]?.number) + 100) < 20)
    }
  }

  /// What the shorter log cannot have is not lacking in it, and told.
  @Test func `one that ends early`() async throws {
    let octets = try Sample.named("polar-h7.btsnoop").octets
    try await TemporaryFolder.with { folder in
      let whole = try folder.file("whole.log", octets)
      let half = try folder.file("half.log", Array(octets[..<(octets.count * 5 / 6)]))
      let all = try await Program.run(["--format", "json", half]).json()
      let connection = all["captures"]?.array?.first?["connections"]?.array?.first
      let measurements = try #require(connection?["heart_rate"]?["measurements"]?.array?.count)
      let rest = Sample.named("polar-h7.btsnoop").truth.connections[0].measurements.count - measurements
      let text = try await Program.run(["diff", whole, half]).output
      #expect(text.contains("In the time that both cover, neither lacks one that the other has."))
      #expect(text.contains("\(rest) more measurements in 1, from before or after 2."))
    }
  }

  @Test(arguments: ["polar-h7", "wahoo-tickr", "scosche-rhythm-plus"])
  func `two sessions of one sensor are two`(name: String) async throws {
    #expect(
      try await shared(["\(Self.folder)\(name).btsnoop", "\(Self.folder)Comparisons/\(name)-again.btsnoop"]) == [])
  }

  @Test(arguments: Sample.all.filter { $0.truth.connections[0].measurements.count >= 8 })
  func `a capture agrees with itself`(sample: Sample) async throws {
    let choice = sample.truth.connections.count > 1 ? ":1" : ""
    let shared = try #require(try await shared([sample.path + choice, sample.path + choice]).first)
    #expect(shared["clock"]?["offset_s"] == .number(0) && shared["clock"]?["drift_ppm"] == .null)
    #expect(shared["only"]?.array?.allSatisfy { $0 == .array([]) } == true)
    #expect(shared["matched"]?.int == sample.truth.connections[0].measurements.count)
  }
}
