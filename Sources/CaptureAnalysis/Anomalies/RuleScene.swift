import BluetoothHost
import CaptureFiles
import GATTKit

/// What rules may know of the connection they watch, and where they say what they find.
struct RuleScene {
  /// The connection's number; nil for rules over the whole capture.
  let connection: Int?
  /// Where what is shown stands.
  private(set) var moment: Moment
  /// The last record that was shown before that.
  private var heard: Moment
  /// The first record of the connection.
  let first: Moment
  /// How it began; nil for rules over the whole capture.
  private(set) var connected: ConnectedEvent?
  /// Whether it is a Low Energy connection; nil if unknown.
  private(set) var isLowEnergy: Bool?
  /// Whether its making is in the capture: what is missing then never was.
  var wasSeen: Bool { connected?.wasSeen ?? false }
  /// Whether the peer has advertised the heart rate service before it was made.
  var isOfAdvertisedSensor: Bool { connected?.peer.advertisesHeartRate ?? false }
  /// Whether records of it, or pieces of them, were lost: what is missing then may have been there.
  var hasLost: Bool { lastLoss != nil }
  /// Where that was noticed last.
  private var lastLoss: Moment?
  /// The steps that the clock took while it lasted.
  private var clockSteps = ClockSteps()
  /// Whether it took any.
  var hasClockStep: Bool { clockSteps.span != nil }
  /// Whether the capture tells when anything came: where it has no times, nothing is soon and nothing is late.
  var hasTimes: Bool { moment.time.isTold }
  /// Whether all of it is in the capture, from its making on.
  var isWhole: Bool { wasSeen && !hasLost }
  /// Who waits for whose answer on its ATT bearers.
  private(set) var dialogue = ATTDialogue()
  /// When a server told last, or was asked, that its table has changed.
  var lastTableChange = BothServers<Moment?>(nil)
  /// The parameters that hold; nil if they are not known.
  private(set) var parameters: ConnectionParameters?
  /// Those that held before, and until when.
  private var formerParameters: (parameters: ConnectionParameters, until: Moment)?
  /// The longest supervision timeout of those that have changed since the last measurement, in units of 10 ms.
  private var formerTimeout: UInt16 = 0
  /// The longest ATT PDU; as long as can be where not all of the agreement is in the capture.
  private(set) var mtu = Int(ATTConversation.leastMTU)
  private var lostAgreement = LostAgreement()
  /// What holds on if an exchange is refused.
  private var refusedMTU: Int?
  /// Whether it may be another, agreed upon where the capture lacks something.
  var mayLackAgreement: Bool { lostAgreement.isPossible }
  /// The same of enhanced bearers.
  private var enhanced = BearerMTUs()
  /// Where the host has asked for its end last, and was not refused.
  private(set) var askedToEnd: Moment?
  /// Whether it is encrypted.
  private(set) var encryption = LinkEncryption()
  /// The record that switched the measurement's notifications on last, where they were not on before.
  private(set) var switchedOn: Moment?
  /// The one that switched them off, while they are.
  private(set) var switchedOff: Moment?
  /// What switched them on, while they are, as far as is known.
  private(set) var subscription: SubscriptionEvent?
  /// What did so on an earlier connection with the same peer, at whose end they were on.
  var left: LeftSubscription?
  /// Writes that may have switched them off, to attributes of which nothing is told.
  private(set) var likelyOff: LikelyOff?
  /// When its two ends were heard; known when it, or the capture, ends.
  private(set) var traffic: LinkTraffic?
  /// Its measurements.
  var series: MeasurementSeries
  /// What is wrong with those beside them, of another attribute or the other server.
  private(set) var brokenBeside = RuleTallies<ServerAttribute>()
  /// Where any of this device's clients may have reset its energy last, and where before.
  private var localReset: (last: Moment, former: Moment?)?
  /// Where any of them may have done so last.
  var localResetAt: Moment? { localReset?.last }
  /// How strong its peer's signal was when it was measured last.
  private(set) var lastRSSI: (moment: Moment, dBm: Int8)?
  /// What else its adapter's radio was used for lately.
  private(set) var radioUses: [OtherRadioUse] = []
  /// What the peer told of its battery last, in percent.
  private(set) var battery: UInt8?
  /// Whether what ends now does so only in thought, to tell what lasts.
  var goesOn = false
  /// What rules have found.
  private var book: FindingBook

