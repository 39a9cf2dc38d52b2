import CaptureFiles
import Octets

/// Damage in the file: octets that are no records were passed over.
enum OctetsSkipped: CaptureRule {
  static let name = "octets-skipped"
  static let severity = Severity.warning

  static func findings(in facts: CaptureFacts) -> [Finding] {
    var findings = facts.progress.damages.map { damage in
      Finding(
        rule: name, severity: severity, frame: damage.record, lastFrame: damage.record,
        message: "damaged at record \(damage.record) (octet \(damage.error.offset)): \(damage.error); "
          + "\(damage.skippedOctets) octets skipped"
          + (damage.record > facts.records ? ", nothing readable behind them" : ", reading went on"))
    }
    let more = facts.progress.damageCount - findings.count
    if more > 0 {
      findings.append(
        Finding(rule: name, severity: severity, count: more, message: "\(more) more damaged stretches"))
    }
    return findings
  }
}
