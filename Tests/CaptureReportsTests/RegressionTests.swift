import CaptureAnalysis
import CaptureFiles
import CaptureReports
import Foundation
import Testing
import TestSupport

/// What fuzzing once found: every file that made the program trap or refuse stays harmless, in one piece and in many.
@Suite struct `Regressions` {
  static let files: [URL] = {
    let folder = packageFolder.appending(path: "Fuzz/Regressions")
    let all = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return (all ?? []).filter { $0.pathExtension == "bin" }.sorted { $0.path < $1.path }
  }()

  @Test func `are there`() {
    #expect(Self.files.count >= 2)
  }

  @Test(arguments: files)
  func `are read and reported`(file: URL) throws {
    let summary = try Reporting.summary("regression", Array(Data(contentsOf: file)))
    #expect(!Reporting.analysis([summary], width: 80).isEmpty)
    #expect(!Reporting.databases([summary], width: 80).isEmpty)
  }

  @Test(arguments: files, [9, 15])
  func `are read in pieces`(file: URL, piece: Int) throws {
    let octets = ContiguousArray(try Data(contentsOf: file))
    var (start, end, events) = (0, 0, 0)
    var analyzer = Analyzer(into: EventForwarder(selection: .all, { _ in events += 1 }))
    while end < octets.count || end == 0 {
      end = min(end + piece, octets.count)
      start += try analyzer.read(octets.span.extracting(start..<end), isLast: end == octets.count)
    }
    var whole = 0
    var other = Analyzer(into: EventForwarder(selection: .all, { _ in whole += 1 }))
    _ = try other.read(octets.span, isLast: true)
    #expect(events == whole)
  }
}
