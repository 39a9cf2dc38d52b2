import CaptureAnalysis
import CaptureFiles
import CaptureSources
import Octets

/// Reads inputs one after another, from their octets to their events.
final class CaptureRun {
  /// Finds the inputs.
  let search: CaptureSearch
  private let isQuiet: Bool
  private var memory: CaptureMemory
  /// Captures that were told as they came, in which something is not named: one behind them may tell what it is.
  private var untold: [(path: FilePath, own: Conclusions)] = []
  private static let mostUntold = 100
  /// What was said of GATT maps.
  private var said: Set<String> = []

  /// - Parameter isStreamed: Whether captures are told as they come: what comes through a pipe is not kept then, and none
  ///   is read again for what others tell.
  init(isQuiet: Bool, limits: UnpackingLimits, isStreamed: Bool = false) {
    search = CaptureSearch(limits: limits, keepsPipes: !isStreamed)
    memory = CaptureMemory(looksBack: !isStreamed)
    self.isQuiet = isQuiet
  }

  /// Reads a capture: twice, where what attributes are that were not discovered comes to light only in the end.
  /// - Parameter receiver: Takes its events.
  func read<Receiver: EventReceiver>(
    _ input: CaptureInput, into receiver: Receiver, knowing knowledge: CaptureKnowledge
  ) throws(InputError) -> (receiver: Receiver, facts: CaptureFacts) {
    let (last, first) = try readKept(input, into: receiver, withMemory(knowledge, of: input))
    remember(input, first)
    return (last.receiver, last.facts)
  }

  /// Reads a capture whose events are shown as they come: what its attributes are has to be known before.
  /// - Parameters:
  ///   - scout: Sees the capture before, if it can be read twice.
  ///   - receiver: Takes its events.
  ///   - pause: Called before more is waited for, when all that has come has been told; nil if nobody looks meanwhile.
  func readStreaming<Receiver: EventReceiver>(
    _ input: CaptureInput, scout: DeviceScout? = nil, into receiver: Receiver, knowing knowledge: CaptureKnowledge,
    pause: (() -> Void)? = nil
  ) throws(InputError) -> CaptureFacts {
    let (last, first) = try readShown(input, scout: scout, into: receiver, withMemory(knowledge, of: input), pause)
    sayToldLate(input, first)
    remember(input, first, thenToo: last.conclusions)
    return last.facts
  }

  /// What is known before a capture is read: from those that were read before it, too.
  private func withMemory(_ knowledge: CaptureKnowledge, of input: CaptureInput) -> CaptureKnowledge {
    var knowledge = knowledge
    knowledge.concludesAtOnce = !input.canBeReadAgain
    knowledge.remember(memory.earlier)
    return knowledge
  }

  /// Takes what a capture has told, once nobody reads with what was known before: else all of that would be copied.
  /// - Parameters:
  ///   - first: What reading it for the first time has told.
  ///   - last: What reading it for the last time has told; nil if that is the same.
  private func remember(_ input: CaptureInput, _ first: Conclusions, thenToo last: Conclusions? = nil) {
    memory.keep(input, at: search.handedOn, first)
    memory.remember(last ?? first)
  }

  /// What a reading of a capture has come to.
  private typealias Reading<Receiver> = (receiver: Receiver, facts: CaptureFacts, conclusions: Conclusions)

  /// Reads a capture whose events are kept until it is known what they mean.
  /// - Returns: The reading that holds, and what the first one has told.
  private func readKept<Receiver: EventReceiver>(
    _ input: CaptureInput, into receiver: Receiver, _ knowledge: CaptureKnowledge
  ) throws(InputError) -> (last: Reading<Receiver>, first: Conclusions) {
    guard input.canBeReadAgain else {
      let only = try readTheOnlyTime(input, into: receiver, knowledge)
      return (only, only.conclusions)
    }
    var knowledge = knowledge
    let (first, tellsMore) = try readAhead(input, into: receiver, &knowledge)
    guard tellsMore else { return (first, first.conclusions) }
    return (try readOnce(input, into: receiver, knowledge), first.conclusions)
  }

