import BluetoothHost
import CaptureFiles

/// Silence where a measurement was due.
struct NotificationGap: AnomalyRule {
  static let factor = RuleParameter(
    "factor", MeasurementGap.periods, in: 1.1...1000, "how many times the usual period is a gap")
  static let least = RuleParameter(
    "least", MeasurementGap.leastSeconds, in: 0...3600, "what is shorter is none, in seconds")

  static let about = RuleDescription(
    "notification-gap", .warning,
    finds:
      "Silence much longer than what usually lies between two measurements of this connection; what else happened in it "
      + "is said. Where measurements come irregularly, that is judged once there are enough of them. Three or more of "
      + "about the same length, one right behind another, are one finding: measurements came less often. Where none came "
      + "any more, it is said that they stopped for good; so, too, behind a first few that are no longer followed for 20 s, "
      + "or five times as long as any two of them lie apart, and behind a single one for 60 s.",
    matters: "An app shows an old rate meanwhile; whoever sums up RR-Intervals loses the beats.",
    advice:
      "Look at what else happened in it. Followed by a burst, packets were held back: on the air by distance, a body in "
      + "between, or a radio shared with Wi-Fi or audio; if it outlasts the supervision timeout, by the sensor or the "
      + "host. Without one, the sensor sent nothing, or it was lost.",
    reference: "HRS 1.0, 3.1.1.5",
    explainedBy: [
      "att-timeout", "clock-jump", "contact-lost", "controller-failed", "packets-dropped", "octets-skipped",
      "parameter-update-rejected", "interval-slower-than-measurements", "measurement-moved", "mtu-exchanged-twice",
      "stale-handles",
    ],
    belongsInHead: true,
    parameters: [factor, least],
    examples: examples)
  static let events: EventSelection = EventSelection([.subscribed, .unsubscribed, .disconnected, .databases])
    .union(Meanwhile.events)
  static let dialogue: DialogueTraits = [.tableChange, .write, .closing]
  static let traits: MeasurementTraits = [.late, .heldBack, .behind]
  static let wantsPauses = true

  private let limits: Limits
  /// In seconds.
  private static let silence = 0.1
  private typealias Gap = GapRow.Gap
  /// Gaps from before the usual period was known.
  private var early: [Gap] = []
  /// Those that were found last, as long as they may go on.
  private var row: GapRow?
  /// A gap that may be the peer's latency, and how many measurements came at once behind it.
  private var pending: (gap: Gap, count: Int)?
  /// Where the channel was closed over which they came, on a BR/EDR link, which has no other.
  private var closed: Moment?
  private var isOver = false
  /// The last measurement before a gap that was told while it lasted.
  private var toldBefore: Int?
  private var meanwhile = Meanwhile()

