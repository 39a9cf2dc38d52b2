import BluetoothHost

/// A link that was to be encrypted, and could not be.
struct EncryptionFailed: AnomalyRule {
  static let about = RuleDescription(
    "encryption-failed", .warning,
    finds:
      "The controller tells that encryption could not be switched on, or refuses to try; or, in a log "
      + "of the sensor's own, that the peer wanted to encrypt with a key that the local host does not have. Info if it "
      + "was later, on the same connection.",
    matters: "What a sensor shows only to whom it is bonded with stays closed: no subscription, no heart rate. Many "
      + "sensors and phones end the connection, and try again without end.",
    advice:
      "PIN or Key Missing (0x06): one end has lost the bond, as sensors do that are reset or bonded anew; where the local "
      + "host asked for the encryption, it is the peer. Forget the sensor on the phone, reset it if it can be, and pair "
      + "once more. 0x05 and 0x3D: the keys differ; the same helps. A refusal to try is a fault of the phone's software, or "
      + "of its controller.",
    reference: "Core 6.0, Vol 4, Part E, 7.7.8",
    examples: [
      .finds("the sensor has lost the bond", [.event(0x08, "06 40 00 00"), .wait(1), .disconnect(0x16)]),
      .finds(
        "again and again, which is told once",
        [.event(0x08, "06 40 00 00"), .wait(1), .event(0x08, "06 40 00 00"), .disconnect(0x13)]),
      .finds(
        "for one reason, and then for another",
        [.event(0x08, "06 40 00 00"), .wait(1), .event(0x08, "05 40 00 00"), .disconnect(0x13)], count: 2),
      .finds(
        "it is paired anew, which is only mentioned",
        [.event(0x08, "06 40 00 00"), .wait(3), .event(0x08, "00 40 00 01")]),
      .finds(
        "the controller refuses to try",
        [
          .command(0x2019, "40 00" + String(repeating: " 00", count: 26)), .event(0x0F, "1f 01 19 20"), .wait(1),
          .disconnect(0x16),
        ]),
      .finds(
        "the local host, which is the sensor, has lost the bond",
        [
          .event(0x3E, "05 40 00 01 00 00 00 00 00 00 00 02 00"), .command(0x201B, "40 00"),
          .event(0x0E, "01 1b 20 00 40 00"), .event(0x08, "06 40 00 00"), .wait(1), .disconnect(0x13),
        ]),
      .finds(
        "so it has, and is paired anew, which is only mentioned",
        [.command(0x201B, "40 00"), .wait(5), .event(0x08, "00 40 00 01")]),
      .quiet(
        "the controller refuses to try anew where it is encrypted",
        [
          .event(0x08, "00 40 00 01"), .command(0x2019, "40 00" + String(repeating: " 00", count: 26)),
          .event(0x0F, "0c 01 19 20"), .wait(1), .disconnect(0x16),
        ]),
      .quiet(
        "the controller refuses to try, where it may be encrypted since before the capture", after: .nothing,
        [
          .received("1b 10 00 00 48"), .command(0x2019, "40 00" + String(repeating: " 00", count: 26)),
          .event(0x0F, "0c 01 19 20"), .wait(1),
        ]),
      .quiet("it is encrypted", [.event(0x08, "00 40 00 01"), .wait(1), .disconnect(0x16)]),
      .quiet("it ends before that is done", [.event(0x08, "16 40 00 00"), .disconnect(0x16)]),
    ])
  static let events: EventSelection = [.command, EventSelection(.encryption)]

  private var faults = RuleTallies<Fault>()
  private var lastEncrypted: Moment?
  /// Whether the local host has told that it does not have the key, and no failure has come of it yet.
  private var isDenied = false
  /// Whether the local host has asked for it, and so has a key.
  private var isAsked = false

  private enum Fault: Hashable {
    /// The controller has tried it.
    case failed(HCIErrorCode)
    /// It has not tried.
    case refused(HCIErrorCode)
    /// The peer wanted it, and the local host does not have the key.
    case noKey
  }

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .encryption(let change) where change.status == .success:
      lastEncrypted = change.isEncrypted ? event.moment : nil
      isDenied = false
    // What was denied a moment ago fails for that.
    case .encryption(let change) where isDenied && change.status == .pinOrKeyMissing: isDenied = false
    case .encryption(let change):
      note(change.status, .failed(change.status), "the encryption of the link failed", scene)
      isAsked = false
    case .command(let command): note(command, scene)
    default: break
    }
  }

  private mutating func note(_ command: CommandEvent, _ scene: RuleScene) {
    if command.wish == .encryption { isAsked = scene.encryption.isAwaited }
    switch (command.wish, command.step) {
    // One that may have been encrypted before the capture is encrypted anew; that can wait.
    case (.encryption, .refused(let status)) where !scene.encryption.mayBeOn && scene.wasSeen:
      note(status, .refused(status), "the controller refused to encrypt the link", scene)
    case (.noEncryption, .asked):
      isDenied = true
      faults.note(
        .noKey, scene.moment,
        "the link could not be encrypted: the peer has a key of an earlier pairing that the local host does not know "
          + "any more")
    default: break
    }
  }

  private mutating func note(_ status: HCIErrorCode, _ fault: Fault, _ what: String, _ scene: RuleScene) {
    // The connection ended before the controller was done: out of range, or because one of the ends wished so.
    guard !status.isOfConnectionsEnd else { return }
    // The peer's controller refuses so when its host has no key.
    let meaning =
      status == .pinOrKeyMissing && isAsked && scene.isLowEnergy != false
      ? ": the local host has a key of an earlier pairing that the peer does not know any more" : status.explanation
    faults.note(fault, scene.moment, "\(what) with \(status.words)\(meaning)")
  }

  mutating func finish(_ scene: inout RuleScene) {
    faults.report(Self.self, &scene, madeGood: lastEncrypted)
  }
}
