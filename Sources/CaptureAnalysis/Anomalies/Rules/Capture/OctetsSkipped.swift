import CaptureFiles
import Octets

/// Damage in the file: octets that are no records were passed over, or a checksum says that some are wrong.
enum OctetsSkipped: CaptureRule {
  static let about = RuleDescription(
    "octets-skipped", .warning,
    finds:
      "Damage in the file: octets that are no records were passed over, a record's header cannot be right, or the checksum of what the file was packed in is wrong.",
    matters:
      "Packets, or their times, are missing there, and what depends on them is not judged. Where a checksum is wrong, any value may be.",
    advice: "Take the file from its source again; if that is damaged too, look at the record before and after.",
    examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    facts.members.flatMap { findings(in: $0) }
  }

  private static func findings(in file: MemberProgress) -> [Finding] {
    var findings = file.progress.damages.map { damage in
      finding(
        "damaged at record \(damage.record) (octet \(damage.error.offset)): \(damage.error); "
          + outcome(of: damage, file.progress),
        from: Moment(frame: damage.record, time: .unknown, member: file.member))
    }
    let more = file.progress.damageCount - findings.count
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
    if damage.skippedOctets == 0, damage.record <= progress.records { return "its packet was read all the same" }
    let isEnd = damage.record > progress.records
    return "\(octets(damage.skippedOctets)) skipped, \(isEnd ? "nothing readable behind them" : "reading went on")"
  }
}
