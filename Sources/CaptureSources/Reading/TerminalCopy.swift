import CaptureFiles
import Octets

/// What a terminal has made of a capture that was copied through it, as `adb shell cat` does: it has put a carriage return
/// before each line feed, and Windows may have put another. Nothing is lost: they can be taken out again.
package struct TerminalCopy: Sendable {
  /// How many carriage returns stand before each line feed that were not there: 1 or 2.
  let returns: Int

  /// Looks at a capture's first octets.
  /// - Returns: nil if they can be read as they are, or not without carriage returns either.
  package init?(_ start: Span<UInt8>) {
    returns = Self.leastReturns(start) ?? 0
    guard returns > 0, !Self.isSound(start), Self.isSound(restored(start).span, behindPreface: true) else { return nil }
  }

  /// No copy goes through more terminals than two.
  private static let most = 2

  /// Whether a capture's first octets have not gone through a terminal: a line feed among them has no carriage return
  /// before it.
  package static func isNone(_ start: Span<UInt8>) -> Bool { leastReturns(start) == 0 }

  /// How many carriage returns stand before each line feed, at least; nil where there are no line feeds.
  private static func leastReturns(_ octets: Span<UInt8>) -> Int? {
    var least: Int?
    var returns = 0
    for index in octets.indices {
      switch octets[index] {
      case CarriageReturns.octet: returns += 1
      case CarriageReturns.lineFeed:
        guard returns > 0 else { return 0 }
        least = min(least ?? most, returns)
        returns = 0
      default: returns = 0
      }
    }
    return least
  }

  /// Whether octets begin a capture in which nothing is damaged, whatever was said before it.
  /// - Parameter behindPreface: Whether what stands before the first record is none of the capture's own in any case: of a
  ///   format without a header, it looks like damage.
  private static func isSound(_ octets: Span<UInt8>, behindPreface: Bool = false) -> Bool {
    var reader = CaptureReader()
    var nobody = Nobody()
    guard (try? reader.read(octets, isLast: true, into: &nobody)) != nil else { return false }
    let progress = reader.progress
    let isDisplaced = progress.isDisplaced || behindPreface && progress.damages.first?.record == 1
    return progress.damageCount == (isDisplaced ? 1 : 0) && progress.records > 0
  }

  private struct Nobody: RecordReceiver {
    mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {}
  }

  /// The octets as they were.
  func restored(_ octets: Span<UInt8>) -> ContiguousArray<UInt8> {
    var restored = ContiguousArray<UInt8>()
    var returns = CarriageReturns(most: returns)
    returns.takeOut(of: octets, into: &restored)
    returns.end(into: &restored)
    return restored
  }

  /// A source as it was.
  func restored(_ source: any OctetSource) -> any OctetSource { RestoredSource(source, CarriageReturns(most: returns)) }
}

/// Takes carriage returns out of octets that come piece by piece.
private struct CarriageReturns {
  /// How many stand before each line feed that were not there.
  let most: Int
  /// How many have come of which it is not known what follows them: no more than may have to be taken out.
  private var pending = 0

  static let octet: UInt8 = 0x0D
  static let lineFeed: UInt8 = 0x0A

  init(most: Int) { self.most = most }

  /// Takes them out where they stand before a line feed. Those at the end wait for what follows.
  /// - Parameter restored: Where the octets that are left go.
  mutating func takeOut(of octets: Span<UInt8>, into restored: inout ContiguousArray<UInt8>) {
    for index in octets.indices {
      switch octets[index] {
      case Self.octet where pending < most: pending += 1
      // One more than may have to be taken out: the first of them was there.
      case Self.octet: restored.append(Self.octet)
      case let next:
        // Where there are fewer, the terminal has not put them.
        if next == Self.lineFeed, pending == most { pending = 0 }
        end(into: &restored)
        restored.append(next)
      }
    }
  }

  /// Nothing follows that could be a line feed: those that wait were there.
  mutating func end(into restored: inout ContiguousArray<UInt8>) {
    for _ in 0..<pending { restored.append(Self.octet) }
    pending = 0
  }
}

/// A capture that was copied through a terminal, as it was.
private final class RestoredSource: OctetSource {
  private var copy: any OctetSource
  private var returns: CarriageReturns
  private var buffer = OctetBuffer(longest: 0)
  /// What has been restored, and how much of it has been read.
  private var restored = ContiguousArray<UInt8>()
  private var place = 0

  init(_ copy: any OctetSource, _ returns: CarriageReturns) {
    self.copy = copy
    self.returns = returns
  }

  var wouldWait: Bool { place == restored.count && copy.wouldWait }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    var hasMore = true
    while place == restored.count, hasMore {
      restored.removeAll(keepingCapacity: true)
      place = 0
      hasMore = try buffer.fill(from: &copy)
      if hasMore { returns.takeOut(of: buffer.octets, into: &restored) } else { returns.end(into: &restored) }
      buffer.clear()
    }
    let count = unsafe restored.read(into: space, at: place)
    place += count
    return count
  }
}
