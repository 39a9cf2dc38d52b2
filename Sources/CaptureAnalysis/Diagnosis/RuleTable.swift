/// A rule's place, and what of a dialogue it wants to see.
typealias DialogueWish = (place: Int, traits: DialogueTraits)

/// Which rule wants what, found once.
final class RuleTable {
  let rules: ContiguousArray<any AnomalyRule>
  let captureRules: ContiguousArray<any AnomalyRule>
  /// The rules that want events of a kind, by the kind.
  let events: [[Int]]
  let captureEvents: [[Int]]
  let dialogue: [DialogueWish]
  let captureDialogue: [DialogueWish]
  let measurements: MeasurementWishes
  let blocks: [Int]
  let slidingBlocks: [Int]
  let pauses: [Int]
  let lasting: [Int]
  let selection: EventSelection
  /// What rules ask of measurements.
  let remarkable: MeasurementSeries.Remarkable
  /// Whether anybody wants events of a kind, by the kind.
  let isWanted: [Bool]

  init(_ settings: RuleSettings) {
    // A rule's name comes with its description, which takes a moment to put together.
    let types = settings.asksAll ? AnomalyRules.all : AnomalyRules.all.filter { settings.asks($0.about.name) }
    let onConnections = types.filter { $0.scope == .connection }
    let onCapture = types.filter { $0.scope == .capture }
    rules = ContiguousArray(onConnections.map { $0.init(settings) })
    captureRules = ContiguousArray(onCapture.map { $0.init(settings) })
    events = Self.table(onConnections)
    captureEvents = Self.table(onCapture)
    dialogue = Self.wishes(onConnections)
    captureDialogue = Self.wishes(onCapture)
    measurements = MeasurementWishes(of: onConnections)
    blocks = onConnections.indices.filter { onConnections[$0].blocks == .apart }
    slidingBlocks = onConnections.indices.filter { onConnections[$0].blocks == .sliding }
    remarkable = MeasurementSeries.Remarkable(
      leap: Int(settings.value(HeartRateJump.step, of: HeartRateJump.self)),
      silence: min(MeasurementSeries.late, settings.value(NotificationGap.least, of: NotificationGap.self)))
    pauses = onConnections.indices.filter { onConnections[$0].wantsPauses }
    lasting = onConnections.indices.filter { onConnections[$0].tellsWhatLasts }
    // Of what is written, rules need what is told anyway.
    let all = types.isEmpty ? [] : types.reduce(RuleScene.events) { $0.union($1.events) }
    selection = all.subtracting(.write)
    isWanted = EventKind.allCases.map { all.contains(EventSelection($0)) }
  }

  private static func wishes(_ types: [any AnomalyRule.Type]) -> [DialogueWish] {
    types.indices.filter { !types[$0].dialogue.isEmpty }.map { ($0, types[$0].dialogue) }
  }

  private static func table(_ types: [any AnomalyRule.Type]) -> [[Int]] {
    EventKind.allCases.map { kind in types.indices.filter { types[$0].events.contains(EventSelection(kind)) } }
  }
}
