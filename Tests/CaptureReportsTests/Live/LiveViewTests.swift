import BluetoothHost
import CaptureFiles
import CaptureReports
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

/// A view that has seen a capture, and the moment after that.
private struct Watched {
  var view = LiveView(Reporting.context(80))
  private var last: Timestamp?

  init(_ octets: [UInt8], upTo frame: Int = .max) throws {
    var diagnosis = Diagnosis(RuleSettings())
    let analysis = try Analysis(octets, isLive: true)
    if let time = analysis.facts.firstTime {
      view.picture.begin(CaptureStart(time: time, clock: analysis.facts.clock))
    }
    for event in analysis.events where event.frame <= frame {
      view.picture.note(event)
      diagnosis.note(event)
      for finding in diagnosis.takeFindings() { view.picture.note(finding) }
    }
    view.picture.note(analysis.facts)
    last = view.picture.lastTime
  }

  init(_ host: HostSide) throws { try self.init(host.file()) }

  /// The time, some seconds after the last event.
  func now(_ seconds: Double = 0) -> Timestamp? { last?.advanced(byMicroseconds: Int64(seconds * 1_000_000)) }

  /// The screen without colours.
  mutating func lines(_ columns: Int = 80, _ rows: Int = 24, after seconds: Double = 0) -> [String] {
    let screen = LiveScreen(columns: columns, rows: rows, isColored: false, isUnicode: true)
    return view.lines(on: screen, now: now(seconds))
  }

  mutating func press(_ keys: LiveView.Key...) {
    for key in keys {
      view.press(key, now: now())
      _ = lines()
    }
  }
}

/// What the digits of a screen say: each is as wide as six columns, two apart.
private func bigNumber(_ lines: [String]) -> String {
  let shapes = [
    "######|##  ##|##  ##|##  ##|######": "0", "  ##  |####  |  ##  |  ##  |######": "1",
    "######|    ##|######|##    |######": "2", "######|    ##|######|    ##|######": "3",
    "##  ##|##  ##|######|    ##|    ##": "4", "######|##    |######|    ##|######": "5",
    "######|##    |######|##  ##|######": "6", "######|    ##|    ##|    ##|    ##": "7",
    "######|##  ##|######|##  ##|######": "8", "######|##  ##|######|    ##|######": "9",
  ]
  let first = lines.firstIndex { $0.hasPrefix("  ") && $0.prefix(24).contains("█") } ?? 0
  let rows = lines[first..<min(first + 5, lines.count)].map { line in
    Array((line + String(repeating: " ", count: 24)).prefix(24).map { $0 == "█" ? "#" : " " as Character })
  }
  return stride(from: 2, to: 24, by: 8).map { column in
    shapes[rows.map { String($0[column..<min(column + 6, 24)]) }.joined(separator: "|")] ?? ""
  }.joined()
}

@Suite struct `A live view` {
  /// A sensor that is subscribed to and has told two measurements, a second apart.
  private func measured(_ values: [UInt8]...) -> HostSide {
    var host = HostSide()
    host.subscribe()
    for value in values {
      host.notified(value)
      host.wait(milliseconds: 990)
    }
    return host
  }

  /// A clock that was never set counts from its own zero: what happened is told by how long it had run.
  @Test func `shows no time of day where there is none`() throws {
    var host = HostSide()
    host.time = HostSide.neverSet
    host.connected()
    host.wait(milliseconds: 61_000)
    host.disconnected(reason: 0x13)
    var watched = try Watched(host)
    let lines = watched.lines()
    #expect(lines.contains { $0.hasPrefix("     +61 s  disconnected") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("      +0 s  connected") }, "\(lines)")
    #expect(lines.contains { $0.contains("closed after 1 min 01 s") }, "\(lines)")
  }

