import Foundation
import Testing
import TestSupport

/// Archives of many captures, in commands that read each twice.
@Suite struct `Archives of many captures` {
  private static let (captures, texts, measurements) = (30, 20, 3)

  private func archive(_ format: ArchiveBuilder.Format, _ compression: ArchiveBuilder.Compression) -> [UInt8] {
    var builder = ArchiveBuilder(format, compression)
    for number in 0..<Self.texts { builder.add("\(number).txt", Array("text \(number)".utf8)) }
    for number in 0..<Self.captures { builder.add("\(number).log", InputOctets.measurements(Self.measurements)) }
    return builder.octets
  }

  /// No more members may be passed than eight times those that there are: anew for each capture, it would be 3,000.
  @Test(arguments: [true, false])
  func `show in a timeline what they report`(isZip: Bool) async throws {
    let octets = isZip ? archive(.zip, .none) : archive(.tar, .gzip)
    try await TemporaryFolder.with { folder in
      let path = try folder.file("logs", octets)
      let options = ["--max-entries", "\(Self.captures + Self.texts)"]
      for (source, input) in [(path, nil), ("-", path)] as [(String, String?)] {
        let outcome = try await Program.run(
          ["timeline", "--format", "ndjson", "--events", "capture,heart-rate", source] + options, input: input)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let events = try outcome.jsonLines()
        let numbers = events.filter { $0["event"] == .string("capture") }.compactMap {
          $0["members"]?.array?.first?.string
        }
        #expect(numbers == (0..<Self.captures).map { "\($0).log" })
        let rates = events.filter { $0["event"] == .string("heart-rate") }
        #expect(rates.count == Self.captures * Self.measurements)
        #expect(rates.last?["capture"] == .number(Double(Self.captures - 1)))
      }
      let piped = try await Program.shell(#"cat "$1" | "$0" timeline --format csv -"#, [path])
      #expect(piped.status == 0 && piped.lines.count == 1 + Self.captures * Self.measurements)
      let part = try await Program.run(["--format", "json", "--connection", "1", path] + options)
      #expect(part.status == 0 && part.errors.isEmpty)
      #expect(try part.json()["captures"]?.array?.count == Self.captures)
    }
  }
}
