import CaptureAnalysis
import CaptureFiles
import CaptureSources
import Octets

/// Reads inputs one after another, from their octets to their events.
final class CaptureRun {
  private let isQuiet: Bool
  private let limits: UnpackingLimits
  /// Whether what comes through a pipe is kept, to be read twice as files are.
  private let keepsPipes: Bool
  private var memory: CaptureMemory
  /// Captures that were told as they came, in which something is not named: one behind them may tell what it is.
  private var untold: [(path: FilePath, own: Conclusions)] = []
  private static let mostUntold = 100
  /// What was said of GATT maps.
  private var said: Set<String> = []
  /// How many captures have been handed on before the one at hand.
  private(set) var handedOn = 0
  /// Whether there is more than one capture, as far as that is known before all have been found.
  private(set) var findsSeveral = false

  /// - Parameter isStreamed: Whether captures are told as they come: what comes through a pipe is not kept then, and none
  ///   is read again for what others tell.
  init(isQuiet: Bool, limits: UnpackingLimits, isStreamed: Bool = false) {
    keepsPipes = !isStreamed
    memory = CaptureMemory(looksBack: !isStreamed)
    self.isQuiet = isQuiet
    self.limits = limits
  }

  /// Reads a capture: twice, where what attributes are that were not discovered comes to light only in the end.
  /// - Parameter receiver: Takes its events.
  func read<Receiver: EventReceiver>(
    _ input: CaptureInput, into receiver: Receiver, knowing knowledge: CaptureKnowledge
  ) throws(InputError) -> (receiver: Receiver, facts: CaptureFacts) {
    let (last, conclusions) = try readTwice(input, into: receiver, withMemory(knowledge, of: input))
    remember(input, conclusions)
    return last
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
    let (facts, first, last) = try readTwice(
      input, scout: scout, into: receiver, withMemory(knowledge, of: input), pause)
    sayToldLate(input, first)
    remember(input, first, thenToo: last)
    return facts
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
    memory.keep(input, at: handedOn, first)
    memory.remember(last ?? first)
  }

  private func readTwice<Receiver: EventReceiver>(
    _ input: CaptureInput, into receiver: Receiver, _ knowledge: CaptureKnowledge
  ) throws(InputError) -> (last: (receiver: Receiver, facts: CaptureFacts), conclusions: Conclusions) {
    var knowledge = knowledge
    let first = try readFirst(input, into: receiver, &knowledge)
    guard input.canBeReadAgain else {
      sayReadOnce(input, knowledge, first.conclusions)
      return ((first.receiver, first.facts), first.conclusions)
    }
    let learns = try learn(input, from: first.conclusions, &knowledge)
    sayUnnamed(input, knowledge, first.conclusions)
    guard learns else { return ((first.receiver, first.facts), first.conclusions) }
    let second = try readOnce(input, into: receiver, knowledge)
    return ((second.receiver, second.facts), first.conclusions)
  }

  private func readTwice<Receiver: EventReceiver>(
    _ input: CaptureInput, scout: DeviceScout?, into receiver: Receiver, _ knowledge: CaptureKnowledge,
    _ pause: (() -> Void)?
  ) throws(InputError) -> (facts: CaptureFacts, first: Conclusions, last: Conclusions) {
    var knowledge = knowledge
    guard input.canBeReadAgain else {
      if !isQuiet, let sentence = knowledge.unnamedSentence {
        InputError(path: input.path, message: sentence).complain()
      }
      let only = try readOnce(input, into: receiver, knowledge, pause: pause)
      sayReadOnce(input, knowledge, only.conclusions)
      return (only.facts, only.conclusions, only.conclusions)
    }
    let before = scout?.receiver ?? EventForwarder(selection: [])
    let first = try readFirst(input, into: before, &knowledge)
    _ = try learn(input, from: first.conclusions, &knowledge)
    sayUnnamed(input, knowledge, first.conclusions)
    let last = try readOnce(input, into: receiver, knowledge, pause: pause)
    return (last.facts, first.conclusions, last.conclusions)
  }

  /// Reads a capture until it is known what has to be before anything is made of it.
  private func readFirst<Receiver: EventReceiver>(
    _ input: CaptureInput, into receiver: Receiver, _ knowledge: inout CaptureKnowledge
  ) throws(InputError) -> (receiver: Receiver, facts: CaptureFacts, conclusions: Conclusions) {
    let first = try readOnce(input, into: receiver, knowledge)
    guard input.canBeReadAgain else { return first }
    return try knowledge.learnGrounds(from: first, { $0.conclusions }) { (knowledge) throws(InputError) in
      try readOnce(input, into: receiver, knowledge)
    }
  }

  /// Takes what a reading has told.
  /// - Returns: Whether reading the capture again would tell more.
  private func learn(
    _ input: CaptureInput, from first: Conclusions, _ knowledge: inout CaptureKnowledge
  ) throws(InputError) -> Bool {
    try knowledge.learn(from: first) { (knowledge) throws(InputError) in
      try readOnce(input, into: EventForwarder(selection: []), knowledge).conclusions
    }
  }

  /// What goes by once is told as it was known when it came: where that is not all, says so.
  private func sayReadOnce(_ input: CaptureInput, _ knowledge: CaptureKnowledge, _ conclusions: Conclusions) {
    guard !isQuiet, knowledge.wouldLearn(from: conclusions) else { return }
    InputError(
      path: input.path,
      message: "read only once, as it came, and what came later explains more of what came before: save it to a file, "
        + "and give that"
    ).complain()
  }

