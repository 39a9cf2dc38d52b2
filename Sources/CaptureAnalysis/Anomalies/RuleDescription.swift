/// What a person should know of a rule. `hrsnoop explain` and Documentation/Rules.md say nothing else.
public struct RuleDescription: Sendable {
  /// The name in reports and on the command line.
  public let name: String
  /// How grave it is, unless the finding itself says otherwise.
  public let severity: Severity
  /// What it finds, in a sentence.
  public let finds: String
  /// Why that matters.
  public let matters: String
  /// What to do about it.
  public let advice: String
  /// Where it is written how it should be; nil where nobody wrote it.
  public let reference: String?
  /// The rules whose findings explain one of this, where both are of the same connection and time.
  public let explainedBy: [String]
  /// Whether its findings tell what did not follow: what explains one may come behind it.
  let tellsWhatIsMissing: Bool
  /// Whether what explains one of its findings must last with it: a cause that is over before half of that is, is none.
  let isExplainedWhileLasting: Bool
  /// Whether its findings say why heart rates are missing, or times are not what they seem: they are told first, even where
  /// nothing is unusual.
  let belongsInHead: Bool
  /// Whether its findings say why a connection ended, or never was.
  public let tellsEnd: Bool
  /// Whether its findings tell of several connections to a peer, and stand with the first of them.
  let tellsOfSeveral: Bool
  /// The thresholds that are judgements, and can be set.
  public let parameters: [RuleParameter]
  /// What it finds something in, and what not.
  public let examples: [RuleExample]

  init(
    _ name: String, _ severity: Severity, finds: String, matters: String, advice: String, reference: String? = nil,
    explainedBy: [String] = [], tellsWhatIsMissing: Bool = false, isExplainedWhileLasting: Bool = false,
    belongsInHead: Bool = false, tellsEnd: Bool = false, tellsOfSeveral: Bool = false, parameters: [RuleParameter] = [],
    examples: [RuleExample]
  ) {
    self.name = name
    self.severity = severity
    self.finds = finds
    self.matters = matters
    self.advice = advice
    self.reference = reference
    self.explainedBy = explainedBy
    self.tellsWhatIsMissing = tellsWhatIsMissing
    self.isExplainedWhileLasting = isExplainedWhileLasting
    self.belongsInHead = belongsInHead
    self.tellsEnd = tellsEnd
    self.tellsOfSeveral = tellsOfSeveral
    self.parameters = parameters
    self.examples = examples
  }
}

/// A threshold of a rule that is a judgement.
public struct RuleParameter: Sendable {
  /// The name behind the rule's: `factor` in `notification-gap.factor`.
  public let name: String
  /// What it is unless it is set.
  public let value: Double
  /// What values make sense.
  public let range: ClosedRange<Double>
  /// What it means, and its unit.
  public let meaning: String
  /// Whether only whole numbers make sense.
  public let isWhole: Bool

  init(_ name: String, _ value: Double, in range: ClosedRange<Double>, isWhole: Bool = false, _ meaning: String) {
    self.name = name
    self.value = value
    self.range = range
    self.meaning = meaning
    self.isWhole = isWhole
  }

  /// What values make sense, in words: `from 1.1 to 1000`.
  public var limits: String {
    let (least, most) = (range.lowerBound, range.upperBound)
    return "\(isWhole ? "a whole number " : "")from \(number(least, decimals: 6)) to \(number(most, decimals: 6))"
  }

  /// Whether a value makes sense.
  func allows(_ value: Double) -> Bool { range.contains(value) && !(isWhole && value != value.rounded()) }
}

/// A short capture in which a rule finds something, or must not. The tests play every one.
public struct RuleExample: Sendable {
  /// What happens, in words.
  public let title: String
  /// How many findings there are.
  public let findings: Int
  /// What precedes the steps.
  public let setUp: SetUp
  /// What happens, one after another.
  public let steps: [ExampleStep]

  /// How far a connection has come before the steps begin.
  public enum SetUp: Sendable {
    /// Nothing has happened.
    case nothing
    /// The connection is made: 15 ms, latency 0, timeout 720 ms.
    case connected
    /// It is made, and the heart rate service discovered, 0x000e to 0x0013: measurement 0x0010, its configuration
    /// 0x0011, location 0x0013, and nothing else.
    case discovered
    /// That, and notifications are switched on.
    case subscribed
  }

  /// An example in which a rule finds something.
  static func finds(
    _ title: String, after setUp: SetUp = .subscribed, _ steps: [ExampleStep], count: Int = 1
  ) -> RuleExample {
    RuleExample(title: title, findings: count, setUp: setUp, steps: steps)
  }

  /// An example in which a rule must find nothing.
  static func quiet(_ title: String, after setUp: SetUp = .subscribed, _ steps: [ExampleStep]) -> RuleExample {
    RuleExample(title: title, findings: 0, setUp: setUp, steps: steps)
  }
}

/// A step of an example. Octets are written in hexadecimal.
public enum ExampleStep: Sendable {
  /// Values of the measurement, notified one after another.
  case values([String], every: Double = 1)
  /// The same values again and again.
  case repeated([String], times: Int, every: Double = 1)
  /// Nothing, for so many seconds.
  case wait(Double)
  /// An ATT PDU from the local host.
  case sent(String)
  /// An ATT PDU from the peer.
  case received(String)
  /// A PDU on the LE signalling channel from the local host.
  case signalSent(String)
  /// A PDU on the LE signalling channel from the peer.
  case signalReceived(String)
  /// A PDU on the LE security manager channel from the local host.
  case securitySent(String)
  /// A PDU on the LE security manager channel from the peer.
  case securityReceived(String)
  /// A PDU on a dynamic channel from the local host: the channel's number at the peer, the PDU.
  case channelSent(UInt16, String)
  /// A PDU on a dynamic channel from the peer: the channel's number at the local host, the PDU.
  case channelReceived(UInt16, String)
  /// An ACL packet from the peer with a part of an L2CAP PDU.
  case receivedPiece(String, isContinuation: Bool)
  /// From here on the capture keeps so many octets of ACL packets.
  case keepingACL(Int)
  /// An HCI event: its code, its parameters.
  case event(UInt8, String)
  /// An HCI command: its opcode, its parameters.
  case command(UInt16, String)
  /// The connection is made, on handle 0x0040 with C5:44:33:22:11:01.
  case connect
  /// It ends, for a reason.
  case disconnect(UInt8)
}