  /// - Parameters:
  ///   - mostFindings: How many findings of one rule are told one by one.
  ///   - remarkable: From where on something is remarkable in a measurement.
  init(connection: Int?, _ event: Event, mostFindings: Int, remarkable: MeasurementSeries.Remarkable) {
    series = MeasurementSeries(remarkable)
    self.connection = connection
    book = FindingBook(mostOfRule: mostFindings)
    moment = event.moment
    heard = moment
    first = event.moment
    if connection != nil { begin(event) }
  }

  /// What it takes up, whichever rules are asked: what one of them finds must not hang on which others are. Of a
  /// connection that has not ended, `.traffic` comes with the capture's last record: what holds on it has held until there.
  static let events = EventSelection([
    .connected, .disconnected, .transport, .parameters, .mtu, .encryption, .subscribed, .unsubscribed, .heartRate,
    .rssi, .dialogue, .malformed, .traffic, .command,
  ])

  /// Takes up what an event tells, before rules see it.
  mutating func take(_ event: Event) {
    // What turns out late to be of interest is told of an earlier moment.
    heard = max(heard, moment)
    moment = event.moment
    switch event.content {
    case .transport(let isLowEnergy): self.isLowEnergy = isLowEnergy
    case .parameters(let change) where change.status == .success: take(change.parameters)
    case .mtu(let agreed): take(agreed)
    case .encryption(let change): encryption.note(change)
    case .command(let command): take(command)
    case .subscribed(let subscription) where maySwitchOn(subscription): switchOn(subscription)
    case .unsubscribed(let subscription) where maySwitchOff(subscription):
      if !areOff { switchedOff = moment }
      (self.subscription, left) = (nil, nil)
    case .traffic(let traffic): self.traffic = traffic
    case .rssi(let strength): take(signalStrength: strength, event.moment)
    case .dialogue(.pdu(let pdu)) where connection != nil:
      dialogue.take(pdu, event.moment)
      // What it answers is not in the capture: that may have switched them off.
      if case .response(nil) = dialogue.step, pdu.grantsWrite { subscription = nil }
      noteExchange(pdu)
      noteLikelySwitch(pdu)
    case .dialogue(.closed(let bearer, _)):
      dialogue.close(bearer, event.moment)
      if endsMeasurements(bearer) { series.noteOffTime() }
    case .dialogue(.lost): noteLoss()
    case .dialogue(.clockStep(let microseconds)):
      let step = ClockStep(moment: moment, microseconds: microseconds)
      clockSteps.add(step)
      series.noteClockStep(step.leap)
      dialogue.forget(at: moment, heard: heard)
    case .malformed(let fault): if case .pieces = fault.problem { noteLoss() }
    default: break
    }
  }

  mutating func take(_ moment: Moment) { self.moment = moment }

  mutating func take(signalStrength: Int8, _ moment: Moment) {
    self.moment = moment
    lastRSSI = (moment, signalStrength)
  }

  mutating func take(battery: UInt8) { self.battery = battery }

  /// A measurement that is none of the series. That it is malformed is seen from itself.
  mutating func take(beside notification: HeartRateNotification) {
    guard notification.sound == nil, notification.reading.isMalformed else { return }
    let attribute = ServerAttribute(handle: notification.handle, server: notification.server)
    let measurement = ObservedMeasurement(
      notification.reading, length: notification.value.length, moment, ordinal: 0, gap: -1)
    let whose = attribute.server == .peer ? "the peer's" : "this device's"
    brokenBeside.note(
      attribute, moment, "\(measurement.contradiction), in \(whose) measurements on \(handleWords(attribute.handle))")
  }

  /// One of this device's clients may have reset its energy.
  mutating func take(localReset moment: Moment) { localReset = (moment, localReset?.last) }

  /// What one of them asked for at a moment was refused.
  mutating func takeBack(localReset moment: Moment) {
    guard let localReset, localReset.last == moment else { return }
    self.localReset = localReset.former.map { ($0, nil) }
  }

  /// Its adapter's radio is used for something else, too.
  mutating func take(_ other: OtherRadioUse) {
    if let last = series.current?.moment, radioUses.contains(where: { $0.moment > last && $0.words == other.words }) {
      return
    }
    if radioUses.count == Self.mostRadioUses { radioUses.removeFirst() }
    radioUses.append(other)
  }

