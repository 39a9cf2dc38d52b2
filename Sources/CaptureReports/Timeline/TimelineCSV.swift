import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets

/// `timeline --format csv`: a measurement a line, for spreadsheets and statistics.
///
///     time,elapsed_s,frame,connection,peer,bpm,contact,energy_kj,rr_ms
///
/// What is not known is empty; RR-Intervals have spaces between them. Where a capture has several files, `member` stands
/// behind `frame`; where there are several captures, of which any may have, so it does, and `capture` before it.
struct TimelineCSV: TimelineReport {
  private var buffer: ReportBuffer
  private var start: Timestamp?
  private var capture = 0
  /// Whether there are several captures, which each line names.
  private var hasCaptures = false
  private var hasMembers = false
  private var hasHeading = false
  /// The addresses of peers, as they are written: of open connections, and of those that ended last, since measurements may
  /// come late.
  private var peers: [Int: String] = [:]
  private var ended: [Int] = []
  private static let mostEnded = 64

  init(into buffer: ReportBuffer) { self.buffer = buffer }

  var selection: EventSelection { EventSelection([.heartRate, .connected, .peer, .disconnected]) }

  mutating func begin(_ capture: TimelineCapture) {
    start = nil
    (peers, ended) = ([:], [])
    self.capture = capture.place
    if !hasHeading { writeHeading(capture) }
  }

  /// Above the first capture: all have the same columns.
  private mutating func writeHeading(_ capture: TimelineCapture) {
    hasHeading = true
    hasCaptures = capture.isOfSeveral
    hasMembers = hasCaptures || capture.origin.memberNames.count > 1
    let places = "\(hasCaptures ? "capture," : "")frame,\(hasMembers ? "member," : "")connection"
    buffer.write("time,elapsed_s,\(places),peer,bpm,contact,energy_kj,rr_ms\n")
  }

  mutating func start(_ start: CaptureStart) { self.start = start.time }

  mutating func write(_ finding: Finding) {}
  mutating func end(_ facts: CaptureFacts) {}
  mutating func flush() { buffer.flush() }

  mutating func write(_ event: Event) {
    if case .heartRate(let measurement) = event.content { write(measurement, event) } else { learn(event) }
  }

  mutating func learn(_ event: Event) {
    switch event.content {
    case .connected(let connected): note(connected.peer, event)
    case .peer(let identity): note(identity, event)
    case .disconnected:
      guard let connection = event.connection else { return }
      if ended.count == Self.mostEnded { peers[ended.removeFirst()] = nil }
      ended.append(connection)
    default: break
    }
  }

  private mutating func note(_ identity: PeerIdentity, _ event: Event) {
    if let connection = event.connection, let address = identity.address { peers[connection] = address.description }
  }

  private mutating func write(_ measurement: HeartRateEvent, _ event: Event) {
    let reading = measurement.reading
    if event.time.isTold, let time = CivilTime(event.time) { buffer.write(time) }
    comma()
    if let passed = start.flatMap({ event.time.microseconds(since: $0) }) {
      buffer.write(Double(passed) / 1_000_000, decimals: 6)
    }
    comma()
    if hasCaptures {
      buffer.write(capture)
      comma()
    }
    buffer.write(event.frame)
    comma()
    if hasMembers {
      if let member = event.member { buffer.write(member) }
      comma()
    }
    if let connection = event.connection {
      buffer.write(connection)
      comma()
      if let peer = peers[connection] { buffer.write(peer) }
    } else {
      comma()
    }
    comma()
    if let rate = reading.beatsPerMinute { buffer.write(rate) }
    comma()
    buffer.write(reading.contact?.reportName ?? "")
    comma()
    if let energy = reading.energyExpended { buffer.write(energy) }
    comma()
    for (index, interval) in (reading.rrIntervals ?? RRIntervals()).enumerated() {
      if index > 0 { buffer.write(octet: UInt8(ascii: " ")) }
      buffer.write(interval.milliseconds, decimals: 3)
    }
    buffer.write(octet: UInt8(ascii: "\n"))
    buffer.flushIfFull()
  }

  private mutating func comma() { buffer.write(octet: UInt8(ascii: ",")) }
}
