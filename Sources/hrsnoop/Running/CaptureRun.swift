import CaptureAnalysis
import CaptureFiles
import CaptureSources
import Octets

/// Why an input gave no result: a sentence that names it.
struct InputError: Error {
  let path: String
  let message: String
}

/// Reads inputs one after another, from their octets to their events.
final class CaptureRun {
  private let isQuiet: Bool
  /// Whether an input could not be read.
  private(set) var hasFailed = false

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
  }

  /// The inputs that paths stand for: a directory for every capture in it.
  func inputs(_ paths: [String]) -> [Result<String, InputError>] {
    paths.flatMap { path -> [Result<String, InputError>] in
      guard InputPaths.isDirectory(path) else { return [.success(path)] }
      do throws(SourceError) {
        let captures = try InputPaths.files(below: path).filter(Self.isCapture)
        guard captures.isEmpty else { return captures.map { .success($0) } }
        return [.failure(InputError(path: path, message: "there is no capture in this directory. \(Self.advice)"))]
      } catch {
        return [.failure(InputError(path: path, message: error.description))]
      }
    }
  }

  private static let advice = "hrsnoop reads btsnoop, pcap, pcapng and Apple PacketLogger."

  /// Whether a file in a directory is a capture: its beginning tells.
  private static func isCapture(_ path: String) -> Bool {
    guard var source = try? FileSource(path: path) else { return false }
    var buffer = OctetBuffer(longest: CaptureReader.longestRecord)
    var reader = CaptureReader()
    while true {
      guard let more = try? buffer.fill(from: &source),
        let isKnown = try? reader.recognise(buffer.octets, isAll: !more)
      else { return false }
      if isKnown || !more { return isKnown }
    }
  }

  /// Reads a capture: twice, where what attributes are that were not discovered comes to light only in the end.
  /// - Parameter receiver: Takes its events.
  func read<Receiver: EventReceiver>(
    _ path: String, into receiver: Receiver, knowing knowledge: CaptureKnowledge
  ) throws(InputError) -> (receiver: Receiver, facts: CaptureFacts) {
    var knowledge = knowledge
    knowledge.concludesAtOnce = !Self.canBeReadAgain(path)
    let first = try readOnce(path, into: receiver, knowledge)
    guard Self.canBeReadAgain(path), knowledge.learn(first.conclusions) else { return (first.receiver, first.facts) }
    let second = try readOnce(path, into: receiver, knowledge)
    return (second.receiver, second.facts)
  }

  /// Reads a capture whose events are shown as they come: what its attributes are has to be known before.
  func readStreaming<Receiver: EventReceiver>(
    _ path: String, into receiver: Receiver, knowing knowledge: CaptureKnowledge
  ) throws(InputError) -> CaptureFacts {
    var knowledge = knowledge
    knowledge.concludesAtOnce = !Self.canBeReadAgain(path)
    if Self.canBeReadAgain(path) {
      _ = knowledge.learn(try readOnce(path, into: SummaryBuilder(listsMeasurements: false), knowledge).conclusions)
    }
    return try readOnce(path, into: receiver, knowledge).facts
  }

  /// Standard input, and what else is no file, is gone when it has been read.
  private static func canBeReadAgain(_ path: String) -> Bool {
    path != "-" && (try? FileSource(path: path))?.size != nil
  }

  private func readOnce<Receiver: EventReceiver>(
    _ path: String, into receiver: Receiver, _ knowledge: CaptureKnowledge
  ) throws(InputError) -> (receiver: Receiver, facts: CaptureFacts, conclusions: Conclusions) {
    do throws(SourceError) {
      var source = try FileSource(path: path)
      var buffer = OctetBuffer(longest: CaptureReader.longestRecord)
      var progress = ProgressLine(path: path, size: source.size, isQuiet: isQuiet)
      defer { progress.clear() }
      var analyzer = Analyzer(into: receiver, knowing: knowledge)
      while true {
        let more = try buffer.fill(from: &source)
        buffer.consume(try Self.read(&analyzer, buffer, isLast: !more))
        if !more { return (analyzer.receiver, analyzer.facts, analyzer.conclusions) }
        progress.show(analyzer.facts.progress.consumedOctets)
      }
    } catch {
      throw InputError(path: path, message: error.description)
    }
  }

  private static func read(
    _ analyzer: inout Analyzer<some EventReceiver>, _ buffer: OctetBuffer, isLast: Bool
  ) throws(SourceError) -> Int {
    do throws(ParsingError) {
      return try analyzer.read(buffer.octets, isLast: isLast)
    } catch {
      throw SourceError(describe(error))
    }
  }

  /// Why an input is not a capture that can be read.
  private static func describe(_ error: ParsingError) -> String {
    guard case .invalid(let what) = error.problem else { return "\(error.layer): \(error)" }
    return error.field == "Start"
      ? "\(what). \(advice)" : "\(error.layer) with \(error.field.lowercased()) \(what)"
  }

  /// Says what is wrong with an input; the others are still read.
  func complain(_ error: InputError) {
    hasFailed = true
    StandardError.complain("\(error.path == "-" ? "standard input" : error.path): \(error.message)")
  }
}
