import ArgumentParser
import CaptureReports
import GATTKit
import Octets

/// `hrsnoop decode`: one characteristic value.
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decode one characteristic value.",
    discussion: """
      Examples:
        hrsnoop decode 2A37 "16 48 e8 03"
        hrsnoop decode 2A38 01
        hrsnoop decode 0x2902 0100

      "" is a value of no octets.

      Exit codes: 0 done, also where something reserved is set or a text is no UTF-8, which is shown; 2 the value has \
      too few octets, too many, or a number that is out of its range (of a measurement that has too few, the fields \
      before the fault are shown; of any value that has too many, all of them), or is of a UUID that is not known; \
      64 wrong usage.
      """)

  @Argument(help: "The characteristic's or descriptor's UUID, such as 2A37.")
  var uuid: String

  @Argument(help: "The value's octets in hexadecimal, as they were sent.")
  var hex: [String]

  @OptionGroup var result: ResultOptions

  func validate() throws {
    guard BluetoothUUID(uuid) != nil else {
      throw ValidationError("'\(uuid)' is no UUID: give 4, 8 or 32 hexadecimal digits, such as 2A37.")
    }
    _ = try Self.octets(hex.joined(separator: " "))
  }

  func run() throws {
    guard let type = BluetoothUUID(uuid) else { return }
    let octets = try Self.octets(hex.joined(separator: " "))
    try result.open { buffer, context in
      let report = DecodedValue(type, octets)
      report.write(into: buffer, context)
      if let problem = report.problem {
        StandardError.complain(problem)
        throw ExitCode(ExitStatus.unreadable)
      }
    }
  }

  /// Octets from digits; spaces, colons, dashes and commas between octets and a leading 0x are passed over.
  private static func octets(_ text: String) throws -> ContiguousArray<UInt8> {
    var octets = ContiguousArray<UInt8>()
    for part in text.split(whereSeparator: { " :-,\t\n".contains($0) }) {
      let bare = part.hasPrefix("0x") || part.hasPrefix("0X") ? part.dropFirst(2) : part
      let digits = try bare.map { character in
        guard character.isASCII, let digit = character.hexDigitValue else {
          let place = part.count > 1 ? " in '\(part)'" : ""
          throw ValidationError("'\(character)'\(place) is no hexadecimal digit.")
        }
        return UInt8(digit)
      }
      // Whether "6 48" is 06 48 or was 64 8… once, nobody knows.
      guard digits.count % 2 == 0 else {
        let count = digits.count.words("hexadecimal digit")
        throw ValidationError("'\(part)' has \(count): an octet has two, so their number must be even.")
      }
      octets += stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
    return octets
  }
}