  private static let mostRadioUses = 4

  private mutating func take(_ command: CommandEvent) {
    encryption.note(command)
    guard command.wish == .end else { return }
    if case .refused = command.step { askedToEnd = nil } else { askedToEnd = moment }
  }

  private mutating func take(_ parameters: ConnectionParameters) {
    if let former = self.parameters {
      let isFirst = formerParameters.map { $0.until < series.current?.moment ?? first } ?? true
      formerTimeout = isFirst ? former.supervisionTimeout : max(formerTimeout, former.supervisionTimeout)
      formerParameters = (former, moment)
    }
    self.parameters = parameters
  }

  /// Where they are off, what may be another's is taken for theirs, too.
  private mutating func switchOn(_ subscription: SubscriptionEvent) {
    guard areOff || switchesOn(subscription) else { return }
    if areOff, let switchedOff { noteOffTime(since: switchedOff) }
    if !areOn { switchedOn = moment }
    switchedOff = nil
    if switchesOn(subscription) { self.subscription = subscription }
  }

  private mutating func noteOffTime(since off: Moment) {
    if seconds(since: off) >= HeartRateStatistics.shortestOffTime { series.noteOffTime() }
  }

  /// In a capture without the discovery, what may be the measurements' configuration is taken for it where they stop as it
  /// is written, and come back only when it is written again.
  private mutating func noteLikelySwitch(_ pdu: ATTDialoguePDU) {
    guard let last = series.current, let (handle, isOn) = series.likelySwitch(pdu) else { return }
    let isOff = areLikelyOff(since: last)
    guard isOn else {
      if isOff { likelyOff?.add(handle) } else { likelyOff = LikelyOff(moment, handle) }
      return
    }
    if isOff, let likelyOff, likelyOff.handles.contains(handle) { noteOffTime(since: likelyOff.moment) }
  }

  private mutating func take(_ agreed: MTUEvent) {
    if agreed.isEnhanced {
      enhanced.note(agreed)
    } else {
      (refusedMTU, mtu) = (nil, agreed.mtu.map { Int($0) } ?? .max)
    }
    lostAgreement.note(agreed)
  }

  /// Until an exchange is answered, nobody knows what holds behind it.
  private mutating func noteExchange(_ pdu: ATTDialoguePDU) {
    guard pdu.bearer == nil else { return }
    switch pdu.opcode {
    case .exchangeMTURequest: (refusedMTU, mtu) = (mtu, .max)
    case .errorResponse where pdu.refused == .exchangeMTURequest: mtu = refusedMTU ?? mtu
    // Of what is cut so that nothing is left, any may be the agreement.
    case .exchangeMTUResponse where pdu.isCut, nil where pdu.isCut: mtu = .max
    default: break
    }
  }

  /// The longest ATT PDU on a bearer; nil where it is not known.
  func mtu(of bearer: Int?) -> Int? { bearer.map { enhanced[$0].map(Int.init) } ?? mtu }

  /// How long, in seconds, what the peer sends may wait for a connection event between the measurement before and the one
  /// at hand: an interval, and while that changes one of each; nil if it is not known. A peripheral that has something to
  /// say need not leave out the events that its latency allows it to, and seldom does; where many measurements come at
  /// once with the one before, it does. Those that come together in a rhythm wait for one another, whatever the parameters.
  var longestWait: Double? {
    let wait = wait { $0.wait(usingLatency: $0.latency > 0 && series.comeTogether) }
    return rhythm.map { max($0, wait ?? 0) } ?? wait
  }

  /// Whether a silence before the measurement at hand, in seconds, may be no more than the events that the peer's latency
  /// allows it to leave out; then as much comes behind it as was due.
  func mayBeLatency(_ silence: Double) -> Bool {
    guard let interval = wait({ $0.wait(usingLatency: false) }), let longest = wait({ $0.wait(usingLatency: true) })
    else { return false }
    return longest > interval && silence < 1.1 * longest
  }

  private func wait(_ length: (ConnectionParameters) -> Double) -> Double? {
    guard let parameters else { return nil }
    guard let former = formerParameters, let previous = series.previous, former.until >= previous.moment else {
      return length(parameters)
    }
    return length(parameters) + length(former.parameters)
  }

