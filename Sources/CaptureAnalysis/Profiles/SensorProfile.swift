public import GATTKit

/// What is known of a model of heart rate sensors: how it is recognised, and what is usual for it. Plain values, each
/// fact with its source.
public struct SensorProfile: Sendable {
  /// How many characters a model's name has at most.
  public static let longestName = 64

  /// What the model is called.
  public let name: String
  /// How it is recognised.
  public let marks: Marks
  /// What is usual for it.
  public let facts: [SensorFact]

  /// What tells a model from others.
  public struct Marks: Sendable {
    /// What its name begins with, in capitals or not.
    public let names: [String]
    /// What its model number is, or begins with.
    public let models: [String]
    /// Services that only its maker's sensors have.
    public let services: [BluetoothUUID]
    /// Its maker's company identifiers, as in manufacturer data.
    public let companies: [UInt16]

    /// Marks; what is left out tells nothing.
    public init(
      names: [String], models: [String] = [], services: [BluetoothUUID] = [], companies: [UInt16] = []
    ) {
      self.names = names
      self.models = models
      self.services = services
      self.companies = companies
    }
  }

  /// A profile from what is known.
  public init(name: String, marks: Marks, facts: [SensorFact]) {
    self.name = name
    self.marks = marks
    self.facts = facts
  }

  /// How much speaks for a sensor's being of this model; 0 for nothing.
  func likeness(of sensor: SensorTraits) -> Int {
    var likeness = 0
    let name = sensor.name?.lowercased() ?? ""
    // The more of a name it tells, the better it fits: "Polar H10", not "Polar H1".
    likeness += marks.names.filter { Self.begins(name, with: $0) }.map { 20 + $0.count }.max() ?? 0
    let model = sensor.model?.lowercased() ?? ""
    likeness += marks.models.filter { Self.begins(model, with: $0) }.map { 20 + $0.count }.max() ?? 0
    if let services = sensor.services, marks.services.contains(where: services.contains) { likeness += 5 }
    if let company = sensor.company, marks.companies.contains(company) { likeness += 2 }
    return likeness
  }

  /// A maker alone makes no model.
  static let leastLikeness = 5

  /// Whether a text begins with another one, and that does not end within a number: "H1" is not what "H10" begins with.
  private static func begins(_ text: String, with beginning: String) -> Bool {
    guard !beginning.isEmpty, text.hasPrefix(beginning.lowercased()) else { return false }
    let next = text.dropFirst(beginning.count).first
    return !(beginning.last?.isNumber ?? false) || !(next?.isNumber ?? false)
  }

  /// What a sensor of this model does that is not usual for it.
  public func unusual(in sensor: SensorTraits) -> [SensorRemark] {
    facts.compactMap { fact in
      fact.trait.contradiction(in: sensor).map { text in
        SensorRemark(text: text, usual: fact.trait.words, exception: fact.exception, source: fact.source)
      }
    }
  }
}

/// Something usual for a model.
public struct SensorFact: Sendable {
  /// What it is.
  public let trait: SensorTrait
  /// Where it is known from.
  public let source: String
  /// Which sensors of the model are otherwise, in words; nil if none is known.
  public let exception: String?

  /// A fact, and where it is known from.
  public init(_ trait: SensorTrait, source: String, exception: String? = nil) {
    self.trait = trait
    self.source = source
    self.exception = exception
  }
}

/// Something that is not usual.
public struct SensorRemark: Sendable {
  /// What a sensor does.
  public let text: String
  /// What is usual instead.
  public let usual: String
  /// Which sensors of the model do so all the same; nil if none is known.
  public let exception: String?
  /// Where it is known from what is usual.
  public let source: String
}
