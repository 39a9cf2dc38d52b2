import CaptureFiles
import Octets

/// The file ends inside a record: the phone died, or the copy was not complete.
enum CaptureCutOff: CaptureRule {
  static let name = "capture-cut-off"
  static let severity = Severity.info

  static func findings(in facts: CaptureFacts) -> [Finding] {
    guard let cutOff = facts.progress.cutOff, case .tooShort(let needed, let available) = cutOff.problem else {
      return []
    }
    return [
      Finding(
        rule: name, severity: severity, time: facts.lastTime,
        message: "the file ends inside record \(facts.records + 1) (octet \(cutOff.offset)): "
          + "\(needed) octets needed, \(available) there")
    ]
  }
}
