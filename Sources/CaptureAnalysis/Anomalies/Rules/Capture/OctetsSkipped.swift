import CaptureFiles
import Octets

/// Damage in the file: octets that are no records were passed over.
enum OctetsSkipped: CaptureRule {
  static let about = RuleDescription(
    "octets-skipped", .warning,
    finds: "Damage in the file: octets that are no records were passed over, or a record's header cannot be right.",
    matters: "Packets, or their times, are missing there, and what depends on them is not judged.",
    advice: "Take the file from its source again; if that is damaged too, look at the record before and after.",
    examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    facts.members.flatMap { findings(in: $0) }
  }

  private static func findings(in file: MemberProgress) -> [Finding] {
    var findings = file.progress.damages.map { damage in
      Finding(
        rule: name, severity: severity, frame: damage.record, lastFrame: damage.record, member: file.member,
        message: "damaged at record \(damage.record) (octet \(damage.error.offset)): \(damage.error); "
          + outcome(of: damage, file.progress))
    }
    let more = file.progress.damageCount - findings.count
    if more > 0 {
      findings.append(
        Finding(
          rule: name, severity: severity, member: file.member, count: more, message: "\(more) more damaged stretches"))
    }
    return findings
  }

  private static func outcome(of damage: Damage, _ progress: CaptureProgress) -> String {
    if damage.skippedOctets == 0, damage.record <= progress.records { return "its packet was read all the same" }
    let isEnd = damage.record > progress.records
    return "\(damage.skippedOctets) octets skipped, \(isEnd ? "nothing readable behind them" : "reading went on")"
  }
}
