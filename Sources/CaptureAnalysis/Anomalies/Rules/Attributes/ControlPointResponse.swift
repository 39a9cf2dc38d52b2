import BluetoothHost
import GATTKit

/// A control point that takes what it must refuse, or refuses what it must take.
struct ControlPointResponse: AnomalyRule {
  static let about = RuleDescription(
    "control-point-response", .error,
    finds: "A value other than 0x01 written to the Heart Rate Control Point and not refused with Control Point Not "
      + "Supported (0x80), one of another length than one octet that is accepted, or 0x01 refused for another reason "
      + "than the link's security.",
    matters: "A client cannot tell what the sensor can do, or cannot start the energy again from 0.",
    advice: "Report it to the sensor's maker.",
    reference: "HRS 1.0, 3.3",
    examples: [
      .finds(
        "a reserved value is accepted", after: .connected, controlPoint + [.sent("12 12 00 02"), .received("13")]),
      .finds(
        "it is refused for another reason", after: .connected,
        controlPoint + [.sent("12 12 00 02"), .received("01 12 12 00 13")]),
      .finds(
        "the reset is refused", after: .connected, controlPoint + [.sent("12 12 00 01"), .received("01 12 12 00 80")]),
      .finds(
        "two octets are accepted", after: .connected, controlPoint + [.sent("12 12 00 01 00"), .received("13")]),
      .finds(
        "the reset is refused and a reserved value accepted, which are two faults", after: .connected,
        controlPoint + [
          .sent("12 12 00 01"), .received("01 12 12 00 80"), .sent("12 12 00 02"), .received("13"),
        ], count: 2),
      .quiet(
        "two octets are refused", after: .connected,
        controlPoint + [.sent("12 12 00 01 00"), .received("01 12 12 00 0d")]),
      .quiet("the reset is accepted", after: .connected, controlPoint + [.sent("12 12 00 01"), .received("13")]),
      .quiet(
        "a reserved value is refused", after: .connected,
        controlPoint + [.sent("12 12 00 02"), .received("01 12 12 00 80")]),
      .quiet(
        "the link is not safe enough", after: .connected,
        controlPoint + [.sent("12 12 00 01"), .received("01 12 12 00 05")]),
      .quiet("no answer is in the capture", after: .connected, controlPoint + [.sent("12 12 00 02")]),
    ])

  /// A service with a measurement at 0x0010 and a control point at 0x0012.
  static let controlPoint: [ExampleStep] = [
    .sent("10 01 00 ff ff 00 28"), .received("11 06 0d 00 12 00 0d 18"),
    .sent("08 0d 00 12 00 03 28"), .received("09 07 0e 00 10 0f 00 37 2a 11 00 08 12 00 39 2a"),
    .sent("04 10 00 10 00"), .received("05 01 10 00 02 29"),
  ]

  static let dialogue: DialogueTraits = .heartRate

  private var faults = RuleTallies<String>()

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .dialogue(.pdu(let pdu)) = event.content, case .response(let asked?) = scene.dialogue.step,
      asked.pdu.opcode == .writeRequest, asked.pdu.attribute?.uuid == .heartRateControlPoint,
      let written = asked.pdu.written, let fault = Self.fault(pdu, to: written)
    else { return }
    // Both ends may have one.
    faults.note(scene.moment, fault + (asked.pdu.askedServer == .local ? ", by the local host" : ""))
  }

  /// What is wrong with an answer to what was written; nil if nothing is.
  private static func fault(_ answer: ATTDialoguePDU, to written: ArraySlice<UInt8>) -> String? {
    guard written.count == 1, let value = written.first else {
      // Which error refuses a wrong length is the server's choice.
      return answer.opcode == .errorResponse ? nil : "\(octets(written.count)) are accepted, not 1"
    }
    guard answer.opcode == .errorResponse else {
      return value == 1 ? nil : "the reserved value 0x\(value.hexadecimal) is accepted"
    }
    // Database Out Of Sync is an answer to whoever asks with an old table, whatever is asked.
    guard let error = answer.error, !error.wantsSecurity, error != .databaseOutOfSync else { return nil }
    if value == 1 { return "the reset of the energy (0x01) is refused with \(error.words)" }
    return error.rawValue == 0x80
      ? nil : "the reserved value 0x\(value.hexadecimal) is refused with \(error.words), not with 0x80"
  }

  mutating func finish(_ scene: inout RuleScene) { faults.report(Self.self, &scene) }
}
