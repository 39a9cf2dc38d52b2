import CaptureAnalysis
import CaptureFiles
import CaptureReports
import CaptureSources
import Octets

/// Records what is captured while it is captured. Each batch of records is in the file before it is shown.
struct LiveRecorder {
  private var records: CaptureReader
  private var stage: Stage
  private(set) var state: LiveStatus.Recording
  /// Whether it was said that nobody knows the zone of its times.
  private var hasDoubt = false

  /// Where it is written, and how.
  struct Plan {
    /// The path of the first file.
    var path: FilePath
    /// What is read meanwhile, and written over by none.
    var inputs = ReadFiles()
    /// Whether files that exist are written over.
    var isForced = false
    /// No file becomes longer; nil: there is only one.
    var mostOctets: Int?
  }

  /// Begins a file.
  /// - Parameters:
  ///   - records: How records are found in the octets to come.
  ///   - times: How their times are told.
  init(_ plan: Plan, from records: CaptureReader, _ times: TimesInUTC) throws(DestinationError) {
    self.records = records
    stage = try Stage(plan, times, droppedRecords: records.droppedRecords)
    state = LiveStatus.Recording(path: "\(plan.path)")
  }

  /// Records the whole records in `octets`, which continue where the last call ended.
  /// - Returns: What went wrong, or may be wrong, the first time that something is.
  mutating func record(_ octets: Span<UInt8>, isLast: Bool) -> String? {
    guard state.trouble == nil else { return nil }
    // What is wrong with the octets, who analyzes them says.
    _ = try? records.recognise(octets, isAll: isLast)
    stage.times.stamps = records.clock
    _ = try? records.read(octets, isLast: isLast, into: &stage)
    stage.note(droppedRecords: records.droppedRecords)
    stage.flush()
    state.path = stage.file.name
    state.octets = stage.file.octets
    state.trouble = stage.trouble
    return stage.trouble ?? doubt()
  }

  /// That the recording's times may be wrong, once.
  private mutating func doubt() -> String? {
    guard !hasDoubt, records.formatName != nil, stage.times.clock(of: records.clock) != .utc else { return nil }
    hasDoubt = true
    return "\(stage.file.name): times are recorded as if they were UTC, since nothing tells their zone: "
      + "--time-zone does"
  }

  /// Nothing came of the capture, and nothing is left of it.
  func discard() { stage.file.remove() }

  /// What comes next begins with a file header.
  mutating func beginAgain(isGap: Bool) { records.beginAgain(isGap: isGap) }

  /// Records → octets → files.
  private struct Stage: RecordReceiver {
    let plan: Plan
    /// All that is written is UTC.
    var times: TimesInUTC
    var writer: CaptureWriter
    var file: RecordingFile
    var trouble: String?
    private var number = 1
    /// As much may be lost of a batch for which there is not room enough.
    private static let piece = 4 << 10
    /// Whether anything stands behind the file's header.
    private var hasRecords = false

    init(_ plan: Plan, _ times: TimesInUTC, droppedRecords: UInt64) throws(DestinationError) {
      (self.plan, self.times) = (plan, times)
      writer = CaptureWriter(CaptureWriter.Format(path: "\(plan.path)"), droppedRecords: droppedRecords)
      file = try RecordingFile(path: plan.path, isForced: plan.isForced)
      flush()
    }

    mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {
      makeRoom(for: writer.length(of: record))
      writer.receive(times.told(record), octets)
      hasRecords = true
      if writer.octets.count >= Self.piece { flush() }
    }

    /// Takes note of how many records were lost so far.
    mutating func note(droppedRecords: UInt64) {
      writer.note(droppedRecords: droppedRecords)
      guard writer.lossesLength > 0 else { return }
      makeRoom(for: writer.lossesLength)
      writer.tellLosses()
    }

    /// Goes on in another file if this one would become too long.
    private mutating func makeRoom(for length: Int) {
      guard let most = plan.mostOctets, hasRecords, file.octets + writer.octets.count + length > most else { return }
      beginNextFile()
    }

    /// Writes what waits. What cannot be written is lost, and nothing more is tried.
    mutating func flush() {
      defer { writer.clear() }
      guard trouble == nil else { return }
      do throws(DestinationError) { try file.append(writer.octets) } catch { trouble = error.description }
    }

    private mutating func beginNextFile() {
      flush()
      guard trouble == nil else { return }
      do throws(DestinationError) {
        file = try RecordingFile(path: nextPath(), isForced: plan.isForced)
        writer.beginFile()
        hasRecords = false
      } catch {
        trouble = error.description
      }
    }

    /// run.btsnoop, run-2.btsnoop, run-3.btsnoop …; a number whose file exists is passed over, unless it is forced.
    private mutating func nextPath() -> FilePath {
      let octets = plan.path.octets
      let name = octets.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      let dot = octets[name...].dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? octets.endIndex
      while true {
        number += 1
        let path = FilePath(octets: octets[..<dot] + "-\(number)".utf8 + octets[dot...])
        if plan.isForced ? !plan.inputs.contain(path) : !InputPaths.exists(path) { return path }
      }
    }
  }
}
