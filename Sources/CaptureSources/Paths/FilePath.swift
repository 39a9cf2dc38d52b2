/// The path of a file: octets, as the system has them.
///
/// They need not be text. An umlaut that was packed into an archive under Windows is an octet that stands for nothing in
/// UTF-8; `String` puts U+FFFD in its place, which is the name of no file.
public struct FilePath: Hashable, Sendable {
  /// Its octets and a zero behind them, as calls of the system take it.
  public let terminated: [CChar]

  /// A path that is text.
  public init(_ text: String) { self.init(octets: text.utf8) }

  /// A path of octets; a zero ends it.
  public init(octets: some Sequence<UInt8>) {
    terminated = octets.prefix { $0 != 0 }.map { CChar(truncatingIfNeeded: $0) } + [0]
  }

  /// Its octets.
  public var octets: [UInt8] { terminated.dropLast().map { UInt8(truncatingIfNeeded: $0) } }

  /// What stands for standard input where an input is named.
  public static let standardInput = FilePath("-")

  /// Whether it stands for standard input.
  public var isStandardInput: Bool { self == .standardInput }

  /// The path of what has a name in this directory.
  public func appending(_ name: FilePath) -> FilePath {
    let directory = octets
    let slash = directory.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(octets: directory + slash + name.octets)
  }

  /// The last part of it.
  public var name: FilePath {
    octets.split(separator: UInt8(ascii: "/")).last.map { FilePath(octets: $0) } ?? self
  }

  /// The path of the directory that what has this path lies in.
  var directory: FilePath {
    let slash = UInt8(ascii: "/")
    let octets = octets
    let whole = octets[..<((octets.lastIndex { $0 != slash } ?? -1) + 1)]
    guard let last = whole.lastIndex(of: slash) else { return whole.isEmpty && !octets.isEmpty ? "/" : "." }
    return FilePath(octets: octets[...last])
  }

  /// Whether its name ends so.
  public func hasSuffix(_ ending: String) -> Bool { octets.ends(with: ending) }
}

extension FilePath: ExpressibleByStringLiteral {
  /// The path that a text is.
  public init(stringLiteral text: String) { self.init(text) }
}

extension FilePath: Comparable {
  /// In the order of octets, which for text is that of its scalars.
  public static func < (one: FilePath, other: FilePath) -> Bool {
    one.terminated.lexicographicallyPrecedes(other.terminated) {
      UInt8(truncatingIfNeeded: $0) < UInt8(truncatingIfNeeded: $1)
    }
  }
}

extension FilePath: CustomStringConvertible {
  /// The path as people and JSON get it: text as it is, and each octet that is no part of any as `\xfc`, two backslashes
  /// in JSON's own writing. Between `$'` and `'`, shells read that as the octet. It is to be looked at: text in which
  /// somebody wrote a backslash and `xfc` reads the same.
  public var description: String {
    var text = ""
    Self.read(octets) { piece in
      switch piece {
      case .scalar(let scalar): text.unicodeScalars.append(scalar)
      case .octet(let octet): text += "\\x" + String(octet, radix: 16)
      }
    }
    return text
  }

  /// A piece of octets that may be text.
  public enum Piece {
    /// A character's scalar, as UTF-8 writes it.
    case scalar(Unicode.Scalar)
    /// An octet, 0x80 or more, that is no part of any.
    case octet(UInt8)
  }

  /// Reads octets as UTF-8 as far as they are that.
  public static func read(_ octets: [UInt8], _ body: (Piece) -> Void) {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = octets.makeIterator()
    var ahead = octets[...]
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        body(.scalar(Unicode.UTF8.decode(encoded)))
        ahead = ahead.dropFirst(encoded.count)
      case .error(let length):
        for octet in ahead.prefix(length) { body(.octet(octet)) }
        ahead = ahead.dropFirst(length)
      case .emptyInput: return
      }
    }
  }
}

extension [UInt8] {
  /// Whether the last octets are those of a text.
  func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
