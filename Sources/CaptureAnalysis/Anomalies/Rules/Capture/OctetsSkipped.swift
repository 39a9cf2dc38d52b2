import CaptureFiles
import Octets

/// Damage in the file: octets that are no records were passed over.
enum OctetsSkipped: CaptureRule {
  static let about = RuleDescription(
    "octets-skipped", .warning,
    finds: "Damage in the file: octets that are no records were passed over.",
    matters: "Packets are missing there, and what depends on them is not judged.",
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
          + "\(damage.skippedOctets) octets skipped"
          + (damage.record > file.progress.records ? ", nothing readable behind them" : ", reading went on"))
    }
    let more = file.progress.damageCount - findings.count
    if more > 0 {
      findings.append(
        Finding(
          rule: name, severity: severity, member: file.member, count: more, message: "\(more) more damaged stretches"))
    }
    return findings
  }
}
