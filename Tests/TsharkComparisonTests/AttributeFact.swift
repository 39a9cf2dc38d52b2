/// What both programs can tell of a capture: in which record which attribute's value went over the air, and why.
struct AttributeFact: Hashable {
  /// How the value came to be sent.
  enum Kind: String {
    case read, write, notification, indication
  }

  var frame: Int
  var kind: Kind
  var handle: Int
  /// In hexadecimal.
  var value: String
}

extension AttributeFact: CustomStringConvertible {
  var description: String { "#\(frame) \(kind.rawValue) \(String(handle, radix: 16)): \(value)" }
}

/// A program's view of a capture.
struct View {
  /// All values that were read, written, notified or indicated.
  var facts: [AttributeFact] = []
  /// The values that the program takes for heart rate measurements, in hexadecimal.
  var heartRates: [String] = []
}

extension Sequence where Element: Hashable {
  /// How often each element is there.
  var counts: [Element: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }

  /// The elements that are not in `others`, each counted.
  func without(_ others: some Sequence<Element>) -> [Element] {
    var left = others.counts
    return filter { element in
      guard let count = left[element], count > 0 else { return true }
      left[element] = count - 1
      return false
    }
  }
}
