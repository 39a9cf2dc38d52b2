package import BluetoothHost
import GATTKit

// Words for what happens on a link.

extension ConnectionParameters {
  /// "15 ms, latency 0, timeout 720 ms".
  package var words: String { pieces.joined(separator: ", ") }

  /// "interval 15 ms, latency 0, timeout 720 ms".
  var phrase: String { "interval \(words)" }

  /// What is not as before: "45 ms", "latency 4", "30 ms, timeout 720 ms"; nil if nothing is.
  package func change(from old: ConnectionParameters) -> String? {
    let isNew = [
      interval != old.interval || subrateFactor != old.subrateFactor, latency != old.latency,
      supervisionTimeout != old.supervisionTimeout,
    ]
    guard isNew.contains(true) else { return nil }
    return zip(pieces, isNew).filter(\.1).map(\.0).joined(separator: ", ")
  }

  private var pieces: [String] {
    [
      length(milliseconds: intervalMilliseconds) + subrateWords, "latency \(latency)",
      "timeout \(length(milliseconds: Double(supervisionTimeoutMilliseconds)))",
    ]
  }

  /// " (one in 10 connection events)"; nothing where all are used.
  private var subrateWords: String { subrateFactor > 1 ? " (one in \(subrateFactor) connection events)" : "" }
}

extension ConnectionParameterRequest {
  /// "312.5–500 ms".
  var intervalWords: String { lengths(milliseconds: intervalMinimumMilliseconds, to: intervalMaximumMilliseconds) }

  /// "312.5–500 ms, latency 0, timeout 6 s".
  package var words: String {
    "\(intervalWords), latency \(latency), timeout \(length(milliseconds: Double(supervisionTimeoutMilliseconds)))"
  }

  /// "interval 312.5–500 ms, latency 0, timeout 6 s".
  var phrase: String { "interval \(words)" }
}

extension AdapterEnd {
  /// "the host reset its controller".
  var words: String {
    switch self {
    case .reset: "the host reset its controller"
    case .startedAnew: "the log ended, before the host started anew"
    case .switchedOff: "the host's adapter was switched off"
    case .removed: "the host's adapter was taken away"
    }
  }
}

/// What codes mean for a connection.
private let meanings: [UInt8: String] = [
  0x05: "the two ends did not agree on a key, or one waited in vain for the other to pair",
  0x06: "one end has a key of an earlier pairing that the other does not know any more",
  0x14: "the peer had no memory or power left for it",
  0x15: "the peer was switched off",
  0x1A: "the peer cannot do what it was asked for",
  0x20: "the peer does not take a value that it was sent",
  0x22: "the peer did not answer the controller in time",
  0x23: "both controllers wanted to change something at the same time",
  0x28: "a change of the link was told too late for the other end to follow",
  0x29: "the peer's key may not be used",
  0x2A: "both controllers wanted to change something at the same time",
  0x3B: "one end does not accept the connection parameters",
  0x3D: "an encrypted packet was forged or broken, or the two ends use different keys",
]

extension HCIErrorCode {
  /// ": the peer was switched off"; nothing for a code that needs no explanation.
  var explanation: String { meanings[rawValue].map { ": \($0)" } ?? "" }

  /// Whether what was under way failed because its connection ended: that is no fault of its own.
  var isOfConnectionsEnd: Bool {
    switch self {
    case .unknownConnectionIdentifier, .connectionTimeout, .connectionFailedToBeEstablished: true
    default: isWishOfAnEnd
    }
  }
}

extension RuleScene {
  /// "; its battery was at 3 % by what it told last": where so little was left that it may be why the peer is gone.
  var lowBattery: String {
    battery.map { $0 <= Self.lowBatteryPercent ? "; its battery was at \($0) % by what it told last" : "" } ?? ""
  }

  /// A level is made from the voltage, and guesses at the last of it.
  private static let lowBatteryPercent: UInt8 = 5
}

extension DeviceAddress? {
  /// "C5:44:33:22:11:01", or "a device that is not known".
  var words: String { map(\.description) ?? "a device that is not known" }
}

extension DeviceAddress {
  /// "public", "random static", "random resolvable private".
  package var kindWords: String { kind == .public ? "public" : "random" + (randomKind.map { " \($0.rawValue)" } ?? "") }

  /// The same octets as an address of the other type, which is another device's.
  var ofOtherKind: DeviceAddress { DeviceAddress(number, kind == .public ? .random : .public) }
}
