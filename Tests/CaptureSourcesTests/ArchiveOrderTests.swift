import CaptureSources
import Octets
import Testing
import TestSupport

/// Members of archives, opened in other orders than once each from the first to the last.
@Suite struct `Archives that are read more than once` {
  private static let count = 60

  /// A capture that is told from its neighbours by its number.
  private func capture(_ number: Int) -> [UInt8] {
    BTSnoopBuilder.header()
      + BTSnoopBuilder.record([4, 0x0F, UInt8(number)], time: CapturedPacket.start + Int64(number) * 60_000_000)
  }

  private func octets(of member: CaptureMember) throws -> [UInt8] {
    var opened = try member.open()
    while try opened.fill() {}
    return Array(ContiguousArray(opened.octets))
  }

  /// Opens members in an order, where no more than eight times the archive's own may be passed.
  private func open(_ order: [Int], in builder: ArchiveBuilder) throws {
    try temporaryFile(builder.octets) { path in
      let limits = UnpackingLimits(entries: Self.count)
      let members = try CaptureSurvey(path: FilePath(path), limits: limits).members
      try #require(members.count == Self.count)
      for number in order { #expect(try octets(of: members[number]) == capture(number)) }
    }
  }

  private func archive(_ format: ArchiveBuilder.Format, _ compression: ArchiveBuilder.Compression) -> ArchiveBuilder {
    var builder = ArchiveBuilder(format, compression)
    for number in 0..<Self.count { builder.add("\(number).log", capture(number)) }
    return builder
  }

  private static let orders: [[Int]] = [
    // Each twice.
    (0..<count).flatMap { [$0, $0] },
    // Pairs the wrong way round, as their names are sorted: X before X.last. Once, and each pair twice.
    stride(from: 0, to: count, by: 2).flatMap { [$0 + 1, $0] },
    stride(from: 0, to: count, by: 2).flatMap { [$0 + 1, $0, $0 + 1, $0] },
    // All of one kind before all of the other.
    (0..<count / 2).flatMap { [$0 + count / 2, $0, $0 + count / 2, $0] },
  ]

  @Test(arguments: orders.indices, [true, false])
  func `are gone through a few times, however many captures are in them`(order: Int, isZip: Bool) throws {
    try open(Self.orders[order], in: isZip ? archive(.zip, .none) : archive(.tar, .gzip))
  }

  @Test func `are not gone through without end`() throws {
    try temporaryFile(archive(.zip, .none).octets) { path in
      let members = try CaptureSurvey(path: FilePath(path), limits: UnpackingLimits(entries: Self.count)).members
      let last = try #require(members.last)
      // Eight times, and once more.
      for _ in 0..<8 { _ = try last.open() }
      let error = #expect(throws: SourceError.self) { try last.open() }
      #expect(error?.isLimit == true && error?.description.contains("more than 8 times") == true)
    }
  }
}
