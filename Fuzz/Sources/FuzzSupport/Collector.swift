public import CaptureReports
import Octets

/// Takes what a report writes, to look at it afterwards.
public final class Collector {
  /// What has been written.
  public private(set) var octets = ContiguousArray<UInt8>()

  /// Creates one that is empty.
  public init() {}

  /// A buffer that is small, so that reports are handed on in the middle of things.
  public var buffer: ReportBuffer {
    ReportBuffer(limit: 512) { [self] piece in
      octets.append(piece)
    }
  }
}

extension ReportContext {
  /// A terminal that is any, but always the same for an input.
  public static func any(for input: Span<UInt8>) -> ReportContext {
    let chance = Checksum(of: input).value
    return ReportContext(width: 40 + Int(chance >> 8 & 0x7F), isColored: chance & 1 == 0, version: "fuzz")
  }
}

/// Ends the run unless a report is JSON, or else safe to look at.
public func check(_ name: String, isJSON: Bool, allowsColors: Bool, _ write: (ReportBuffer) -> Void) {
  let collector = Collector()
  write(collector.buffer)
  let octets = collector.octets
  let problem =
    isJSON ? JSONChecker.problem(octets.span) : TextChecker.problem(octets.span, allowsColors: allowsColors)
  if let problem { fail("\(name): \(problem)") }
}
