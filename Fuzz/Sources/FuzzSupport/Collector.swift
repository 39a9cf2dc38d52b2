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
      for index in piece.indices { octets.append(piece[index]) }
    }
  }
}
