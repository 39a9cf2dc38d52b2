import CaptureFiles
import Octets

/// Damage in the file: octets that are no records were passed over, packets contradict their records, or a checksum says
/// that octets are wrong.
enum OctetsSkipped: CaptureRule {
  static let about = RuleDescription(
    "octets-skipped", .warning,
    finds:
      "Damage in the file: octets that are no records were passed over, the header of a record or of its packet cannot be right, or the checksum of what the file was packed in is wrong.",
    matters:
      "Packets, or their times, are missing there, and what depends on them is not judged. Where a checksum is wrong, any value may be.",
    advice: "Take the file from its source again; if that is damaged too, look at the record before and after.",
    examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    facts.members.flatMap { findings(in: $0) }
  }

  private static func findings(in file: MemberProgress) -> [Finding] {
    let damages =
      file.progress.damages.map { ($0, outcome(of: $0, file.progress)) }
      + file.unread.stretches.map { ($0, outcome(of: $0, file)) }
    var findings = damages.sorted { $0.0.record < $1.0.record }.map { damage, outcome in
      finding(
        "damaged at record \(damage.record) (octet \(damage.error.offset)): \(damage.error); \(outcome)",
        from: Moment(frame: damage.record, time: .unknown, member: file.member))
    }
    let more = file.progress.damageCount + file.unread.count - findings.count
    if more > 0 {
      findings.append(finding("\(more) more damaged stretches", from: .nowhere(in: file.member), count: more))
    }
    if let doubt = file.doubt {
      // A checksum tells that octets were changed, and not which.
      let message = "\(doubt): it is told as it was read, and any of it may be wrong"
      findings.append(finding(message, from: .nowhere(in: file.member)))
    }
    return findings
  }

  private static func outcome(of damage: Damage, _ progress: CaptureProgress) -> String {
    if damage.skippedOctets == 0, damage.record <= progress.records {
      let time = damage.error.field == "Time" ? ", as if it had come with the one before" : ""
      return "it was read all the same\(time)"
    }
    return skipped(damage, isEnd: damage.record > progress.records)
  }

  /// What became of packets whose records could be read.
  private static func outcome(of damage: Damage, _ file: MemberProgress) -> String {
    if damage.skippedOctets == 0 { return "its packet was read as far as it goes" }
    let isLast = damage.record == file.unread.stretches.last?.record
    return skipped(damage, isEnd: isLast && file.unread.lastRecord == file.progress.records)
  }

  private static func skipped(_ damage: Damage, isEnd: Bool) -> String {
    "\(octets(damage.skippedOctets)) skipped, \(isEnd ? "nothing readable behind them" : "reading went on")"
  }
}
