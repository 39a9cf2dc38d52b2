/// Sides, laid side by side.
public struct Comparison: Sendable {
  /// What is compared.
  public let sides: [SensorBehaviour]
  /// In what, and with what result.
  public let aspects: [AspectComparison]
  /// The connections that two of the sides both hold.
  public let shared: [SharedConnection]

  /// Compares.
  /// - Parameter ignored: The names of aspects that do not matter.
  public init(_ sides: [SensorBehaviour], ignoring ignored: Set<String> = []) {
    self.sides = sides
    aspects = ComparisonAspects.all.filter { !ignored.contains($0.name) }.map { aspect in
      var comparison = aspect.compare(sides)
      (comparison.name, comparison.title) = (aspect.name, aspect.title)
      return comparison
    }
    shared = SharedConnection.all(in: sides)
  }

  /// The captures of its sides, in their order.
  public var captures: [CaptureOrigin] {
    sides.flatMap(\.captures).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The captures of which not all could be read, in the order of the sides.
  public var damagedCaptures: [(origin: CaptureOrigin, facts: CaptureFacts)] {
    sides.flatMap(\.connections).reduce(into: []) { captures, connection in
      guard !connection.facts.damages.isEmpty, !captures.contains(where: { $0.origin == connection.capture }) else {
        return
      }
      captures.append((connection.capture, connection.facts))
    }
  }

  /// Whether they differ in anything.
  public var differs: Bool { aspects.contains { $0.differs } }
}
