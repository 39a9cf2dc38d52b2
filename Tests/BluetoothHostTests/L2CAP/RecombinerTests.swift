import BluetoothHost
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 4, Part E, 5.4.2 and Vol 3, Part A, 7.2.1.
@Suite struct `Recombination of ACL data` {
  /// A fragment: whether it continues, its octets, and how many of them were kept.
  struct Piece {
    let isContinuation: Bool
    let octets: [UInt8]
    var kept: Int?
  }

  /// What comes out: units, and what was wrong, in order.
  enum Output: Equatable {
    case unit(String)
    case fault(RecombinationFault)
  }

  private func recombine(_ pieces: [Piece]) throws -> [Output] {
    var recombiner = Recombiner()
    var output: [Output] = []
    for piece in pieces {
      let flags: UInt16 = piece.isContinuation ? 0x1040 : 0x2040
      let packet = flags.little + UInt16(piece.octets.count).little + piece.octets
      try packet.captured(keeping: piece.kept.map { $0 + 4 }) { octets in
        guard case .aclData(let data) = try HCIPacket(parsing: octets, as: .aclData) else { return }
        let step = recombiner.add(fragment: data.data, isContinuation: data.isContinuation)
        if let fault = step.fault { output.append(.fault(fault)) }
        switch step.state {
        case .whole: output.append(.unit(data.data.text))
        case .complete: output.append(.unit(recombiner.octets.text))
        case .incomplete, .nothing: break
        }
      }
    }
    return output
  }

  private func start(_ text: String, keeping kept: Int? = nil) -> Piece {
    Piece(isContinuation: false, octets: hex(text), kept: kept)
  }

  private func continuation(_ text: String, keeping kept: Int? = nil) -> Piece {
    Piece(isContinuation: true, octets: hex(text), kept: kept)
  }

  private static let pdu = "070004001b10001648e803"

  @Test func `one fragment is a PDU`() throws {
    #expect(try recombine([start(Self.pdu), start("00000400")]) == [.unit(Self.pdu), .unit("00000400")])
  }

  @Test(arguments: 0...11) func `a PDU split anywhere, also inside its header`(place: Int) throws {
    let octets = hex(Self.pdu)
    let pieces = [start(octets.prefix(place).hexadecimal), continuation(octets.dropFirst(place).hexadecimal)]
    #expect(try recombine(pieces + [start(Self.pdu)]) == [.unit(Self.pdu), .unit(Self.pdu)])
  }

  @Test func `a header split 1 + N is put together`() throws {
    #expect(try recombine([start("07"), continuation("0004001b10001648e803")]) == [.unit(Self.pdu)])
  }

  @Test func `octet by octet`() throws {
    let octets = hex(Self.pdu)
    let pieces = octets.enumerated().map { Piece(isContinuation: $0.offset > 0, octets: [$0.element]) }
    #expect(try recombine(pieces + pieces) == [.unit(Self.pdu), .unit(Self.pdu)])
  }

  @Test func `empty continuations mean nothing`() throws {
    #expect(
      try recombine([
        continuation(""), start("0700"), continuation(""), continuation("04001b1000"), continuation(""),
        continuation("1648e803"), continuation(""), start(Self.pdu),
      ]) == [.unit(Self.pdu), .unit(Self.pdu)])
  }

  @Test func `an empty start does no harm`() throws {
    #expect(try recombine([start(""), start(Self.pdu)]) == [.unit(Self.pdu)])
    #expect(try recombine([start(""), continuation(Self.pdu)]) == [.unit(Self.pdu)])
  }

  @Test func `a continuation without a start costs itself`() throws {
    #expect(
      try recombine([continuation("1648e803"), start(Self.pdu)])
        == [.fault(.continuationWithoutStart), .unit(Self.pdu)])
    #expect(
      try recombine([start(Self.pdu), continuation("ff"), start(Self.pdu)])
        == [.unit(Self.pdu), .fault(.continuationWithoutStart), .unit(Self.pdu)])
  }

  @Test func `a start inside an unfinished PDU costs the unfinished one`() throws {
    #expect(
      try recombine([start("0700 0400 1b10"), start(Self.pdu), start(Self.pdu)])
        == [.fault(.startInsideUnfinished), .unit(Self.pdu), .unit(Self.pdu)])
    #expect(
      try recombine([start("0700 0400 1b10"), start("0700"), continuation("04001b10001648e803")])
        == [.fault(.startInsideUnfinished), .unit(Self.pdu)])
  }

  @Test func `more octets than the length says cost the PDU they are in`() throws {
    #expect(try recombine([start(Self.pdu + "ff"), start(Self.pdu)]) == [.fault(.tooLong), .unit(Self.pdu)])
    #expect(
      try recombine([start("070004001b"), continuation("10001648e803ff"), start(Self.pdu)])
        == [.fault(.tooLong), .unit(Self.pdu)])
    #expect(
      try recombine([start("07"), continuation("0004001b10001648e803ff"), continuation("00"), start(Self.pdu)])
        == [.fault(.tooLong), .fault(.continuationWithoutStart), .unit(Self.pdu)])
  }

  /// In an Android log each ACL packet keeps 14 octets: 10 of its data.
  @Test func `cut fragments are counted as they were sent`() throws {
    #expect(try recombine([start(Self.pdu, keeping: 10)]) == [.unit("070004001b10001648e8…11")])
    // The second fragment, whole, cannot be put behind a first that is not.
    #expect(
      try recombine([start("070004001b100016", keeping: 6), continuation("48e803"), start(Self.pdu)])
        == [.unit("070004001b10…11"), .unit(Self.pdu)])
    #expect(
      try recombine([start("070004001b"), continuation("10001648e803", keeping: 2), start(Self.pdu)])
        == [.unit("070004001b1000…11"), .unit(Self.pdu)])
  }

  @Test func `a header that was cut away costs the PDU without a fault`() throws {
    #expect(try recombine([start(Self.pdu, keeping: 3), start(Self.pdu)]).contains(.unit(Self.pdu)))
    #expect(
      try recombine([start("07000400", keeping: 1), continuation("1b10001648e803"), start(Self.pdu)])
        .last == .unit(Self.pdu))
  }

  @Test func `the longest PDU in the smallest fragments`() throws {
    let octets = [0xFF, 0xFF, 0x40, 0x00] + (0..<65_535).map { UInt8(truncatingIfNeeded: $0) }
    let pieces = stride(from: 0, to: octets.count, by: 27).map {
      Piece(isContinuation: $0 > 0, octets: Array(octets[$0..<min($0 + 27, octets.count)]))
    }
    #expect(try recombine(pieces) == [.unit(octets.hexadecimal)])
  }

  /// Where it is not known which way a fragment went, a channel that there hardly is speaks against it, unless the
  /// header was there before.
  @Test(arguments: [
    ("0700", "40001b10001648e803", true), ("0700", "40011b10001648e803", false), ("07004001", "1b10001648e803", true),
  ])
  func `a continuation fits the channels that there are`(begun: String, rest: String, fits: Bool) {
    var recombiner = Recombiner()
    hex(begun).captured { _ = recombiner.add(fragment: $0, isContinuation: false) }
    hex(rest).captured { #expect(recombiner.fit(of: $0) == (fits ? .rest : .none)) }
  }

  @Test func `a reset forgets what is unfinished`() throws {
    var recombiner = Recombiner()
    hex("0700 0400").captured { _ = recombiner.add(fragment: $0, isContinuation: false) }
    #expect(recombiner.isActive)
    recombiner.reset()
    #expect(!recombiner.isActive)
  }
}
