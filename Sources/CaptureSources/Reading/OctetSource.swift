/// Where octets come from: a file, a pipe, an archive's member, a live capture. All the same to what follows.
public protocol OctetSource: ~Copyable {
  /// Reads the next octets into the start of `space`.
  /// - Returns: How many were read; 0 at the end.
  mutating func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int
  /// Whether there is nothing more at the moment, so that reading on would wait.
  var wouldWait: Bool { get }
}

extension OctetSource where Self: ~Copyable {
  /// What does not come by and by has it all.
  public var wouldWait: Bool { false }
}

/// A source in which one can go back.
protocol SeekableOctetSource: OctetSource {
  /// How many octets there are; nil where that is not known, and one cannot go back.
  var size: Int? { get }
  /// Goes to an octet, counted from the beginning.
  /// - Returns: Whether that was possible.
  func seek(to offset: Int) -> Bool
}

/// Why an input could not be opened or read on.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, in a sentence that can follow the input's name.
  public let description: String
  private let kind: Kind

  /// What an error says of the input.
  public enum Kind: Hashable, Sendable {
    /// It cannot be opened, or not be read on.
    case failure
    /// It cannot be read on, and what was read of it before need not be what it was.
    case damage
    /// Nothing is wrong with it: a limit of the user's was reached.
    case limit
    /// It was read to its end, and a checksum says that it is not what it was.
    case doubt
  }

  /// Creates an error from its sentence.
  public init(_ description: String, _ kind: Kind = .failure) {
    self.description = description
    self.kind = kind
  }

  /// Whether it is a limit of the user's that was reached, and nothing wrong with the input.
  public var isLimit: Bool { kind == .limit }
  /// Whether the input cannot be read on, and what was read of it before need not be what it was.
  public var isDamage: Bool { kind == .damage }
  /// Whether the input was read to its end, and a checksum says that it is not what it was.
  public var isDoubt: Bool { kind == .doubt }
}
