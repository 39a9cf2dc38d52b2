public import CaptureFiles

/// Something that a person who looks at a capture should know.
public struct Finding: Sendable {
  /// The rule that found it.
  public let rule: String
  /// What was seen, in a sentence with its numbers.
  public let message: String
  /// Where it is written how it should be; nil where no one wrote it.
  public let reference: String?
  /// Findings that explain this one, by their places in the list they are in.
  public internal(set) var causes: [Int] = []
  // There may be thousands: numbers that say that there is none take less than optional ones.
  private let first: Moment
  private let last: Moment
  private let number: Int32
  /// How often.
  public let count: Int
  /// How many findings it stands for: more than one where there are so many that they are only counted.
  public let amount: Int
  /// How grave it is.
  public let severity: Severity

  /// A finding from its parts.
  /// - Parameters:
  ///   - first: The first record that shows it.
  ///   - last: The last one; the first if nil.
  init(
    rule: String, severity: Severity, connection: Int? = nil, from first: Moment = .nowhere(), to last: Moment? = nil,
    count: Int = 1, amount: Int = 1, message: String, reference: String? = nil
  ) {
    self.rule = rule
    self.severity = severity
    number = Int32(clamping: connection ?? -1)
    self.first = first
    self.last = last ?? first
    self.count = count
    self.amount = amount
    self.message = message
    self.reference = reference
  }
}

extension Finding {
  /// The connection it is about; nil for the capture as a whole.
  public var connection: Int? { number < 0 ? nil : Int(number) }
  /// The first record that shows it; nil where none does.
  public var frame: Int? { first.frame < 0 ? nil : first.frame }
  /// The last one.
  public var lastFrame: Int? { last.frame < 0 ? nil : last.frame }
  /// The file that the first one stands in, from 0; nil if the capture has only one, or none shows it.
  public var member: Int? { first.member }
  /// The file that the last one stands in.
  public var lastMember: Int? { last.member }
  /// When it began.
  public var time: Timestamp? { first.time == .unknown ? nil : first.time }
  /// When it was over; nil if that is not known.
  public var endTime: Timestamp? { last.time == .unknown ? nil : last.time }

  /// How long it lasted, in seconds; 0 where that is not known.
  var duration: Double {
    guard let time, let endTime else { return 0 }
    return endTime.seconds(since: time)
  }

  /// Where it begins; what no record shows comes before all records.
  var beginning: Moment { first }
  /// Where it ends.
  var ending: Moment { Moment(frame: lastFrame ?? first.frame, time: last.time, member: last.member) }
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
