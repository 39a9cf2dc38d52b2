/// The longest ATT PDU the two sides agreed on.
enum MTUAspect: ComparisonAspect {
  static let name = "mtu"
  static let title = "ATT_MTU"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(sides) { side -> (key: Set<UInt16>, words: String)? in
      let all = Set(side.connections.compactMap(\.summary.mtu))
      return all.isEmpty ? nil : (all, all.sorted().map { "\($0)" }.joined(separator: ", "))
    }
  }
}