  /// What has been told is not told again: where a capture tells more of one before, says so.
  private func sayToldLate(_ input: CaptureInput, _ conclusions: Conclusions) {
    guard !isQuiet, !keepsPipes else { return }
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
  ) throws(InputError) -> (receiver: Receiver, facts: CaptureFacts, conclusions: Conclusions) {
    var analyzer = Analyzer(into: receiver, knowing: knowledge)
    analyzer.noteUnreadNeighbours(input.troubles.map(Self.describe), untold: input.untoldTroubles)
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
      throw SourceError(describe(error))
    }
  }

  /// What becomes of each capture that paths stand for; of one of which others that were read behind it tell more, what
  /// becomes of it when it is read once more.
  func results<Output>(of paths: [FilePath], _ body: (Result<CaptureInput, InputError>) -> Output) -> [Output] {
    var results: [Output] = []
    captures(in: paths) { results.append(body($0)) }
    for capture in memory.takeUnsettled() where memory.recall(capture) {
      results[capture.place] = body(.success(capture.input))
    }
    return results
  }
}

// MARK: - What paths stand for

extension CaptureRun {
  /// Finds the captures that paths stand for, and hands on each: a directory or an archive for every capture in it.
  ///
  /// A path is not opened before all that come before it have been handed on: standard input may be slow.
  func captures(in paths: [FilePath], _ body: (Result<CaptureInput, InputError>) -> Void) {
    func count(_ capture: Result<CaptureInput, InputError>) {
      body(capture)
      handedOn += 1
    }
    let groups = CaptureInput.rotatedPaths(paths)
    findsSeveral = groups.count > 1
    for group in groups {
      if let directory = group.first, group.count == 1, InputPaths.isDirectory(directory) {
        captures(inDirectory: directory, count)
      } else {
        captures(inFiles: group, count)
      }
    }
  }

  private func captures(inFiles paths: [FilePath], _ body: (Result<CaptureInput, InputError>) -> Void) {
    var failures: [InputError] = []
    let surveys = surveys(of: paths, &failures) { _ in true }
    handOn(CaptureInput.inputs(in: surveys), body)
    for failure in failures { body(.failure(failure)) }
  }

  /// Looks into files. One that cannot be read has failed.
  /// - Parameter isMissed: Whether one that holds no capture has failed, too.
  private func surveys(
    of files: [FilePath], _ failures: inout [InputError], isMissed: (CaptureSurvey) -> Bool
  ) -> [CaptureSurvey] {
    var surveys: [CaptureSurvey] = []
    for file in files {
      do throws(SourceError) {
        let survey = try CaptureSurvey(path: file, limits: limits)
        if survey.members.isEmpty, isMissed(survey) {
          failures.append(InputError(path: file, message: Self.describe(survey)))
        } else {
          surveys.append(survey)
        }
      } catch {
        failures.append(InputError(path: file, message: error.description))
      }
    }
    return surveys
  }

  /// Hands captures on, and lets go of each, so that no more than one archive is open at a time.
  private func handOn(_ inputs: consuming [CaptureInput], _ body: (Result<CaptureInput, InputError>) -> Void) {
    var rest = Array(inputs.reversed())
    findsSeveral = findsSeveral || rest.count > 1
    while let input = rest.popLast() { body(.success(keepsPipes ? input.kept() : input)) }
  }

  private func captures(inDirectory path: FilePath, _ body: (Result<CaptureInput, InputError>) -> Void) {
    do throws(SourceError) {
      let contents = try InputPaths.contents(of: path)
      var failures = contents.unreadable.map { InputError(path: $0.path, message: $0.error.description) }
      // A file need not be a capture; one that may hide a capture is told.
      let inputs = CaptureInput.inputs(in: surveys(of: contents.files, &failures, isMissed: \.hidesFiles))
      if inputs.isEmpty, failures.isEmpty {
        throw SourceError("there is no capture in this directory. \(Self.advice)")
      }
      handOn(inputs, body)
      for failure in failures { body(.failure(failure)) }
    } catch {
      body(.failure(InputError(path: path, message: error.description)))
    }
  }
}

// MARK: - What is wrong, in words

extension CaptureRun {
  private static let advice =
    "hrsnoop reads btsnoop, pcap, pcapng and Apple PacketLogger, also in archives and bug reports."
  private static let recording = "How a bug report comes to hold one: hrsnoop explain capture"

  /// Why there is no capture in a file.
  private static func describe(_ survey: CaptureSurvey) -> String {
    guard survey.isArchive else { return survey.troubles.first.map(describe) ?? "there is no capture in it. \(advice)" }
    guard let first = survey.troubles.first else {
      return "there is no capture in this archive. \(advice) \(recording)"
    }
    let others = survey.troubleCount - 1
    let more = others > 0 ? " (and \(others) more that cannot be read)" : ""
    return first.name == nil
      ? describe(first) + more : "no capture in this archive can be read: \(describe(first))\(more)"
  }

  /// What could not be looked into.
  private static func describe(_ trouble: CaptureSurvey.Trouble) -> String {
    let reason =
      switch trouble.reason {
      case .source(let error): error.description
      case .content(let error): describe(error)
      }
    return trouble.name.map { "\($0): \(reason)" } ?? reason
  }

  /// Why an input is not a capture that can be read.
  /// - Parameter isLive: Whether it is followed while it grows, and so cannot be in an archive.
  static func describe(_ error: ParsingError, isLive: Bool = false) -> String {
    guard case .invalid(let what) = error.problem else { return "\(error.layer): \(error)" }
    let advice = isLive ? "live reads btsnoop, pcap, pcapng and Apple PacketLogger, and no archives." : advice
    return error.isRefusal
      ? "\(what)\(error.isRefusalOfUnknown ? ". \(advice)" : "")"
      : "\(error.layer) with \(error.field.lowercased()) \(what)"
  }
}
