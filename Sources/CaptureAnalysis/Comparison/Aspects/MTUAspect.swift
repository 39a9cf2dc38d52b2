/// The longest ATT PDU the two sides agreed on.
enum MTUAspect: ComparisonAspect {
  static let name = "mtu"
  static let title = "ATT_MTU"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(sides) { side -> (key: Set<UInt16>, words: String)? in
      // On one that came to nothing, nobody could agree on any.
      let all = Set(side.connections.map(\.summary).filter { !$0.cameToNothing }.compactMap(\.mtu))
      return all.isEmpty ? nil : (all, all.sorted().map { "\($0)" }.joined(separator: ", "))
    }
  }
}
