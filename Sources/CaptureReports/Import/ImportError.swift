/// Why a file does not hold what it was given for: what follows its name in a sentence.
public struct ImportError: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
