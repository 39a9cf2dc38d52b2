import CaptureSources

/// Where octets come from that have no end by themselves. It never waits: who reads has waited for its readiness.
protocol LiveSource: AnyObject {
  /// What to wait for before reading.
  var readiness: Readiness { get }
  /// Whether it is there: what happens while it is away never comes.
  var isHere: Bool { get }
  /// Reads the next octets into the start of `space`, if there are any.
  /// - Throws: `SourceError` if there will be no more, and that is a failure.
  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> LiveStep
}

extension LiveSource {
  var isHere: Bool { true }
}

/// What came of reading on.
public enum LiveStep: Sendable {
  /// So many octets more.
  case octets(Int)
  /// None so far.
  case nothing
  /// None, and the sentence says why.
  case said(String)
  /// The octets to come begin with a file header, whatever came before. The sentence says why.
  /// - Parameter isGap: Whether records may be missing before them.
  case anew(isGap: Bool, String)
  /// There will be no more.
  case end
}

/// What to wait for.
public enum Readiness: Sendable {
  /// Until a descriptor can be read.
  case readable(Int32)
  /// Until a descriptor can be written.
  case writable(Int32)
  /// So long.
  case after(Duration)
}
