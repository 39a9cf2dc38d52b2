import BluetoothHost
import GATTKit

/// A client that writes a configuration wrongly, or to the wrong attribute.
struct CccdInvalid: AnomalyRule {
  static let about = RuleDescription(
    "cccd-invalid", .error,
    finds: "A Client Characteristic Configuration written with another length than two octets, with reserved bits, or "
      + "asking the heart rate measurement for what its properties lack; and one that is written to the measurement, "
      + "the Body Sensor Location or a declaration instead, or to a handle where nothing is.",
    matters: "Sensors refuse it, or accept it and send nothing.",
    advice:
      "Let the app write 01 00 to the descriptor 0x2902 behind the measurement's value. If it did, and nothing is "
      + "where it wrote, the table that it knows is out of date: forget the sensor, or switch Bluetooth off and on, so "
      + "that it is discovered anew.",
    reference: "Core 6.0, Vol 3, Part G, 3.3.3.3",
    explainedBy: ["stale-handles"],
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
        "one octet, swapped octets, and then what only notifies, each of which is told", after: .discovered,
        [
          .sent("12 11 00 01"), .received("01 12 11 00 0d"), .sent("12 11 00 00 01"), .received("13"),
          .sent("12 11 00 02 00"), .received("13"),
        ], count: 3),
      .finds(
        "the measurement itself is written", after: .discovered, [.sent("12 10 00 01 00"), .received("01 12 10 00 03")]),
      .finds("its declaration is written", after: .discovered, [.sent("12 0f 00 01 00"), .received("01 12 0f 00 03")]),
      .finds(
        "the location is written", after: .discovered, [.sent("12 13 00 01 00"), .received("01 12 13 00 03")]),
      .finds(
        "the location's declaration is written, and nobody minds", after: .discovered,
        [.sent("12 12 00 01 00"), .received("13")]),
      .finds(
        "what an earlier connection has told to be a declaration is written, and the server refuses it",
        after: .discovered,
        [.disconnect(0x13), .connect, .sent("12 0f 00 01 00"), .received("01 12 0f 00 03")]),
      .quiet(
        "what an earlier connection has told to be a declaration is written, and the server takes it",
        after: .discovered, [.disconnect(0x13), .connect, .sent("12 0f 00 01 00"), .received("13")]),
      .finds(
        "a handle is written where nothing is", after: .discovered,
        [.sent("12 14 00 01 00"), .received("01 12 14 00 01")]),
      .finds(
        "nothing is where the measurement's was, and the table is discovered before that",
        [
          .values(["00 48"]), .disconnect(0x13), .connect, .sent("10 01 00 ff ff 00 28"),
          .received("11 06 14 00 1e 00 0d 18"), .sent("10 1f 00 ff ff 00 28"), .received("01 10 1f 00 0a"),
          .sent("12 11 00 01 00"), .received("01 12 11 00 01"),
        ]),
      .finds(
        "three octets are prepared, and executed", after: .discovered,
        [
          .sent("16 11 00 00 00 01 00 00"), .received("17 11 00 00 00 01 00 00"), .sent("18 01"), .received("19"),
        ]),
      .finds(
        "they are prepared in two parts", after: .discovered,
        [
          .sent("16 11 00 00 00 01 00"), .received("17 11 00 00 00 01 00"), .sent("16 11 00 02 00 00"),
          .received("17 11 00 02 00 00"), .sent("18 01"), .received("19"),
        ]),
      .finds(
        "swapped octets are prepared, and executed", after: .discovered,
        [.sent("16 11 00 00 00 00 01"), .received("17 11 00 00 00 00 01"), .sent("18 01"), .received("19")]),
      .finds(
        "indications are prepared, and executed", after: .discovered,
        [.sent("16 11 00 00 00 02 00"), .received("17 11 00 00 00 02 00"), .sent("18 01"), .received("19")]),
      .quiet(
        "what is prepared is cancelled", after: .discovered,
        [.sent("16 11 00 00 00 02 00"), .received("17 11 00 00 00 02 00"), .sent("18 00"), .received("19")]),
      .quiet(
        "to prepare it is refused", after: .discovered,
        [.sent("16 11 00 00 00 02 00"), .received("01 16 11 00 03"), .sent("18 01"), .received("19")]),
      .quiet(
        "two octets are prepared one by one", after: .discovered,
        [
          .sent("16 11 00 00 00 01"), .received("17 11 00 00 00 01"), .sent("16 11 00 01 00 00"),
          .received("17 11 00 01 00 00"), .sent("18 01"), .received("19"),
        ]),
      .quiet("notifications on and off", [.sent("12 11 00 00 00"), .received("13"), .values(["00 48"])]),
      .quiet("something else is written", [.sent("12 13 00 05 00"), .received("01 12 13 00 03")]),
      .quiet("an unknown attribute is written", after: .connected, [.sent("12 11 00 02 00"), .received("13")]),
    ])
  static let dialogue: DialogueTraits = [.write, .cut]

  private var faults = RuleTallies<String>()
  /// Where packets were cut, nobody can tell which characteristic a descriptor belongs to.
  private var hasCut = false
  /// What is prepared, and neither executed nor cancelled.
  private var prepared: [(side: BearerSide, moment: Moment, value: WrittenValue)] = []

  private static let mostPrepared = 16

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .dialogue(.pdu(let pdu)) = event.content else { return }
    if pdu.isCut { hasCut = true }
    // A part of it may be among what was lost.
    prepared.removeAll { scene.hasLost(since: $0.moment) }
    if case .response(let asked) = scene.dialogue.step {
      if let asked, let error = pdu.error { refuse(asked, error, scene) }
    } else if let executes = pdu.executes {
      execute(pdu, executes, scene)
    } else if pdu.opcode == .prepareWriteRequest {
      prepare(pdu, scene.moment)
    } else if pdu.isUnsignedWrite, let attribute = pdu.attribute {
      judge(
        WrittenValue(attribute: attribute, octets: pdu.octets.dropFirst(3), length: max(0, pdu.length - 3)),
        scene.moment, scene)
    }
  }

  private mutating func refuse(_ asked: ATTDialogue.Asked, _ error: ATTErrorCode, _ scene: RuleScene) {
    if asked.pdu.opcode == .prepareWriteRequest {
      if let place = prepared.lastIndex(where: {
        $0.side == asked.pdu.side && $0.value.attribute == asked.pdu.attribute
      }) {
        prepared.remove(at: place)
      }
    } else if error == .invalidHandle, asked.pdu.mayBeConfiguration, let attribute = asked.pdu.attribute,
      // One that was there has gone: the client's table is out of date.
      attribute.uuid == nil
    {
      let wasThere =
        scene.left?.subscription.handle == attribute.handle
        ? ": on an earlier connection it was the measurement's, so the table has changed" : ""
      note(
        attribute, asked.moment,
        "a configuration is written to \(handleWords(attribute.handle)), where no attribute is\(wasThere)")
    } else if let attribute = asked.pdu.attribute, attribute.isHearsay, asked.pdu.mayBeConfiguration,
      let fault = misplaced(attribute)
    {
      note(attribute, asked.moment, fault)
    }
  }

  /// Keeps a part of a value, with the parts before it. Core 6.0, Vol 3, Part F, 3.4.6.1.
  private mutating func prepare(_ pdu: ATTDialoguePDU, _ moment: Moment) {
    guard let attribute = pdu.attribute, let offset = pdu.uint16(at: 3) else { return }
    let (octets, length) = (pdu.octets.dropFirst(5), max(0, pdu.length - 5))
    // Parts of other values may come in between.
    if let place = prepared.lastIndex(where: {
      $0.side == pdu.side && $0.value.attribute == attribute && $0.value.length == Int(offset)
    }) {
      prepared[place].value.append(octets, length: length)
    } else if offset == 0, prepared.count < Self.mostPrepared {
      let value = WrittenValue(attribute: attribute, octets: octets, length: length)
      prepared.append((pdu.side, moment, value))
    }
  }

  private mutating func execute(_ pdu: ATTDialoguePDU, _ executes: Bool, _ scene: RuleScene) {
    let own = prepared.filter { $0.side == pdu.side }
    prepared.removeAll { $0.side == pdu.side }
    if executes { for write in own { judge(write.value, write.moment, scene) } }
  }

  private mutating func judge(_ value: WrittenValue, _ moment: Moment, _ scene: RuleScene) {
    guard scene.isSameTable else { return }
    if value.attribute.uuid == .clientCharacteristicConfiguration {
      if let fault = configurationFault(value) { note(value.attribute, moment, fault) }
    } else if value.mayBeConfiguration, !value.attribute.isHearsay, let fault = misplaced(value.attribute) {
      // What another connection has told may be of another time: if the server takes what is written, it is.
      note(value.attribute, moment, fault)
    }
  }

  /// Either end may do the same to the other's.
  private mutating func note(_ attribute: DialogueAttribute, _ moment: Moment, _ fault: String) {
    faults.note(moment, fault + (attribute.server == .local ? ", by the peer" : ""))
  }

  private func configurationFault(_ value: WrittenValue) -> String? {
    let what = value.attribute.words
    if value.length != 2 { return "\(what) is written with \(octets(value.length)), not 2" }
    guard let configuration = try? ClientCharacteristicConfiguration(value.octets) else { return nil }
    if !configuration.isDisjoint(with: .reserved) {
      if let swapped = swapped(configuration) {
        return "\(what) is written with swapped octets, \(swapped): that switches nothing on"
      }
      return "\(what) is written with \(handleWords(configuration.rawValue)), which has reserved bits"
    }
    guard value.attribute.characteristic == .heartRateMeasurement, let properties = value.attribute.properties, !hasCut
    else { return nil }
    let lacks =
      configuration.contains(.notification) && !properties.contains(.notify)
      ? "notifications" : configuration.contains(.indication) && !properties.contains(.indicate) ? "indications" : nil
    return lacks.map { "\(what) asks for \($0), which the measurement's properties lack" }
  }

  /// "00 01 where 01 00 was meant", of one that asks for something only the other way round.
  private func swapped(_ configuration: ClientCharacteristicConfiguration) -> String? {
    let other = ClientCharacteristicConfiguration(rawValue: configuration.rawValue.byteSwapped)
    guard !configuration.asksForValues, other.asksForValues, other.isDisjoint(with: .reserved) else { return nil }
    let meant = UInt8(other.rawValue).hexadecimal
    return "00 \(meant) where \(meant) 00 was meant"
  }

  private func misplaced(_ attribute: DialogueAttribute) -> String? {
    attribute.placeOfNoConfiguration.map {
      "a configuration is written to \($0), and not to the descriptor 0x2902"
    }
  }

  mutating func finish(_ scene: inout RuleScene) { faults.report(Self.self, &scene) }
}