  /// Reads a capture whose events are shown as they come.
  /// - Returns: The reading that was shown, and what the first one has told.
  private func readShown<Receiver: EventReceiver>(
    _ input: CaptureInput, scout: DeviceScout?, into receiver: Receiver, _ knowledge: CaptureKnowledge,
    _ pause: (() -> Void)?
  ) throws(InputError) -> (last: Reading<Receiver>, first: Conclusions) {
    guard input.canBeReadAgain else {
      if !isQuiet, let sentence = knowledge.unnamedSentence {
        InputError(path: input.path, message: sentence).complain()
      }
      let only = try readTheOnlyTime(input, into: receiver, knowledge, pause)
      return (only, only.conclusions)
    }
    var knowledge = knowledge
    let before = scout?.receiver ?? EventForwarder(selection: [])
    let first = try readAhead(input, into: before, &knowledge).first.conclusions
    return (try readOnce(input, into: receiver, knowledge, pause: pause), first)
  }

  /// Reads a capture until it is known what has to be before anything is made of it.
  /// - Returns: The first reading from which on that was known, and whether reading the capture again would tell more.
  private func readAhead<Receiver: EventReceiver>(
    _ input: CaptureInput, into receiver: Receiver, _ knowledge: inout CaptureKnowledge
  ) throws(InputError) -> (first: Reading<Receiver>, tellsMore: Bool) {
    let once = try readOnce(input, into: receiver, knowledge)
    let first = try knowledge.learnGrounds(from: once, { $0.conclusions }) { (knowledge) throws(InputError) in
      try readOnce(input, into: receiver, knowledge)
    }
    let tellsMore = try knowledge.learn(from: first.conclusions) { (knowledge) throws(InputError) in
      try readOnce(input, into: EventForwarder(selection: []), knowledge).conclusions
    }
    sayUnnamed(input, knowledge, first.conclusions)
    return (first, tellsMore)
  }

  /// Reads a capture that goes by once: what comes is told as it is known then. Where that is not all, says so.
  private func readTheOnlyTime<Receiver: EventReceiver>(
    _ input: CaptureInput, into receiver: Receiver, _ knowledge: CaptureKnowledge, _ pause: (() -> Void)? = nil
  ) throws(InputError) -> Reading<Receiver> {
    let only = try readOnce(input, into: receiver, knowledge, pause: pause)
    if !isQuiet, knowledge.wouldLearn(from: only.conclusions) {
      InputError(
        path: input.path,
        message:
          "read only once, as it came, and what came later explains more of what came before: save it to a file, "
          + "and give that"
      ).complain()
    }
    return only
  }

  /// What has been told is not told again: where a capture tells more of one before, says so.
  private func sayToldLate(_ input: CaptureInput, _ conclusions: Conclusions) {
    guard !isQuiet, !search.keepsPipes else { return }
    let tables = PeerTables(of: conclusions)
    untold.removeAll { earlier in
      guard earlier.own.help(from: tables) != nil else { return false }
      InputError(path: earlier.path, message: "\(input.path) explains more of it: give that first")
        .complain()
      return true
    }
    if !conclusions.nameAll, untold.count < Self.mostUntold { untold.append((input.path, conclusions)) }
  }

  /// Says for whom GATT maps are taken that name no device; of a capture that is read again for what others tell, only
  /// if that is no longer so.
  private func sayUnnamed(_ input: CaptureInput, _ knowledge: CaptureKnowledge, _ conclusions: Conclusions) {
    guard !isQuiet, let sentence = knowledge.unnamedSentence(of: conclusions) else { return }
    let message = InputError(path: input.path, message: sentence)
    if said.insert("\(message.path): \(sentence)").inserted { message.complain() }
  }

