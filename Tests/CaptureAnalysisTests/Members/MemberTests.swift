import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import Octets
import Testing
import TestSupport

/// Two files that are one capture.
@Suite struct `Members` {
  private let packets: [CapturedPacket]

  init() {
    var host = HostSide()
    host.subscribe()
    for index in 0..<40 as Range<UInt8> {
      host.notified([0x16, 60 + index, 0x00, 0x04])
      host.wait(milliseconds: 990)
    }
    host.disconnected()
    packets = host.packets
  }

  private func analyzed(_ files: [[CapturedPacket]]) throws -> (events: [Event], facts: CaptureFacts) {
    var events: [Event] = []
    var analyzer = Analyzer(into: EventForwarder(selection: [.all, .measurementOctets], { events.append($0) }))
    for (index, file) in files.enumerated() {
      let next = index + 1 < files.count ? files[index + 1].first.map { Timestamp(microseconds: $0.time) } : nil
      analyzer.beginMember(index, of: files.count, nextBegins: next)
      try deliver(Container.btsnoopH4.file(file), .pieces(1000)) { (span, isLast) throws(ParsingError) in
        try analyzer.read(span, isLast: isLast)
      }
    }
    return (events, analyzer.facts)
  }

  /// Whether records are in both files or not, nothing is lost and nothing comes twice.
  @Test(arguments: [0, 1, 7, 20]) func `are one capture`(overlap: Int) throws {
    let middle = packets.count / 2
    let whole = try Analysis(Container.btsnoopH4.file(packets))
    let (events, facts) = try analyzed([Array(packets[..<middle]), Array(packets[(middle - overlap)...])])
    #expect(facts.records == packets.count && facts.isComplete)
    #expect(facts.firstTime == whole.facts.firstTime && facts.lastTime == whole.facts.lastTime)
    #expect(events.map(\.time) == whole.events.map(\.time))
    #expect(events.map(\.connection) == whole.events.map(\.connection))
    #expect(events.map { $0.content.kind } == whole.events.map { $0.content.kind })
    for (event, same) in zip(events, whole.events) {
      let isInFirst = same.frame <= middle
      #expect(event.member == (isInFirst ? 0 : 1))
      #expect(event.frame == (isInFirst ? same.frame : same.frame - middle + overlap))
    }
    #expect(whole.events.allSatisfy { $0.member == nil })
  }

  /// The second one was begun when the first was full: if it seems to begin earlier, that is the clock.
  @Test(arguments: [3, 30, 3600] as [Int64]) func `go on where the clock was set back`(seconds: Int64) throws {
    let middle = packets.count / 2
    var later = Array(packets[middle...])
    for place in later.indices { later[place].time -= seconds * 1_000_000 }
    let (events, facts) = try analyzed([Array(packets[..<middle]), later])
    #expect(facts.records == packets.count && facts.hasClockSteps)
    #expect(events.count { $0.content.kind == .connected } == 1)
    #expect(events.filter { $0.content.kind == .disconnected }.map(\.member) == [1])
    #expect(Set(events.filter { $0.content.heartRate != nil }.map(\.connection)) == [1])
    #expect(events.count { $0.content.heartRate != nil } == 40)
  }

  @Test func `that are the same file are that file`() throws {
    let (events, facts) = try analyzed([packets, packets])
    #expect(facts.records == packets.count)
    #expect(events.compactMap(\.content.heartRate).count == 40)
  }

  /// The same packet twice in one file was there twice.
  @Test func `leave repetitions within one file alone`() throws {
    var host = HostSide()
    host.connected()
    let reset = CapturedPacket(.command, .sent, hex("03 0c 00"), time: host.time)
    let twice = host.packets + [reset, reset]
    let (_, facts) = try analyzed([twice, twice])
    #expect(facts.records == twice.count)
  }

  @Test func `sum up what is wrong with each`() throws {
    let middle = packets.count / 2
    var analyzer = Analyzer(into: SummaryBuilder(listsMeasurements: true))
    for (index, file) in [packets[..<middle], packets[middle...]].enumerated() {
      analyzer.beginMember(index, of: 2, nextBegins: nil)
      try deliver(Array(Container.btsnoopH4.file(Array(file)).dropLast(3)), .whole) {
        (span, isLast) throws(ParsingError) in
        try analyzer.read(span, isLast: isLast)
      }
    }
    let summary = analyzer.receiver.summary(path: "pair", memberNames: ["a", "b"], facts: analyzer.facts)
    #expect(!summary.facts.isComplete && summary.facts.records == packets.count - 2)
    let findings = summary.findings.filter { $0.connection == nil }
    #expect(findings.map(\.rule) == ["capture-cut-off", "capture-cut-off"])
    #expect(findings.allSatisfy { $0.frame != nil && $0.member != nil })
    #expect(findings.map(\.member) == [0, 1])
  }

