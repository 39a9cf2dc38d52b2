import CaptureAnalysis
import CaptureFiles
import CaptureReports
import CaptureSources
import LiveCapture
import Octets

/// One loop over all that can happen while a capture goes on: octets, signals, keys, and time that goes by.
struct LiveRun {
  private var input: LiveInput
  private let display: any LiveDisplay
  private let destination: Destination
  private let events: LiveEvents
  private var analyzer: Analyzer<EventForwarder>
  private var recorder: LiveRecorder?
  private let signals: Int32?
  private let deadline: ContinuousClock.Instant?
  private var state = State.running
  /// When the display was asked to show what there is, and whether there is more now.
  private var lastRefresh = ContinuousClock.now
  private var hasNews = true

  /// When octets have come last, and when it was looked what has not come.
  private var lastArrival = ContinuousClock.now
  private var lastPause = ContinuousClock.now

  /// So often is looked whether something has not come that should have.
  private static let pause = Duration.milliseconds(500)

  /// Whether it was said that what has come is no capture.
  private var hasDoubted = false
  /// After such a silence, what stands before a capture should have come to its end.
  private static let doubtPause = Duration.seconds(2)

  /// How many losses were told, and when the next ones may be.
  private var losses: (told: UInt64, next: ContinuousClock.Instant?) = (0, nil)
  private static let lossPause = Duration.seconds(10)

  private enum State {
    case running
    /// Someone has had enough.
    case stopped
    /// The source has no more.
    case atEnd
  }

  /// - Parameters:
  ///   - destination: Where the display shows it: once nobody looks there any more, it is over.
  ///   - recording: Where it is recorded; nil if it is not.
  ///   - duration: How long it is to last; nil: until someone ends it.
  /// - Throws: `DestinationError` if it cannot be recorded.
  init(
    _ input: LiveInput, _ display: any LiveDisplay, on destination: Destination, _ events: LiveEvents,
    knowing knowledge: CaptureKnowledge, recording: LiveRecorder.Plan?, duration: Duration?
  ) throws(DestinationError) {
    self.input = input
    self.display = display
    self.destination = destination
    self.events = events
    signals = SignalPipe.open(holdsTerminal: display.keys != nil)
    var knowledge = knowledge
    knowledge.concludesAtOnce = true
    analyzer = Analyzer(into: events.forwarder, isLive: true, knowing: knowledge)
    deadline = duration.map { .now + $0 }
    if let recording { recorder = try LiveRecorder(recording, from: analyzer.records, analyzer.times) }
  }

  /// Whether all of it was recorded that was to be.
  var isRecordedWell: Bool { recorder?.state.trouble == nil }

  /// Follows the capture to its end.
  /// - Throws: `SourceError` if that comes because it cannot be read on; what has been read is shown all the same.
  mutating func run() throws(SourceError) {
    let result = Result { () throws(SourceError) in try follow() }
    // A capture of something else is refused.
    let isRefused = (try? result.get()) == nil && analyzer.facts.linkTypes.isEmpty
    let isNothing = analyzer.facts.format == nil || isRefused
    let facts = isNothing ? nil : analyzer.facts
    events.finish(facts)
    display.refresh(status, analyzer.facts)
    display.end(facts)
    if isNothing { recorder?.discard() }
    try result.get()
  }

  private mutating func follow() throws(SourceError) {
    let pipe = destination.pipe
    while case .running = state {
      let others = [signals, display.keys].compactMap { $0 }
      let (begun, patience) = (ContinuousClock.now, patience)
      let ready = Readiness.wait(for: input.readiness, or: others, orEndOf: pipe, atMost: patience)
      if ready.isPipeOver { destination.noteGone() }
      if let signals, ready.descriptors.contains(signals) { takeSignals() }
      if let keys = display.keys, ready.descriptors.contains(keys) { takeKeys() }
      if ready.source, case .running = state { try readOn() }
      if events.isOver || deadline.map({ ContinuousClock.now >= $0 }) ?? false { state = .stopped }
      // Whoever was stopped for a while has not looked what has come meanwhile.
      let hasStood = patience.map { ContinuousClock.now > begun + $0 + Self.pause } ?? false
      if tellsPauses, !hasStood { notePause() }
      if isInDoubt { doubt() }
      refresh()
    }
    let isUnknown = analyzer.records.formatName == nil
    if case .stopped = state {
      // What has come and is no capture so far will be none.
      if isUnknown, !events.hasBegun, !input.octets.isEmpty { return try analyze(isLast: true) }
      // Who stops in the middle of a record has not damaged it.
      input.forget()
      if !events.hasBegun { return }
    }
    // What began anew and holds nothing yet does not undo what came before.
    if isUnknown, events.hasBegun, input.octets.isEmpty { return }
    try analyze(isLast: true)
  }

  /// How long nothing may happen.
  private var patience: Duration? {
    let now = ContinuousClock.now
    let limits = [
      deadline.map { $0 - now }, display.patience.map { lastRefresh + $0 - now },
      tellsPauses ? lastPause + Self.pause - now : nil, isInDoubt ? lastArrival + Self.doubtPause - now : nil,
    ].compactMap { $0 }
    return limits.min().map { max($0, .zero) }
  }

  /// Whether what has not come has not happened: of most files nobody knows when their writers write.
  private var tellsPauses: Bool { input.isPrompt && events.hasBegun }

