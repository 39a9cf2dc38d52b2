/// The rules of one connection, and what they know.
struct RuleWatch {
  var scene: RuleScene
  private var rules: ContiguousArray<any AnomalyRule>
  private(set) var isOpen = true
  /// The rules that want to see the next measurement, whatever it is like.
  private var waiting: MeasurementWishes.Rules = 0

  init(_ rules: ContiguousArray<any AnomalyRule>, _ scene: RuleScene) {
    self.rules = rules
    self.scene = scene
  }

  /// - Parameter wanting: The places of the rules that want it.
  mutating func note(_ event: Event, _ wanting: [Int]) {
    scene.take(event)
    for place in wanting { rules[place].note(event, &scene) }
  }

  /// A PDU: what it is beside those before it is found first.
  mutating func note(
    _ dialogue: ATTDialogueEvent, _ event: Event, _ traits: DialogueTraits, _ wanting: [DialogueWish]
  ) {
    scene.take(event)
    note(event, traits.union(scene.dialogueTraits(of: dialogue)), wanting)
  }

  mutating func note(_ event: Event, _ traits: DialogueTraits, _ wanting: [DialogueWish]) {
    for (place, wanted) in wanting where !wanted.isDisjoint(with: traits) { rules[place].note(event, &scene) }
  }

  mutating func note(_ notification: HeartRateNotification, _ moment: Moment, _ table: RuleTable) {
    scene.take(moment)
    guard let traits = scene.series.note(notification, moment, mtu: scene.mtu(of: notification.bearer) ?? .max) else {
      return scene.take(beside: notification)
    }
    let wishes = table.measurements.wishes(traits)
    if wishes.now | waiting != 0 {
      table.measurements.show(scene.series.last, to: wishes.now | waiting, of: &rules, &scene)
    }
    waiting = wishes.next
    scene.series.noteBeginning()
    if scene.series.fillsHalf() { noteBlock(table) }
  }

  private mutating func noteBlock(_ table: RuleTable) {
    guard let block = scene.series.takeBlock() else { return }
    for place in table.slidingBlocks { rules[place].note(block, &scene) }
    guard scene.series.isApart else { return }
    for place in table.blocks { rules[place].note(block, &scene) }
  }

  mutating func pause(until moment: Moment, _ table: RuleTable) {
    // It lies behind the last record: what that one says holds by now.
    scene.take(Moment(frame: moment.frame + 1, time: moment.time, member: moment.member))
    for place in table.pauses { rules[place].pause(&scene) }
    for place in table.lasting { tellWhatLasts(place) }
  }

  /// Says of what lasts what would be said if it ended now.
  private mutating func tellWhatLasts(_ place: Int) {
    var (rule, ending) = (rules[place], scene)
    ending.goesOn = true
    rule.finish(&ending)
    for finding in ending.findings.dropFirst(scene.findings.count)
    where scene.seconds(since: finding.beginning) >= Self.lasting {
      let span = RecordSpan(from: finding.beginning, to: finding.ending, count: finding.count)
      scene.report(lasting: type(of: rule), "\(finding.message), so far", severity: finding.severity, span)
    }
  }

  /// In seconds: what ends sooner is told when it ends.
  private static let lasting = 10.0

  mutating func finish() {
    isOpen = false
    for place in rules.indices { rules[place].finish(&scene) }
    scene.closeFindings()
  }
}
