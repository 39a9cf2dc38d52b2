import CaptureFiles
import Testing
import TestSupport

@testable import CaptureReports

/// A clock that was never set counts from its own zero, and one that is damaged shows any number: no report makes a time
/// of day of what is none, and all tell how long things lasted.
@Suite struct `Times that are no date` {
  /// Zero on btsnoop's clock, and what lies far behind the year 9999.
  static let starts = [HostSide.neverSet, HostSide.neverSet + 1_000_000, 316_000_000_000_000_000]

  /// A sensor sends for ten seconds, is silent for twenty, and sends again.
  private static func host(_ start: Int64) -> HostSide {
    var host = HostSide()
    host.time = start
    host.subscribe()
    for silence in [20_990, 990] as [Int64] {
      for index in 0..<10 as Range<UInt8> {
        host.notified([0x16, 72 + index, 0x00, 0x04])
        host.wait(milliseconds: index == 9 ? silence : 990)
      }
    }
    host.disconnected(reason: 0x13)
    return host
  }

  private static func text(_ host: HostSide, _ container: Container = .btsnoopH4) throws -> String {
    Reporting.analysis([try Reporting.summary("session.log", host.file(container))], width: 120)
  }

  /// No part of an address.
  private static var timeOfDay: Regex<(Substring, Substring)> { #/(^|\s)\d\d:\d\d:\d\d(?!:)/# }

  @Test(arguments: starts)
  func `analyze`(start: Int64) throws {
    let text = try Self.text(Self.host(start))
    #expect(!text.contains(Self.timeOfDay), "\(text)")
    #expect(text.contains("\nno times of day   40 s   "), "\(text)")
    #expect(text.contains("\n  Connection 1   +0 s – +40 s, 40 s   as central"), "\(text)")
    #expect(text.contains(#/notification-gap   #\d+ → #\d+   \+9 s\n/#), "\(text)")
    #expect(text.contains(#/\n {13}\+0 s +\+39 s\n/#), "\(text)")
  }

  /// A clock that is set while the capture goes on: before it, what had passed; behind it, times of day.
  @Test func `of a clock that is set meanwhile`() throws {
    var host = HostSide()
    host.time = HostSide.neverSet
    host.connected()
    host.discoverHeartRate()
    host.time = CapturedPacket.start
    host.write(attribute: 17, [1, 0])
    host.notified([0, 72])
    host.disconnected(reason: 0x13)
    let text = try Self.text(host)
    #expect(text.contains("\nuntil 2026-03-14 09:26:53 UTC   0.1 s without the leaps of the clock   "), "\(text)")
    #expect(text.contains("  Connection 1   +0 s – 2026-03-14 09:26:53, 0.1 s   "), "\(text)")
    let timeline = try Reporting.timeline("session.log", host.file())
    #expect(timeline.contains(#/\n {12} +0\.000 +1 +1  connected /#), "\(timeline)")
    #expect(timeline.contains(#/\n09:26:53\.\d{3} .* disconnected /#), "\(timeline)")
  }

  /// The last year that has four digits ends.
  @Test func `of a clock that runs out of years`() throws {
    let text = try Self.text(Self.host(253_402_300_800_000_000 - 20_000_000))
    #expect(text.contains("\nfrom 9999-12-31 23:59:40 UTC   40 s   "), "\(text)")
    #expect(text.contains("  Connection 1   23:59:40 – +40 s, 40 s   "), "\(text)")
  }

  /// Where not even what had passed can be told, records tell.
  @Test func `of a clock that leaps to where nothing is`() throws {
    var host = Self.host(CapturedPacket.start)
    host.time = 316_000_000_000_000_000
    host.connected(peer: 2)
    host.write(attribute: 17, [1, 0])
    host.notified([0, 72])
    host.disconnected(reason: 0x13)
    let (text, count) = (try Self.text(host, .pcapngLittle), host.packets.count)
    #expect(text.contains("\nfrom 2026-03-14 09:26:53 UTC   40 s without the leaps of the clock   "), "\(text)")
    #expect(text.contains("  Connection 1   09:26:53 – 09:27:33, 40 s   "), "\(text)")
    #expect(text.contains("  Connection 2   from #\(count - 4) to #\(count), 0.0 s   "), "\(text)")
  }

  @Test(arguments: starts)
  func `a table of connections`(start: Int64) throws {
    var host = HostSide()
    host.time = start
    for _ in 0..<ConnectionTable.leastConnections {
      host.connected()
      host.discoverHeartRate()
      host.notified([0, 72])
      host.disconnected(reason: 0x13)
      host.wait(milliseconds: 59_000)
    }
    let text = try Self.text(host)
    #expect(!text.contains(Self.timeOfDay), "\(text)")
    #expect(text.contains("\n  ✗ 1    +0 s   0.1 s ") && text.contains("\n  ✗ 2   +59 s   0.1 s "), "\(text)")
  }

  @Test(arguments: starts, [60, 80, 200])
  func `timeline`(start: Int64, width: Int) throws {
    let text = try Reporting.timeline("session.log", Self.host(start).file(), width: width, isTerminal: true)
    #expect(!text.contains(Self.timeOfDay), "\(text)")
    #expect(text.contains(#/\s0\.000 +1 +1 +connected/#), "\(text)")
    #expect(text.contains(#/\s40\.\d{3} +\d+ +1 +disconnected/#), "\(text)")
  }

  @Test(arguments: starts)
  func `timeline for spreadsheets`(start: Int64) throws {
    let rows = try Reporting.timeline("session.log", Self.host(start).file(), as: .csv).split(separator: "\n")
    #expect(rows.count == 21 && rows[1].hasPrefix(",0.090000,10,1,"), "\(rows)")
    #expect(rows.dropFirst().allSatisfy { $0.hasPrefix(",") })
  }

  /// What had passed since 0 is told as well as since any other moment.
  @Test(arguments: [.pcapDirection, .pcapngLittle] as [Container])
  func `of a clock that begins with 1970`(container: Container) throws {
    let file = Self.host(0).file(container)
    let rows = try Reporting.timeline("session.log", file, as: .csv).split(separator: "\n")
    #expect(rows.count == 21 && rows[1].hasPrefix("1970-01-01T00:00:00.090000Z,0.090000,10,1,"), "\(rows)")
    let text = try Reporting.timeline("session.log", file)
    #expect(text.contains(#/\n00:00:40\.\d{3} +40\.\d{3} +\d+ +1  disconnected /#), "\(text)")
  }

  /// How far the ends of time lie apart is more than can be counted: nothing is told of it, and nothing traps.
  @Test func `of the ends of time`() throws {
    var host = HostSide()
    host.time = 9_000_000_000_000_000_000
    host.connected()
    // What begins so has no clock that could be told from damage.
    host.time = -9_000_000_000_000_000_000
    host.discoverHeartRate()
    for index in 0..<12 as Range<UInt8> {
      host.time = index % 2 == 0 ? 9_000_000_000_000_000_000 : -9_000_000_000_000_000_000
      host.notified([0, 72 + index])
    }
    let file = host.file()
    #expect(try !Self.text(host).contains(Self.timeOfDay))
    let rows = try Reporting.timeline("session.log", file, as: .csv).split(separator: "\n").dropFirst()
    #expect(rows.contains { $0.hasPrefix(",,") } && rows.contains { $0.hasPrefix(",0.000000,") }, "\(rows)")
    let text = try Reporting.timeline("session.log", file)
    #expect(!text.contains(Self.timeOfDay), "\(text)")
  }

  @Test(arguments: [(CapturedPacket.start, "2026-03-14"), (HostSide.neverSet, "without a date")])
  func `a profile`(start: Int64, date: String) throws {
    let summary = try Reporting.summary("session.log", Self.host(start).file())
    let text = written { SensorProfileReport(Reporting.context(80)).write([summary], into: $0) }
    #expect(text.contains(#""source": "a capture, \#(date)""#), "\(text)")
  }
}
