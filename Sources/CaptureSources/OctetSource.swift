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
  /// Whether it is a limit of the user's that was reached, and nothing wrong with the input.
  public let isLimit: Bool
  /// Whether the input was read to its end, and a checksum says that it is not what it was.
  public let isDoubt: Bool

  /// Creates an error from its sentence.
  public init(_ description: String, isLimit: Bool = false, isDoubt: Bool = false) {
    self.description = description
    self.isLimit = isLimit
    self.isDoubt = isDoubt
  }
}