/// What is written to an attribute: its first octets, as far as the capture kept them, and how many were sent.
private struct WrittenValue {
  let attribute: DialogueAttribute
  private(set) var octets: ContiguousArray<UInt8>
  private(set) var length: Int

  /// More than a configuration has.
  private static let mostOctets = 4

  init(attribute: DialogueAttribute, octets: ArraySlice<UInt8>, length: Int) {
    self.attribute = attribute
    self.octets = ContiguousArray(octets.prefix(Self.mostOctets))
    self.length = length
  }

  /// The next part of it. Behind octets that the capture cut away it is not kept.
  mutating func append(_ more: ArraySlice<UInt8>, length count: Int) {
    if octets.count == length { octets.append(contentsOf: more.prefix(max(0, Self.mostOctets - octets.count))) }
    length += count
  }

  /// Whether it may be a configuration, and not one that switches everything off.
  var mayBeConfiguration: Bool { length == 2 && octets.count == 2 && octets[1] == 0 && (1...3).contains(octets[0]) }
}

extension ATTDialoguePDU {
  /// Whether it writes what a configuration may be, and not one that switches everything off.
  fileprivate var mayBeConfiguration: Bool {
    guard isUnsignedWrite, let attribute else { return false }
    return WrittenValue(attribute: attribute, octets: octets.dropFirst(3), length: length - 3).mayBeConfiguration
  }
}

extension DialogueAttribute {
  /// What a configuration is written to by mistake: an attribute that nobody writes.
  fileprivate var placeOfNoConfiguration: String? {
    switch uuid {
    case .heartRateMeasurement: "the measurement itself (\(handleWords(handle)))"
    case .bodySensorLocation, .characteristic: words
    default: declares == nil ? nil : words
    }
  }
}