  /// What is found does not depend on where the log was rotated: the same, explained by the same, and where it is.
  @Test(arguments: FaultSample.all)
  func `have the findings of one file`(sample: FaultSample) throws {
    let octets = try sample.octets
    let header = Array(octets.prefix(16))
    let places = BTSnoopBuilder.recordPlaces(of: octets)
    // Records that a message names are numbered within their files.
    func withoutRecords(_ all: Set<Found>) -> Set<Found> {
      Set(
        all.map { one in
          var one = one
          one.message.replace(/#(\d+:)?\d+/, with: "#")
          return one
        })
    }
    let whole = withoutRecords(try found([octets], rotatedAfter: 0))
    for cut in stride(from: places.count / 9, to: places.count, by: max(1, places.count / 5)) where cut > 0 {
      let files = [Array(octets[..<places[cut]]), header + octets[places[cut]...]]
      let pair = withoutRecords(try found(files, rotatedAfter: cut))
      #expect(pair == whole, "rotated after record \(cut)")
    }
  }

  /// As where they are put one behind another: what comes after a day, or says what is said once, is not the same
  /// connection.
  @Test(
    arguments: [(200, true, true), (5000, true, false), (5000, false, true), (86_400_000, false, false)]
      as [(Int64, Bool, Bool)])
  func `do not hand on what is not there any more`(milliseconds: Int64, asksAgain: Bool, isSame: Bool) throws {
    var (first, second) = (HostSide(), HostSide())
    first.connected()
    first.sent(hex("02 05 02"))
    first.received(hex("03 b9 00"))
    first.discoverHeartRate()
    first.notified([0, 60])
    second.time = first.time
    second.wait(milliseconds: milliseconds)
    if asksAgain {
      second.sent(hex("02 05 02"))
      second.received(hex("03 b9 00"))
    }
    second.notified([0, 90])
    let files = [first, second].map { $0.file() }
    var knowledge = CaptureKnowledge()
    let read = try knowledge.learnGrounds(from: try connections(files, knowledge), { $0.conclusions }) { knowledge in
      try connections(files, knowledge)
    }
    let connected = read.events.compactMap { event in
      if case .connected(let connected) = event.content { connected.peer.address?.number } else { nil }
    }
    #expect(connected == [0xC544_3322_1101] && read.events.count { $0.content.kind == .connected } == (isSame ? 1 : 2))
    let ends = read.events.filter { $0.content.kind == .disconnected }
    #expect(ends.count == (isSame ? 0 : 1))
    // Where time shows it, it is over with the first file.
    if milliseconds > 60_000 { #expect(ends.map(\.member) == [0] && ends.map(\.frame) == [first.packets.count]) }
  }

  private func connections(
    _ files: [[UInt8]], _ knowledge: CaptureKnowledge
  ) throws -> (events: [Event], conclusions: Conclusions) {
    var events: [Event] = []
    var analyzer = Analyzer(into: EventForwarder(selection: .all, { events.append($0) }), knowing: knowledge)
    for (index, file) in files.enumerated() {
      analyzer.beginMember(index, of: files.count, nextBegins: nil)
      try deliver(file, .whole) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
    }
    return (events, analyzer.conclusions)
  }

  /// Records are numbered anew in each file: what is said of one says in which it is.
  @Test func `tell in which file it was that something happened meanwhile`() throws {
    var (first, second) = (HostSide(), HostSide())
    first.subscribe()
    for second in 0..<30 as Range<UInt8> {
      first.wait(milliseconds: 1000)
      first.notified([0, 60 + second % 3])
    }
    second.time = first.time
    second.wait(milliseconds: 20_000)
    second.sent(hex("0a 13 00"))
    second.received(hex("0b 01"))
    second.wait(milliseconds: 20_000)
    second.disconnected(reason: 0x16)
    let gap = try found([first.file(), second.file()], rotatedAfter: first.packets.count).first {
      $0.rule == "notification-gap"
    }
    #expect(gap?.message.contains("meanwhile a value was read (#2:2)") == true)
  }

  /// A leap in the second file, and one between the two.
  @Test func `tell in which file the clock leaps`() throws {
    func file(_ hours: [Double]) -> [UInt8] {
      var host = HostSide()
      for hour in hours {
        host.time = CapturedPacket.start + Int64(hour * 3_600_000_000)
        host.event(0x0F, [0, 1, 0, 0])
      }
      return host.file(.btsnoopH4)
    }
    let files = [file([0, 0]), file([-5, -5, -5, -9])]
    let leaps = try found(files, rotatedAfter: 2).filter { $0.rule == "clock-jump" }
    #expect(Set(leaps.map(\.frames)) == [3...3, 6...6])
  }

  private struct Found: Hashable {
    let rule: String
    var message: String
    let count: Int
    let frames: ClosedRange<Int>?
    let causes: Set<String>
  }

  /// The findings, their records counted through all files.
  private func found(_ files: [[UInt8]], rotatedAfter count: Int) throws -> Set<Found> {
    var analyzer = Analyzer(into: SummaryBuilder(listsMeasurements: false))
    for (index, file) in files.enumerated() {
      if files.count > 1 { analyzer.beginMember(index, of: files.count, nextBegins: nil) }
      try deliver(file, .whole) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
    }
    let findings = analyzer.receiver.summary(path: "", memberNames: files.map { _ in "" }, facts: analyzer.facts)
      .findings
    return Set(
      findings.map { finding in
        let first = finding.frame.map { $0 + (finding.member ?? 0) * count }
        let last = finding.lastFrame.map { $0 + (finding.lastMember ?? 0) * count }
        return Found(
          rule: finding.rule, message: finding.message, count: finding.count,
          frames: first.map { $0...max($0, last ?? $0) }, causes: Set(finding.causes.map { findings[$0].rule }))
      })
  }
}
