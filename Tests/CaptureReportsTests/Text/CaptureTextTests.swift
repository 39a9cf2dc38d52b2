import CaptureFiles
import Testing
import TestSupport

@testable import CaptureReports

/// What the text report says of times, of what was switched off, and of connections that came to nothing.
@Suite struct `A report in text` {
  /// A subscribed sensor that has sent 30 measurements, one a second: 72 bpm, an RR-Interval of a second.
  private static var begun: HostSide {
    var host = HostSide()
    host.subscribe()
    measure(&host)
    return host
  }

  private static func measure(_ host: inout HostSide) {
    for index in 0..<30 as Range<UInt8> {
      host.notified([0x16, 72 + index % 2, 0x00, 0x04])
      host.wait(milliseconds: 990)
    }
  }

  /// Half a minute before and half a minute behind the leap. Where it is no change of the time zone, the second that goes
  /// by meanwhile is not known.
  @Test(arguments: [(7200, "1 min"), (-3600, "1 min"), (126_000_123, "59 s")] as [(Int64, String)])
  func `counts no leap of the clock as time`(seconds: Int64, length: String) throws {
    var host = Self.begun
    host.wait(milliseconds: seconds * 1000)
    Self.measure(&host)
    host.disconnected(reason: 0x16)
    let text = try host.text
    #expect(text.contains("   \(length) without the leaps of the clock   "))
    let connection = text.split(separator: "\n").first { $0.hasPrefix("  Connection 1   09:26:53 – ") }
    #expect(connection?.contains(", \(length)   as central") == true)
  }

