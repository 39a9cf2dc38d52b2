extension UInt64 {
  /// Two counts of lost records together, as far as that can be counted.
  func withDrops(_ more: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(more)
    return overflow ? .max : sum
  }
}
