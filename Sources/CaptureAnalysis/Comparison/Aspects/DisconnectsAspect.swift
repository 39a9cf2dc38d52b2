import BluetoothHost

/// How its connections ended.
enum DisconnectsAspect: ComparisonAspect {
  static let name = "disconnects"
  static let title = "disconnection"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(
      sides.map { side -> (key: Set<UInt8>, words: String)? in
        let reasons = Set(side.connections.compactMap(\.summary.reason).map(\.rawValue))
        // What lasts beyond the capture may end in any way.
        guard !reasons.isEmpty else { return nil }
        return (reasons, reasons.sorted().map { words(HCIErrorCode(rawValue: $0)) }.joined(separator: "; "))
      })
  }
}
