/// The octets of a heart rate in the wrong order.
struct HeartRateByteSwapped: AnomalyRule {
  static let about = RuleDescription(
    "heart-rate-byte-swapped", .warning,
    finds: "A UINT16 heart rate whose low octet is 0 and whose high octet would be a plausible rate.",
    matters: "Numbers are little-endian in GATT. Receivers show 18,432 beats a minute where 72 was meant.",
    advice: "The sensor has to send the low octet first.",
    reference: "HRS 1.0, 3.1.1.2",
    examples: [
      .finds("72 as 00 48, told once", [.repeated(["01 00 48"], times: 5)]),
      .quiet("72 as 48 00", [.repeated(["01 48 00"], times: 5)]),
      .quiet("256, low octet first", [.values(["01 00 01"])]),
    ])
  static let traits: MeasurementTraits = [.implausibleRate, .behind]
  static let tellsWhatLasts = true
  private var run: RecordSpan?
  private var rate = 0

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.isByteSwapped, !measurement.traits.contains(.malformed), let rate = measurement.rate else {
      return
    }
    if run == nil { self.rate = rate }
    run.extend(to: scene.moment)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run else { return }
    let message = "\(rate) bpm would be \(rate >> 8) with its octets in the other order\(inAll(run.count))"
    scene.report(Self.self, message, over: run)
  }
}

extension ObservedMeasurement {
  /// Whether the rate looks as if its octets were sent in the wrong order.
  var isByteSwapped: Bool {
    guard traits.contains(.uint16), let rate, rate & 0xFF == 0 else { return false }
    return HeartLimits.rates.contains(rate >> 8)
  }
}
