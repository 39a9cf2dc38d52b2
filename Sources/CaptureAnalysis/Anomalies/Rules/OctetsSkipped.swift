import CaptureFiles
import Octets

/// Damage in the file: octets that are no records were passed over.
enum OctetsSkipped: CaptureRule {
  static let name = "octets-skipped"
  static let severity = Severity.warning

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