  /// How long the ends may hear nothing of each other before the link is lost, in seconds: the longest that has held since
  /// the measurement before; nil if that is not known.
  var supervisionTimeout: Double? {
    let isRecent = formerParameters.map { $0.until >= series.previous?.moment ?? first } ?? false
    return parameters.map { Double(max($0.supervisionTimeout, isRecent ? formerTimeout : 0)) / 100 }
  }

  private mutating func noteLoss() {
    lastLoss = moment
    lostAgreement.noteLoss(hasMeasurements: series.current != nil)
    series.noteLoss()
    dialogue.forget(at: moment, heard: heard)
  }

  /// The connection begins. That may be reported after its first packets.
  mutating func begin(_ event: Event) {
    guard case .connected(let connected) = event.content else { return }
    self.connected = connected
    isLowEnergy = connected.isLowEnergy ?? isLowEnergy
    parameters = connected.parameters ?? parameters
  }
}

// MARK: - Findings

extension RuleScene {
  /// What was found and has not been taken.
  var findings: [Finding] { book.findings }

  /// Says what a rule has found.
  /// - Parameters:
  ///   - message: What was seen, in a sentence with its numbers.
  ///   - severity: How grave it is, if not as the rule always is.
  ///   - first: The first record that shows it; the one at hand if nil.
  ///   - last: The last one; the first if nil.
  ///   - connection: The connection it is about, for rules over the whole capture.
  ///   - count: How often.
  mutating func report(
    _ rule: any AnomalyRule.Type, _ message: @autoclosure () -> String, severity: Severity? = nil,
    from first: Moment? = nil, to last: Moment? = nil, connection: Int? = nil, count: Int = 1
  ) {
    let start = first ?? moment
    let span = RecordSpan(from: start, to: last ?? start, count: count)
    report(rule, message(), severity: severity, over: span, connection: connection)
  }

  /// Says what a rule has found in a run of records, once for each of them.
  mutating func report(
    _ rule: any AnomalyRule.Type, _ message: @autoclosure () -> String, severity: Severity? = nil, over run: RecordSpan,
    connection: Int? = nil
  ) {
    if series.isMisread, rule.readsValues { return }
    book.add(rule, message(), severity: severity, run, connection: connection ?? self.connection)
  }

  /// Says what a rule has found that may last, once it has lasted for a while; what is told of it in the end is no other
  /// fault.
  mutating func report(
    lasting rule: any AnomalyRule.Type, _ message: @autoclosure () -> String, severity: Severity? = nil,
    _ span: RecordSpan
  ) {
    book.add(lasting: rule, message(), severity: severity, span, connection: connection)
  }

  /// The findings since the last call.
  mutating func takeFindings() -> [Finding] { book.take() }

  /// Says how much was found beyond what has been told one by one.
  mutating func closeFindings() { book.close(connection: connection) }

  /// Whether records of it, or pieces of them, were lost behind a moment: if all in question came behind the last loss,
  /// nothing before it matters.
  func hasLost(since earlier: Moment) -> Bool { lastLoss.map { $0 > earlier } ?? false }

  /// Whether what was told of the attributes still holds. Behind lost records the connection may be another one on the same
  /// handle, with another table: not where measurements go on coming from where they came before.
  var isSameTable: Bool {
    guard let lastLoss else { return true }
    guard let first = series.beginning, let last = series.current else { return false }
    return first < lastLoss && lastLoss < last.moment && !series.hasMoved(since: first)
  }

  /// Whether the answer at hand may be to something else than it seems: its request lies before what was lost.
  var mayAnswerAnother: Bool { if case .response(nil) = dialogue.step { hasLost } else { false } }

  /// The seconds from a moment to the one at hand, without the steps of the clock between them.
  func seconds(since earlier: Moment) -> Double { seconds(from: earlier, to: moment) }
  /// The seconds from a moment to a later one, without the steps of the clock between them; 0 where they cannot be told.
  func seconds(from first: Moment, to last: Moment) -> Double { clockSteps.seconds(from: first, to: last) ?? 0 }
}

extension ConnectionParameters {
  /// How long, in seconds, what the peripheral sends may wait for a connection event: an interval, and those that its
  /// latency lets it leave out, if it does.
  func wait(usingLatency: Bool) -> Double {
    intervalMilliseconds / 1000 * (usingLatency ? Double(latency) + 1 : 1)
  }
}
