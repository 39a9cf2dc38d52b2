import BluetoothHost

/// A connection that ended for a reason that is neither the wish of one of the ends nor the distance.
struct AbnormalDisconnect: AnomalyRule {
  static let about = RuleDescription(
    "abnormal-disconnect", .error,
    finds:
      "A connection that ended for a reason other than that one end wanted it to, or was not heard any more; also one "
      + "that the local host ended, and gave such a reason to the peer.",
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
      .finds(
        "the local host ends it, and says that the peer is not who it should be",
        [.values(["16 48 e8 03"]), .command(0x0406, "40 00 05"), .event(0x0F, "00 01 06 04"), .disconnect(0x16)]),
      .finds(
        "the local host goes off, which is worth knowing",
        [.values(["16 48 e8 03"]), .command(0x0406, "40 00 15"), .event(0x0F, "00 01 06 04"), .disconnect(0x16)]),
      .quiet(
        "the local host ends it, as its user wants",
        [.values(["16 48 e8 03"]), .command(0x0406, "40 00 13"), .event(0x0F, "00 01 06 04"), .disconnect(0x16)]),
      .quiet(
        "the local host is refused, and the sensor ends it",
        [.values(["16 48 e8 03"]), .command(0x0406, "40 00 05"), .event(0x0F, "0c 01 06 04"), .disconnect(0x13)]),
      .quiet("the sensor ends it", [.disconnect(0x13)]),
      .quiet("the local host ends it", [.disconnect(0x16)]),
      .quiet("it is out of range, which has its own rule", [.disconnect(0x08)]),
      .quiet("it was never there, which has its own rule", [.disconnect(0x3E)]),
      .quiet("its end is not in the capture", [.connect]),
    ])
  static let events = EventSelection(.disconnected)

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .disconnected(let end) = event.content, let reason = end.hostReason ?? end.reason,
      !Self.others.contains(reason)
    else { return }
    let severity: Severity? = reason == .remoteDeviceTerminatedConnectionDueToPowerOff ? .info : nil
    let wantsPower = Self.wantsPower.contains(reason)
    // Why it could not be encrypted was said then.
    let isSaid = scene.encryption.failure == reason
    if end.hostReason != nil {
      // Of power, the reasons' meanings are the peer's.
      let meaning = isSaid || wantsPower ? "" : reason.explanation
      let message = "the local host ended the connection, with reason \(reason.words)\(meaning)"
      return scene.report(Self.self, message, severity: severity)
    }
    let (meaning, battery) = (isSaid ? "" : reason.explanation, wantsPower ? scene.lowBattery : "")
    scene.report(Self.self, "the connection ended with \(reason.words)\(meaning)\(battery)", severity: severity)
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
