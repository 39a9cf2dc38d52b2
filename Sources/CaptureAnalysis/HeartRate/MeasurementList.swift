import BluetoothHost
public import CaptureFiles
public import GATTKit

/// All measurements of one connection, as they came: the octets and where they stood. They are decoded when they are
/// looked at, so that a night of them takes little memory.
public struct MeasurementList: Sendable {
  private var chunks: [Chunk] = []
  /// How many measurements there are.
  public private(set) var count = 0
  /// What happened before some of them, by their places: before most, nothing.
  private var interruptions: [Int: Interruption] = [:]

  /// What happened between a measurement and the one before it.
  struct Interruption: Equatable, Sendable {
    /// Whether records were lost: measurements may have been in them.
    var hasLoss = false
    /// For how long notifications were switched off, in microseconds, if that was not for a moment only.
    var offTime: Int64 = 0
  }

  /// Creates an empty list.
  public init() {}

  /// Measurements are kept in pieces of this many: but for the first, which grows with them, nothing is copied.
  private static let chunkSize = 1024

  private struct Chunk: Sendable {
    var entries = ContiguousArray<Entry>()
    var octets = ContiguousArray<UInt8>()
  }

  private struct Entry: Sendable {
    let time: Timestamp
    let frame: UInt32
    let end: UInt32
    let length: UInt16
    let handle: UInt16
    /// -1 where there is only one file.
    let member: Int8
  }

  mutating func append(
    _ measurement: HeartRateNotification, _ moment: Moment, behind interruption: Interruption = Interruption()
  ) {
    if interruption != Interruption() { interruptions[count] = interruption }
    if chunks.last.map({ $0.entries.count >= Self.chunkSize }) ?? true {
      chunks.append(Chunk())
      if count > 0 { chunks[chunks.count - 1].entries.reserveCapacity(Self.chunkSize) }
    }
    let last = chunks.count - 1
    chunks[last].octets.append(measurement.value.octets)
    chunks[last].entries.append(
      Entry(
        time: moment.time, frame: UInt32(truncatingIfNeeded: moment.frame),
        end: UInt32(truncatingIfNeeded: chunks[last].octets.count),
        length: UInt16(clamping: measurement.value.length), handle: measurement.handle,
        member: Int8(clamping: moment.member ?? -1)))
    count += 1
  }
}

/// A measurement and where it stood.
public struct Measurement: Sendable {
  /// The record that completed it.
  public let frame: Int
  /// The file it stands in, from 0; nil if the capture has only one.
  public let member: Int?
  /// When it was captured.
  public let time: Timestamp
  /// The handle it came on.
  public let handle: UInt16
  /// The octets that were kept.
  public let octets: ContiguousArray<UInt8>
  /// How many octets were sent.
  public let length: Int
  /// What it says.
  public let reading: HeartRateMeasurement.Reading
  /// What happened before it.
  let interruption: MeasurementList.Interruption
}

extension MeasurementList: Sequence {
  /// Walks through the measurements in the order they came.
  public struct Iterator: IteratorProtocol {
    fileprivate let list: MeasurementList
    fileprivate var chunk = 0
    fileprivate var entry = 0
    fileprivate var start = 0

    /// The next measurement.
    public mutating func next() -> Measurement? {
      while chunk < list.chunks.count, entry == list.chunks[chunk].entries.count {
        (chunk, entry, start) = (chunk + 1, 0, 0)
      }
      guard chunk < list.chunks.count else { return nil }
      let kept = list.chunks[chunk].entries[entry]
      let place = chunk * chunkSize + entry
      let octets = ContiguousArray(list.chunks[chunk].octets[start..<Int(kept.end)])
      entry += 1
      start = Int(kept.end)
      return Measurement(
        frame: Int(kept.frame), member: kept.member < 0 ? nil : Int(kept.member), time: kept.time, handle: kept.handle,
        octets: octets, length: Int(kept.length),
        reading: HeartRateMeasurement.Reading(lax: octets.span, length: Int(kept.length)),
        interruption: list.interruptions[place] ?? Interruption())
    }
  }

  /// Walks through the measurements in the order they came.
  public func makeIterator() -> Iterator { Iterator(list: self) }
}
