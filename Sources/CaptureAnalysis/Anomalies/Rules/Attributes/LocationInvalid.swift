import GATTKit

/// A Body Sensor Location that is none.
struct LocationInvalid: AnomalyRule {
  static let about = RuleDescription(
    "location-invalid", .error,
    finds: "A Body Sensor Location with a reserved value, of another length than one octet, or not the same as it was "
      + "before on this connection.",
    matters: "An app shows a wrong place, or fails on a value it does not know.",
    advice: "Report it to the sensor's maker: the values are 0 to 6, in one octet, and stay while a connection lasts.",
    reference: "HRS 1.0, 3.2",
    examples: [
      .finds("a reserved value", [.sent("0a 13 00"), .received("0b 07")]),
      .finds("no octet", [.sent("0a 13 00"), .received("0b")]),
      .finds("two octets", [.sent("0a 13 00"), .received("0b 01 00")]),
      .finds(
        "first the chest, then the wrist",
        [.sent("0a 13 00"), .received("0b 01"), .sent("0a 13 00"), .received("0b 02")]),
      .finds(
        "first the chest, then a reserved value, which is told once",
        [.sent("0a 13 00"), .received("0b 01"), .sent("0a 13 00"), .received("0b 09")]),
      .finds(
        "a reserved value, and then two octets, each of which is told",
        [.sent("0a 13 00"), .received("0b 07"), .sent("0a 13 00"), .received("0b 01 00")], count: 2),
      .quiet("the chest, twice", [.sent("0a 13 00"), .received("0b 01"), .sent("0a 13 00"), .received("0b 01")]),
      .quiet("a foot", [.sent("0a 13 00"), .received("0b 06")]),
      .quiet("it is refused", [.sent("0a 13 00"), .received("01 0a 13 00 05")]),
    ])
  static let events: EventSelection = .read

  private var faults = RuleTallies<String>()
  private var last: (location: UInt8, handle: UInt16, server: ServerSide, moment: Moment)?

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .read(let value) = event.content, value.uuid == .bodySensorLocation else { return }
    let what = "the location \(handleWords(value.handle))\(value.server.ofWhom)"
    guard value.length == 1 else {
      return faults.note(scene.moment, "\(what) has \(octets(value.length)), not 1")
    }
    guard let location = value.octets.first else { return }
    if BodySensorLocation(rawValue: location).name == nil {
      return faults.note(scene.moment, "\(what) is \(location), which is reserved")
    }
    if let last, last.handle == value.handle, last.server == value.server, last.location != location,
      holds(since: last.moment, value.server, scene)
    {
      let (old, new) = (BodySensorLocation(rawValue: last.location), BodySensorLocation(rawValue: location))
      faults.note(
        scene.moment, "the location\(value.server.ofWhom) changes from \(old) to \(new) within the connection")
    }
    last = (location, value.handle, value.server, scene.moment)
  }

  /// Whether a handle is what it was at a moment: the table may have changed, or the connection be another one since.
  private func holds(since earlier: Moment, _ server: ServerSide, _ scene: RuleScene) -> Bool {
    let isChanged = scene.lastTableChange[server].map { earlier < $0 } ?? false
    return !isChanged && (!scene.hasLost(since: earlier) || scene.isSameTable)
  }

  mutating func finish(_ scene: inout RuleScene) { faults.report(Self.self, &scene) }
}
