import BluetoothHost

/// A connection that ended for a reason that is neither the wish of one of the ends nor the distance.
struct AbnormalDisconnect: AnomalyRule {
  static let about = RuleDescription(
    "abnormal-disconnect", .error,
    finds:
      "A connection that ended for a reason other than that one end wanted it to, or was not heard any more.",
    matters: "Such an end has a cause that comes back with the next connection.",
    advice:
      "The message says what the reason means. 0x05, 0x06 and 0x3D: forget the sensor on both ends and pair anew. "
      + "0x3B: give the sensor the parameters that it asks for. 0x22, 0x28 and others: a fault of a controller.",
    reference: "Core 6.0, Vol 1, Part F, 1.3",
    explainedBy: [
      "access-refused", "controller-failed", "encryption-failed", "heart-rate-missing", "pairing-failed",
      "pairing-unfinished", "parameter-update-failed",
      "parameter-update-then-lost", "parameters-illegal",
    ],
    tellsEnd: true,
    examples: [
      .finds("an instant that has passed", [.values(["16 48 e8 03"]), .disconnect(0x28)]),
      .finds("a code that nobody defined", [.values(["16 48 e8 03"]), .disconnect(0xFE)]),
      .finds("the sensor goes off, which is worth knowing", [.values(["16 48 e8 03"]), .disconnect(0x15)]),
      .quiet("the sensor ends it", [.disconnect(0x13)]),
      .quiet("the local host ends it", [.disconnect(0x16)]),
      .quiet("it is out of range, which has its own rule", [.disconnect(0x08)]),
      .quiet("it was never there, which has its own rule", [.disconnect(0x3E)]),
      .quiet("its end is not in the capture", [.connect]),
    ])
  static let events = EventSelection(.disconnected)

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .disconnected(let end) = event.content, let reason = end.reason, !Self.others.contains(reason) else {
      return
    }
    let severity: Severity? = reason == .remoteDeviceTerminatedConnectionDueToPowerOff ? .info : nil
    let battery = Self.wantsPower.contains(reason) ? scene.lowBattery : ""
    // Why it could not be encrypted was said then.
    let meaning = scene.encryption.failure == reason ? "" : explanation(reason)
    scene.report(Self.self, "the connection ended with \(words(reason))\(meaning)\(battery)", severity: severity)
  }

  /// What a peer does whose battery is empty.
  private static let wantsPower: Set<HCIErrorCode> = [
    .remoteDeviceTerminatedConnectionDueToLowResources, .remoteDeviceTerminatedConnectionDueToPowerOff,
  ]

  /// The wish of one of the ends, and what has a rule of its own.
  private static let others: Set<HCIErrorCode> = [
    .connectionTimeout, .remoteUserTerminatedConnection, .connectionTerminatedByLocalHost,
    .connectionFailedToBeEstablished,
  ]
}
