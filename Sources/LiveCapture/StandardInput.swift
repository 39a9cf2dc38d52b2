import CaptureSources

/// Standard input: the pipe of another program that captures.
final class StandardInput: LiveSource {
  var readiness: Readiness { .readable(Descriptor.standardInput.number) }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> LiveStep {
    guard let count = unsafe try Descriptor.standardInput.read(into: space) else { return .nothing }
    return count > 0 ? .octets(count) : .end
  }
}