  /// What a clock that was set tells is no time that went by.
  @Test(arguments: [-3_600_000, 10_800_000] as [Int64], [false, true])
  func `counts no leap of the clock`(leap: Int64, isOver: Bool) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<40 as Range<UInt8> {
      if second == 20 { host.wait(milliseconds: leap) }
      host.notified([0x06, second < 20 ? 60 : 100])
      host.wait(milliseconds: 990)
    }
    if isOver { host.disconnected() }
    var watched = try Watched(host)
    let lines = watched.lines(80, 40)
    #expect(lines[0].contains(isOver ? "closed after 40" : "   39"), "\(lines)")
    // The columns are seconds, and all of them are there.
    let ground = try #require(lines.first { $0.hasPrefix("  60 ┤") })
    #expect((40...42).contains(ground.dropFirst(6).count { $0 != " " }), "\(lines)")
    #expect(lines.contains { $0.contains("1 min 14 s") }, "\(lines)")
  }

  @Test(arguments: [3, 47, 72, 100, 138, 129, 156] as [UInt8])
  func `shows the heart rate large`(rate: UInt8) throws {
    var watched = try Watched(measured([0x16, rate, 0x50, 0x03]))
    #expect(bigNumber(watched.lines()) == "\(rate)")
    #expect(watched.lines().contains { $0.hasSuffix("bpm") })
  }

  @Test(arguments: 1...6) func `says what is missing, however small`(rows: Int) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    var view = try Watched(host)
    let lines = view.lines(60, rows)
    #expect(lines.contains { $0.contains("Nobody has subscribed to the heart rate.") }, "\(lines)")
  }

  /// Twenty apart is far enough.
  @Test func `has whole tens around the rates`() throws {
    var watched = try Watched(measured([0x06, 60], [0x06, 79]))
    let lines = watched.lines(80, 40)
    #expect(lines.contains { $0.hasPrefix("  80 ┤") } && lines.contains { $0.hasPrefix("  60 ┤") }, "\(lines)")
  }

  @Test func `leaves the connection that was chosen once it is over and another goes on`() throws {
    var host = HostSide()
    for (handle, rate) in [(0x40, 61), (0x41, 72)] as [(UInt16, UInt8)] {
      host.connected(handle, peer: rate)
      host.discoverHeartRate(on: handle)
      host.notified(on: handle, [0x00, rate])
    }
    let begun = host.packets.count
    host.disconnected(0x40)
    host.notified(on: 0x41, [0x00, 72])
    var watched = try Watched(host.file(), upTo: begun)
    #expect(bigNumber(watched.lines()) == "72")
    watched.press(.nextConnection)
    #expect(bigNumber(watched.lines()) == "61")
    for event in try Analysis(host.file(), isLive: true).events where event.frame > begun {
      watched.view.picture.note(event)
    }
    #expect(bigNumber(watched.lines()) == "72")
  }

  @Test func `shows what the sensor says beside it`() throws {
    var watched = try Watched(measured([0x16, 72, 0x00, 0x04], [0x16, 73, 0x00, 0x02, 0x00, 0x04]))
    let text = watched.lines().joined(separator: "\n")
    #expect(text.contains("● contact"))
    #expect(text.contains("RR 1000 500 1000 ms"))
    #expect(text.contains("1.00 a second"))
    #expect(text.contains("heart rate on 0x0010, discovered"))
    #expect(text.contains("30 ms, latency 3, timeout 720 ms"))
    #expect(text.contains("C5:44:33:22:11:01"))
  }

  @Test func `shows that contact is lost`() throws {
    var watched = try Watched(measured([0x06, 72], [0x04, 0]))
    #expect(watched.lines().contains { $0.contains("○ no contact") })
    #expect(bigNumber(watched.lines()) == "0")
  }

  /// Sensors that notify once a second are late after two and a half.
  @Test func `shows that nothing comes any more`() throws {
    var watched = try Watched(measured([0x06, 72], [0x06, 72]))
    #expect(!watched.lines(after: 2).joined().contains("nothing for"))
    #expect(watched.lines(after: 8).joined().contains("nothing for 8.0 s"))
  }

  /// Measurements go on, without intervals: the last ones are old after a while, and after a longer one there are none.
  @Test(arguments: [(1, false), (2, false), (3, true), (10, true), (11, nil)] as [(Int, Bool?)])
  func `shows that intervals come no more`(seconds: Int, areOld: Bool?) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<30 + seconds {
      host.notified(second < 30 ? [0x16, 72, UInt8(second % 4), 0x04] : [0x06, 72])
      host.wait(milliseconds: 990)
    }
    var watched = try Watched(host)
    let screen = LiveScreen(columns: 80, rows: 24, isColored: true, isUnicode: true)
    let lines = watched.view.lines(on: screen, now: watched.now()).prefix(10)
    let faint = "\u{1B}[2m"
    #expect(lines.contains { $0.contains("RR 100") } == (areOld != nil), "\(lines)")
    #expect(lines.contains { $0.contains("RMSSD") } == (areOld != nil), "\(lines)")
    #expect(lines.contains { $0.contains(faint + "RR 100") } == (areOld == true), "\(lines)")
    #expect(lines.contains { $0.contains(faint + "RMSSD") } == (areOld == true), "\(lines)")
    #expect(lines.contains { $0.contains("no RR") } == (areOld == nil), "\(lines)")
  }

  @Test func `shows the end of a connection`() throws {
    var host = measured([0x06, 72])
    host.disconnected(reason: 0x08)
    var watched = try Watched(host)
    let text = watched.lines().joined(separator: "\n")
    #expect(
      text.contains("Connection Timeout (0x08)") && text.contains("disconnected") && text.contains("closed after"))
  }

  @Test func `says what is missing where there is no heart rate`() throws {
    var nothing = try Watched(HostSide())
    #expect(nothing.lines().joined().contains("Waiting for a connection"))
    var host = HostSide()
    host.connected()
    var connected = try Watched(host)
    #expect(connected.lines().joined().contains("No heart rate service is known"))
    host.discoverHeartRate()
    var discovered = try Watched(host)
    #expect(discovered.lines().joined().contains("Nobody has subscribed"))
    host.write(attribute: 17, [1, 0])
    var subscribed = try Watched(host)
    #expect(subscribed.lines().joined().contains("Subscribed; no measurement yet."))
  }

  /// What the capture cut away was a rate all the same.
  @Test func `says that a rate is cut away`() throws {
    var host = HostSide()
    host.subscribe()
    host.keptACLOctets = 12
    host.notified([0x16, 72, 0x00, 0x04])
    var watched = try Watched(host)
    let text = watched.lines().joined(separator: "\n")
    #expect(text.contains("rate cut away") && !text.contains("no heart rate"), "\(text)")
  }

  @Test func `says what it waits for`() {
    var view = LiveView(Reporting.context(80), awaiting: "a connection with Polar \u{1B}[2J")
    for columns in [20, 80] {
      let screen = LiveScreen(columns: columns, rows: 12, isColored: false, isUnicode: true)
      let line = view.lines(on: screen, now: nil)[1]
      #expect(line == (columns == 80 ? "Waiting for a connection with Polar \\u{1B}[2J …" : "Waiting for a conne…"))
    }
  }

  /// Numbers of connections have no end.
  @Test(arguments: [9, 1000]) func `sets the connection apart from what follows`(count: Int) throws {
    var host = HostSide()
    for index in 0..<count {
      host.connected(peer: UInt8(truncatingIfNeeded: index))
      host.disconnected()
    }
    var watched = try Watched(host)
    #expect(watched.lines().contains { $0.contains("  \(count) ") && $0.contains(" disconnected") })
  }

  /// The line that says what is known and how, of forty values on an attribute of which nothing is told.
  private func knowledgeLine(
    _ host: HostSide, knowing knowledge: CaptureKnowledge, on handle: UInt16 = 0x40, attribute: UInt16 = 16
  ) throws -> String {
    var (host, knowledge) = (host, knowledge)
    for second in 0..<40 as Range<UInt8> {
      host.notified(on: handle, attribute: attribute, [0x16, 70 + second % 5, 0x50 + second, 0x03])
      host.wait(milliseconds: 990)
    }
    knowledge.concludesAtOnce = true
    var view = LiveView(Reporting.context(80))
    let forwarder = EventForwarder(selection: view.picture.selection, start: nil) { view.picture.note($0) }
    var analyzer = Analyzer(into: forwarder, isLive: true, knowing: knowledge)
    let octets = ContiguousArray(host.file())
    _ = try analyzer.read(octets.span, isLast: false)
    let screen = LiveScreen(columns: 100, rows: 24, isColored: false, isUnicode: true)
    let lines = view.lines(on: screen, now: view.picture.lastTime)
    try #require(lines.count == 24)
    return lines[2]
  }

  /// An advertised name may be short; what was read goes before it, and holds on later connections.
  @Test func `calls a sensor by the name that was read of it`() throws {
    let name = Array("Polar".utf8)
    var host = HostSide()
    for isRead in [true, false] {
      host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [7, 6, 0x08] + name + [0xC4])
      host.connected()
      if isRead {
        host.readName("Polar H7")
      }
      host.notified([0x16, 72, 0x50, 0x03])
      var watched = try Watched(host)
      #expect(watched.lines().first?.hasPrefix("Polar H7   C5:44:33:22:11:01") == true)
      host.disconnected()
    }
  }

  /// After some values the attribute is taken for a heart rate, and the view says how sure that is.
  @Test func `says how sure it is of what nobody discovered`() throws {
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    let line = try knowledgeLine(host, knowing: CaptureKnowledge())
    #expect(line.contains(/heart rate on 0x0010, inferred, over 9[0-9.]+ % sure/) && !line.contains("began before"))
  }

  @Test func `says how it knows of a connection that was there before`() throws {
    var host = HostSide()
    host.write(attribute: 17, [1, 0])
    #expect(try knowledgeLine(host, knowing: CaptureKnowledge()).contains("began before this capture"))
    var knowledge = CaptureKnowledge()
    let peer = DeviceAddress(0xC544_3322_1101, .random)
    knowledge.connections = [
      KnownConnection(adapter: 0, handle: 0x40, peer: peer, isLowEnergy: true, role: .central)
    ]
    #expect(try knowledgeLine(host, knowing: knowledge).contains("began before: the kernel told of it"))
  }

  /// That both addresses are unknown does not make two connections ones of one sensor.
  @Test func `does not know of one stranger by another`() throws {
    var mapped = HostSide()
    mapped.connected()
    mapped.discoverHeartRate(first: 40)
    let services = try summary(of: mapped.file()).connections[0].services(.peer)
    let knowledge = CaptureKnowledge(databases: [
      CaptureKnowledge.PeerDatabase(address: nil, database: GATTDatabase(services: services), origin: .imported)
    ])
    var host = HostSide()
    host.discoverHeartRate()
    host.notified([0, 60])
    let line = try knowledgeLine(host, knowing: knowledge, on: 0x41, attribute: 42)
    #expect(line.hasPrefix("heart rate on 0x002a, known from elsewhere"))
  }

  @Test func `opens findings with the arrows and closes them again`() throws {
    let sample = try #require(FaultSample.all.first { $0.description == "contact-lost.btsnoop" })
    var watched = try Watched(sample.octets)
    let closed = watched.lines()
    #expect(!closed.joined().contains("hrsnoop explain"))
    watched.press(.older)
    #expect(watched.lines().contains { $0.hasPrefix("▸ ") && $0.contains("contact-lost") })
    #expect(watched.lines().contains { $0.hasSuffix("hrsnoop explain contact-lost") })
    watched.press(.newer)
    #expect(watched.lines() == closed)
  }

  @Test func `stands still while it is paused`() throws {
    let octets = try Sample.named("polar-h7.btsnoop").octets
    var watched = try Watched(octets, upTo: 150)
    watched.press(.pause)
    let still = watched.lines()
    #expect(still.last?.hasPrefix("paused") == true)
    for event in try Analysis(octets).events where event.frame > 150 { watched.view.picture.note(event) }
    #expect(watched.lines(after: 30) == still)
    watched.press(.pause)
    #expect(bigNumber(watched.lines()) != bigNumber(still))
  }

  @Test func `goes through connections`() throws {
    var watched = try Watched(Sample.named("three-sensors-crossed-handles.btsnoop").octets, upTo: 200)
    var titles: Set<String> = [watched.lines()[0]]
    for _ in 0..<2 {
      watched.press(.nextConnection)
      titles.insert(watched.lines()[0])
    }
    #expect(titles.count == 3)
    let last = watched.lines()
    watched.press(.nextConnection, .previousConnection)
    #expect(watched.lines() == last)
  }

  /// Mice and keyboards are connected, too.
  @Test func `stays with a sensor rather than go on to what is none`() throws {
    var host = measured([0x06, 72])
    host.connected(0x41, peer: 2)
    var watched = try Watched(host)
    #expect(watched.lines(after: 60)[0].contains("C5:44:33:22:11:01"))
    host.disconnected()
    watched = try Watched(host)
    #expect(watched.lines(after: 60)[0].contains("C5:44:33:22:11:01"))
    host.connected(0x42, peer: 3)
    host.discoverHeartRate(on: 0x42)
    watched = try Watched(host)
    #expect(watched.lines()[0].contains("C5:44:33:22:11:03"))
  }

  /// Before anything is known of its services, what it advertised tells that it is one.
  @Test func `takes what advertised a heart rate for a sensor`() throws {
    var host = HostSide()
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + hex("07 02 01 06 03 03 0d 18 c4"))
    host.connected()
    host.connected(0x41, peer: 2)
    var watched = try Watched(host)
    #expect(watched.lines()[0].contains("C5:44:33:22:11:01"))
  }

  @Test(arguments: [false, true]) func `says which connection is none of Low Energy`(isClassic: Bool) throws {
    var host = HostSide()
    if isClassic { host.connectedClassic() } else { host.connected() }
    var watched = try Watched(host)
    let link = try #require(watched.lines().first { $0.hasSuffix("handle 0x0040") })
    #expect(link.contains("BR/EDR") == isClassic)
  }

  /// Both adapters see every measurement: the view does not jump from one to the other.
  @Test func `stays with one of two sides that tell the same`() throws {
    var host = HostSide()
    for adapter in [1, 0] as [UInt16] {
      host.adapter = adapter
      host.connected(peer: UInt8(adapter) + 1)
      host.discoverHeartRate()
    }
    var titles: Set<String> = []
    for rate in 60..<70 as Range<UInt8> {
      for adapter in [0, 1] as [UInt16] {
        host.adapter = adapter
        host.notified([0x06, rate])
        var watched = try Watched(host.file(.btsnoopMonitor))
        titles.insert(String(watched.lines()[0].prefix(30)))
      }
    }
    #expect(titles.count == 1)
  }

  /// What is cut away says so, and the record is still there to be looked up.
  @Test(arguments: [36, 40, 59]) func `cuts its log to a narrow screen`(columns: Int) throws {
    var watched = try Watched(measured([0, 60], [0, 61]))
    let wide = watched.lines(200).filter { $0.contains(/#[0-9]+$/) }
    let narrow = watched.lines(columns).filter { $0.contains(/[ ]+#[0-9]+$/) }
    #expect(narrow.count == wide.count && !wide.isEmpty, "\(narrow)")
    #expect(narrow.allSatisfy { $0.count == columns }, "\(narrow)")
    #expect(narrow.contains { $0.contains(/…[ ]+#[0-9]+$/) }, "\(narrow)")
  }

  /// On a line alone, that it is over goes before what it was.
  @Test(arguments: [(20, "disconnected"), (40, "disconnected   61 bpm")]) func `says in one line that it is over`(
    columns: Int, beginning: String
  ) throws {
    var host = measured([0, 60], [0, 61])
    host.disconnected()
    var watched = try Watched(host)
    #expect(watched.lines(columns, 1)[0].hasPrefix(beginning))
  }

  /// What belongs to the other adapter stands in its own view; here it is counted.
  @Test func `shows what belongs to one adapter, and counts what was found on others`() throws {
    var host = measured([0, 60], [0, 61])
    host.adapter = 1
    host.create(peer: 2)
    host.connected(peer: 2)
    host.discoverHeartRate()
    host.wait(milliseconds: 20_000)
    host.adapter = 0
    host.notified([0, 62])
    var watched = try Watched(host.file(.btsnoopMonitor))
    watched.view.picture.note(Finding(rule: "any", severity: .warning, connection: 2, message: "found there"))
    let here = watched.lines(100)
    #expect(here[0].contains("connection 1") && !here.contains { $0.contains("connect-attempt") }, "\(here)")
    #expect(here.contains { $0.hasSuffix(" on hci1") }, "\(here)")
    watched.press(.nextConnection)
    let there = watched.lines(100)
    #expect(there[0].contains("connection 2") && there.contains { $0.contains("connect-attempt") }, "\(there)")
    #expect(there.contains { $0.contains("found there") }, "\(there)")
  }
}

@Suite struct `A live view fits` {
  private static let captures = BuiltCapture.all.filter { $0.name != "empty" && $0.name != "damaged" }

  /// Every width at some heights, every height at some widths.
  private static let sizes =
    [2, 12, 24].flatMap { rows in (1...300).map { (columns: $0, rows: rows) } }
    + [1, 2, 9, 25, 40, 80, 299].flatMap { columns in (1...100).map { (columns: columns, rows: $0) } }

  /// Where everything is ASCII, a character is a column.
  @Test(arguments: captures) func `on every screen`(capture: BuiltCapture) throws {
    var watched = try Watched(capture.octets())
    watched.press(.older)
    for size in Self.sizes {
      let screen = LiveScreen(columns: size.columns, rows: size.rows, isColored: false, isUnicode: false)
      let lines = watched.view.lines(on: screen, now: watched.now(1))
      #expect(lines.count <= size.rows && !lines.isEmpty, "\(size)")
      #expect(!lines.contains { $0.utf8.count > size.columns }, "\(size)")
      #expect(lines.joined().utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(size)")
    }
  }

  @Test(arguments: captures) func `in colour as without`(capture: BuiltCapture) throws {
    var watched = try Watched(capture.octets())
    let coloured = watched.view.lines(
      on: LiveScreen(columns: 70, rows: 30, isColored: true, isUnicode: true), now: watched.now())
    #expect(coloured.joined().contains("\u{1B}["))
    #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9]+m/, with: "") } == watched.lines(70, 30))
  }

  /// A name that would drive the terminal.
  @Test func `whatever comes from the air`() throws {
    var host = HostSide()
    host.connected()
    host.readName("\u{1B}[2J\u{9B}2J\r\n\u{202E}x")
    host.discoverHeartRate()
    host.notified([0x06, 72])
    var watched = try Watched(host)
    watched.view.status.source = "\u{1B}]0;x\u{7}"
    watched.view.picture.note("\u{1B}[31m")
    let text = watched.lines(200, 60).joined()
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}" })
    #expect(text.contains("\\u{1B}[2J"))
  }

  /// The heart rate is what is left in the end.
  @Test(arguments: [1, 2, 5, 10]) func `the heart rate before all else`(rows: Int) throws {
    var watched = try Watched(Sample.named("polar-h7.btsnoop").octets, upTo: 200)
    #expect(watched.lines(20, rows).contains { $0.contains("bpm") })
  }
}
