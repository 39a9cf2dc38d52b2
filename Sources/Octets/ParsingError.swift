/// What was wrong with octets that were being read: in which layer, which field, what about it, and where.
///
/// One error serves every layer, from the capture file down to a characteristic's value, so that it can be thrown
/// through all of them unchanged and always tells the position in the input as a whole. Programs ask its parts; its
/// `description` is for people, and Foundation's `localizedDescription` knows nothing of it.
public struct ParsingError: Error, Hashable, Sendable {
  /// What can be wrong with a field.
  public enum Problem: Hashable, Sendable {
    /// The field needs more octets than are left.
    case tooShort(needed: Int, available: Int)
    /// Octets are left over after the last field.
    case leftOver(count: Int)
    /// The field holds something it must not; the text says what, and what was expected.
    case invalid(String)

    /// Whether it comes of where the octets end.
    fileprivate var isOfLength: Bool { if case .invalid = self { false } else { true } }
  }

  /// The layer or value that was being read, in the words of its specification: "L2CAP", "Heart Rate Measurement".
  public var layer: String
  /// The field that could not be read, in the words of its specification: "RR-Interval".
  public var field: String
  /// What is wrong with it.
  public var problem: Problem
  /// Where the field begins, or what is left over behind it, in octets from the start of the input.
  public var offset: Int
  /// What set the end of the octets, where whoever caught the error knows it: "the L2CAP length".
  public var limit: String?

  /// Creates an error from its parts.
  public init(layer: String, field: String, problem: Problem, offset: Int, limit: String? = nil) {
    self.layer = layer
    self.field = field
    self.problem = problem
    self.offset = offset
    self.limit = limit
  }
}

extension ParsingError: CustomStringConvertible {
  /// The field and its problem in plain words: "RR-Interval needs 2 octets, 1 left". The place is left to the reader
  /// of the error, who knows what the offset counts from.
  public var description: String {
    let base =
      switch problem {
      case .tooShort(let needed, let available):
        "\(field) needs \(needed.octetWords), \(available == 0 ? "none" : "\(available)") left"
      case .leftOver(let count):
        "\(count.octetWords) left over after \(field)"
      case .invalid(let what):
        "\(field): \(what)"
      }
    if let limit, problem.isOfLength { return "\(base), as \(limit) says" }
    return base
  }

  /// The error, with what set the end of the octets.
  public func limited(by limit: String) -> ParsingError {
    var error = self
    error.limit = limit
    return error
  }
}
