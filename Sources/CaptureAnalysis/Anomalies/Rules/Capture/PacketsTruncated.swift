/// Packets were kept shorter than they were sent: which way of logging that looks like, and what it hides.
enum PacketsTruncated: CaptureRule {
  static let about = RuleDescription(
    "packets-truncated", .info,
    finds:
      "Packets were kept shorter than they were sent; for ACL data it is said which way of logging that looks like.",
    matters: "What was cut away cannot be judged: RR-Intervals, names, most of a discovery.",
    advice: "Ask for a full log: 'hrsnoop explain capture' says how.",
    examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    guard facts.truncatedRecords > 0 else { return [] }
    let (were, they) = facts.truncatedRecords == 1 ? ("was", "it was") : ("were", "they were")
    let all = facts.records - facts.foreignRecords
    var message = "\(facts.truncatedRecords) of \(all) packets \(were) kept shorter than \(they) sent"
    if facts.truncatedACLPackets > 0 { message += "; of ACL packets no more than \(kept(facts))" }
    return [finding(message, in: facts.truncated, count: facts.truncatedRecords)]
  }

  /// How many octets are kept, and what is lost.
  private static func kept(_ facts: CaptureFacts) -> String {
    let most = facts.longestTruncatedACL
    if facts.keptACLOctets != nil { return "\(octets(most)), \(mode(most)): \(loss(most, facts))" }
    // What happened to some of them is no way of logging.
    let values = values(facts)
    let isOfATT = facts.truncatesDynamicATT || values != nil
    let which = facts.truncatesATT ? ", while longer ones of ATT are whole" : isOfATT ? "" : ", and none of ATT"
    return octets(most) + which + (values.map { ": \($0) are cut away" } ?? "")
  }

  /// The way of logging that such packets look like. Android's default log keeps the packet's type and 14 octets, its
  /// filter of headers 14 with the type.
  private static func mode(_ octets: Int) -> String {
    switch octets {
    case 14: "as Android's default log keeps them"
    case 13: "as Android's filtered log keeps them"
    default: "as the capture's snapshot length set"
    }
  }

  /// What is lost. Headers take 8 octets, a notification's handle 3, and its flags and heart rate 2 or 3 more; whether
  /// those and its RR-Intervals, 2 octets each, are there depends on how long the rate is, and how many intervals there
  /// are.
  private static func loss(_ octets: Int, _ facts: CaptureFacts) -> String {
    let values = values(facts)
    return switch octets {
    case ..<8: "nothing of what was said over them is left"
    case ..<13: "heart rates are cut away; when and how long the packets were is left"
    case ..<20 where facts.cutRates > 0: "\(values ?? ""), names and most of a discovery are cut away"
    case ..<20 where facts.cutIntervals > 0:
      "heart rates and contact are there and RR-Intervals are counted, but their values in "
        + "\(measurements(facts.cutIntervals)), names and most of a discovery are cut away"
    case ..<20: "long values, names and most of a discovery are cut away"
    default: "long values are cut away" + (values.map { ", \($0) among them" } ?? "")
    }
  }

  /// "the RR-Intervals of 17 measurements": what of measurements is lost; nil if all is there.
  private static func values(_ facts: CaptureFacts) -> String? {
    let intervals = "RR-Intervals of \(measurements(facts.cutIntervals))"
    return switch (facts.cutRates, facts.cutIntervals) {
    case (0, 0): nil
    case (0, _): "the \(intervals)"
    case (let rates, 0): "the heart rates of \(measurements(rates))"
    case (let rates, let others) where rates == others: "the heart rates and \(intervals)"
    case (let rates, _): "the heart rates of \(measurements(rates)) and the \(intervals)"
    }
  }
}
