import CaptureFiles

extension Timestamp {
  /// The moment when so much has passed since this one.
  func advanced(by passed: Duration) -> Timestamp {
    let (seconds, attoseconds) = passed.components
    return advanced(byMicroseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
