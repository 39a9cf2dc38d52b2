public import ArgumentParser
public import CaptureSources

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What stands behind the program's name, as text out of which paths can be had as they were given.
///
/// Arguments are octets, and their parser takes text: `CommandLine.arguments` puts U+FFFD where octets are no UTF-8, and
/// a file of that name is not found. Here, scalars at the end of a plane for private use stand for such octets, U+10FE80
/// for 0x80 to U+10FEFF for 0xFF. One of these that somebody wrote counts as octets that are no text, too, so that none
/// is taken for what it is not.
enum ProgramArguments {
  private static let standIns: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

  /// The arguments.
  static var all: [String] {
    var arguments: [String] = []
    var place = 1
    while place < CommandLine.argc, let argument = unsafe CommandLine.unsafeArgv[place] {
      let octets = unsafe UnsafeRawBufferPointer(start: argument, count: strlen(argument))
      arguments.append(unsafe text(Array(octets)))
      place += 1
    }
    return arguments
  }

  private static func text(_ octets: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    FilePath.read(octets) { piece in
      switch piece {
      case .scalar(let scalar) where standIns.contains(scalar.value):
        for octet in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(octet, to: &text) }
      case .scalar(let scalar): text.append(scalar)
      case .octet(let octet): append(octet, to: &text)
      }
    }
    return String(text)
  }

  private static func append(_ octet: UInt8, to text: inout String.UnicodeScalarView) {
    let standIn = Unicode.Scalar(standIns.upperBound - 0xFF + UInt32(octet))
    text.append(standIn ?? Unicode.Scalar(octet))
  }

  /// The octets of an argument, as they were given.
  static func octets(_ argument: String) -> [UInt8] {
    argument.unicodeScalars.flatMap { scalar -> [UInt8] in
      if standIns.contains(scalar.value) { return [UInt8(truncatingIfNeeded: scalar.value)] }
      return Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  /// An argument that is to be compared with text from the air, which is made whole in the same way.
  static func repaired(_ argument: String) -> String { String(decoding: octets(argument), as: UTF8.self) }
}

extension FilePath: ExpressibleByArgument {
  /// The path that an argument names.
  public init(argument: String) { self.init(octets: ProgramArguments.octets(argument)) }
}
