import BluetoothHost
import CaptureFiles
import GATTKit

/// A client that writes a configuration wrongly, or to the wrong attribute.
struct CccdInvalid: AnomalyRule {
  static let about = RuleDescription(
    "cccd-invalid", .error,
    finds: "A Client Characteristic Configuration written with another length than two octets, with reserved bits, or "
      + "asking the heart rate measurement for what its properties lack; and one that is written to the measurement, "
      + "the Body Sensor Location or a declaration instead.",
    matters: "Sensors refuse it, or accept it and send nothing.",
    advice: "Let the app write 01 00 to the descriptor 0x2902 behind the measurement's value.",
    reference: "Core 6.0, Vol 3, Part G, 3.3.3.3",
    examples: [
      .finds("one octet", after: .discovered, [.sent("12 11 00 01"), .received("01 12 11 00 0d")]),
      .finds("three octets", after: .discovered, [.sent("12 11 00 01 00 00"), .received("13")]),
      .finds("swapped octets", after: .discovered, [.sent("12 11 00 00 01"), .received("13")]),
      .finds("indications of what only notifies", after: .discovered, [.sent("12 11 00 02 00"), .received("13")]),
      .finds("the same by a command", after: .discovered, [.sent("52 11 00 02 00")]),
      .finds(
        "both, again and again, which is told once", after: .discovered,
        [.sent("12 11 00 03 00"), .received("13"), .wait(1), .sent("12 11 00 03 00"), .received("13")]),
      .finds(
        "the measurement itself is written", after: .discovered, [.sent("12 10 00 01 00"), .received("01 12 10 00 03")]),
      .finds("its declaration is written", after: .discovered, [.sent("12 0f 00 01 00"), .received("01 12 0f 00 03")]),
      .finds(
        "the location is written", after: .discovered, [.sent("12 13 00 01 00"), .received("01 12 13 00 03")]),
      .finds(
        "the location's declaration is written, and nobody minds", after: .discovered,
        [.sent("12 12 00 01 00"), .received("13")]),
      .finds(
        "a handle is written where nothing is", after: .discovered,
        [.sent("12 14 00 01 00"), .received("01 12 14 00 01")]),
      .quiet("notifications on and off", [.sent("12 11 00 00 00"), .received("13"), .values(["00 48"])]),
      .quiet("something else is written", [.sent("12 13 00 05 00"), .received("01 12 13 00 03")]),
      .quiet("an unknown attribute is written", after: .connected, [.sent("12 11 00 02 00"), .received("13")]),
    ])
  static let dialogue: DialogueTraits = [.write, .cut]

  private var faults = RuleTally()
  /// Where packets were cut, nobody can tell which characteristic a descriptor belongs to.
  private var hasCut = false

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .dialogue(.pdu(let pdu)) = event.content else { return }
    if pdu.isCut { hasCut = true }
    // Behind lost records the connection may be another one on the same handle, with another table.
    if scene.hasLost { return }
    if pdu.error?.rawValue == 0x01, case .response(let asked?) = scene.dialogue.step, asked.pdu.mayBeConfiguration,
      let attribute = asked.pdu.attribute
    {
      return faults.note(
        asked.moment, "a configuration is written to \(handleWords(attribute.handle)), where no attribute is")
    }
    guard pdu.isUnsignedWrite, let attribute = pdu.attribute,
      let fault = attribute.uuid == .clientCharacteristicConfiguration
        ? configurationFault(pdu, attribute) : misplaced(pdu, attribute)
    else { return }
    faults.note(scene.moment, fault)
  }

  private func configurationFault(_ pdu: ATTDialoguePDU, _ attribute: DialogueAttribute) -> String? {
    let handle = handleWords(attribute.handle)
    let length = max(0, pdu.length - 3)
    if length != 2 { return "the configuration \(handle) is written with \(octets(length)), not 2" }
    guard let value = pdu.uint16(at: 3) else { return nil }
    let configuration = ClientCharacteristicConfiguration(rawValue: value)
    if !configuration.isDisjoint(with: .reserved) {
      return "the configuration \(handle) is written with \(handleWords(value)), which has reserved bits"
    }
    guard attribute.characteristic == .heartRateMeasurement, let properties = attribute.properties, !hasCut else {
      return nil
    }
    let lacks =
      configuration.contains(.notification) && !properties.contains(.notify)
      ? "notifications" : configuration.contains(.indication) && !properties.contains(.indicate) ? "indications" : nil
    return lacks.map { "the configuration \(handle) asks for \($0) of the measurement, whose properties lack them" }
  }

  private func misplaced(_ pdu: ATTDialoguePDU, _ attribute: DialogueAttribute) -> String? {
    guard pdu.mayBeConfiguration, let place = attribute.placeOfNoConfiguration else { return nil }
    return "a configuration is written to \(place), \(handleWords(attribute.handle)), and not to the descriptor 0x2902"
  }

  mutating func finish(_ scene: inout RuleScene) { faults.report(Self.self, &scene) }
}

extension ATTDialoguePDU {
  /// Whether it writes what a configuration may be, and not one that switches everything off.
  fileprivate var mayBeConfiguration: Bool {
    guard isUnsignedWrite, let value = written, value.count == 2, value.last == 0, let first = value.first
    else { return false }
    return (1...3).contains(first)
  }
}

extension DialogueAttribute {
  /// What a configuration is written to by mistake: an attribute that nobody writes.
  fileprivate var placeOfNoConfiguration: String? {
    switch uuid {
    case .heartRateMeasurement: "the measurement itself"
    case .bodySensorLocation: "the Body Sensor Location"
    case _ where declares == .heartRateMeasurement: "the measurement's declaration"
    case .characteristic: "the declaration of a characteristic"
    default: declares == nil ? nil : "the declaration of a characteristic"
    }
  }
}