  /// Tells rules that time goes by, on the capture's clock.
  private mutating func notePause() {
    let now = ContinuousClock.now
    guard now >= lastPause + Self.pause, let last = analyzer.facts.lastTime else { return }
    lastPause = now
    events.pause(until: Moment(frame: analyzer.facts.records, time: last.advanced(by: now - lastArrival)))
    hasNews = true
  }

  /// Whether something has come, and it is no capture so far.
  private var isInDoubt: Bool { !hasDoubted && analyzer.records.formatName == nil && !input.octets.isEmpty }

  /// Says that what has come is no capture, if nothing more does: somebody may wait for what never will.
  /// - Parameter isOver: Whether its source has ended, if only for now.
  private mutating func doubt(isOver: Bool = false) {
    guard isOver || ContinuousClock.now >= lastArrival + Self.doubtPause else { return }
    hasDoubted = true
    // Of the beginning of a capture, more will tell.
    guard let refusal, refusal.isRefusalOfUnknown else { return }
    tell("so far \(InputError.complaint(refusal, isLive: true))")
  }

  /// Why it would not be read if this were all.
  private var refusal: ParsingError? {
    var reader = analyzer.records
    do throws(ParsingError) {
      _ = try reader.recognise(input.octets, isAll: true)
      return nil
    } catch {
      return error
    }
  }

  private mutating func takeSignals() {
    for signal in SignalPipe.take() {
      switch signal {
      case .stop: state = .stopped
      case .windowChanged: display.resize()
      case .suspend: display.suspend()
      case .resumed: display.resume()
      }
    }
    hasNews = true
  }

  private mutating func takeKeys() {
    for request in display.takeKeys() {
      switch request {
      case .quit: state = .stopped
      case .record: if recorder == nil { beginRecording() }
      }
    }
    hasNews = true
  }

  /// Shows what there is, if there is anything, or the display has waited long enough.
  private mutating func refresh() {
    let now = ContinuousClock.now
    guard hasNews || display.patience.map({ now >= lastRefresh + $0 }) ?? false else { return }
    display.refresh(status, analyzer.facts)
    (lastRefresh, hasNews) = (now, false)
  }

  private var status: LiveStatus {
    let facts = analyzer.facts
    return LiveStatus(
      source: input.name, records: facts.records, lostRecords: facts.droppedRecords, recording: recorder?.state)
  }
}

// MARK: - Octets

extension LiveRun {
  private mutating func readOn() throws(SourceError) {
    switch try input.fill() {
    case .octets:
      lastArrival = .now
      let before = analyzer.facts.records
      try analyzeNews()
      input.noteDelivery(of: analyzer.facts.records - before)
      hasNews = true
    case .nothing:
      // All that was there from before now has been read.
      if events.isPast {
        let count = analyzer.facts.records
        events.beginPresent(after: count)
        display.remark("\(inputText(input.name)): \(count.words("record")) so far; what comes now is shown")
        hasNews = true
      }
    case .said(let sentence):
      if isInDoubt { doubt(isOver: true) }
      tell(sentence)
    case .anew(let isGap, let sentence):
      // Of a source that never was a capture's, once is enough.
      if events.hasBegun { hasDoubted = false }
      analyzer.beginAgain(isGap: isGap)
      recorder?.beginAgain(isGap: isGap)
      tell(sentence)
    case .end: state = .atEnd
    }
  }

  /// Records from here on, in a file of a name that is free.
  private mutating func beginRecording() {
    do throws(DestinationError) {
      let plan = LiveRecorder.Plan(path: RecordingFile.freeName())
      recorder = try LiveRecorder(plan, from: analyzer.records, analyzer.times)
    } catch {
      complain(error.description)
    }
  }

  /// Says something of the source.
  private mutating func tell(_ sentence: String) { say("\(inputText(input.name)): \(sentence)") }

  private mutating func say(_ sentence: String) {
    display.say(sentence)
    hasNews = true
  }

  /// Says what cannot be done that was to be.
  private mutating func complain(_ sentence: String) {
    display.complain(sentence)
    hasNews = true
  }

  /// Looks at what has come. Where the end of a connection may end it all, what stands behind that is neither shown nor
  /// recorded: then it is record after record.
  private mutating func analyzeNews() throws(SourceError) {
    for end in events.mayBeOver ? RecordEnds(in: input.octets, analyzer.records).places : [] {
      try analyze(first: end - analyzer.records.progress.consumedOctets, isLast: false)
      if events.isOver { return }
    }
    try analyze(isLast: false)
  }

  /// - Parameter first: How many of the octets; nil: all of them.
  private mutating func analyze(first: Int? = nil, isLast: Bool) throws(SourceError) {
    let count = first ?? input.octets.count
    if let sentence = recorder?.record(input.octets.extracting(first: count), isLast: isLast) {
      if isRecordedWell { say(sentence) } else { complain(sentence) }
    }
    do throws(ParsingError) {
      input.consume(try analyzer.read(input.octets.extracting(first: count), isLast: isLast))
    } catch {
      throw SourceError(InputError.complaint(error, isLive: true))
    }
    noteLosses(isLast: isLast)
  }

  /// Says how many records were lost, at once and then not too often.
  private mutating func noteLosses(isLast: Bool) {
    let lost = analyzer.facts.droppedRecords
    guard lost > losses.told, isLast || losses.next.map({ ContinuousClock.now >= $0 }) ?? true else { return }
    let (records, were) = (lost.words("record"), lost == 1 ? "was" : "were")
    tell("\(records) \(were) lost so far, since nobody took them in time")
    losses = (told: lost, next: .now + Self.lossPause)
  }
}