  /// Reads a capture, file after file.
  private func readOnce<Receiver: EventReceiver>(
    _ input: CaptureInput, into receiver: Receiver, _ knowledge: CaptureKnowledge, pause: (() -> Void)? = nil
  ) throws(InputError) -> Reading<Receiver> {
    var analyzer = Analyzer(into: receiver, knowing: knowledge)
    analyzer.noteUnreadNeighbours(input.troubles.map(\.complaint), untold: input.untoldTroubles)
    do throws(SourceError) {
      for (index, member) in input.members.enumerated() {
        if input.members.count > 1 {
          analyzer.beginMember(index, of: input.members.count, nextBegins: input.begins(index + 1))
        }
        analyzer.noteInsertedReturns(member.insertedReturns)
        try read(member, &analyzer, pause)
        if let doubt = member.doubt { analyzer.noteDoubt(doubt) }
      }
    } catch {
      throw InputError(path: input.path, message: error.description)
    }
    return (analyzer.receiver, analyzer.facts, analyzer.conclusions)
  }

  private func read(
    _ member: CaptureMember, _ analyzer: inout Analyzer<some EventReceiver>, _ pause: (() -> Void)?
  ) throws(SourceError) {
    var capture = try member.open()
    var progress = ProgressLine(path: member.path, size: capture.size, isQuiet: isQuiet)
    defer { progress.clear() }
    while true {
      if !capture.octets.isEmpty { capture.consume(try Self.read(&analyzer, capture.octets)) }
      if let pause, capture.wouldWait {
        if !capture.octets.isEmpty { capture.consume(try Self.read(&analyzer, capture.octets, isPause: true)) }
        pause()
      }
      let more = try fill(&capture, &analyzer)
      if !more {
        _ = try Self.read(&analyzer, capture.octets, isLast: true)
        return
      }
      progress.show(analyzer.facts.progress.consumedOctets)
    }
  }

  /// Reads a piece more. What breaks off in the middle of a capture ends it: what has been read stands, as it does where
  /// a checksum is wrong.
  private func fill(
    _ capture: inout OpenedCapture, _ analyzer: inout Analyzer<some EventReceiver>
  ) throws(SourceError) -> Bool {
    do throws(SourceError) {
      return try capture.fill()
    } catch {
      if error.isDoubt {
        analyzer.noteDoubt(error.description)
        return false
      }
      let hasBegun = analyzer.facts.progress.consumedOctets > 0 || Self.isCapture(capture.octets)
      if error.isLimit || !hasBegun { throw error }
      analyzer.noteInterruption(error.description)
      if error.isDamage { analyzer.noteDoubt(error.description) }
      return false
    }
  }

  /// Whether so few octets are a capture that more were waited for.
  private static func isCapture(_ octets: Span<UInt8>) -> Bool {
    var reader = CaptureReader()
    return (try? reader.recognise(octets, isAll: true)) ?? false
  }

  private static func read(
    _ analyzer: inout Analyzer<some EventReceiver>, _ octets: Span<UInt8>, isLast: Bool = false, isPause: Bool = false
  ) throws(SourceError) -> Int {
    do throws(ParsingError) {
      return isPause ? try analyzer.readBeforePause(octets) : try analyzer.read(octets, isLast: isLast)
    } catch {
      throw SourceError(InputError.complaint(error))
    }
  }

  /// What becomes of each capture that paths stand for; of one of which others that were read behind it tell more, what
  /// becomes of it when it is read once more.
  func results<Output>(of paths: [FilePath], _ body: (Result<CaptureInput, InputError>) -> Output) -> [Output] {
    var results: [Output] = []
    search.captures(in: paths) { results.append(body($0)) }
    for capture in memory.takeUnsettled() where memory.recall(capture) {
      results[capture.place] = body(.success(capture.input))
    }
    return results
  }
}
