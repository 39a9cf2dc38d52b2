public import CaptureFiles

/// Something that a person who looks at a capture should know.
public struct Finding: Sendable {
  /// The rule that found it.
  public let rule: String
  /// How grave it is.
  public let severity: Severity
  /// The connection it is about; nil for the capture as a whole.
  public let connection: Int?
  /// The first record that shows it; nil where none does.
  public let frame: Int?
  /// The last one.
  public let lastFrame: Int?
  /// The file that the first one stands in, from 0; nil if the capture has only one, or none shows it.
  public let member: Int?
  /// The file that the last one stands in.
  public let lastMember: Int?
  /// When it began.
  public let time: Timestamp?
  /// When it was over; nil if that is not known.
  public let endTime: Timestamp?
  /// How often.
  public let count: Int
  /// How many findings it stands for: more than one where there are so many that they are only counted.
  public let amount: Int
  /// What was seen, in a sentence with its numbers.
  public let message: String
  /// Where it is written how it should be; nil where no one wrote it.
  public let reference: String?
  /// Findings that explain this one, by their places in the list they are in.
  public internal(set) var causes: [Int] = []

  /// A finding from its parts.
  init(
    rule: String, severity: Severity, connection: Int? = nil, frame: Int? = nil, lastFrame: Int? = nil,
    member: Int? = nil, lastMember: Int? = nil, time: Timestamp? = nil, endTime: Timestamp? = nil, count: Int = 1,
    amount: Int = 1, message: String, reference: String? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.connection = connection
    self.frame = frame
    self.lastFrame = lastFrame
    self.member = member
    self.lastMember = lastMember ?? member
    self.time = time
    self.endTime = endTime ?? time
    self.count = count
    self.amount = amount
    self.message = message
    self.reference = reference
  }
}

extension Finding {
  /// Where it begins; what no record shows comes before all records.
  var beginning: Moment { Moment(frame: frame ?? -1, time: time ?? .unknown, member: member) }
  /// Where it ends.
  var ending: Moment {
    Moment(frame: lastFrame ?? frame ?? -1, time: endTime ?? time ?? .unknown, member: lastMember)
  }
}

/// How grave a finding is.
public enum Severity: String, CaseIterable, Sendable, Comparable {
  /// Worth knowing.
  case info
  /// What users report as a fault, or what hides one.
  case warning
  /// A rule of a specification is broken.
  case error

  private var rank: Int { self == .info ? 0 : self == .warning ? 1 : 2 }

  /// Whether one is less grave than another.
  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}
