/// A connection that was there before the capture.
struct SetupMissing: AnomalyRule {
  static let about = RuleDescription(
    "setup-missing", .info,
    finds: "A connection whose beginning is not in the capture.",
    matters: "Its peer, its parameters and what was discovered or subscribed before are not known, and rules that need "
      + "them say nothing.",
    advice: "Switch logging on before the sensor is connected, or switch Bluetooth off and on again afterwards. Where "
      + "an earlier file of the same recording holds it, give both: cat EARLIER LATER | hrsnoop - reads them as one.",
    examples: [
      .finds("its packets just appear", after: .nothing, [.received("1b 10 00 16 48 e8 03"), .wait(30)]),
      .quiet("it is made in the capture", [.values(["16 48 e8 03"])]),
      .quiet("its packets are logged just before its making", after: .nothing, [.received("02 17 00"), .connect]),
    ])

  init(_ settings: RuleSettings) {}

  mutating func finish(_ scene: inout RuleScene) {
    guard let connected = scene.connected, !connected.wasSeen else { return }
    let handle = handleWords(connected.handle)
    let words = "the capture does not show how the connection with handle \(handle) was made"
    let peer =
      connected.peer.wasKnown
      ? "; whose it is was known before"
      : connected.peer.address != nil ? "; it is taken for the one that the host had asked for" : ""
    scene.report(Self.self, words + peer, from: scene.first)
  }
}
