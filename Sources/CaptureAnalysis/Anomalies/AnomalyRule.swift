/// A rule over what happens in a capture, from event to event and in constant memory: one file, one line in
/// `AnomalyRules.all`.
///
/// An instance watches one connection from its beginning to its end, or, if its scope is the capture, all that happens.
/// Only what a rule wants is shown to it.
protocol AnomalyRule: SendableMetatype {
  /// What a person should know of it.
  static var about: RuleDescription { get }
  /// What an instance watches.
  static var scope: RuleScope { get }
  /// The events it wants to see; of values, only those of the heart rate service are shown.
  static var events: EventSelection { get }
  /// The PDUs over ATT bearers it wants to see: those with any of these traits.
  static var dialogue: DialogueTraits { get }
  /// The measurements it wants to see: those with any of these traits, and, with `.behind`, the one behind each.
  static var traits: MeasurementTraits { get }
  /// The ten seconds of measurements it wants to see.
  static var blocks: BlockWish { get }
  /// Whether what it finds is in what measurements say: where they begin in the wrong place, that is nothing.
  static var readsValues: Bool { get }
  /// Whether it can tell something when time goes by and nothing happens, as it does while a capture is taken.
  static var wantsPauses: Bool { get }
  /// Whether what `finish` says of what lasts is so whatever may come: then it is said while a capture is taken, too.
  static var tellsWhatLasts: Bool { get }

  /// A rule at the beginning.
  init(_ settings: RuleSettings)

  /// Looks at a measurement.
  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene)
  /// Looks at ten seconds of measurements.
  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene)
  /// Looks at an event.
  mutating func note(_ event: Event, _ scene: inout RuleScene)
  /// Nothing has happened until the moment at hand; `finish`, or something, may still follow.
  mutating func pause(_ scene: inout RuleScene)
  /// The connection has ended, or the capture has.
  mutating func finish(_ scene: inout RuleScene)
}

/// Which ten seconds of measurements a rule wants to see.
enum BlockWish {
  /// None.
  case none
  /// Each measurement in one block.
  case apart
  /// A new block every five seconds: each measurement in two.
  case sliding
}

/// What an instance of a rule watches.
enum RuleScope {
  /// One connection.
  case connection
  /// All that happens.
  case capture
}

extension AnomalyRule {
  static var scope: RuleScope { .connection }
  static var events: EventSelection { [] }
  static var dialogue: DialogueTraits { [] }
  static var traits: MeasurementTraits { [] }
  static var blocks: BlockWish { .none }
  static var readsValues: Bool { (!traits.isDisjoint(with: .ofValues) || blocks != .none) && !about.tellsEnd }
  static var wantsPauses: Bool { false }
  static var tellsWhatLasts: Bool { false }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {}
  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {}
  mutating func note(_ event: Event, _ scene: inout RuleScene) {}
  mutating func pause(_ scene: inout RuleScene) {}
  mutating func finish(_ scene: inout RuleScene) {}
}
