/// Where octets come from: a file, a pipe, later an archive's member or a live capture. All the same to what follows.
public protocol OctetSource: ~Copyable {
  /// Reads the next octets into the start of `space`.
  /// - Returns: How many were read; 0 at the end.
  mutating func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int
}

/// Why an input could not be opened or read on.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, in a sentence that can follow the input's name.
  public let description: String

  /// Creates an error from its sentence.
  public init(_ description: String) {
    self.description = description
  }
}
