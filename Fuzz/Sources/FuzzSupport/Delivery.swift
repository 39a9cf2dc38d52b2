import CaptureFiles

/// How an input is handed to a reader.
public enum Delivery {
  /// At once.
  case whole
  /// As it comes through a pipe.
  case pieces(Sizes)
}

/// Hands octets to a reader that says each time how many it need not see again, as the program does with its buffer.
public func deliver<Failure: Error>(
  _ octets: Span<UInt8>, _ delivery: Delivery, to read: (Span<UInt8>, _ isLast: Bool) throws(Failure) -> Int
) throws(Failure) {
  var consumed = 0
  if case .pieces(var sizes) = delivery {
    var shown = 0
    while shown < octets.count {
      shown = min(octets.count, shown + sizes.next())
      let count = try read(octets.extracting(consumed..<shown), false)
      check(count >= 0 && count <= shown - consumed, "\(count) octets consumed of \(shown - consumed)")
      consumed += count
      check(shown - consumed <= CaptureReader.longestRecord + 5000, "\(shown - consumed) octets are held back")
    }
  }
  let count = try read(octets.extracting(consumed..<octets.count), true)
  check(count >= 0 && count <= octets.count - consumed, "\(count) octets consumed of \(octets.count - consumed)")
}
