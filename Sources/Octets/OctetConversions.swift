// Between borrowed octets and owned ones. `ContiguousArray`, not `Array`: its `span` exists on every platform version
// the package supports.

extension ContiguousArray where Element == UInt8 {
  /// Copies borrowed octets.
  @inlinable public init(_ span: Span<UInt8>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe ContiguousArray($0) }
  }

  /// Appends borrowed octets.
  @inlinable public mutating func append(_ span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension Span where Element == UInt8 {
  /// Whether the first octets are these.
  package func starts(with octets: [UInt8]) -> Bool {
    count >= octets.count && octets.indices.allSatisfy { self[$0] == octets[$0] }
  }
}

extension Collection where Element == UInt8 {
  /// Lends the octets as a span: an array's own, a copy of others.
  @inlinable public func withOctets<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let octets = ContiguousArray(self)
    return try body(octets.span)
  }
}
