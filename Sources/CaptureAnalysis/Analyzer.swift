import BluetoothHost
import CaptureFiles
public import Octets

/// The way from a capture's octets to its events.
///
///     octets  → records   CaptureReader          whatever the format
///     records → packets   HCIPacket              whatever the link type
///     packets → PDUs      ConnectionTracker      ACL, L2CAP, ATT, for each connection
///     PDUs    → events    ConnectionTracker      connections, transactions, values
///
/// Octets may come in pieces of any size; a live capture is one that has not ended.
public struct Analyzer {
  private var reader: CaptureReader
  private var tracker: ConnectionTracker
  /// What the capture as a whole is like.
  public private(set) var facts = CaptureFacts()

  /// Creates an analyzer at the start of a capture.
  /// - Parameters:
  ///   - selection: The events that are wanted.
  ///   - isLive: Whether records are wanted as soon as they are whole.
  public init(selection: EventSelection, isLive: Bool = false) {
    reader = CaptureReader(isLive: isLive)
    tracker = ConnectionTracker(selection: selection)
  }

  /// Reads on. `octets` continue where the last call stopped consuming.
  /// - Parameters:
  ///   - isLast: Whether the capture ends with these octets.
  ///   - body: Called with each event, in order.
  /// - Returns: How many octets need not be shown again.
  /// - Throws: `ParsingError` if this is no capture of HCI traffic.
  public mutating func read(
    _ octets: Span<UInt8>, isLast: Bool, _ body: (Event) -> Void
  ) throws(ParsingError) -> Int {
    let consumed = try Self.read(octets, isLast: isLast, &reader, &facts, &tracker, body)
    if isLast { tracker.finish() }
    tracker.takeEvents(body)
    facts.note(reader)
    facts.unfollowedConnections = tracker.unfollowedConnections
    if isLast { try facts.requireHCI() }
    return consumed
  }

  /// Octets → records.
  private static func read(
    _ octets: Span<UInt8>, isLast: Bool, _ reader: inout CaptureReader, _ facts: inout CaptureFacts,
    _ tracker: inout ConnectionTracker, _ body: (Event) -> Void
  ) throws(ParsingError) -> Int {
    try reader.read(octets, isLast: isLast) { record, octets in
      facts.note(record)
      receive(record, octets, &tracker)
      if tracker.hasEvents { tracker.takeEvents(body) }
    }
  }

  /// Records → packets → PDUs → events.
  @inline(__always)
  private static func receive(_ record: CaptureRecord, _ octets: Span<UInt8>, _ tracker: inout ConnectionTracker) {
    if record.followsDamage { tracker.forgetUnfinished() }
    guard let kind = HCIPacketKind(record.content) else { return tracker.receive(adapterRecord: record, octets) }
    do {
      let octets = CapturedOctets(octets, length: record.originalLength, origin: record.offset)
      tracker.receive(try HCIPacket(parsing: octets, as: kind), record)
    } catch {
      tracker.receive(error, record)
    }
  }
}

extension HCIPacketKind {
  /// The kind of packet in a record; nil if there is none that matters here.
  fileprivate init?(_ content: RecordContent) {
    switch content {
    case .command: self = .command
    case .event: self = .event
    case .aclData: self = .aclData
    default: return nil
    }
  }
}
