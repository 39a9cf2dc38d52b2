import Octets

/// Writes records as the Linux HCI monitor tells them, with adapters, into one of the formats that have room for that.
/// It does no output: what is written waits in `octets` until somebody takes it.
public struct CaptureWriter: RecordReceiver, Sendable {
  /// A format of capture files that records are written in.
  public enum Format: String, CaseIterable, Sendable {
    /// btsnoop with data link 2001, as btmon writes it.
    case btsnoop
    /// pcap with link type 254.
    case pcap
    /// pcapng with link type 254.
    case pcapng

    /// The format that a file's name asks for by its ending; btsnoop, if by none.
    public init(path: String) {
      let name = path.split(separator: "/").last ?? ""
      let ending = name.split(separator: ".").dropFirst().last?.lowercased()
      self = ending.flatMap(Format.init(rawValue:)) ?? .btsnoop
    }
  }

  private let format: Format
  private var waiting = ContiguousArray<UInt8>()
  private var losses: Losses
  /// For records that do not say it of themselves: they go on where the last one went.
  private var lastDirection = Direction.received
  /// The time of the last record.
  private var lastTime = Timestamp(microseconds: 0)

  /// Creates a writer at the start of a file.
  /// - Parameter droppedRecords: How many records the capture has lost already: none of them would be in the file.
  public init(_ format: Format, droppedRecords: UInt64 = 0) {
    self.format = format
    losses = Losses(before: droppedRecords)
    beginFile()
  }

  /// What has been written since `clear`.
  public var octets: Span<UInt8> {
    @_lifetime(borrow self) get { waiting.span }
  }

  /// Forgets what has been taken.
  public mutating func clear() { waiting.removeAll(keepingCapacity: true) }

  /// Goes on with another file.
  public mutating func beginFile() {
    losses.beginFile()
    switch format {
    case .btsnoop: BTSnoop.writeFileHeader(into: &waiting)
    case .pcap: PCAP.writeFileHeader(into: &waiting)
    case .pcapng: PCAPNG.writeFileHeader(into: &waiting)
    }
  }

  /// How many octets a record takes at most: pcapng puts most around a packet, 32 of the block itself, 4 of the monitor's,
  /// 3 of padding at most, and 16 where losses are told.
  public func length(of record: CaptureRecord) -> Int { record.length + 64 }

  /// Takes note of how many records were lost, so far: there may be more than records have told that they follow.
  public mutating func note(droppedRecords: UInt64) { losses.counted = max(losses.counted, droppedRecords) }

  /// How many octets `tellLosses` writes.
  public var lossesLength: Int { format == .pcapng && losses.areUntold ? PCAPNG.statisticsLength : 0 }

  /// Tells the losses of which no record has told, where they can be told by themselves. Else the next record tells them.
  public mutating func tellLosses() {
    guard lossesLength > 0 else { return }
    _ = losses.tell()
    PCAPNG.write(drops: losses.inFile, at: lastTime, into: &waiting)
  }

  /// Takes a record. One that is no Bluetooth traffic, such as another interface's, is left out.
  public mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    losses.add(before: record)
    if record.content == .aclData, let direction = record.direction ?? HCIH4.probableDirection(ofData: octets) {
      lastDirection = direction
    }
    guard let opcode = LinuxMonitor.opcode(of: record.content, record.direction ?? lastDirection) else { return }
    lastTime = record.captured(orAt: lastTime).time
    let packet = MonitorPacket(
      time: lastTime, source: UInt32(record.adapter) << 16 | UInt32(opcode), originalLength: record.originalLength,
      octets: octets)
    // In btsnoop, more at once count as damage.
    let drops = losses.tell(atMost: format == .btsnoop ? CaptureRecord.mostDrops : .max)
    switch format {
    case .btsnoop: BTSnoop.write(packet, drops: losses.inFile, into: &waiting)
    case .pcap: PCAP.write(packet, into: &waiting)
    case .pcapng: PCAPNG.write(packet, drops: drops, into: &waiting)
    }
  }
}

/// A packet as all formats have it.
struct MonitorPacket: ~Escapable {
  let time: Timestamp
  /// The adapter in the upper half, the opcode in the lower.
  let source: UInt32
  /// How many octets it had before it was cut.
  let originalLength: Int
  let octets: Span<UInt8>

  @_lifetime(copy octets)
  init(time: Timestamp, source: UInt32, originalLength: Int, octets: Span<UInt8>) {
    self.time = time
    self.source = source
    self.originalLength = originalLength
    self.octets = octets
  }
}

/// Records that are missing in what is written.
private struct Losses {
  /// Those that the capture counts, so far.
  var counted: UInt64
  /// Those that may be missing beside them.
  private var uncounted: UInt64 = 0
  /// Those of all that have been told, or were lost before anything was written.
  private var told: UInt64
  /// Those that have been told since the file began.
  private(set) var inFile: UInt64 = 0

  init(before: UInt64) { (counted, told) = (before, before) }

  /// Where octets could not be read, or a source was away, nobody knows how many are missing. Of one alone more would be
  /// concluded than holds.
  private static let some: UInt64 = 2

  private var total: UInt64 { counted.withDrops(uncounted) }

  /// Whether there are some that have not been told.
  var areUntold: Bool { total > told }

  /// More were lost before a record, or may have been.
  mutating func add(before record: CaptureRecord) {
    let count = record.droppedRecords
    counted = counted.withDrops(count)
    if record.followsDamage, count < Self.some { uncounted = uncounted.withDrops(Self.some - count) }
  }

  /// Those that have not been told are told now.
  /// - Parameter most: No more can be told at once.
  /// - Returns: How many are told.
  mutating func tell(atMost most: UInt64 = .max) -> UInt64 {
    let new = min(total - told, most)
    told = total
    inFile += new
    return new
  }

  mutating func beginFile() { inFile = 0 }
}

extension ContiguousArray<UInt8> {
  /// Appends numbers of the same width.
  mutating func append<Number: FixedWidthInteger>(_ numbers: Number..., order: OctetOrder) {
    for number in numbers {
      for place in 0..<Number.bitWidth / 8 {
        let shift = order == .little ? place * 8 : Number.bitWidth - 8 - place * 8
        append(UInt8(truncatingIfNeeded: number >> Number(shift)))
      }
    }
  }
}