  init(_ settings: RuleSettings) { limits = Limits(settings) }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if pending != nil {
      guard !measurement.traits.contains(.heldBack) else {
        pending?.count += 1
        return
      }
      judgePending(&scene)
    }
    guard let length = measurement.gap, let previous = scene.series.previous else { return endRow(&scene) }
    let gap = (start: previous.moment, end: scene.moment, seconds: length)
    guard measurement.traits.contains(.late) else { return endRow(behind: gap, &scene) }
    if wereOff(since: previous, scene) || isLikelySwitchedOff(since: previous, scene) { return }
    // Where a notification is sent for each beat, none is due before the next.
    if isBeat(measurement, previous, scene.series) { return endRow(&scene) }
    if scene.mayBeLatency(length) {
      pending = (gap, 1)
    } else {
      judge(gap, &scene)
    }
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    if let last = scene.series.current {
      meanwhile.note(event, behind: last.moment, isInSilence: scene.seconds(since: last.moment) > Self.silence)
    }
    switch event.content {
    case .unsubscribed(let subscription) where scene.maySwitchOff(subscription): switchOff(&scene)
    case .dialogue(.closed(let bearer, let isByHost)): close(bearer, isByHost: isByHost, &scene)
    case .disconnected(let end):
      isOver = true
      judgePending(&scene)
      // A sensor that falls silent and hangs up was taken off; a client that hangs up has waited.
      let server = scene.series.server ?? .peer
      if end.isByClient(of: server) {
        let asked = server == .peer ? hostsWish(scene) : nil
        judgeEnd("the \(server == .peer ? "host" : "peer") ended the connection", at: asked, &scene)
      }
      if let end = end.adapterEnd { judgeEnd(end.words, &scene) }
      // Who is heard until the link is lost and does not measure had stopped before.
      if end.reason == .connectionTimeout, !scene.series.last.traits.contains(.notInContact),
        let heard = scene.traffic?.lastReceived
      {
        judgeEnd("the peer was heard last", to: heard, &scene)
      }
    default: break
    }
  }

  /// Who gives up on a silent sensor switches its notifications off, and then ends the connection, as all tidy clients do.
  private mutating func switchOff(_ scene: inout RuleScene) {
    judgePending(&scene)
    let client = (scene.series.server ?? .peer).client
    judgeEnd("\(client) switched notifications off", isForGood: false, &scene)
  }

  /// Where other bearers are left, measurements may go on.
  private mutating func close(_ bearer: Int, isByHost: Bool, _ scene: inout RuleScene) {
    guard scene.endsMeasurements(bearer) else { return }
    judgePending(&scene)
    if isByHost { judgeEnd("the host closed their channel", &scene) }
    closed = scene.moment
  }

  /// Whether notifications are off, or were since a measurement: then none was due. Where none has come since they were
  /// switched on, that is another finding.
  private func wereOff(since last: ObservedMeasurement, _ scene: RuleScene) -> Bool {
    scene.areOff
      || [scene.switchedOn, closed].contains { $0.map { $0 > last.moment } ?? false }
  }

  /// The same where a measurement has come that nobody switched on, as it seems: right behind the value is where its
  /// configuration most likely is.
  private func isLikelySwitchedOff(since last: ObservedMeasurement, _ scene: RuleScene) -> Bool {
    guard let value = scene.series.handle else { return false }
    return scene.likelyOff?.handles.contains(value &+ 1) == true && scene.areLikelyOff(since: last)
  }

  /// Silence from the last measurement to the end of the connection, or of the capture: then the databases are told last.
  /// - Parameters:
  ///   - end: What it lasts until.
  ///   - moment: Where that is; here if nil.
  ///   - time: When it was, where no record shows it.
  ///   - isForGood: Whether none can come behind that.
  private mutating func judgeEnd(
    _ end: String, at moment: Moment? = nil, to time: Timestamp? = nil, isForGood: Bool = true,
    _ scene: inout RuleScene
  ) {
    // Right behind a loss one may come that was on its way while they were switched off in that.
    guard !scene.series.isBroken, let last = scene.series.current,
      !scene.hasLost(since: (scene.series.previous ?? last).moment), !wereOff(since: last, scene),
      !scene.areLikelyOff(since: last)
    else { return }
    let period = scene.period(until: last)
    let moment = moment ?? scene.moment
    let gap = (start: last.moment, end: moment, seconds: (time ?? moment.time).seconds(since: last.time))
    guard row?.isWithin(gap) != true else { return }
    let others = time == nil ? others(gap, scene) : ""
    tell(gap, period, until: end, isForGood: isForGood, others: others, &scene)
  }

  mutating func pause(_ scene: inout RuleScene) {
    guard !scene.series.isBroken, let last = scene.series.current, !wereOff(since: last, scene),
      !scene.areLikelyOff(since: last), toldBefore != last.frame
    else { return }
    let (start, period) = (last.moment, scene.period(until: last))
    guard period.map({ isKnown($0, scene) }) ?? true else { return }
    let length = scene.seconds(since: start)
    guard limits.isGap(length, period, scene), !scene.mayBeLatency(length) else { return }
    guard row?.isWithin((start, scene.moment, length)) != true else { return }
    toldBefore = last.frame
    let message = "\(seconds(length)) without a measurement so far, \(usually(period, scene))"
    scene.report(lasting: Self.self, message, RecordSpan(start))
  }

  mutating func finish(_ scene: inout RuleScene) {
    judgePending(&scene)
    // Without events, the connection may have ended before.
    if !isOver, toldBefore != scene.series.current?.frame, scene.traffic?.hasEvents ?? true {
      // Where what tells of its end is missing, it was over soon behind the host's wish.
      let asked = hostsWish(scene)
      judgeEnd(asked == nil ? "the capture ends" : "the host ended the connection", at: asked, &scene)
    }
    endRow(&scene)
    guard !early.isEmpty, let period = scene.period(until: scene.series.current) else { return }
    for gap in early { tell(gap, period, &scene) }
    endRow(&scene)
  }

  /// Where the host has asked for the end behind the last measurement: a controller takes a while for it, up to the
  /// supervision timeout where the peer is gone.
  private func hostsWish(_ scene: RuleScene) -> Moment? {
    scene.askedToEnd.flatMap { $0 > scene.series.last.moment ? $0 : nil }
  }

  /// A silence as long as the latency allows is none if as many came behind it as were due.
  private mutating func judgePending(_ scene: inout RuleScene) {
    guard let (gap, count) = pending else { return }
    pending = nil
    let period = scene.period(until: scene.series.previous) ?? 1
    if count == 1 || !NotificationBurst.fits(count, in: gap.seconds, period: period) { judge(gap, &scene) }
  }

  private mutating func judge(_ gap: Gap, _ scene: inout RuleScene) {
    if row?.take(gap) == true { return }
    if let period = scene.period(until: scene.series.previous), isKnown(period, scene) {
      tell(gap, period, &scene)
    } else if early.count < 16, gap.seconds > 1.5 * (scene.longestWait ?? 0) {
      early.append(gap)
    }
  }

  /// Whether what usually lies between two measurements is known: of a few, only where they are even.
  private func isKnown(_ period: Double, _ scene: RuleScene) -> Bool {
    if scene.mayHaveRhythm { return false }
    let count = scene.periodCount
    if count >= 20 || scene.comeTogether { return true }
    return count >= 10 && scene.quantile(0.8) ?? .infinity <= 1.2 * period
  }

  /// - Parameters:
  ///   - period: What usually lies between two measurements, in seconds; nil where too few have come to tell.
  ///   - end: What it lasts until, where no measurement has ended it.
  ///   - isForGood: Whether none can come behind that.
  ///   - others: What else came in it, in words.
  private mutating func tell(
    _ gap: Gap, _ period: Double?, until end: String? = nil, isForGood: Bool = false, others: String = "",
    _ scene: inout RuleScene
  ) {
    guard limits.isGap(gap.seconds, period, scene) else { return endRow(behind: gap, &scene) }
    let isLasting = gap.seconds >= max(Self.lasting, Self.manyPeriods * (period ?? 0))
    let words = words(gap, period, until: end, isForGood: isForGood && isLasting, others, scene)
    if row?.add(gap, words) == true { return }
    endRow(&scene)
    row = GapRow(gap, words)
  }

  private func words(
    _ gap: Gap, _ period: Double?, until end: String?, isForGood: Bool, _ others: String, _ scene: RuleScene
  ) -> GapRow.Words {
    let usually = usually(period, scene)
    let rest = "without a measurement, \(usually)"
    let alone =
      if let end {
        isForGood
          ? "the measurements stop for good: none came in the \(seconds(gap.seconds)) until \(end), \(usually)"
            + others
          : "\(seconds(gap.seconds)) without a measurement until \(end), \(usually)"
      } else {
        "\(seconds(gap.seconds)) \(rest)"
      }
    return GapRow.Words(
      alone: alone, rest: rest, meanwhile: meanwhile.words(from: gap.start, to: gap.end, scene))
  }

  /// What tells that it is the measurements that were missing, and not the link: something else came almost to the end
  /// of a silence, or beyond.
  private func others(_ gap: Gap, _ scene: RuleScene) -> String {
    guard scene.series.server == .peer, let heard = scene.traffic?.lastReceived else { return "" }
    let rest = gap.seconds - heard.seconds(since: gap.start.time)
    guard rest < 0.1 * gap.seconds else { return "" }
    return rest > 0
      ? ", while other data of the peer came until \(seconds(rest)) before that"
      : ", while other data of the peer went on"
  }

  /// "usually 1 s", and where too few have come to tell, "after 4 measurements".
  private func usually(_ period: Double?, _ scene: RuleScene) -> String {
    period.map { "usually \(seconds($0))" } ?? "after \(measurements(scene.series.count))"
  }

  /// A silence that lasts so long, in seconds, and for so many periods, would have been no short one.
  private static let lasting = 10.0
  private static let manyPeriods = 5.0

  /// Whether a silence is just the one interval that came behind it, and the one before it was so, too.
  private func isBeat(
    _ measurement: ObservedMeasurement, _ previous: ObservedMeasurement, _ series: MeasurementSeries
  ) -> Bool {
    let (beat, before) = (series.intervals, series.previousIntervals)
    guard beat.count == 1, before.count == 1, let gap = previous.gap else { return false }
    return abs(measurement.sinceLast - beat.figures.seconds) < Self.beatJitter
      && abs(gap - before.figures.seconds) < Self.beatJitter
  }

  /// In seconds: so much sooner or later comes what tells a beat.
  private static let beatJitter = 0.15

  /// A silence that is no gap ends a row, unless it is longer than usual, too.
  private mutating func endRow(behind gap: Gap, _ scene: inout RuleScene) {
    guard row != nil, let period = scene.period(until: scene.series.previous), gap.seconds > 1.5 * period,
      row?.take(shorter: gap) == true
    else { return endRow(&scene) }
  }

  private mutating func endRow(_ scene: inout RuleScene) {
    guard let row else { return }
    self.row = nil
    for finding in row.findings { scene.report(Self.self, finding.message, over: finding.span) }
  }
}
