import CaptureFiles
import Octets

/// The file ends inside a record: the phone died, or the copy was not complete.
enum CaptureCutOff: CaptureRule {
  static let about = RuleDescription(
    "capture-cut-off", .info,
    finds: "The file ends inside a record, or its archive before its end.",
    matters: "What happened last is missing: a disconnection, perhaps the fault itself.",
    advice:
      "Copy or download the file again, and see that the phone had finished writing it: switch Bluetooth off before the report is taken.",
    examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    facts.members.compactMap { file in
      guard let message = message(file) else { return nil }
      let isLast = file.member == facts.members.last?.member
      // The record is the one that is not whole.
      let end = Moment(
        frame: file.progress.records + 1, time: isLast ? facts.lastTime ?? .unknown : .unknown, member: file.member)
      return finding(message, from: end)
    }
  }

  private static func message(_ file: MemberProgress) -> String? {
    let record = file.progress.records + 1
    if let reason = file.interruption { return "nothing can be read from record \(record) on: \(reason)" }
    guard let cutOff = file.progress.cutOff, case .tooShort(let needed, let available) = cutOff.problem else {
      return nil
    }
    let place = "record \(record) (octet \(cutOff.offset))"
    return "the file ends inside \(place): \(octets(needed)) needed, \(available) there"
  }
}
