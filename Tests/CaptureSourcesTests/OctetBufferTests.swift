import CaptureSources
import Octets
import Testing

/// A source that gives its octets in pieces of chosen lengths, and fails in the end if told so.
private struct PiecewiseSource: OctetSource {
  var octets: [UInt8]
  var lengths: [Int]
  var failure: SourceError?
  /// The most that was ever asked for at once.
  private(set) var mostAsked = 0
  /// How far behind the beginning of a page of memory each piece was to be put.
  private(set) var offsets: [UInt] = []

  init(_ octets: [UInt8], lengths: [Int] = [], failure: SourceError? = nil) {
    (self.octets, self.lengths, self.failure) = (octets, lengths, failure)
  }

  mutating func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    mostAsked = max(mostAsked, space.count)
    offsets.append(UInt(bitPattern: space.baseAddress) % 4096)
    if octets.isEmpty, let failure { throw failure }
    let wanted = lengths.isEmpty ? Int.max : lengths.removeFirst()
    let count = min(octets.count, wanted, space.count)
    for index in 0..<count { unsafe space[index] = octets[index] }
    octets.removeFirst(count)
    return count
  }
}

extension OctetBuffer {
  fileprivate var copy: [UInt8] { Array(ContiguousArray(octets)) }
}

@Suite struct `The buffer of octets` {
  private static func numbers(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  @Test func `begins empty`() {
    #expect(OctetBuffer(longest: 16).copy == [])
  }

  @Test func `is filled from behind and consumed from the front`() throws {
    var source = PiecewiseSource([1, 2, 3, 4, 5], lengths: [2, 1])
    var buffer = OctetBuffer(longest: 16)
    #expect(try buffer.fill(from: &source))
    #expect(buffer.copy == [1, 2])
    buffer.consume(1)
    #expect(buffer.copy == [2])
    #expect(try buffer.fill(from: &source))
    #expect(buffer.copy == [2, 3])
    #expect(try buffer.fill(from: &source))
    #expect(buffer.copy == [2, 3, 4, 5])
    #expect(try !buffer.fill(from: &source))
    #expect(buffer.copy == [2, 3, 4, 5])
    buffer.consume(4)
    #expect(buffer.copy == [])
  }

  @Test func `consumes no more than there is`() throws {
    var source = PiecewiseSource([1, 2, 3])
    var buffer = OctetBuffer(longest: 16)
    _ = try buffer.fill(from: &source)
    buffer.consume(100)
    #expect(buffer.copy == [])
    buffer.consume(1)
    #expect(buffer.copy == [])
  }

  /// What is read comes to the beginning of a page, whatever is left of what came before.
  @Test func `is filled where it is fast`() throws {
    var source = PiecewiseSource(Self.numbers(100_000), lengths: [10_000, 1, 4096, 5, 77_777])
    var buffer = OctetBuffer(longest: 70_000)
    for left in [0, 1, 15, 16, 4000, 1] {
      #expect(try buffer.fill(from: &source))
      buffer.consume(buffer.octets.count - left)
    }
    #expect(source.offsets == [0, 0, 0, 0, 0, 0])
  }

  /// However the octets come and are consumed, all of them pass by in order.
  @Test(arguments: [1, 3, 1000, 70_000, 131_072, 1_000_000], [1, 24, 5000])
  func `loses nothing`(length: Int, record: Int) throws {
    let octets = Self.numbers(400_000)
    var source = PiecewiseSource(octets, lengths: Array(repeating: length, count: 400_000 / max(length, 500)))
    var buffer = OctetBuffer(longest: 5000)
    var seen: [UInt8] = []
    var more = true
    while more {
      more = try buffer.fill(from: &source)
      let whole = buffer.octets.count / record * record
      seen += buffer.copy.prefix(whole)
      buffer.consume(whole)
    }
    seen += buffer.copy
    #expect(seen == octets)
    #expect(source.mostAsked <= 256 * 1024)
  }

  /// A reader that consumes nothing is an error, not endless memory.
  @Test func `does not grow`() throws {
    var source = PiecewiseSource(Self.numbers(1_000_000))
    var buffer = OctetBuffer(longest: 1000)
    var message = ""
    do throws(SourceError) {
      while try buffer.fill(from: &source) {}
    } catch {
      message = error.description
    }
    #expect(message == "a record is longer than \(1000 + 256 * 1024) octets")
    #expect(buffer.copy.count == 1000 + 256 * 1024)
    #expect(buffer.copy == Array(Self.numbers(1_000_000).prefix(1000 + 256 * 1024)))
  }

  @Test func `passes on errors and keeps what is there`() throws {
    var source = PiecewiseSource([1, 2], failure: SourceError("the plug was pulled"))
    var buffer = OctetBuffer(longest: 16)
    _ = try buffer.fill(from: &source)
    #expect(throws: SourceError("the plug was pulled")) { _ = try buffer.fill(from: &source) }
    #expect(buffer.copy == [1, 2])
  }
}