  /// Where all are the same there is no range.
  @Test func `names one rate once`() throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<30 {
      host.notified([0, 70])
      host.wait(milliseconds: 990)
    }
    #expect(try host.text.contains("70 bpm, middle half 70   first"))
  }

  /// A bar is a mean of several values: one that is alone in being so high stands beside the bars all the same.
  @Test func `has one scale for the bars and the range`() throws {
    var host = Self.begun
    host.notified([0x16, 181, 0x00, 0x04])
    for _ in 0..<20 { Self.measure(&host) }
    let text = try host.text
    #expect(text.contains(#/    bpm   72 [▁▂▃▄▅▆▇█]+ 181   /#))
    #expect(text.contains("\n          72–181 bpm, middle half 72–73   "))
  }

  /// Two services of one server, and a measurement that is somewhere else in another table.
  @Test func `names each handle that measurements came from`() throws {
    var both = HostSide()
    both.subscribeToTwoServices()
    for handle in [16, 42, 16, 42] as [UInt16] { both.notified(attribute: handle, [0x06, 72]) }
    #expect(try both.text.contains("   measurements 0x0010 and 0x002a, together in these figures"))
    var moved = Self.begun
    moved.received(hex("1d 0a 00 01 00 ff ff"))
    moved.sent(hex("1e"))
    moved.discoverHeartRate(first: 40)
    moved.notified(attribute: 42, [0x06, 72])
    #expect(try moved.text.contains("   measurement 0x0010, then 0x002a   "))
    #expect(try Self.begun.text.contains("   measurement 0x0010   "))
  }

  /// In the table of several captures, too, none that is asked and has sent nothing has a rate.
  @Test func `tells no rate where none was sent`() throws {
    var silent = HostSide()
    silent.subscribe()
    let captures = [("measured", Self.begun), ("silent", silent)]
    let summaries = try captures.map { try Reporting.summary($0.0, $0.1.file()) }
    let lines = Reporting.analysis(summaries, width: 100).split(separator: "\n").prefix(2)
    #expect(lines.first?.contains(#/^measured +30 measurements +72–73 bpm /#) == true)
    #expect(lines.last?.contains(#/^silent +0 measurements +no heart rate /#) == true)
  }

  @Test func `tells the day where it is another one`() throws {
    var host = HostSide()
    host.time += (86_400 - 60 - (9 * 3600 + 26 * 60 + 53)) * 1_000_000
    host.subscribe()
    for _ in 0..<3 {
      Self.measure(&host)
      host.wait(milliseconds: 10_000)
    }
    host.disconnected(reason: 0x16)
    let text = try host.text
    #expect(text.contains("\n2026-03-14 23:59:00 – 2026-03-15 00:01:00 UTC   2 min"))
    #expect(text.contains("Connection 1   23:59:00 – 2026-03-15 00:01:00, 2 min"))
    #expect(text.contains(#/notification-gap   #\d+ → #\d+   23:59:\d\d – 2026-03-15 00:00:\d\d   2 times\n/#))
    #expect(text.contains(#/notification-gap   #\d+ → #\d+   2026-03-15 00:00:\d\d\n/#))
    #expect(text.contains(#/      23:59:00 +2026-03-15 00:00:\d\d\n/#))
  }

  /// Two minutes in which nothing was to be sent are no gap; a silence while they are switched on is one.
  @Test func `leaves out the time in which notifications were switched off`() throws {
    var host = Self.begun
    host.write(attribute: 17, [0, 0])
    host.wait(milliseconds: 120_000)
    host.write(attribute: 17, [1, 0])
    Self.measure(&host)
    #expect(try host.text.contains("60 measurements   1.00 a second"))
    #expect(try !host.text.contains("gap"))
    #expect(try host.text.contains("covering over 99 % of the time"))
    #expect(try host.text.contains("   switched off #41, on again 2 min later #43   "))

    host.wait(milliseconds: 20_000)
    Self.measure(&host)
    #expect(try host.text.contains("1 gap, the longest 21 s"))
  }

  /// The second attempt and the third belong to what the first tells; nothing is told of links that never were.
  @Test func `says once that attempts failed`() throws {
    var host = Self.begun
    host.disconnected(reason: 0x16)
    for _ in 0..<3 {
      host.wait(milliseconds: 60_000)
      host.connected()
      host.wait(milliseconds: 500)
      host.disconnected(reason: 0x3E)
    }
    let text = try host.text
    #expect(text.contains("4 connections, 1 with heart rate"))
    let parts = text.split(separator: "\n  Connection ").dropFirst(2)
    #expect(parts.count == 3)
    for (place, part) in parts.enumerated() {
      #expect(part.contains(place == 0 ? "✗ The connection to" : "✗ See connection 2: connection-not-established (#"))
      #expect(!part.contains("bpm") && !part.contains("measurement 0x") && !part.contains("ATT_MTU"))
    }
  }

  @Test func `tells of a reconnect loop with each of its connections`() throws {
    var host = Self.begun
    host.disconnected(reason: 0x13)
    for _ in 0..<2 {
      host.connected()
      host.write(attribute: 17, [1, 0])
      host.notified([0x06, 72])
      host.disconnected(reason: 0x13)
    }
    let loops = try host.text.split(separator: "\n").filter { $0.contains("See connection 1: reconnect-loop (#") }
    #expect(loops.count == 2)
  }

  /// A log that holds only attempts that failed is as full as it can be.
  @Test func `gives no advice where no connection came about`() throws {
    var host = HostSide()
    for _ in 0..<4 {
      host.connected()
      host.wait(milliseconds: 500)
      host.disconnected(reason: 0x3E)
    }
    let text = try host.text
    #expect(text.contains("failed 4 times") && !text.contains("full log"))
    #expect(Reporting.databases([try Reporting.summary("empty.log", HostSide().file())]).contains("holds no records"))
  }

  /// Seven of eight come, and with each its beat.
  @Test func `says how many measurements are missing with the beats`() throws {
    var host = HostSide()
    host.subscribe()
    for index in 0..<160 {
      if index % 8 == 7 { host.time += 10_000 } else { host.notified([0x16, 60, 0x00, 0x04]) }
      host.wait(milliseconds: 990)
    }
    let text = try host.text.replacing(#/\s+/#, with: " ")
    let lost = try #require(text.firstMatch(of: #/beats are missing, and about (\d+) of (\d+) measurements with them/#))
    let (missing, all) = (try #require(Double(lost.1)), try #require(Double(lost.2)))
    #expect((120...160).contains(all) && abs(missing - all / 8) < 2)
  }

  /// A length of time is the same on the line of the link, in a finding and in a timeline.
  @Test func `writes parameters as findings do`() throws {
    var host = Self.begun
    host.leEvent(0x03, hex("00 40 00 90 01 00 00 96 00"))
    host.leEvent(0x03, hex("00 40 00 40 06 00 00 58 02"))
    for most in ["90 01", "40 06"] {
      host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 \(most) 00 00 58 02"))
      host.l2cap(.sent, channel: 5, hex("13 01 02 00 00 00"))
    }
    Self.measure(&host)
    let text = try host.text
    #expect(text.contains(" → 500 ms, latency 0, timeout 1.5 s #") && text.contains(" → 2 s, timeout 6 s #"), "\(text)")
    #expect(text.contains("interval 500 ms, latency 0, timeout 1.5 s: "), "\(text)")
    let timeline = try Reporting.timeline("session.log", host.file())
    #expect(timeline.contains(" 312.5–500 ms, latency 0, timeout 6 s"), "\(timeline)")
    #expect(timeline.contains(" 312.5 ms–2 s, latency 0, timeout 6 s"), "\(timeline)")
  }

  @Test func `is short of nothing where zeros are all there is`() throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<30 {
      host.notified([0x04, 0])
      host.wait(milliseconds: 990)
    }
    let text = try host.text
    #expect(text.contains("30 heart rates of 0 in 29 s, and none above, without skin contact"))
    #expect(try Self.begun.text.contains("72–73 bpm, middle half 72–73"))
  }
}

extension HostSide {
  fileprivate var text: String {
    get throws { Reporting.analysis([try Reporting.summary("session.log", file())], width: 120) }
  }

  /// They are read as far as they go, and count in no figure.
  @Test func `values of which none can be right are not said to be unreadable`() throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<3 { host.notified([0x16, 60]) }
    let all = Reporting.analysis([try Reporting.summary("odd", host.file())], width: 120)
    #expect(all.contains("bpm   3 measurements, all of which are malformed: see --format json"))
    host.notified([0x06, 60])
    let some = Reporting.analysis([try Reporting.summary("odd", host.file())], width: 120)
    #expect(some.contains("\n          3 malformed measurements are left out of the rates: see --format json\n"))
  }

  @Test(arguments: [(10_000, "0.10 a second"), (20_000, "one every 20 s"), (300_000, "one every 5 min")])
  func `what comes seldom is not said to come 0.00 times a second`(period: Int64, words: String) throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<20 {
      host.notified([0, 60])
      host.wait(milliseconds: period - 10)
    }
    let text = Reporting.analysis([try Reporting.summary("slow", host.file())], width: 120)
    #expect(text.contains("20 measurements   \(words)"))
  }
}
